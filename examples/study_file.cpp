// A study in a file: ask, tell, close, open again and go on. iqbo best --study clinic.db reads the same file.
#include <cstdio>
#include <filesystem>
#include <iqbo/iqbo.hpp>

int main() {
  const char* const spec = R"({
    "version": 2,
    "targets": {"kind": "box", "axes": [{"name": "dose", "unit": "mg", "from": 0, "to": 10, "grid": 41}]},
    "queries": {"kind": "box", "axes": [{"name": "clinic", "unit": "mg", "from": 1, "to": 9, "grid": 17}]},
    "conditional": {"kind": "uniform", "mu": "identity", "width": 1}
  })";
  std::filesystem::remove("clinic.db");
  {
    iqbo::Study study = iqbo::Study::create("clinic.db", {spec, {}});
    const iqbo::Trial asked = study.ask().trials.front();
    study.tell(asked.number, {.value = 1.5});
  }
  iqbo::Study study = iqbo::Study::open("clinic.db");  // another process, next week
  std::printf("trial %lld is next\n", static_cast<long long>(study.ask().trials.front().number));
}
