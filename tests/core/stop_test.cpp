#include "iqbo/core/stop.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace iqbo {
namespace {

TEST(Stop, OnlyWithinAScopeThatSaysSo) {
  stop_point();
  bool now = false;
  {
    const StopScope scope([&] { return now; });
    stop_point();
    now = true;
    EXPECT_THROW(stop_point(), Stopped);
    const StopScope inner([] { return false; });
    EXPECT_THROW(stop_point(), Stopped) << "the outer one still holds";
  }
  stop_point();
}

TEST(Stop, NotWhileShielded) {
  const StopScope scope([] { return true; });
  {
    const StopShield whole;
    const StopShield twice;
    stop_point();
  }
  EXPECT_THROW(stop_point(), Stopped);
}

TEST(Stop, OfOneThreadIsNotOfAnother) {
  const StopScope scope([] { return true; });
  bool went_on = false;
  std::thread([&] {
    stop_point();
    went_on = true;
  }).join();
  EXPECT_TRUE(went_on);
}

}  // namespace
}  // namespace iqbo
