// Learned laws of model shift, 128 points for each query: setting up a belief, and averages inside a fit.
//
// The pairs are x = a + 0.1 N, so that laws reach beyond the 50 x 50 listed inputs, and features of f at the inputs do not
// suffice. Everything is checked against sums over all pairs of points first. Times are processor times of this process;
// the unit of averages in a fit is one Cholesky factorisation of t = 200, measured in the same run.
#include <algorithm>

#include "../finite/finite_settings.hpp"
#include "average/dense_gram.hpp"
#include "average/moment_gram.hpp"
#include "iqbo/average/expectation.hpp"
#include "numerics/cholesky.hpp"

namespace iqbo::bench {
namespace {

constexpr double kWanted = 1e-8;  // error of averages, relative to the variance, which is 1
constexpr Index kAnswers = 200;

LearnedConditional learn(LearnedKind model, Index pairs) {
  Rng rng(1);
  const Rows a = rng.uniforms(pairs, 2);
  Rows x = a;
  for (double& coordinate : x.reshaped()) coordinate += 0.1 * rng.normal();
  LearnedOptions options;
  options.model = model;
  return {Inputs(x), Queries(a), options};
}

const DiscreteLaws& discrete(const Laws& laws) { return std::get<DiscreteLaws>(laws.parts().front().kind); }

// E k(X_i, Y_j), one kernel value at a time.
double by_pairs(const Kernel& kernel, const DiscreteLaws& left, Index i, const DiscreteLaws& right, Index j) {
  double sum = 0.0;
  for (SparseRows::InnerIterator p(left.weight, i); p; ++p)
    for (SparseRows::InnerIterator r(right.weight, j); r; ++r)
      sum += p.value() * r.value() *
             kernel.evaluate(left.support->coordinates().row(p.col()), right.support->coordinates().row(r.col()))(0, 0);
  return sum;
}

void show(const char* what, double measured, double bar, const char* unit) {
  std::printf("  %-58s %8.2f %-5s bar %6.1f   %s\n", what, measured, unit, bar, measured <= bar ? "met" : "NOT MET");
}

void set_up(Index pairs, double bar) {
  const LearnedConditional shift = learn(LearnedKind::kShift, pairs);
  const Inputs x{grid(50, 50)};
  const Queries a{grid(50, 50)};
  const Rbf kernel(1.0, Vector{{0.2, 0.2}});
  const Laws laws = shift.laws(a);
  for (const Index i : {0, 77, 1250, 2499}) {
    const Matrix c = expect(kernel, x, laws);
    const DiscreteLaws one{std::make_shared<const Inputs>(x.slice(i, 1)), Matrix::Ones(1, 1).sparseView()};
    check(std::abs(c(i, 2499 - i) - by_pairs(kernel, one, 0, discrete(laws), 2499 - i)) < kWanted, "c(x, a)");
    const Matrix q = expect(kernel, laws.slice(i, 1), laws);
    check(std::abs(q(0, 40) - by_pairs(kernel, discrete(laws), i, discrete(laws), 40)) < kWanted, "q(a, a')");
  }
  std::optional<FiniteBelief> belief;
  double least = 1e300;
  for (int turn = 0; turn < 3; ++turn)
    least = std::min(least, seconds([&] {
                       belief.emplace(Posterior(kernel, shift), x, a, FiniteOptions{EngineKind::kAuto, kNoiseVar});
                     }));
  for (const Index i : {0, 77, 1250, 2499})
    check(std::abs(belief->g().var[i] - by_pairs(kernel, discrete(laws), i, discrete(laws), i)) < kWanted, "q(a, a)");
  std::printf("shift of %ld pairs, RBF; %s\n", pairs, belief->description().c_str());
  show("setting up 2,500 x 2,500, least of three", least, bar, "s");
}

double factorisation() {
  const Matrix any = Matrix::Random(kAnswers, kAnswers);
  Matrix k = any * any.transpose();
  k.diagonal().array() += 1.0;
  constexpr int kTimes = 100;
  double sum = 0.0;
  const double time = seconds([&] {
    for (int i = 0; i < kTimes; ++i) sum += internal::Cholesky(k).log_determinant();
  });
  check(std::isfinite(sum), "factorisation");
  return time / kTimes;
}

// Value and gradient of all covariances, in factorisations; the first ten laws are checked.
template <class Value, class Gradient>
void in_a_fit(const char* what, const Kernel& kernel, const Laws& laws, double bar, int times, const Value& value,
              const Gradient& gradient) {
  const Matrix any = Matrix::Random(kAnswers, kAnswers);
  const Matrix weight = any + any.transpose();
  Matrix q;
  Vector slope;
  const double time = seconds([&] {
    for (int i = 0; i < times; ++i) {
      q = value();
      slope = gradient(weight);
    }
  });
  const double largest = discrete(laws).weight.cwiseAbs().sum() / static_cast<double>(kAnswers);
  for (const Index i : {0, 3, 9})
    check(std::abs(q(i, 7) - by_pairs(kernel, discrete(laws), i, discrete(laws), 7)) < kWanted * largest, what);
  check(std::abs(slope[0] - q.cwiseProduct(weight).sum()) < 1e-8 * q.cwiseProduct(weight).norm(), what);
  show(what, time / times / factorisation(), bar, "");
}

void fits() {
  Rng rng(3);
  const Queries a(rng.uniforms(kAnswers, 2));
  const Rbf smooth(1.0, Vector{{0.2, 0.2}});
  const Matern52 rough(1.0, Vector{{0.2, 0.2}});
  std::printf("covariances of %ld queries and their gradient, in Cholesky factorisations of %ld; 1,000 pairs\n",
              kAnswers, kAnswers);
  for (const LearnedKind kind : {LearnedKind::kShift, LearnedKind::kCme}) {
    const bool shift = kind == LearnedKind::kShift;
    const double bar = shift ? 100.0 : 60.0;
    const Laws laws = learn(kind, 1000).laws(a);
    const auto moments = internal::MomentGram::of(laws);
    check(moments && moments->suits(smooth), "moments");
    in_a_fit(
        shift ? "shift, RBF, by moments" : "CME, RBF, by moments", smooth, laws, bar, 10,
        [&] { return moments->covariance(smooth); },
        [&](const Matrix& weight) { return moments->pull_back(smooth, weight); });
    if (shift) {
      in_a_fit(
          "shift, Matern 5/2, by sums over all pairs of points", rough, laws, bar, 1,
          [&] { return expect(rough, laws, laws); },
          [&](const Matrix& weight) { return expect_pull_back(rough, laws, laws, weight); });
      continue;
    }
    const internal::DenseGram dense(discrete(laws));
    std::printf("  (the %ld x %ld weights have rank %ld to %.0e)\n", kAnswers, discrete(laws).weight.cols(),
                dense.rank(), internal::DenseGram::kError);
    in_a_fit(
        "CME, Matern 5/2, by prepared weights", rough, laws, bar, 10, [&] { return dense.covariance(rough); },
        [&](const Matrix& weight) { return dense.pull_back(rough, weight); });
    in_a_fit(
        "CME, Matern 5/2, by expect()", rough, laws, bar, 1, [&] { return expect(rough, laws, laws); },
        [&](const Matrix& weight) { return expect_pull_back(rough, laws, laws, weight); });
  }
}

}  // namespace
}  // namespace iqbo::bench

int main() {
  using namespace iqbo::bench;
  set_up(1000, 1.5);
  fits();
  set_up(5000, 3.0);
  return 0;
}
