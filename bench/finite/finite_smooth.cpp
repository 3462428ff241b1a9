// Smooth kernels, 2,500 inputs and 2,500 queries: suggestions against recomputing everything, and how they grow.
#include <Eigen/Cholesky>
#include <chrono>
#include <optional>
#include <thread>

#include "finite_reference.hpp"
#include "finite_settings.hpp"
#include "iqbo/conditional/spread.hpp"

namespace iqbo::bench {
namespace {

double one_cholesky(const Smooth& setting) {
  constexpr int kTimes = 5;
  Matrix k = setting.kernel.gram(setting.x);
  k.diagonal().array() += 0.1;
  Matrix copy = k;
  return seconds([&] {
           for (int i = 0; i < kTimes; ++i) {
             copy = k;
             const Eigen::LLT<Eigen::Ref<Matrix>> llt(copy);
           }
         }) /
         kTimes;
}

double recompute(const Smooth& setting, const Asked& asked) {
  Reference reference(setting.prior(), setting.x, setting.a);
  Rng rng(3);
  const double time = seconds([&] {
    for (std::size_t t = 0; t < asked.query.size(); ++t) {
      const Vector fstar = reference.draw(kPaths, rng).colwise().maxCoeff();
      best_of(Cmes(fstar, kFloor), reference.g(), Matrix(0, setting.a.size()));
      reference.observe(asked.query[t], asked.z[static_cast<Index>(t)], kNoiseVar);
    }
  });
  const Posterior exact =
      setting.prior().condition(Queries(setting.a.coordinates()(asked.query, Eigen::all)), asked.z, kNoiseVar);
  check(distance(reference.g().mean, exact.g(setting.a).mean) < 1e-8, "the reference's mean of g");
  return time;
}

void against_recomputing(const Smooth& setting) {
  constexpr Index kIterations = 100;
  std::optional<FiniteBelief> belief;
  Asked asked;
  const double build = seconds([&] { belief.emplace(setting.belief()); });
  const double loop = seconds([&] { asked = run_cmes(*belief, kIterations); });
  check_against(*belief, setting.prior().condition(Queries(setting.a.coordinates()(asked.query, Eigen::all)), asked.z,
                                                   kNoiseVar));
  const double slow = recompute(setting, asked);
  const double cholesky = one_cholesky(setting);
  std::printf("smooth, 2,500 x 2,500, 1,000 pairs; %s\n", belief->description().c_str());
  std::printf("  100 suggestions: finite %.3f s (of which setting up %.3f s), recomputing %.2f s: %.1f times faster\n",
              build + loop, build, slow, slow / (build + loop));
  std::printf("  recomputing takes %.2f Cholesky factorisations of 2,500 (%.1f ms each) per suggestion\n",
              slow / kIterations / cholesky, 1e3 * cholesky);
}

// Time of a suggestion and of its observation at t observations.
double suggestion(FiniteBelief& belief, Index t) {
  Rng rng(4);
  while (belief.size() < t) belief.observe(rng.below(belief.a().size()), rng.normal(), kNoiseVar);
  return seconds([&] { run_cmes(belief, 20); }) / 20.0;
}

void growth_with_observations(const Smooth& setting) {
  FiniteBelief belief = setting.belief();
  const double early = suggestion(belief, 100);
  const double late = suggestion(belief, 1000);
  std::printf("  one suggestion: %.2f ms at t = 100, %.2f ms at t = 1,000: %.2f times\n", 1e3 * early, 1e3 * late,
              late / early);
}

void growth_with_pairs() {
  double training[2];
  double total[2];
  const Index pairs[2] = {1000, 4000};
  for (int i = 0; i < 2; ++i) {
    std::optional<Smooth> setting;
    training[i] = seconds([&] { setting.emplace(pairs[i]); });
    total[i] = seconds([&] {
      FiniteBelief belief = setting->belief();
      run_cmes(belief, 100);
    });
  }
  std::printf("  1,000 pairs: training %.2f s, 100 suggestions %.2f s; 4,000 pairs: %.2f s, %.2f s: ", training[0],
              total[0], training[1], total[1]);
  std::printf("%.2f times, with training %.2f times\n", total[1] / total[0],
              (total[1] + training[1]) / (total[0] + training[0]));
}

// Scoring, then observing, against the update of the cross covariance alone.
void knowledge_gradient(const Smooth& setting) {
  constexpr int kTimes = 20;
  FiniteBelief belief = setting.belief();
  run_cmes(belief, 10);
  belief.fg_cov();
  double score = 0.0;
  double observe = 0.0;
  double update = 0.0;
  Matrix copy = belief.fg_cov();
  const Vector u = Vector::Constant(copy.rows(), 1e-9);
  const Vector v = Vector::Constant(copy.cols(), 1e-9);
  for (int i = 0; i < kTimes; ++i) {
    Index best = 0;
    score += seconds([&] { best = suggest_ckg(belief); });
    observe += seconds([&] { belief.observe(best, truth(belief.a(), best), kNoiseVar); });
    update += seconds([&] { copy.noalias() -= u * v.transpose(); });
  }
  check((belief.fg_cov().row(7) - belief.fg_cov(std::vector<Index>{7})).cwiseAbs().maxCoeff() < 1e-8, "kept fg_cov");
  std::printf("  CKG: a suggestion is %.1f rank-one updates of 2,500 x 2,500 (%.2f ms): scoring %.1f, observing %.1f\n",
              (score + observe) / update, 1e3 * update / kTimes, score / update, observe / update);
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
  std::printf("sweep, 100,000 queries, one more observation at t = 500: kept %.1f ms, from scratch %.0f ms: ",
              1e3 * kept, 1e3 * scratch);
  std::printf("%.1f times faster; setting up %.2f s; %s\n", scratch / kept, build, belief->description().c_str());
}

double wall_time() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Two beliefs, one after the other and at the same time. By the wall: on a busy machine it says little.
void two_threads(const Smooth& setting) {
  FiniteBelief one = setting.belief();
  FiniteBelief other = one;
  FiniteBelief third = one;
  FiniteBelief fourth = one;
  const auto work = [](FiniteBelief& belief) { run_cmes(belief, 200); };
  const double start = wall_time();
  work(one);
  work(other);
  const double middle = wall_time();
  std::thread thread(work, std::ref(third));
  work(fourth);
  thread.join();
  const double in_turn = middle - start;
  const double together = wall_time() - middle;
  check(distance(third.g().mean, one.g().mean) == 0.0, "the same bits with two threads");
  std::printf("  two threads: 2 x 200 suggestions, in turn %.2f s, at the same time %.2f s (wall): %.2f times\n",
              in_turn, together, together / in_turn);
}

}  // namespace

void smooth_bench() {
  const Smooth setting(1000);
  against_recomputing(setting);
  growth_with_observations(setting);
  growth_with_pairs();
  knowledge_gradient(setting);
  two_threads(setting);
  sweep();
}

}  // namespace iqbo::bench
