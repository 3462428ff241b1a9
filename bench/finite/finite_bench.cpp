// The finite engine: one suggestion after another on listed inputs and queries, against recomputing everything.
//
//   finite_bench                    all of it; fails if an answer is wrong. Other arguments are ignored
//   finite_bench --run <name>       one run in this process, for its peak memory: cmes, rough
//
// A suggestion is: 16 joint paths, the score of every query, the best one observed. Times are processor times of this
// process, in turn, unless it says wall; ratios are what counts.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>

#include "finite_settings.hpp"

namespace iqbo::bench {
namespace {

void cmes_run() {
  const Smooth setting(1000);
  FiniteBelief belief = setting.belief();
  run_cmes(belief, 100);
}

void large_and_rough() {
  const Rough setting(200, 100, 4000, 0.0);
  FiniteBelief belief = setting.belief();
  run_cmes(belief, 150);
  belief.fg_cov();
  std::printf("  %s\n", belief.description().c_str());
}

// The run in a process of its own, for its peak memory.
void in_own_process(const char* self, const char* name, const char* what) {
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    execl(self, self, "--run", name, nullptr);
    _exit(127);
  }
  int status = 0;
  rusage usage{};
  check(wait4(child, &status, 0, &usage) == child && status == 0, "the run in its own process");
  const double time = static_cast<double>(usage.ru_utime.tv_sec) + 1e-6 * static_cast<double>(usage.ru_utime.tv_usec);
  std::printf("%s: peak memory %.0f MB, %.2f s, in its own process\n", what,
              static_cast<double>(usage.ru_maxrss) / 1024.0, time);
}

void machine() {
  const Matrix a = Matrix::Random(1000, 1000);
  Matrix b = Matrix::Zero(1000, 1000);
  const double product = seconds([&] {
    for (int i = 0; i < 5; ++i) b.noalias() += a * a;
  });
  const Vector big = Vector::Random(Index{1} << 24);
  double sum = 0.0;
  const double reading = seconds([&] {
    for (int i = 0; i < 5; ++i) sum += big.sum();
  });
  check(std::isfinite(b.sum() + sum), "machine");
  std::printf("this machine now: %.0f Gflop/s in a product of 1,000 x 1,000, %.1f GB/s read\n", 10.0 / product,
              5.0 * 8e-9 * static_cast<double>(big.size()) / reading);
}

}  // namespace
}  // namespace iqbo::bench

int main(int argc, char** argv) {
  using namespace iqbo::bench;
  const std::string name = argc == 3 && std::string(argv[1]) == "--run" ? argv[2] : "";
  if (name == "cmes") return cmes_run(), 0;
  if (name == "rough") return large_and_rough(), 0;
  machine();
  in_own_process(argv[0], "cmes", "learning from 1,000 pairs and 100 suggestions by CMES");
  smooth_bench();
  rough_bench(0.0);
  rough_bench(0.002);
  in_own_process(argv[0], "rough", "rough, 20,000 x 4,000, 150 suggestions by CMES and all of fg_cov");
  return 0;
}
