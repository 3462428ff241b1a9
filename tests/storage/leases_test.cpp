// Leases in a file do not depend on wall clocks, which somebody may set, and which two processes need not share.
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "jumped_clock.hpp"
#include "places.hpp"

namespace iqbo {
namespace {

using test::hand_out;
using test::JumpedClock;

class Leases : public testing::Test {
 protected:
  test::Place place_{"sqlite"};
  std::string file_ = place_.fresh();
  Storage mine_ = Storage::create(file_, test::small_bundle());
  Storage others_ = Storage::open(file_);
};

double wall_clock() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

TEST_F(Leases, TheClockOfThisTestDoesJump) {
  const double before = wall_clock();
  const JumpedClock jumped(7200);
  EXPECT_NEAR(wall_clock() - before, 7200, 60);
}

TEST_F(Leases, AClockThatJumpsTakesNobodysTrial) {
  hand_out(mine_, 0.5, "mine", 60);
  for (const double seconds : {1e9, 3600.0, -3600.0, -1e9}) {
    const JumpedClock jumped(seconds);
    EXPECT_FALSE(others_.take(0, "other", 60)) << seconds;
    EXPECT_NEAR(others_.pending().at(0).lease_until - others_.now(), 60, 30) << seconds;
  }
  {
    const JumpedClock jumped(-3600);
    EXPECT_TRUE(mine_.heartbeat(0, "mine", 60));
  }
  EXPECT_FALSE(others_.take(0, "other", 60));
}

TEST_F(Leases, TheDeadLoseTheirTrialsWhateverTheClockSays) {
  hand_out(mine_, 0.5, "dead", 0.1);
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  const JumpedClock jumped(-1e6);
  EXPECT_TRUE(others_.take(0, "other", 60));
}

}  // namespace
}  // namespace iqbo
