// Bytes of a study's file that were changed: opening it, reading it, checking it and asking for the best all refuse what is
// damaged, or give what they gave before. Each three bytes of the input say where (two) and what to write there. And the input
// as the body of an event: refused, or the same after writing and reading again.
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "iqbo/core/errors.hpp"
#include "iqbo/record/json.hpp"
#include "iqbo/study/study.hpp"

namespace {

using namespace iqbo;  // NOLINT(google-build-using-namespace): a program, not a header
namespace fs = std::filesystem;

struct Everything {
  std::string spec;
  std::vector<Event> events;
  std::vector<Trial> trials;
  std::vector<double> best;
  bool operator==(const Everything&) const = default;
};

Everything read(const std::string& file) {
  Study study = Study::open(file, Access::kReadOnly);
  Everything out{study.storage().bundle().text, study.storage().events(), study.storage().trials(), study.best().x};
  for (Trial& trial : out.trials) trial.lease_until = 0;  // is nowhere else
  study.storage().check();
  return out;
}

// A folder for this process, and the study in it.
struct Whole {
  fs::path folder = fs::temp_directory_path() / ("iqbo-fuzz-" + std::to_string(getpid()));
  std::string bytes;
  Everything contents;

  Whole() {
    fs::create_directories(folder);
    const std::string file = (folder / "whole.db").string();
    fs::remove(file);
    {
      Study study = Study::create(
          file, {R"({"version": 2, "targets": {"kind": "box", "axes": [{"name": "x", "from": 0, "to": 1, "grid": 5}]},
                     "queries": {"kind": "box", "axes": [{"name": "x", "from": 0, "to": 1, "grid": 5}]},
                     "conditional": {"kind": "gaussian", "width": 0.1}, "noise_sd": 0.1,
                     "kernel": {"family": "rbf", "lengthscale": 0.2, "variance": 1}})",
                 {}});
      for (int i = 0; i < 3; ++i)
        for (const Trial& trial : study.ask().trials) study.tell(trial.number, {0.25 * i, 0.1, 2});
      study.ask();
    }
    contents = read(file);
    std::ostringstream text;
    text << std::ifstream(file, std::ios::binary).rdbuf();
    bytes = text.str();
  }
  ~Whole() {
    std::error_code ignored;
    fs::remove_all(folder, ignored);
  }
};

void with_changed_bytes(const Whole& whole, const std::uint8_t* data, std::size_t size) {
  std::string changed = whole.bytes;
  for (std::size_t i = 0; i + 2 < size; i += 3)
    changed[(256U * data[i] + data[i + 1]) % changed.size()] = static_cast<char>(data[i + 2]);
  const std::string file = (whole.folder / "changed.db").string();
  for (const char* suffix : {"", "-wal", "-shm"}) fs::remove(file + suffix);
  std::ofstream(file, std::ios::binary) << changed;
  try {
    if (read(file) != whole.contents) std::abort();
  } catch (const StorageError&) {
  } catch (const std::invalid_argument&) {
  } catch (const NumericalError&) {
  }
}

void as_body(const std::string& text) {
  for (const std::string& kind : event_kinds()) try {
      const EventBody body = body_from_json(kind, text);
      if (body_from_json(kind, body_to_json(body)) != body) std::abort();
    } catch (const std::invalid_argument&) {
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Whole whole;
  with_changed_bytes(whole, data, size);
  as_body(std::string(reinterpret_cast<const char*>(data), size));
  return 0;
}
