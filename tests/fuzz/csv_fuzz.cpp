// Any bytes as a table: refused by std::invalid_argument, or accepted and then, if written as we write, the same after writing and reading again. Then
// the same bytes in place of each file of two small specs.
#include <cstdint>
#include <cstdlib>
#include <stdexcept>

#include "iqbo/record/csv.hpp"
#include "iqbo/record/result_table.hpp"
#include "iqbo/record/spec_bundle.hpp"

namespace {

const iqbo::SpecBundle& bags() {
  static const iqbo::SpecBundle bundle{
      R"({"version": 2, "targets": {"kind": "points", "points": "p.csv", "id": "p", "coordinates": ["x", "y"]},
          "queries": {"kind": "points", "points": "q.csv", "id": "q", "cost": "cost", "geojson": {"file": "g.json", "id": "q"}},
          "conditional": {"kind": "bags", "bags": "b.csv", "point": "p", "weight": "w"}})",
      {{"p.csv", "p,x,y\na,0,1\nb,1,0\n"},
       {"q.csv", "q,cost\nu,1\nv,2\n"},
       {"b.csv", "q,p,w\nu,a,1\nv,b,2\n"},
       {"g.json", R"({"features": [{"properties": {"q": "u"}}, {"properties": {"q": "v"}}]})"}}};
  return bundle;
}

const iqbo::SpecBundle& learned() {
  static const iqbo::SpecBundle bundle{
      R"({"version": 2, "targets": {"kind": "box", "axes": [{"name": "x", "from": 0, "to": 1}]},
          "queries": {"kind": "points", "points": "q.csv", "id": "q", "coordinates": ["x", "c"], "categories": ["c"]},
          "conditional": {"kind": "learned", "pairs": "j.csv"}})",
      {{"q.csv", "q,x,c\nu,1,m\nv,2,n\n"}, {"j.csv", "x.x,a.x,c\n0.5,1,m\n0.25,2,n\n"}}};
  return bundle;
}

template <class Work>
void allow_refusal(const Work& work) {
  try {
    work();
  } catch (const std::invalid_argument&) {
  }
}

void round_trip(std::string_view text) {
  const iqbo::CsvTable table = iqbo::parse_csv(text, "t");
  const iqbo::CsvTable again = iqbo::parse_csv(iqbo::to_csv(table), "t");
  if (table.style == iqbo::CsvStyle{} && again != table) std::abort();
  for (const auto& row : table.rows)
    for (const auto& cell : row) {
      double value = 0;
      double back = 0;
      if (iqbo::parse_number(cell, value) && (!iqbo::parse_number(iqbo::csv_number(value), back) || back != value))
        std::abort();
    }
}

void in_place_of_each_file(const iqbo::SpecBundle& whole, const std::string& text) {
  for (const auto& [file, contents] : whole.files) {
    iqbo::SpecBundle bundle = whole;
    bundle.files[file] = text;
    allow_refusal([&] { iqbo::load(bundle); });
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const iqbo::SpecData known = iqbo::load(learned());
  static const iqbo::SpecData listed = iqbo::load(bags());
  const std::string text(reinterpret_cast<const char*>(data), size);
  allow_refusal([&] { round_trip(text); });
  allow_refusal([&] { iqbo::results_from_csv(text, "r"); });
  allow_refusal([&] { iqbo::load_observations(known, iqbo::parse_csv(text, "o")); });
  allow_refusal([&] { iqbo::load_values(listed, iqbo::parse_csv(text, "v")); });
  in_place_of_each_file(bags(), text);
  in_place_of_each_file(learned(), text);
  return 0;
}
