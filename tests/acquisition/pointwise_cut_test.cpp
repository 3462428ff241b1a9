#include "iqbo/acquisition/pointwise_cut.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/errors.hpp"

namespace iqbo {
namespace {

const Inputs kX = Inputs{{0.0}, {1.0}};

// Var(z | f <= cut) for (z, f) normal, by summing over a fine grid of f: z given f is normal with a known mean and variance.
double variance_below(double z_var, double f_mean, double f_var, double c, double cut) {
  constexpr int kSteps = 400000;
  const double sd = std::sqrt(f_var), from = f_mean - 12.0 * sd, step = (cut - from) / kSteps;
  double weight = 0.0, mean = 0.0, square = 0.0;
  for (int i = 0; i < kSteps; ++i) {
    const double f = from + (i + 0.5) * step, u = (f - f_mean) / sd;
    const double p = std::exp(-0.5 * u * u), z = c / f_var * (f - f_mean);
    weight += p;
    mean += p * z;
    square += p * z * z;
  }
  mean /= weight;
  return square / weight - mean * mean + z_var - c * c / f_var;
}

TEST(PointwiseCut, IsTheVarianceThatTheConditionTakes) {
  for (const double fstar : {-0.5, 0.4, 1.5, 3.0})
    for (const double c : {-0.5, 0.2, 0.6}) {
      const PointwiseCut score(Inputs{{0.0}}, Vector{{0.3}}, Vector{{1.4}}, Vector{{fstar}});
      const Vector found = score.score({Vector{{0.0}}, Vector{{0.5}}, Vector{{0.1}}}, Matrix{{c}});
      const double want = -0.5 * std::log(variance_below(0.6, 0.3, 1.4, c, fstar) / 0.6);
      EXPECT_NEAR(std::exp(found[0]), want, 1e-7 + 1e-5 * want) << fstar << " " << c;
    }
}

TEST(PointwiseCut, TheMostInformativeConditionCounts) {
  const Outlook one{Vector{{0.0}}, Vector{{0.5}}, Vector{{0.1}}};
  const auto alone = [&](Index i) {
    const Vector mean{{0.3, -0.2}}, var{{1.4, 0.9}};
    return PointwiseCut(Inputs{{0.0}}, mean.segment(i, 1), var.segment(i, 1), Vector{{1.0}})
        .score(one, Matrix{{i == 0 ? 0.3 : 0.5}})[0];
  };
  const PointwiseCut both(kX, Vector{{0.3, -0.2}}, Vector{{1.4, 0.9}}, Vector{{1.0}});
  EXPECT_DOUBLE_EQ(both.score(one, Matrix{{0.3}, {0.5}})[0], std::max(alone(0), alone(1)));
}

// What CMES cannot see: two queries of the same mean and variance, one of which is correlated with an input that may be the best.
TEST(PointwiseCut, PrefersWhereTheMaximumMayHide) {
  const PointwiseCut score(kX, Vector{{0.9, 0.0}}, Vector{{0.0001, 1.0}}, Vector{{1.0}});
  const Outlook two{Vector{{0.0, 0.0}}, Vector{{0.01, 0.01}}, Vector{{0.001, 0.001}}};
  const Vector found = score.score(two, Matrix{{0.0005, 0.0}, {0.0, 0.09}});
  EXPECT_GT(found[1], found[0]);
}

TEST(PointwiseCut, NothingToLearnIsWorthNothing) {
  const PointwiseCut known(kX, Vector{{0.9, 0.0}}, Vector{{0.0, 0.0}}, Vector{{1.0}});
  EXPECT_EQ(known.score({Vector{{0.0}}, Vector{{0.5}}, Vector{{0.1}}}, Matrix::Zero(2, 1))[0],
            -std::numeric_limits<double>::infinity());
}

TEST(PointwiseCut, NamesWhatIsWrong) {
  test::expect_refusal([] { PointwiseCut(Inputs(), Vector(), Vector(), Vector{{1.0}}); }, {"references", "empty"});
  test::expect_refusal(
      [] {
        PointwiseCut(kX, Vector{{1.0}}, Vector{{1.0, 1.0}}, Vector{{1.0}});
      },
      {"f_mean", "expected 2"});
  test::expect_refusal(
      [] {
        PointwiseCut(kX, Vector{{1.0, 1.0}}, Vector{{1.0, -1.0}}, Vector{{1.0}});
      },
      {"f_var", "row 1"});
  test::expect_refusal([] { PointwiseCut(kX, Vector{{1.0, 1.0}}, Vector{{1.0, 1.0}}, Vector()); }, {"fstar"});
}

}  // namespace
}  // namespace iqbo
