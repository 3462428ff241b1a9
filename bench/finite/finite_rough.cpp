// Rough kernels, 5,000 cells and 1,500 sparse queries: suggestions in passes over the kept arrays.
//
// The kept arrays at t observations: rows of L^-1 Cov(observations, f) and of L^-1 Cov(observations, g), (n + p) x t
// numbers, and, for CKG alone, the cross covariance, n x p. A pass reads each number of those a score needs once: a
// product with a vector. CMES and CJES, whose 16 paths are drawn afresh for every choice, are measured against the rows,
// CKG against both.
#include "finite_settings.hpp"

namespace iqbo::bench {
namespace {

constexpr Index kSeen = 150;
constexpr int kTimes = 20;

// One pass, the mean of kTimes; the sum makes the compiler read it all.
double pass_over(Index rows, Index columns) {
  const Matrix kept = Matrix::Random(rows, columns);
  const Vector weight = Vector::Random(columns);
  Vector sum = Vector::Zero(rows);
  const double time = seconds([&] {
    for (int i = 0; i < kTimes; ++i) sum.noalias() += kept * weight;
  });
  check(std::isfinite(sum.sum()), "pass");
  return time / kTimes;
}

// Mean time of choosing and of observing, each observation moving what is kept.
struct Cost {
  double choose = 0.0;
  double observe = 0.0;
};

template <class Choose>
Cost cost_of(FiniteBelief& belief, Choose choose) {
  Cost out;
  for (int i = 0; i < kTimes; ++i) {
    Index best = 0;
    out.choose += seconds([&] { best = choose(belief); }) / kTimes;
    out.observe += seconds([&] { belief.observe(best, truth(belief.a(), best), kNoiseVar); }) / kTimes;
  }
  return out;
}

// Inputs that one more answer can make the best: a mean moves by at most sd(f) |Z|, and |Z| < 9 but for 1e-19.
std::vector<Index> can_win(const FiniteBelief& belief) {
  const Vector& mean = belief.f().mean;
  const Vector sd = belief.f().var.cwiseSqrt();
  const double floor = (mean - 9.0 * sd).maxCoeff();
  std::vector<Index> out;
  for (Index i = 0; i < mean.size(); ++i)
    if (mean[i] + 9.0 * sd[i] >= floor) out.push_back(i);
  return out;
}

void print(const char* name, const Cost& cost, double pass) {
  std::printf("  %-5s choosing %5.1f passes, observing %5.1f: %5.1f\n", name, cost.choose / pass, cost.observe / pass,
              (cost.choose + cost.observe) / pass);
}

}  // namespace

void rough_bench(double shake) {
  const Rough setting(100, 50, 1500, shake);
  FiniteBelief belief = setting.belief();
  Rng rng(8);
  const Queries seen = setting.bags.queries().slice(0, kSeen);
  const Vector z = 0.5 * rng.normals(kSeen);
  belief.observe(seen, z, kNoiseVar);
  check_against(belief, Posterior(setting.kernel, setting.bags).condition(seen, z, kNoiseVar));

  const Index points = setting.x.size() + setting.bags.queries().size();
  const double pass = pass_over(points, kSeen);
  const double cross = pass_over(setting.x.size(), setting.bags.queries().size());
  const double first = seconds([&] { belief.draw(kPaths, rng); });
  const double later = seconds([&] { belief.draw(kPaths, rng); });
  std::printf("rough, 5,000 x 1,500, t = 150; %s\n", belief.description().c_str());
  std::printf(
      "  a pass over rows %.3f ms, over the cross covariance %.3f ms; the first 16 paths %.1f passes, later ones "
      "%.1f\n",
      1e3 * pass, 1e3 * cross, first / pass, later / pass);
  FiniteBelief cmes = belief;
  print("CMES", cost_of(cmes, [&](FiniteBelief& b) { return suggest_cmes(b, b.draw(kPaths, rng)); }), pass);
  FiniteBelief cjes = belief;
  print("CJES", cost_of(cjes, [&](FiniteBelief& b) { return suggest_cjes(b, b.draw(kPaths, rng)); }), pass);

  FiniteBelief ckg = belief;
  const auto winners = can_win(ckg);
  std::printf("  %ld of %ld cells can still win\n", static_cast<long>(winners.size()),
              static_cast<long>(setting.x.size()));
  ckg.fg_cov();
  const Cost whole = cost_of(ckg, [](FiniteBelief& b) { return suggest_ckg(b); });
  print("CKG", whole, pass + cross);
}

}  // namespace iqbo::bench
