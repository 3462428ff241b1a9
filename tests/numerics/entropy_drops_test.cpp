#include "numerics/entropy_drops.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "iqbo/core/rng.hpp"
#include "numerics/normal.hpp"

namespace iqbo {

using namespace internal;

namespace {

// log_entropy_drop itself is tested against 100 digits.
void expect_log_drops(const Vector& t) {
  Vector fast = t;
  log_entropy_drops_in_place(fast);
  for (Index i = 0; i < t.size(); ++i) {
    const double slow = log_entropy_drop(t[i]);
    EXPECT_NEAR(fast[i], slow, 1e-13 * std::max(1.0, std::abs(slow))) << t[i];
  }
}

TEST(EntropyDrops, AgreeWithOneAtATime) {
  Rng rng(1);
  expect_log_drops(Vector(60.0 * rng.uniforms(20000, 1).col(0).array() - 15.0));
}

TEST(EntropyDrops, AgreeAtTheSeams) {
  Vector seams(2 * 193);
  for (Index i = 0; i < 193; ++i) {
    seams[2 * i] = -8.0 + 0.25 * static_cast<double>(i);
    seams[2 * i + 1] = std::nextafter(seams[2 * i], -100.0);
  }
  expect_log_drops(seams);
}

TEST(EntropyDrops, ReachFarOut) { expect_log_drops(Vector{{-1e8, -300.0, -8.0, 40.0, 45.0, 1e3, 1e8}}); }

}  // namespace
}  // namespace iqbo
