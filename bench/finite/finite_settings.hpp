// What the benchmarks of the finite engine share: a clock, checks, two settings, and a suggestion by each score.
#pragma once

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

#include "iqbo/acquisition/knowledge_gradient.hpp"
#include "iqbo/acquisition/location.hpp"
#include "iqbo/acquisition/max_value.hpp"
#include "iqbo/conditional/bag.hpp"
#include "iqbo/core/rng.hpp"
#include "iqbo/finite/finite.hpp"
#include "iqbo/kernel/stationary.hpp"
#include "iqbo/learned/learned.hpp"

namespace iqbo::bench {

constexpr Index kPaths = 16;
constexpr double kNoiseVar = 0.01;
constexpr double kFloor = 1e-12;  // of q, see Cmes

// Of the processor, all threads of the process together: other people's work does not count.
inline double processor_time() {
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

inline void check(bool good, const char* what) {
  if (good) return;
  std::printf("WRONG ANSWER: %s\n", what);
  std::exit(1);
}

inline double distance(const Vector& a, const Vector& b) { return (a - b).cwiseAbs().maxCoeff(); }

inline void check_against(const FiniteBelief& belief, const Posterior& exact) {
  check(distance(belief.f().mean, exact.f(belief.x()).mean) < 1e-8, "mean of f");
  check(distance(belief.f().var, exact.f(belief.x()).var) < 1e-8, "variance of f");
  check(distance(belief.g().mean, exact.g(belief.a()).mean) < 1e-8, "mean of g");
  check(distance(belief.g().var, exact.g(belief.a()).var) < 1e-8, "variance of g");
}

inline Rows grid(Index rows, Index columns) {
  Rows out(rows * columns, 2);
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < columns; ++j)
      out.row(i * columns + j) << static_cast<double>(i) / static_cast<double>(rows - 1),
          static_cast<double>(j) / static_cast<double>(columns - 1);
  return out;
}

// 50 x 50 inputs, 50 x 50 queries, RBF, an embedding learned from `pairs` pairs.
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
};

// Cells of a lattice (shaken: of none), queries that average 20 neighbouring ones; Matern 3/2 of three cells.
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

// What there is to be seen, at any query.
inline double truth(const Queries& a, Index query) {
  const auto b = a.row(query);
  return std::sin(5.0 * b[0]) * std::cos(4.0 * b[b.size() - 1]);
}

inline Index best_of(const Acquisition& score, const Marginals& g, const Matrix& c) {
  Index best = 0;
  score.score({g.mean, g.var, Vector::Constant(g.mean.size(), kNoiseVar)}, c).maxCoeff(&best);
  return best;
}

// f*_s, at least max g_s: averages with signed weights can exceed their own f.
inline Vector largest(const FiniteBelief::Paths& paths) {
  return paths.f.colwise().maxCoeff().cwiseMax(paths.g.colwise().maxCoeff()).transpose();
}

inline Index suggest_cmes(const FiniteBelief& belief, const FiniteBelief::Paths& paths) {
  return best_of(Cmes(largest(paths), kFloor), belief.g(), Matrix(0, belief.a().size()));
}

inline Index suggest_cjes(const FiniteBelief& belief, const FiniteBelief::Paths& paths) {
  std::vector<Index> at(static_cast<std::size_t>(paths.f.cols()));
  for (Index s = 0; s < paths.f.cols(); ++s) paths.f.col(s).maxCoeff(&at[static_cast<std::size_t>(s)]);
  const Inputs x_star(belief.x().coordinates()(at, Eigen::all));
  return best_of(Cjes(x_star, belief.f().var(at)), belief.g(), belief.fg_cov(at));
}

inline Index suggest_ckg(FiniteBelief& belief) {
  return best_of(Ckg(belief.x(), belief.f().mean), belief.g(), belief.fg_cov());
}

// CMES, `count` suggestions with fresh paths, each observed.
struct Asked {
  std::vector<Index> query;
  Vector z;
};

inline Asked run_cmes(FiniteBelief& belief, Index count) {
  Rng rng(2);
  Asked out{{}, Vector(count)};
  for (Index t = 0; t < count; ++t) {
    const Index best = suggest_cmes(belief, belief.draw(kPaths, rng));
    out.query.push_back(best);
    out.z[t] = truth(belief.a(), best) + std::sqrt(kNoiseVar) * rng.normal();
    belief.observe(best, out.z[t], kNoiseVar);
  }
  return out;
}

void smooth_bench();
void rough_bench(double shake);

}  // namespace iqbo::bench
