// Averages under learned laws of model shift, each with many points of its own: the same as sums over all pairs of points,
// and much faster. The bars of bench/learned/shift_bench.cpp, for few queries and with a wide margin.
#include <gtest/gtest.h>

#include <ctime>

#include "average/moment_gram.hpp"
#include "iqbo/average/expectation.hpp"
#include "iqbo/core/rng.hpp"
#include "iqbo/kernel/stationary.hpp"
#include "iqbo/learned/learned.hpp"

namespace iqbo {
namespace {

constexpr double kSameLaws = 1e-8;  // of the variance
constexpr double kAtLeast = 4.0;    // times faster; 20 and more when nothing else runs

double processor_time() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

class ShiftAverages : public testing::Test {
 protected:
  static constexpr Index kQueries = 60;

  ShiftAverages() {
    Rng rng(1);
    const Rows logged = rng.uniforms(300, 2);
    Rows x = logged;
    for (double& coordinate : x.reshaped()) coordinate += 0.1 * rng.normal();
    const LearnedConditional shift{Inputs(x), Queries(logged), {LearnedKind::kShift}};
    laws.push_back(shift.laws(Queries(rng.uniforms(kQueries, 2))));
    const auto& all = std::get<DiscreteLaws>(laws.front().parts().front().kind);
    for (Index i = 0; i < kQueries; ++i) {
      std::vector<Index> used;
      std::vector<double> some;
      for (SparseRows::InnerIterator it(all.weight, i); it; ++it) {
        used.push_back(it.col());
        some.push_back(it.value());
      }
      point.emplace_back(all.support->coordinates()(used, Eigen::all));
      weight.emplace_back(Eigen::Map<const Vector>(some.data(), static_cast<Index>(some.size())));
    }
  }

  Matrix by_pairs() const {
    Matrix out(kQueries, kQueries);
    for (Index i = 0; i < kQueries; ++i)
      for (Index j = 0; j < kQueries; ++j) {
        const auto a = static_cast<std::size_t>(i);
        const auto b = static_cast<std::size_t>(j);
        out(i, j) = weight[a].dot(kernel.evaluate(point[a], point[b]) * weight[b]);
      }
    return out;
  }

  Rbf kernel{1.0, Vector{{0.2, 0.3}}};
  std::vector<Laws> laws;
  std::vector<Rows> point;  // of each law
  std::vector<Vector> weight;
};

TEST_F(ShiftAverages, AreSumsOverAllPairsOfPoints) {
  const double start = processor_time();
  const Matrix want = by_pairs();
  const double slow = processor_time() - start;
  const Matrix got = expect(kernel, laws.front(), laws.front());
  const double fast = processor_time() - start - slow;
  EXPECT_LT((got - want).cwiseAbs().maxCoeff(), kSameLaws);
  EXPECT_GT(slow, kAtLeast * fast);
}

TEST_F(ShiftAverages, AreFasterStillInsideAFit) {
  const auto moments = internal::MomentGram::of(laws.front());
  ASSERT_TRUE(moments && moments->suits(kernel));
  double start = processor_time();
  const Matrix want = by_pairs();
  const double slow = processor_time() - start;
  start = processor_time();
  const Matrix got = moments->covariance(kernel);
  const Vector slope = moments->pull_back(kernel, Matrix::Ones(kQueries, kQueries));
  const double fast = processor_time() - start;
  EXPECT_LT((got - want).cwiseAbs().maxCoeff(), kSameLaws);
  EXPECT_NEAR(slope[0], want.sum(), kSameLaws * static_cast<double>(want.size()));
  EXPECT_GT(slow, kAtLeast * fast);
}

}  // namespace
}  // namespace iqbo
