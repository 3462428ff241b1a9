// What a study costs to open and to write to: SQLite in a file, 2,000 told trials. IQBO_BENCH_URL=postgresql://... adds a server.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "iqbo/storage/storage.hpp"
#include "storage/digest.hpp"

namespace {

constexpr int kTrials = 2000;

iqbo::SpecBundle bundle() {
  return {R"({"version": 2, "targets": {"kind": "box", "axes": [{"name": "x", "from": 0, "to": 1}]},
              "queries": {"kind": "box", "axes": [{"name": "a", "from": 0, "to": 1}]},
              "conditional": {"kind": "gaussian", "width": 0.1}})",
          {}};
}

iqbo::Trial draft() {
  iqbo::Trial trial;
  trial.query = {1.0 / 3, 0.1};
  trial.policy = "cjes";
  trial.why = {"cjes: p(x given a) is known, and f is rough"};
  const iqbo::FittedNumber some(1.0 / 3, 0.1, 0.7);
  trial.fit = iqbo::Hyperparameters{.observations = 100,
                                    .family = "rbf",
                                    .variance = some,
                                    .lengthscale = {some, some},
                                    .nugget = some,
                                    .noise_var = some,
                                    .mean = {some},
                                    .log_evidence = -12.5};
  return trial;
}

std::string place(bool server, const char* name) {
  static int calls = 0;  // a benchmark is run several times
  const std::string unique = name + std::to_string(getpid()) + "-" + std::to_string(++calls);
  if (server) return std::string(std::getenv("IQBO_BENCH_URL")) + "?study=" + unique;
  return (std::filesystem::temp_directory_path() / (unique + ".db")).string();
}

void remove(const std::string& location) {
  for (const char* suffix : {"", "-wal", "-shm"}) std::filesystem::remove(location + suffix);
}

bool skipped(benchmark::State& state) {
  if (state.range(0) == 0 || std::getenv("IQBO_BENCH_URL") != nullptr) return false;
  state.SkipWithError("no IQBO_BENCH_URL");
  return true;
}

void OpenAndReadAll(benchmark::State& state) {
  if (skipped(state)) return;
  const std::string location = place(state.range(0) == 1, "iqbo-bench-read-");
  {
    iqbo::Storage storage = iqbo::Storage::create(location, bundle());
    storage.claim(std::vector<iqbo::Trial>(kTrials, draft()), 0, "w", 60);
    for (int i = 0; i < kTrials; ++i) storage.tell(i, {1.0 / (1 + i), {}, 1}, "w");
  }
  for (auto _ : state) {
    const iqbo::Storage storage = iqbo::Storage::open(location, iqbo::Access::kReadOnly);
    if (storage.events().size() != 2 * kTrials) return state.SkipWithError("wrong answer");
  }
  if (state.range(0) == 0) remove(location);
}

void ClaimAndTell(benchmark::State& state) {
  if (skipped(state)) return;
  const std::string location = place(state.range(0) == 1, "iqbo-bench-write-");
  iqbo::Storage storage = iqbo::Storage::create(location, bundle());
  for (auto _ : state) {
    const auto claimed = storage.claim({draft()}, storage.last_event(), "w", 60);
    if (!claimed || storage.tell(claimed->at(0).number, {0.5, {}, 1}, "w").verdict != iqbo::Settled::Verdict::kStored)
      return state.SkipWithError("wrong answer");
  }
  if (state.range(0) == 0) remove(location);
}

// What checking adds to reading: the digests of 1,000 events whose bodies have so many bytes.
void Digests(benchmark::State& state) {
  std::vector<iqbo::EventRow> rows;
  for (int i = 0; i < 1000; ++i)
    rows.push_back({i + 1, 1763265600.5 + i, "asked", std::string(static_cast<std::size_t>(state.range(0)), 'x')});
  for (auto _ : state) {
    std::string digest = "origin";
    for (const iqbo::EventRow& row : rows) digest = iqbo::event_digest(digest, row);
    if (digest.size() != 32) return state.SkipWithError("wrong answer");
  }
}

BENCHMARK(Digests)->ArgName("bytes")->Arg(350)->Arg(2000)->Arg(4000)->Unit(benchmark::kMillisecond);
BENCHMARK(OpenAndReadAll)->ArgName("server")->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(ClaimAndTell)->ArgName("server")->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
