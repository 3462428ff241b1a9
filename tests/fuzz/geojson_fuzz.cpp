// Any bytes as the GeoJSON file of a spec: refused by std::invalid_argument, or accepted, and then it has a shape for each query.
#include <cstdint>
#include <stdexcept>

#include "iqbo/record/spec_bundle.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  iqbo::SpecBundle bundle{
      R"({"version": 2, "targets": {"kind": "points", "points": "p.csv", "id": "p", "coordinates": ["x", "y"]},
          "queries": {"kind": "points", "points": "q.csv", "id": "q", "geojson": {"file": "g.json", "id": "q"}},
          "conditional": {"kind": "bags", "bags": "b.csv", "point": "p"}})",
      {{"p.csv", "p,x,y\na,0,1\nb,1,0\n"}, {"q.csv", "q\nu\nv\n"}, {"b.csv", "q,p\nu,a\nv,b\n"}}};
  bundle.files["g.json"] = std::string(reinterpret_cast<const char*>(data), size);
  try {
    const iqbo::SpecData found = iqbo::load(bundle);
    if (found.queries.ids.size() != 2) __builtin_trap();
  } catch (const std::invalid_argument&) {
  }
  return 0;
}
