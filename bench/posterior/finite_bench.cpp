// The finite engine: one suggestion after another on listed inputs and queries, against recomputing everything.
//
//   finite_bench                    all of it, single thread; fails if an answer is wrong
//   finite_bench --run <name>       one run in this process, for its peak memory: cmes, rough
//
// A suggestion is: draw 16 joint paths, score every query by their maxima (a simple CMES), observe the best one. Times
// are processor times of one process, in turn; ratios are what counts.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <Eigen/Cholesky>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <optional>
#include <string>

#include "finite_reference.hpp"
#include "iqbo/conditional/bag.hpp"
#include "iqbo/conditional/learned.hpp"
#include "iqbo/conditional/spread.hpp"
#include "iqbo/core/rng.hpp"
#include "iqbo/kernel/stationary.hpp"
#include "iqbo/posterior/finite.hpp"

namespace iqbo {
namespace {

constexpr Index kPaths = 16;
constexpr double kNoiseVar = 0.01;

double processor_time() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

template <class Work>
double seconds(Work work) {
  const double start = processor_time();
  work();
  return processor_time() - start;
}

void check(bool good, const char* what) {
  if (good) return;
  std::printf("WRONG ANSWER: %s\n", what);
  std::exit(1);
}

double distance(const Vector& a, const Vector& b) { return (a - b).cwiseAbs().maxCoeff(); }

Rows grid(Index rows, Index columns) {
  Rows out(rows * columns, 2);
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < columns; ++j)
      out.row(i * columns + j) << static_cast<double>(i) / static_cast<double>(rows - 1),
          static_cast<double>(j) / static_cast<double>(columns - 1);
  return out;
}

// 50 x 50 inputs, 50 x 50 queries, an embedding learned from `pairs` pairs.
struct Smooth {
  Inputs x{grid(50, 50)};
  Queries a{grid(50, 50)};
  Rbf kernel{1.0, Vector{{0.2, 0.2}}};
  LearnedConditional conditional;

  explicit Smooth(Index pairs) : conditional(learn(pairs)) {}

  static LearnedConditional learn(Index pairs) {
    Rng rng(1);
    const Rows a = rng.uniforms(pairs, 2);
    const Rows x = (0.05 + 0.9 * a.array().square() + 0.1 * (rng.uniforms(pairs, 2).array() - 0.5)).matrix();
    LearnedOptions options;
    options.model = LearnedKind::kCme;
    return {Inputs(x), Queries(a), options};
  }
  Posterior prior() const { return {kernel, conditional}; }
  FiniteBelief belief() const { return {prior(), x, a, {EngineKind::kAuto, kNoiseVar}}; }

