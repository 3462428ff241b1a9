#include "iqbo/search/search.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "support/errors.hpp"

namespace iqbo {
namespace {

// Two hills; the narrow one at (0.7, -1.2) is the higher.
Vector hills(const Queries& a, Rows* gradient) {
  Vector out = Vector::Zero(a.size());
  if (gradient != nullptr) gradient->setZero(a.size(), 2);
  for (Index i = 0; i < a.size(); ++i)
    for (const auto& [x, y, width, height] : {std::array{0.7, -1.2, 0.2, 1.5}, std::array{-0.5, 0.5, 0.8, 1.0}}) {
      const double u = (a.row(i)[0] - x) / width;
      const double v = (a.row(i)[1] - y) / width;
      const double value = height * std::exp(-0.5 * (u * u + v * v));
      out[i] += value;
      if (gradient == nullptr) continue;
      (*gradient)(i, 0) -= value / width * u;
      (*gradient)(i, 1) -= value / width * v;
    }
  return out;
}

const QueryBox& square() {
  static const QueryBox box(Vector{{-2.0, -2.0}}, Vector{{2.0, 2.0}});
  return box;
}

TEST(Search, FindsTheHigherHill) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    Rng rng(seed);
    const BestQuery best = search({hills}, square(), Queries(), rng);
    EXPECT_NEAR(best.point.row(0)[0], 0.7, 0.01);
    EXPECT_NEAR(best.point.row(0)[1], -1.2, 0.01);
    EXPECT_EQ(best.score, hills(best.point, nullptr)[0]);
  }
}

TEST(Search, DoesWithoutGradients) {
  Rng one(1), two(1);
  const BestQuery with = search({hills, true}, square(), Queries(), one);
  const BestQuery without = search({hills, false}, square(), Queries(), two);
  EXPECT_NEAR(with.score, without.score, 1e-8);
}

TEST(Search, EndsAtTheEdgeIfTheBestIsThere) {
  Rng rng(1);
  const QueryScore slope{[](const Queries& a, Rows*) { return Vector(a.coordinates().rowwise().sum()); }, false};
  const BestQuery best = search(slope, square(), Queries(), rng);
  EXPECT_EQ(best.point.coordinates(), (Rows(1, 2) << 2.0, 2.0).finished());
}

TEST(Search, StartsAlsoWhereItIsTold) {
  // A needle that 512 points over the square never touch.
  const QueryScore needle{[](const Queries& a, Rows*) -> Vector {
                            const Rows away = a.coordinates().array() - 1.0;
                            return (-away.rowwise().squaredNorm().array() / 2e-6).exp();
                          },
                          false};
  Rng one(1), two(1);
  EXPECT_LT(search(needle, square(), Queries(), one).score, 1e-3);
  EXPECT_NEAR(search(needle, square(), Queries{{1.001, 1.0}}, two).score, 1.0, 1e-6);
}

TEST(Search, ChoosesAmongSensors) {
  // Sensor 3 sees the hills at full height, sensor 1 at half.
  const MixedQueries space(QuerySet(Queries{{1.0}, {3.0}, {2.0}}), square());
  const QueryScore score{[](const Queries& a, Rows* gradient) -> Vector {
    const Vector gain = a.coordinates().col(0) / 3.0;
    Rows in_box;
    const Vector value = hills(Queries(a.coordinates().rightCols(2)), gradient == nullptr ? nullptr : &in_box);
    if (gradient != nullptr) {
      gradient->setZero(a.size(), 3);
      gradient->rightCols(2) = gain.asDiagonal() * in_box;
    }
    return gain.cwiseProduct(value);
  }};
  Rng rng(2);
  const BestQuery best = search(score, space, Queries{{2.0, 0.0, 0.0}}, rng);
  EXPECT_EQ(best.point.row(0)[0], 3.0);
  EXPECT_NEAR(best.point.row(0)[1], 0.7, 0.01);
}

TEST(Search, AnswersWhereNothingIsWorthAsking) {
  const QueryScore nothing{
      [](const Queries& a, Rows*) { return Vector::Constant(a.size(), -std::numeric_limits<double>::infinity()); }};
  Rng rng(2);
  const BestQuery best = search(nothing, square(), Queries(), rng);
  EXPECT_NO_THROW(square().require_inside(best.point));
  EXPECT_EQ(best.score, -std::numeric_limits<double>::infinity());
}

TEST(Search, LetsACallersErrorThrough) {
  const QueryScore broken{[](const Queries&, Rows*) -> Vector { throw std::runtime_error("sensor offline"); }};
  Rng rng(2);
  test::expect_error<std::runtime_error>([&] { search(broken, square(), Queries(), rng); }, {"sensor offline"});
}

TEST(Search, RefusesStartsOutside) {
  Rng rng(2);
  test::expect_refusal([&] { search({hills}, square(), Queries{{5.0, 0.0}}, rng); }, {"also: row 0, column 0 is 5"});
  test::expect_refusal([&] { search({hills}, square(), Queries(), rng, {0}); }, {"points: 0, expected at least 1"});
}

}  // namespace
}  // namespace iqbo
