// Any bytes as a spec: refused by std::invalid_argument, or accepted and then the same after writing and reading again.
#include <cstdint>
#include <cstdlib>
#include <stdexcept>

#include "iqbo/record/spec.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  iqbo::Spec spec;
  try {
    spec = iqbo::parse_spec(text);
  } catch (const std::invalid_argument&) {
    return 0;
  }
  if (iqbo::parse_spec(iqbo::to_json(spec)) != spec) std::abort();
  for (const iqbo::SpecFile& file : iqbo::files_of(spec))
    if (file.name.empty()) std::abort();
  iqbo::coordinate_names(spec.queries, spec.targets);
  return 0;
}