  // What is there to be found.
  double truth(Index query) const {
    const auto b = a.row(query);
    return std::sin(5.0 * b[0]) * std::cos(4.0 * b[1]);
  }
};

struct Asked {
  std::vector<Index> query;
  Vector z;
};

// `count` suggestions, each observed.
Asked run(const Smooth& setting, FiniteBelief& belief, Index count) {
  Rng rng(2);
  Asked out{{}, Vector(count)};
  for (Index t = 0; t < count; ++t) {
    const Vector fstar = belief.draw(kPaths, rng).f.colwise().maxCoeff();
    Index best = 0;
    bench::cmes(belief.g(), fstar).maxCoeff(&best);
    out.query.push_back(best);
    out.z[t] = setting.truth(best) + std::sqrt(kNoiseVar) * rng.normal();
    belief.observe(best, out.z[t], kNoiseVar);
  }
  return out;
}

void against_recomputing() {
  constexpr Index kIterations = 100;
  const Smooth setting(1000);
  double build = 0.0;
  double loop = 0.0;
  Asked asked;
  {
    std::optional<FiniteBelief> belief;
    build = seconds([&] { belief.emplace(setting.belief()); });
    loop = seconds([&] { asked = run(setting, *belief, kIterations); });
    std::printf("finite engine: %s\n", belief->description().c_str());
    const Posterior exact =
        setting.prior().condition(Queries(setting.a.coordinates()(asked.query, Eigen::all)), asked.z, kNoiseVar);
    check(distance(belief->f().mean, exact.f(setting.x).mean) < 1e-8, "mean of f");
    check(distance(belief->f().var, exact.f(setting.x).var) < 1e-8, "variance of f");
    check(distance(belief->g().mean, exact.g(setting.a).mean) < 1e-8, "mean of g");
    check(distance(belief->g().var, exact.g(setting.a).var) < 1e-8, "variance of g");
  }
  bench::Reference reference(setting.prior(), setting.x, setting.a);
  Rng rng(3);
  const double recompute = seconds([&] {
    for (Index t = 0; t < kIterations; ++t) {
      const Vector fstar = reference.draw(kPaths, rng).colwise().maxCoeff();
      Index best = 0;
      bench::cmes(reference.g(), fstar).maxCoeff(&best);
      reference.observe(asked.query[static_cast<std::size_t>(t)], asked.z[t], kNoiseVar);
    }
  });
  Matrix k = setting.kernel.gram(setting.x);
  k.diagonal().array() += 0.1;
  const double cholesky = seconds([&] {
    for (int i = 0; i < 5; ++i) {
      Matrix copy = k;
      const Eigen::LLT<Eigen::Ref<Matrix>> llt(copy);
    }
  });
  std::printf("100 suggestions: finite %.3f s (of which setting up %.3f s), recomputing %.2f s: %.1f times faster\n",
              build + loop, build, recompute, recompute / (build + loop));
  std::printf("recomputing takes %.2f Cholesky factorisations of 2,500 (%.1f ms each) per suggestion\n",
              recompute / kIterations / (cholesky / 5), 1e3 * cholesky / 5);
}

// Time of a suggestion and of its observation at t observations.
double suggestion(const Smooth& setting, FiniteBelief& belief, Index t) {
  Rng rng(4);
  while (belief.size() < t) belief.observe(rng.below(belief.a().size()), rng.normal(), kNoiseVar);
  return seconds([&] { run(setting, belief, 20); }) / 20.0;
}

void growth_with_observations() {
  const Smooth setting(1000);
  FiniteBelief belief = setting.belief();
  const double early = suggestion(setting, belief, 100);
  const double late = suggestion(setting, belief, 1000);
  std::printf("one suggestion: %.2f ms at t = 100, %.2f ms at t = 1,000: %.2f times\n", 1e3 * early, 1e3 * late,
              late / early);
}

void growth_with_pairs() {
  double before = 0.0;
  double before_all = 0.0;
  for (const Index pairs : {1000, 4000}) {
    std::optional<Smooth> setting;
    const double training = seconds([&] { setting.emplace(pairs); });
    const double total = seconds([&] {
      FiniteBelief belief = setting->belief();
      run(*setting, belief, 100);
    });
    std::printf("%ld pairs: training %.2f s, 100 suggestions with setting up %.2f s\n", static_cast<long>(pairs),
                training, total);
    if (before > 0.0)
      std::printf("4,000 pairs against 1,000: %.2f times without training, %.2f times with it\n", total / before,
                  (total + training) / before_all);
    before = total;
    before_all = total + training;
  }
}

void sweep() {
  constexpr Index kCandidates = 100'000;
  constexpr Index kSeen = 500;
  Rng rng(5);
  const Queries a(rng.uniforms(kCandidates, 2));
  Posterior exact(Rbf(1.0, Vector{{0.2, 0.2}}), GaussianConditional(QueryMap::identity(2), 0.1));
  exact = exact.condition(a.slice(0, kSeen), rng.normals(kSeen), kNoiseVar);
  std::optional<FiniteBelief> belief;
  const double build = seconds([&] { belief.emplace(exact, Inputs(grid(20, 20)), a); });
  Marginals fresh;
  exact = exact.condition(a.slice(kSeen, 1), Vector{{0.3}}, kNoiseVar);
  const double scratch = seconds([&] { fresh = exact.g(a); });
  const double kept = seconds([&] { belief->observe(kSeen, 0.3, kNoiseVar); });
  check(distance(belief->g().mean, fresh.mean) < 1e-8, "mean of g in the sweep");
  check(distance(belief->g().var, fresh.var) < 1e-8, "variance of g in the sweep");
  std::printf(
      "g at 100,000 queries, one more observation at t = 500: kept %.1f ms, from scratch %.0f ms: %.1f times "
      "faster; setting up %.2f s; %s\n",
      1e3 * kept, 1e3 * scratch, scratch / kept, build, belief->description().c_str());
}

// Cells of a lattice, queries that average 20 neighbouring ones; Matern 3/2 of three cells.
struct Rough {
  Inputs x;
  BagConditional bags;
  Matern32 kernel;

  Rough(Index rows, Index columns, Index queries, double shake)
      : x(shaken(rows, columns, shake)), bags(windows(x, queries)), kernel(1.0, lengthscale(rows, columns)) {}

