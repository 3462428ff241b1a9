#include "iqbo/policy/resolutions.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "iqbo/kernel/product.hpp"
#include "support/errors.hpp"
#include "support/policy_settings.hpp"
#include "support/tolerance.hpp"

namespace iqbo {
namespace {

const Vector& listed() {
  static const Vector delta{{0.2, 0.05, 0.1}};
  return delta;
}

FlatOptions priced(Window window = Window::kGaussian) {
  return {window, [](double delta) { return 0.05 / delta; }};
}

CentreSpace place_list() { return QuerySet(test::unit_queries().grid({11})); }
CentreSpace place_box() { return test::unit_queries(); }

std::vector<FlatQueries> all_four(const FlatOptions& options = priced()) {
  const ResolutionRange range{0.05, 0.2};
  return {flat_queries(place_list(), listed(), options), flat_queries(place_list(), range, options),
          flat_queries(place_box(), listed(), options), flat_queries(place_box(), range, options)};
}

// f of policy_settings.hpp under a Gaussian window.
Vector answers(const FlatQueries& flat, const Queries& a) {
  const Rows xi = flat.centres(a);
  const Vector delta = flat.resolutions(a);
  Vector out(a.size());
  for (Index i = 0; i < a.size(); ++i) {
    const double wide = std::hypot(0.1, delta[i]);
    out[i] = 0.1 / wide * std::exp(-0.5 * std::pow((xi(i, 0) - 0.7) / wide, 2)) +
             0.3 * std::sin(5.0 * xi(i, 0)) * std::exp(-0.5 * std::pow(5.0 * delta[i], 2));
  }
  return out;
}

Setting setting_of(const FlatQueries& flat, const TargetSpace& x) {
  Setting out = flat.setting(x);
  out.kernel = Rbf(0.5, Vector{{0.12}}).clone();
  out.query_kernel = flat.kernel(Rbf(0.5, Vector{{0.15}}), Rbf(1.0, Vector{{0.2}}));
  out.noise_var = 1e-4;
  return out;
}

TEST(Resolutions, AListOfPairs) {
  const FlatQueries flat = flat_queries(QuerySet(Queries{{0.1, 0.2}, {0.3, 0.4}}), Vector{{0.2, 0.05}});
  EXPECT_EQ(flat.a()->probes().coordinates(),
            (Rows{{0.1, 0.2, 0.2}, {0.1, 0.2, 0.05}, {0.3, 0.4, 0.2}, {0.3, 0.4, 0.05}}));
}

TEST(Resolutions, PlacesAndResolutionsRoundTrip) {
  const Rows xi{{0.3}, {0.65}};
  const Vector delta{{0.1, 0.05}};
  for (const FlatQueries& flat : all_four()) {
    const Queries a = flat.at(xi, delta);
    EXPECT_EQ(flat.centres(a), xi);
    EXPECT_EQ(flat.resolutions(a), delta);
    EXPECT_TRUE(flat.cost(a).isApprox(Vector{{0.5, 1.0}}));
    const Setting setting = flat.setting(test::unit_inputs());
    EXPECT_NO_THROW(require_consistent(setting));
    EXPECT_EQ(setting.queries->cost(a), flat.cost(a));
    EXPECT_EQ(setting.queries->finest(a).coordinates(), flat.at(xi, Vector{{0.05, 0.05}}).coordinates());
  }
}

// The window is where the query says, and as wide.
TEST(Resolutions, TheWindowReadsItsWidthFromTheQuery) {
  for (const Window window : {Window::kGaussian, Window::kUniform})
    for (const FlatQueries& flat : all_four(priced(window))) {
      const Queries a = flat.at(Rows{{0.3}, {0.65}}, Vector{{0.1, 0.05}});
      const Laws laws = flat.setting(test::unit_inputs()).conditional->laws(a);
      const auto& spread = std::get<SpreadLaws>(laws.parts()[0].kind);
      EXPECT_EQ(spread.centre, (Rows{{0.3}, {0.65}}));
      EXPECT_EQ(window == Window::kGaussian ? spread.sd : spread.half_width, (Rows{{0.1}, {0.05}}));
      EXPECT_TRUE((window == Window::kGaussian ? spread.half_width : spread.sd).isZero());
    }
}

TEST(Resolutions, TheKernelIsAProduct) {
  const Rbf over_centres(0.5, Vector{{0.15}});
  const Matern52 over_resolutions(1.0, Vector{{0.2}});
  for (const FlatQueries& flat : all_four()) {
    const auto kernel = flat.kernel(over_centres, over_resolutions);
    const Queries a = flat.at(Rows{{0.3}, {0.65}}, Vector{{0.1, 0.05}});
    const double want = over_centres.evaluate(Rows{{0.3}}, Rows{{0.65}})(0, 0) *
                        over_resolutions.evaluate(Rows{{0.1}}, Rows{{0.05}})(0, 0);
    EXPECT_NEAR(kernel->evaluate(a.coordinates(), a.coordinates())(0, 1), want, test::kRounding);
  }
}

// Any policy, any of the four spaces, X a list or a box: suggestions lie in A, and the ones that know find the peak.
TEST(Resolutions, EveryPolicyAsksInsideTheSpace) {
  const ResolutionRange range{0.05, 0.2};
  for (const TargetSpace& x : {TargetSpace(InputSet(test::unit_inputs().grid({41}))), TargetSpace(test::unit_inputs())})
    for (const FlatQueries& flat : all_four())
      for (const PolicyKind kind : {PolicyKind::kCmes, PolicyKind::kCjes, PolicyKind::kCkg, PolicyKind::kMes,
                                    PolicyKind::kUcb, PolicyKind::kEiG, PolicyKind::kMfmes, PolicyKind::kMaxVariance}) {
        PolicyOptions options;
        options.policy = kind;
        options.samples = 4;
        options.recommend_paths = 2;
        Policy policy(setting_of(flat, x), options, 1);
        for (int t = 0; t < 3; ++t) {  // two of the initial design, one chosen
          const Queries a = policy.suggest().queries;
          const double delta = flat.resolutions(a)[0];
          EXPECT_TRUE(delta >= range.finest && delta <= range.coarsest) << to_string(kind);
          EXPECT_TRUE(flat.centres(a)(0, 0) >= 0.0 && flat.centres(a)(0, 0) <= 1.0) << to_string(kind);
          policy.observe(a, answers(flat, a));
        }
      }
}

TEST(Resolutions, FindsThePeakWithinABudget) {
  for (const FlatQueries& flat : all_four()) {
    PolicyOptions options;
    options.policy = PolicyKind::kCjes;
    options.recommend_paths = 2;
    options.budget = 10.0;
    Policy policy(setting_of(flat, InputSet(test::unit_inputs().grid({41}))), options, 1);
    double spent = 0.0;
    Suggestion said = policy.suggest();
    for (; !said.queries.empty(); said = policy.suggest()) {
      spent += flat.cost(said.queries)[0];
      EXPECT_NEAR(said.left, 10.0 - spent, 1e-9);
      policy.observe(said.queries, answers(flat, said.queries));
    }
    EXPECT_LE(spent, 10.0 + 1e-8);
    EXPECT_THAT(said.why.back(), testing::HasSubstr("no query is affordable"));
    EXPECT_NEAR(policy.best().x.row(0)[0], 0.7, 0.05);
  }
}

// Whatever the score, and whatever is out: the last coins buy what they can.
TEST(Resolutions, NoPolicyOverspends) {
  for (const FlatQueries& flat : all_four())
    for (const PolicyKind kind : {PolicyKind::kRandom, PolicyKind::kCmes, PolicyKind::kMaxVariance, PolicyKind::kEi}) {
      PolicyOptions options;
      options.policy = kind;
      options.samples = 4;
      options.budget = 2.3;
      Policy policy(setting_of(flat, InputSet(test::unit_inputs().grid({21}))), options, 2);
      const Suggestion batch = policy.suggest(9);
      ASSERT_FALSE(batch.queries.empty()) << to_string(kind);
      EXPECT_LE(flat.cost(batch.queries).sum(), 2.3 + 1e-8) << to_string(kind);
      EXPECT_GE(batch.left, -1e-8);
    }
}

// Dear queries are avoided: without costs the fine one tells more, with them the coarse one tells more per unit.
TEST(Resolutions, CostsTurnThePolicyToCoarseQueries) {
  const auto mean_resolution = [](const FlatOptions& options) {
    const FlatQueries flat = flat_queries(place_list(), Vector{{0.2, 0.05}}, options);
    PolicyOptions policy_options;
    policy_options.policy = PolicyKind::kCjes;
    Policy policy(setting_of(flat, InputSet(test::unit_inputs().grid({41}))), policy_options, 1);
    double sum = 0.0;
    for (int t = 0; t < 10; ++t) {
      const Queries a = policy.suggest().queries;
      sum += flat.resolutions(a)[0];
      policy.observe(a, answers(flat, a));
    }
    return sum / 10.0;
  };
  EXPECT_GT(mean_resolution({Window::kGaussian, [](double delta) { return delta < 0.1 ? 100.0 : 1.0; }}),
            mean_resolution({}) + 0.03);
}

TEST(Resolutions, NamesWhatIsWrong) {
  const auto flat = [](const Resolutions& resolutions, const FlatOptions& options = {}) {
    return flat_queries(place_list(), resolutions, options);
  };
  test::expect_refusal([&] { flat(Vector()); }, {"resolution"});
  test::expect_refusal([&] { flat(Vector{{0.1, -0.2}}); }, {"resolution: row 1 is -0.2"});
  test::expect_refusal([&] { flat(Vector{{0.1, 0.2, 0.1}}); }, {"resolution: 0.1 twice"});
  test::expect_refusal([&] { flat(ResolutionRange{-0.1, 0.2}); }, {"resolution: row 0 is -0.1"});
  test::expect_refusal(
      [&] {
        flat(ResolutionRange{0.2, 0.1});
      },
      {"resolution: from 0.2 to 0.1, expected finest < coarsest"});
  test::expect_refusal([&] { flat(Vector{{0.0, 0.1}}, priced()); }, {"cost of delta = 0: is inf"});
  test::expect_refusal(
      [&] {
        flat(Vector{{0.1}}, {Window::kGaussian, [](double) { return -1.0; }});
      },
      {"cost of delta = 0.1: is -1"});
  test::expect_refusal(
      [&] {
        flat(Vector{{0.1, 0.2}}, {Window::kGaussian, [](double delta) { return delta; }});
      },
      {"cost: 0.2 of delta = 0.2, expected at most 0.1, that of the finer 0.1"});
  test::expect_refusal(
      [&] {
        flat(ResolutionRange{0.1, 0.2}, {Window::kGaussian, [](double delta) { return delta; }});
      },
      {"cost", "of the finer"});
  test::expect_refusal(
      [&] {
        flat(Vector{{0.1, 0.6}}).setting(test::unit_inputs());
      },
      {"resolution: 0.6, expected at most 0.5, half of X's longest side"});
  test::expect_refusal(
      [&] {
        flat(Vector{{0.1}}).setting(InputBox(Vector{{0.0, 0.0}}, Vector{{1.0, 1.0}}));
      },
      {"targets: 2 columns, expected 1"});
  const FlatQueries good = flat(Vector{{0.1}});
  test::expect_refusal([&] { good.resolutions(Queries{{0.1}}); }, {"a: 1 columns, expected 2"});
  test::expect_refusal([&] { good.at(Rows{{0.1}}, Vector{{0.1, 0.2}}); }, {"resolutions: 2 rows, expected 1"});
  test::expect_refusal([&] { good.kernel(Rbf(1.0, Vector{{1.0, 1.0}}), Rbf(1.0, Vector{{1.0}})); }, {"over_centres"});
}

}  // namespace
}  // namespace iqbo
