#include "server/live.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>

#include "iqbo/core/errors.hpp"

namespace iqbo::server {
namespace {

using std::chrono::milliseconds;

// A study that somebody else changes.
struct Elsewhere {
  std::atomic<std::int64_t> event = 1;
  std::atomic<bool> broken = false;
  std::atomic<int> looks = 0, complaints = 0;

  Live::Source source() {
    return {[this] {
              if (broken) throw std::runtime_error("no disk");
              return event.load();
            },
            [this] {
              ++looks;
              return View{event, {}, {}, {}, {}, {}};
            },
            [this](const std::string&) { ++complaints; }};
  }
};

TEST(Live, KnowsTheStudyFromTheStart) {
  Elsewhere study;
  const Live live(study.source(), milliseconds(1));
  EXPECT_EQ(live.view()->last_event, 1);
}

TEST(Live, LooksAgainWhenSomethingHappened) {
  Elsewhere study;
  const Live live(study.source(), milliseconds(1));
  EXPECT_EQ(live.newer_than(1, milliseconds(20))->last_event, 1) << "nothing did";
  EXPECT_EQ(study.looks, 1);
  study.event = 5;
  EXPECT_EQ(live.newer_than(1, milliseconds(10000))->last_event, 5);
  EXPECT_EQ(live.newer_than(0, milliseconds(10000))->last_event, 5) << "at once";
}

TEST(Live, SaysWhatIsWrongWhileTheStudyIsAway) {
  Elsewhere study;
  const Live live(study.source(), milliseconds(1));
  study.broken = true;
  EXPECT_EQ(live.newer_than(1, milliseconds(10000))->trouble, "no disk");
  std::this_thread::sleep_for(milliseconds(20));
  EXPECT_EQ(study.complaints, 1) << "once is enough";
  study.broken = false;
  while (!live.view()->trouble.empty()) std::this_thread::sleep_for(milliseconds(1));
  EXPECT_EQ(live.view()->last_event, 1) << "the same as before, and no trouble";
}

// Answers that contradict each other: the study is there, and what was believed before stays on the page.
TEST(Live, KeepsTheLastViewIfNothingCanBeBelieved) {
  Elsewhere study;
  Live::Source source = study.source();
  source.look = [&] {
    if (study.event > 1) throw NumericalError("contradiction");
    return View{study.event, {}, {}, {}, {}, {}};
  };
  const Live live(source, milliseconds(1));
  study.event = 2;
  while (study.complaints == 0) std::this_thread::sleep_for(milliseconds(1));
  EXPECT_EQ(live.view()->last_event, 1);
  EXPECT_EQ(live.view()->trouble, "");
}

TEST(Live, ClosingWakesWhoWaits) {
  Elsewhere study;
  Live live(study.source(), milliseconds(1));
  std::thread waits([&] { live.newer_than(1, milliseconds(60000)); });
  live.close();
  waits.join();
  EXPECT_TRUE(live.closed());
}

TEST(Live, ThrowsWhatTheFirstLookThrows) {
  EXPECT_THROW(Live({[] { return std::int64_t{0}; }, []() -> View { throw std::runtime_error("no study"); }}),
               std::runtime_error);
}

}  // namespace
}  // namespace iqbo::server