  static Vector lengthscale(Index rows, Index columns) {
    return Vector{{3.0 / static_cast<double>(rows - 1), 3.0 / static_cast<double>(columns - 1)}};
  }
  static Inputs shaken(Index rows, Index columns, double shake) {
    Rng rng(6);
    return Inputs(grid(rows, columns) + shake * rng.uniforms(rows * columns, 2));
  }
  static BagConditional windows(const Inputs& x, Index queries) {
    Rng rng(7);
    std::vector<BagRow> rows;
    for (Index bag = 0; bag < queries; ++bag) {
      const Index first = rng.below(x.size() - 20);
      for (Index j = 0; j < 20; ++j) rows.push_back({bag, first + j, 1.0});
    }
    return {x, rows};
  }
  FiniteBelief belief() const { return {Posterior(kernel, bags), x, bags.queries(), {EngineKind::kAuto, kNoiseVar}}; }
};

std::vector<Index> first(Index count) {
  std::vector<Index> out;
  for (Index i = 0; i < count; ++i) out.push_back(i);
  return out;
}

void rough(double shake) {
  constexpr Index kSeen = 150;
  const Rough setting(100, 50, 1500, shake);
  FiniteBelief belief = setting.belief();
  Rng rng(8);
  Posterior exact(setting.kernel, setting.bags);
  const Queries seen = setting.bags.queries().slice(0, kSeen);
  const Vector z = rng.normals(kSeen);
  const double observe = seconds([&] { belief.observe(seen, z, kNoiseVar); }) / kSeen;
  exact = exact.condition(seen, z, kNoiseVar);
  check(distance(belief.f().mean, exact.f(setting.x).mean) < 1e-8, "mean of a rough f");
  check(distance(belief.g().var, exact.g(setting.bags.queries()).var) < 1e-8, "variance of a rough g");

  // The least that anything exact must read: the kept rows, once.
  const Matrix rows = Matrix::Random(setting.x.size() + setting.bags.queries().size(), kSeen);
  const Vector weight = Vector::Random(kSeen);
  Vector sum = Vector::Zero(rows.rows());
  const double pass = seconds([&] {
                        for (int i = 0; i < 20; ++i) sum.noalias() += rows * weight;
                      }) /
                      20.0;
  check(std::isfinite(sum.sum()), "pass");
  const double first_draw = seconds([&] { belief.draw(kPaths, rng); });
  const double draw = seconds([&] { belief.draw(kPaths, rng); });
  const double few = seconds([&] { belief.fg_cov(first(16)); });
  belief.paths(kPaths, rng);
  const double last = seconds([&] { belief.observe(200, 0.1, kNoiseVar); });  // moves the kept paths too
  belief.fg_cov();
  const double whole = seconds([&] { belief.observe(201, 0.1, kNoiseVar); }) - last;
  std::printf("rough, 5,000 x 1,500, t = 150; %s\n", belief.description().c_str());
  std::printf(
      "  one pass over the kept rows %.2f ms; in passes: observe %.1f (mean of 150), the next %.1f, draw(16) %.1f "
      "(first %.0f), 16 rows of fg_cov %.1f, rank-one update of all of it %.1f\n",
      1e3 * pass, observe / pass, last / pass, draw / pass, first_draw / pass, few / pass, whole / pass);
}

void large_and_rough() {
  const Rough setting(200, 100, 4000, 0.0);
  FiniteBelief belief = setting.belief();
  Rng rng(9);
  for (int t = 0; t < 150; ++t) {
    const Vector fstar = belief.draw(kPaths, rng).f.colwise().maxCoeff();
    Index best = 0;
    bench::cmes(belief.g(), fstar).maxCoeff(&best);
    belief.observe(best, rng.normal(), kNoiseVar);
  }
  belief.fg_cov();
  std::printf("  %s\n", belief.description().c_str());
}

void cmes_run() {
  const Smooth setting(1000);
  FiniteBelief belief = setting.belief();
  run(setting, belief, 100);
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
}  // namespace iqbo

int main(int argc, char** argv) {
  using namespace iqbo;
  const std::string name = argc == 3 && std::string(argv[1]) == "--run" ? argv[2] : "";
  if (name == "cmes") return cmes_run(), 0;
  if (name == "rough") return large_and_rough(), 0;
  machine();
  in_own_process(argv[0], "cmes", "learning from 1,000 pairs and 100 suggestions");
  against_recomputing();
  growth_with_observations();
  growth_with_pairs();
  sweep();
  rough(0.0);
  rough(0.002);
  in_own_process(argv[0], "rough", "rough, 20,000 x 4,000, 150 suggestions and all of fg_cov");
  return 0;
}
