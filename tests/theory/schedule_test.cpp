#include "iqbo/theory/schedule.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/errors.hpp"
#include "support/tolerance.hpp"

namespace iqbo {
namespace {

// delta_t^4 t = c^2 (log(1 + t))^d, without roots.
TEST(Schedule, ThePapersFallsAsItSays) {
  for (const Index d : {1, 2, 3}) {
    const ResolutionSchedule schedule = ResolutionSchedule::paper(d, 0.25);
    for (const Index t : {1, 2, 10, 1000}) {
      const double delta = schedule(t);
      double logs = 0.0625;
      for (Index i = 0; i < d; ++i) logs *= std::log(static_cast<double>(t + 1));
      EXPECT_NEAR(delta * delta * delta * delta * static_cast<double>(t), logs, test::kRounding * logs)
          << d << " " << t;
    }
  }
}

TEST(Schedule, OthersArePossible) {
  const ResolutionSchedule harmonic([](Index t) { return 1.0 / static_cast<double>(t); });
  EXPECT_EQ(harmonic.within(0.3, 0.9).first(4), (Vector{{0.9, 0.5, 1.0 / 3.0, 0.3}}));
  EXPECT_EQ(ResolutionSchedule::constant(0.1)(77), 0.1);
  const Vector cost = schedule_cost(harmonic, 3, [](double delta) { return 2.0 / delta; });
  EXPECT_EQ(cost, (Vector{{2.0, 6.0, 12.0}}));
}

// S(1000) for d = 1 .. 5, each digit from a sum in long double of exp and log.
TEST(Schedule, TheCostOfThePapersExample) {
  const Vector printed{{737.0, 765.0, 616.0, 249.0, 30.0}};
  for (Index d = 1; d <= 5; ++d) {
    long double want = 1.0L;  // tau_1 = 0
    for (int t = 2; t <= 1000; ++t) {
      const long double log_t = std::log(static_cast<long double>(t));
      want += 1.0L / (1.0L + std::exp(static_cast<long double>(d) / 4.0L *
                                      (static_cast<long double>(d) * std::log(log_t) - log_t)));
    }
    const double cost = printed_schedule_cost(1000, d)[999];
    EXPECT_NEAR(cost, static_cast<double>(want), 1000 * test::kRounding);
    EXPECT_EQ(std::round(cost), printed[d - 1]);
    EXPECT_NEAR(printed_schedule_savings(1000, d)[999], 1000.0 - cost, 1000 * test::kRounding);
  }
}

TEST(Schedule, NamesWhatIsWrong) {
  const ResolutionSchedule falling([](Index t) { return 0.5 - 0.1 * static_cast<double>(t); });
  test::expect_refusal([&] { falling(6); }, {"delta: at t = 6 is -0.1", "expected a finite number >= 0"});
  test::expect_refusal([&] { falling(0); }, {"t: 0, expected at least 1"});
  test::expect_refusal([&] { ResolutionSchedule::paper(0); }, {"dimension: 0"});
  test::expect_refusal([&] { ResolutionSchedule::paper(2, 0.0); }, {"c: is 0"});
  test::expect_refusal([&] { ResolutionSchedule::constant(-0.1); }, {"delta", "-0.1"});
  test::expect_refusal([&] { ResolutionSchedule(ResolutionSchedule::Function()); }, {"delta: none"});
  test::expect_refusal([&] { static_cast<void>(falling.within(0.5, 0.1)); }, {"least: 0.5, expected at most 0.1"});
  test::expect_refusal([&] { schedule_cost(falling, 2, [](double) { return -1.0; }); }, {"cost: is -1"});
  test::expect_refusal([&] { printed_schedule_cost(0, 1); }, {"steps: 0"});
  test::expect_refusal([&] { window_cost(-1.0, 1); }, {"half_width", "-1"});
}

}  // namespace
}  // namespace iqbo
