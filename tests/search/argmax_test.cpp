#include "search/argmax.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "iqbo/core/errors.hpp"
#include "support/errors.hpp"

namespace iqbo {

using namespace internal;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(Argmax, FindsTheLargest) {
  Rng rng(1);
  EXPECT_EQ(argmax(Vector{{-3.0, 2.0, 1.0}}, rng), 1);
  EXPECT_EQ(argmax(Vector{{-kInfinity, -5.0}}, rng), 1);
  EXPECT_EQ(argmax(Vector{{-kInfinity}}, rng), 0);
}

// Each of four equals in 4,000 draws: 1,000 with sd 27; off by 5 sd with probability below 1e-6.
TEST(Argmax, BreaksTiesEvenly) {
  Eigen::VectorXi count = Eigen::VectorXi::Zero(6);
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    Rng rng(seed);
    ++count[argmax(Vector{{1.0, 7.0, 7.0, -2.0, 7.0, 7.0}}, rng)];
  }
  EXPECT_EQ(count[0] + count[3], 0);
  for (const Index row : {1, 2, 4, 5}) EXPECT_NEAR(count[row], 1000, 137) << row;
}

TEST(Argmax, TheSeedDecides) {
  Rng one(7), again(7);
  EXPECT_EQ(argmax(Vector::Zero(1000), one), argmax(Vector::Zero(1000), again));
}

TEST(Argmax, NamesWhatIsNotANumber) {
  Rng rng(1);
  test::expect_error<NumericalError>([&] { argmax(Vector{{1.0, std::nan("")}}, rng); }, {"score: row 1 is nan"});
  test::expect_refusal([&] { argmax(Vector(0), rng); }, {"score", "empty"});
}

}  // namespace
}  // namespace iqbo
