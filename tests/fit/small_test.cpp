// Fits that must not surprise: the same twice, in other units, in another order, of next to no data, of bad requests.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "iqbo/conditional/bag.hpp"
#include "iqbo/conditional/spread.hpp"
#include "iqbo/core/rng.hpp"
#include "iqbo/fit/fit.hpp"
#include "iqbo/kernel/sum.hpp"
#include "iqbo/kernel/white.hpp"
#include "support/errors.hpp"
#include "support/fit_settings.hpp"
#include "support/tolerance.hpp"

namespace iqbo {
namespace {

using test::Blocks;
using testing::Contains;
using testing::HasSubstr;

Posterior rough(std::uint64_t seed) {
  Rng rng(seed);
  return Blocks(7, 1, 2).draw(rng, Sum(Matern32(1.0, Vector{{0.4, 0.3}}), White(0.2, 2)), 0.05, 5.0);
}

TEST(FitSmall, SameSeedSameBits) {
  const Posterior data = rough(1);
  const Fit once = fit(data, {}, 7);
  const Fit again = fit(data, {}, 7);
  EXPECT_EQ(once.log_evidence, again.log_evidence);
  EXPECT_EQ(once.posterior.kernel().log_parameters(), again.posterior.kernel().log_parameters());
  EXPECT_EQ(once.posterior.noise_var(), again.posterior.noise_var());
  EXPECT_EQ(once.summary(), again.summary());
  EXPECT_EQ(once.evaluations, again.evaluations);
}

TEST(FitSmall, OutputsInOtherUnits) {
  const Posterior data = rough(2);
  const double scale = 1e4;
  const Vector z = scale * data.z().array() - 3e5;
  const Fit here = fit(data, {}, 1);
  const Fit there = fit(Posterior(data.kernel(), data.conditional()).condition(data.queries(), z, 1.0), {}, 1);
  EXPECT_EQ(here.families.front().first, there.families.front().first);
  for (const auto& p : here.parameters()) {
    const auto& q = there.parameter(p.name);
    if (p.name == "mean") {
      EXPECT_NEAR(q.value, scale * p.value - 3e5, scale * 1e-4);
      continue;
    }
    const double shift = p.name.rfind("lengthscale", 0) == 0 ? 0.0 : 2.0 * std::log(scale);
    EXPECT_NEAR(std::log(q.value), std::log(p.value) + shift, test::kSameFit) << p.name;
    EXPECT_NEAR(std::log(q.high / q.low), std::log(p.high / p.low), 1e-3) << p.name;
  }
  EXPECT_NEAR(there.log_evidence, here.log_evidence - static_cast<double>(z.size()) * std::log(scale), 1e-6);
}

TEST(FitSmall, LocationsInOtherUnits) {
  Rng rng(3);
  const Rows a = rng.uniforms(30, 2);
  const Vector z = (6.0 * a.col(0)).array().sin() + a.col(1).array() + 0.1 * rng.normals(30).array();
  const auto fitted = [&](double unit) {
    const GaussianConditional window(QueryMap::identity(2), 0.02 * unit);
    return fit(Posterior(Rbf(1.0, Vector::Ones(2)), window).condition(Queries(Rows(unit * a)), z, 1.0), {}, 1);
  };
  const Fit metres = fitted(1000.0);
  for (const auto& p : fitted(1.0).parameters()) {
    const double factor = p.name.rfind("lengthscale", 0) == 0 ? 1000.0 : 1.0;
    EXPECT_NEAR(metres.parameter(p.name).value / (factor * p.value), 1.0, 10 * test::kSameFit) << p.name;
  }
}

TEST(FitSmall, OrderOfTheDataDoesNotMatter) {
  const Posterior data = rough(4);
  const Index t = data.size();
  std::vector<Index> order(static_cast<std::size_t>(t));
  for (Index i = 0; i < t; ++i) order[static_cast<std::size_t>(i)] = (i * 10) % t;  // 49 and 10 have no common factor
  const Queries a(Rows(data.queries().coordinates()(order, Eigen::all)));
  const Fit here = fit(data, {}, 1);
  const Fit there = fit(Posterior(data.kernel(), data.conditional()).condition(a, Vector(data.z()(order)), 1.0), {}, 1);
  for (const auto& p : here.parameters())
    EXPECT_NEAR(there.parameter(p.name).value / p.value, 1.0, test::kSameFit) << p.name;
}

void expect_usable(const Fit& fitted) {
  for (const auto& p : fitted.parameters()) {
    EXPECT_TRUE(std::isfinite(p.value) && std::isfinite(p.low) && std::isfinite(p.high)) << p.name;
    EXPECT_LE(p.low, p.value) << p.name;
    EXPECT_GE(p.high, p.value) << p.name;
  }
  EXPECT_TRUE(std::isfinite(fitted.log_evidence));
  const Index d = fitted.posterior.kernel().dimension();
  const auto [mean, var] = fitted.posterior.f(Inputs(Rows::Constant(1, d, 0.5)));
  EXPECT_TRUE(std::isfinite(mean[0]) && std::isfinite(var[0]));
  EXPECT_LE(fitted.evaluations, FitOptions().max_evaluations);
}

double width(const FittedParameter& p) { return std::log(p.high / p.low); }

TEST(FitSmall, TinyData) {
  const GaussianConditional window(QueryMap::identity(1), 0.05);
  const Posterior prior(Rbf(1.0, Vector{{0.2}}), window);
  const Vector z{{1.0, -0.5, 2.0}};
  for (const Index t : {1, 2, 3}) {
    const Queries a = Queries::line(Vector::LinSpaced(t, 0.0, 1.0));
    for (const auto noise : {FitOptions::Noise::kFitted, FitOptions::Noise::kKnown})
      for (const auto mean :
           {FitOptions::MeanModel::kConstant, FitOptions::MeanModel::kLinear, FitOptions::MeanModel::kFixed}) {
        FitOptions options;
        options.noise = noise;
        options.mean = mean;
        const Fit fitted = fit(prior.condition(a, z.head(t), 0.01), options, 1);
        expect_usable(fitted);
        EXPECT_GT(width(fitted.parameter("lengthscale[0]")), std::log(10.0)) << t;
        if (t == 1) {
          EXPECT_THAT(fitted.notes, Contains(HasSubstr("mostly the prior")));
        }
      }
  }
  const Fit nothing = fit(prior, {}, 1);
  EXPECT_THAT(nothing.notes, Contains(HasSubstr("no observations")));
  EXPECT_EQ(nothing.posterior.size(), 0);
}

TEST(FitSmall, FlatAndRepeatedData) {
  const GaussianConditional window(QueryMap::identity(2), 0.05);
  const Posterior prior(Rbf(1.0, Vector{{0.2, 0.2}}), window);
  Rng rng(5);
  const Queries a(rng.uniforms(12, 2));
  for (const double level : {0.0, 7.0, -1e-9, 1e12}) {
    const Fit fitted = fit(prior.condition(a, Vector::Constant(12, level), 0.0), {}, 1);
    expect_usable(fitted);
    EXPECT_THAT(fitted.notes,
                Contains(HasSubstr(level == 0.0 ? "all observations are 0" : "all observations are equal")));
    EXPECT_NEAR(fitted.parameter("mean").value, level, 1e-6 * std::max(1.0, std::abs(level)));
    EXPECT_GE(std::sqrt(fitted.parameter("variance").value), 0.0099 * (level == 0.0 ? 1.0 : std::abs(level)));
  }
  // One query asked ten times; a column that never changes.
  const Fit repeated = fit(prior.condition(Queries(Rows::Constant(10, 2, 0.3)), rng.normals(10), 0.1), {}, 1);
  expect_usable(repeated);
  EXPECT_GT(width(repeated.parameter("lengthscale[0]")), std::log(100.0));
  Rows line = rng.uniforms(12, 2);
  line.col(1).setConstant(4.0);
  const GaussianConditional looks(QueryMap::identity(2), 0.0);
  const Fit column =
      fit(Posterior(Rbf(1.0, Vector::Ones(2)), looks).condition(Queries(line), rng.normals(12), 0.1), {}, 1);
  expect_usable(column);
  EXPECT_THAT(column.notes, Contains(HasSubstr("column 1 is the same")));
  EXPECT_GT(width(column.parameter("lengthscale[1]")), std::log(100.0));
}

TEST(FitSmall, WhiteDataAreCalledNoise) {
  Rng rng(6);
  const GaussianConditional window(QueryMap::identity(1), 0.05);
  const Queries a = Queries::line(Vector::LinSpaced(60, 0.0, 1.0));
  const Fit fitted = fit(Posterior(Rbf(1.0, Vector{{0.2}}), window).condition(a, rng.normals(60), 1.0), {}, 1);
  expect_usable(fitted);
  const auto shown = fitted.posterior.conditional().q_diagonal(fitted.posterior.kernel(), a.slice(0, 1));
  EXPECT_GT(fitted.parameter("noise_var").value, 0.5);
  EXPECT_LT(shown[0], 0.5);
}

TEST(FitSmall, KeepsTheBudget) {
  Rng rng(7);
  const Rows x = rng.uniforms(600, 4);  // bags of three points each
  std::vector<BagRow> rows;
  for (Index i = 0; i < 600; ++i) rows.push_back({i / 3, i, 1.0});
  const BagConditional bags(Inputs(x), rows);
  const Vector f = (3.0 * x.col(0)).array().sin() + x.col(1).array().square() + 0.3 * (9.0 * x.col(2)).array().cos();
  const Vector z = bags.average(bags.queries(), f) + 0.05 * rng.normals(200);
  const Posterior data = Posterior(Rbf(1.0, Vector::Ones(4)), bags).condition(bags.queries(), z, 1.0);
  const Fit fitted = fit(data, {}, 1);
  EXPECT_LE(fitted.evaluations, 1000);
  // The column that does nothing has the longest lengthscale.
  for (const auto* name : {"lengthscale[0]", "lengthscale[1]", "lengthscale[2]"})
    EXPECT_GT(fitted.parameter("lengthscale[3]").value, fitted.parameter(name).value);
  FitOptions few;
  few.max_evaluations = 100;
  EXPECT_LE(fit(rough(8), few, 1).evaluations, 100);
  const Posterior learned = rough(8).with_discrepancy(Rbf(0.1, Vector{{10.0}}));
  EXPECT_LE(fit(learned, few, 1).evaluations, 100);
}

TEST(FitSmall, SaysItInTheUsersWords) {
  Rng rng(9);
  FitOptions options;
  options.mean = FitOptions::MeanModel::kLinear;
  const Fit fitted = fit(Blocks(6, 2).draw(rng, Rbf(1.0, Vector{{0.3, 0.3}}), 0.01), options, 1);
  const std::string text = fitted.summary({{"east", "north"}, {"km", "miles"}, "cases"});
  EXPECT_THAT(text, testing::ContainsRegex("lengthscale of east: [0-9.e+-]+ km \\([0-9.e+-]+ to [0-9.e+-]+\\)"));
  EXPECT_THAT(text, testing::ContainsRegex("lengthscale of north: [0-9.e+-]+ miles"));
  EXPECT_THAT(text, testing::ContainsRegex("slope in north: [0-9.e+-]+ cases per miles"));
  EXPECT_THAT(text, testing::ContainsRegex("noise of an observation \\(sd\\): [0-9.e+-]+ cases"));
  EXPECT_THAT(text, HasSubstr("note: every observation averages over equally many points"));
  EXPECT_THAT(fitted.summary(), HasSubstr("lengthscale of column 1: "));
  Hyperparameters noted;
  noted.notes = {"the data say little about lengthscale[1], slope[0]", "lengthscale[2] is beyond the columns"};
  EXPECT_THAT(noted.named_notes({"east", "north"}),
              testing::ElementsAre("the data say little about lengthscale of north, slope of east", noted.notes[1]));
}

TEST(FitSmall, NuggetNeedsPoints) {
  const GaussianConditional window(QueryMap::identity(1), 0.05);
  const Fit fitted =
      fit(Posterior(Rbf(1.0, Vector{{0.2}}), window).condition(Queries{{0.1}, {0.5}}, Vector{{1.0, 2.0}}, 0.1), {}, 1);
  test::expect_no_parameter(fitted, "nugget");
  EXPECT_THAT(fitted.notes, Contains(HasSubstr("no nugget")));
}

TEST(FitSmall, RefusesBadOptions) {
  const Posterior data = rough(1);
  const auto with = [&](auto change) {
    return [&data, change] {
      FitOptions options;
      change(options);
      fit(data, options, 1);
    };
  };
  test::expect_refusal(with([](FitOptions& o) { o.starts = 0; }), {"starts", "is 0", "at least 1"});
  test::expect_refusal(with([](FitOptions& o) { o.max_evaluations = 7; }), {"max_evaluations", "is 7", "100"});
  test::expect_refusal(with([](FitOptions& o) { o.families.assign(2, "rbf"); }),
                       {"families", "row 1", "row 0", "once"});
  test::expect_refusal([&] { fit(data.with_discrepancy(White(1.0, 1)), {}, 1); },
                       {"discrepancy", "nugget", "variance"});
  test::expect_refusal([&] { fit(data, {}, 1).parameter("lengthscale[7]"); }, {"lengthscale[7]", "one of", "variance"});
}

TEST(FitSmall, AUsersMeanIsKept) {
  Rng rng(10);
  const GaussianConditional window(QueryMap::identity(1), 0.05);
  const CallbackMean mean([](const Inputs& x) { return Vector(10.0 * x.coordinates().col(0)); });
  const Queries a = Queries::line(Vector::LinSpaced(20, 0.0, 1.0));
  const Vector z = 10.0 * a.coordinates().col(0) + 0.1 * rng.normals(20);
  const Fit fitted = fit(Posterior(Rbf(1.0, Vector{{0.2}}), window, mean).condition(a, z, 1.0), {}, 1);
  EXPECT_THAT(fitted.notes, Contains(HasSubstr("a function of yours and was kept")));
  EXPECT_NEAR(fitted.posterior.g(Queries{{2.0}}).mean[0], 20.0, 0.5);
}

}  // namespace
}  // namespace iqbo
