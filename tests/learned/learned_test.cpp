// p(x|a) from pairs: what each model must get right, and what a user is told.
#include "iqbo/learned/learned.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <limits>
#include <set>

#include "iqbo/conditional/spread.hpp"
#include "iqbo/kernel/stationary.hpp"
#include "support/errors.hpp"
#include "support/random.hpp"
#include "support/tolerance.hpp"

namespace iqbo {
namespace {

using test::expect_refusal;

struct Logged {
  Rows x, a;
  Logged(Index n, Index d_x, Index d_a) : x(n, d_x), a(n, d_a) {}
  LearnedConditional learn(LearnedOptions options = {}) const { return {Inputs(x), Queries(a), options}; }
  LearnedConditional learn(LearnedKind kind) const {
    LearnedOptions options;
    options.model = kind;
    return learn(options);
  }
};

// X = 2 a + N(0, 0.1^2) in 1-D, in units of its own (kilometres and metres, say).
Logged moving_window(std::uint64_t seed, Index n, double x_unit = 1.0, double a_unit = 1.0) {
  Rng rng(seed);
  Logged out(n, 1, 1);
  for (Index j = 0; j < n; ++j) {
    const double a = rng.uniform();
    out.a(j, 0) = a_unit * a;
    out.x(j, 0) = x_unit * (2.0 * a + 0.1 * rng.normal());
  }
  return out;
}

constexpr LearnedKind kFour[] = {LearnedKind::kShift, LearnedKind::kCme, LearnedKind::kNw, LearnedKind::kPlugIn};
constexpr LearnedKind kAll[] = {LearnedKind::kShift,  LearnedKind::kCme,  LearnedKind::kNw,
                                LearnedKind::kPlugIn, LearnedKind::kAuto, LearnedKind::kStack};

// Moments of X given a: through means, which every model averages.
double mean_of(const Conditional& model, double a) {
  return model.nu(LinearMean(0.0, Vector{{1.0}}), Queries({{a}}))[0];
}
double sd_of(const Conditional& model, double a) {
  const CallbackMean square([](const Inputs& x) -> Vector { return x.coordinates().col(0).array().square(); });
  const double mean = mean_of(model, a);
  return std::sqrt(model.nu(square, Queries({{a}}))[0] - mean * mean);
}

TEST(Learned, FindsAMovingWindow) {
  const auto logged = moving_window(1, 150);
  for (const auto kind : {LearnedKind::kShift, LearnedKind::kPlugIn, LearnedKind::kAuto, LearnedKind::kStack}) {
    const auto model = logged.learn(kind);
    for (const double a : {0.1, 0.5, 0.9}) {
      EXPECT_NEAR(mean_of(model, a), 2.0 * a, 0.04) << to_string(kind);  // 0.1 / sqrt(50 effective pairs), 3 sd
      EXPECT_NEAR(sd_of(model, a), 0.1, 0.03) << to_string(kind);
    }
  }
  for (const auto kind : {LearnedKind::kCme, LearnedKind::kNw})  // which blur: their weights mix neighbouring windows
    EXPECT_NEAR(mean_of(logged.learn(kind), 0.5), 1.0, 0.1) << to_string(kind);
}

TEST(Learned, SpreadMayVaryWithTheQuery) {
  Rng rng(2);
  Logged logged(400, 1, 1);
  for (Index j = 0; j < 400; ++j) {
    logged.a(j, 0) = rng.uniform();
    logged.x(j, 0) = logged.a(j, 0) + (0.05 + 0.4 * logged.a(j, 0)) * rng.normal();
  }
  for (const auto kind : {LearnedKind::kShift, LearnedKind::kPlugIn}) {
    const auto model = logged.learn(kind);
    EXPECT_NEAR(sd_of(model, 0.1), 0.09, 0.06) << to_string(kind);
    EXPECT_NEAR(sd_of(model, 0.9), 0.41, 0.08) << to_string(kind);
  }
}

TEST(Learned, ApproachesTheTrueCovariancesAsPairsGrow) {
  const GaussianConditional truth(QueryMap::affine(Matrix{{2.0}}, Vector{{0.0}}), 0.1);
  const Rbf kernel(1.0, Vector{{0.3}});
  const Queries a({{0.2}, {0.4}, {0.8}});
  const Inputs x({{0.3}, {1.1}});
  for (const auto kind : kFour) {
    double last = 1.0;
    for (const Index n : {30, 300}) {
      const auto model = moving_window(3, n).learn(kind);
      const double error = (model.q(kernel, a, a) - truth.q(kernel, a, a)).cwiseAbs().maxCoeff() +
                           (model.c(kernel, x, a) - truth.c(kernel, x, a)).cwiseAbs().maxCoeff();
      EXPECT_LT(error, last) << to_string(kind) << ' ' << n;
      last = error;
    }
    EXPECT_LT(last, kind == LearnedKind::kCme || kind == LearnedKind::kNw ? 0.2 : 0.1) << to_string(kind);
  }
}

TEST(Learned, UnitsDoNotMatter) {
  for (const auto kind : kAll) {
    const auto plain = moving_window(4, 60).learn(kind);
    const auto scaled = moving_window(4, 60, 1000.0, 1e-3).learn(kind);
    EXPECT_NEAR(mean_of(scaled, 0.4e-3), 1000.0 * mean_of(plain, 0.4), 1e-6) << to_string(kind);
    EXPECT_NEAR(scaled.report().scores.front().kappa, plain.report().scores.front().kappa, 1e-9) << to_string(kind);
  }
}

// A query (clinic, dose): the clinic decides where X is, in no order of its code.
TEST(Learned, CategoriesHaveNoOrder) {
  Rng rng(5);
  const double offset[] = {0.0, 3.0, 1.0};
  Logged logged(120, 1, 2);
  for (Index j = 0; j < 120; ++j) {
    const Index clinic = rng.below(3);
    logged.a(j, 0) = 10.0 * static_cast<double>(clinic);  // codes 0, 10, 20
    logged.a(j, 1) = rng.uniform();
    logged.x(j, 0) = offset[clinic] + 0.5 * logged.a(j, 1) + 0.05 * rng.normal();
  }
  LearnedOptions options;
  options.categories = {0};
  for (const auto kind : kFour) {
    options.model = kind;
    const auto model = logged.learn(options);
    const Vector nu = model.nu(LinearMean(0.0, Vector{{1.0}}), Queries({{0.0, 0.5}, {10.0, 0.5}, {20.0, 0.5}}));
    EXPECT_LT((nu - Vector{{0.25, 3.25, 1.25}}).cwiseAbs().maxCoeff(), 0.15) << to_string(kind) << nu.transpose();
  }
  expect_refusal(
      [&] {
        logged.learn(options).laws(Queries({{0.0, 0.5}, {5.0, 0.5}}));
      },
      {"a", "row 1, column 0", "5", "3 categories"});
}

TEST(Learned, WhatFallsOutsideGoesToTheNearestPoint) {
  const auto logged = moving_window(6, 100);
  LearnedOptions options;
  options.model = LearnedKind::kShift;
  options.domain = InputBox(Vector{{0.0}}, Vector{{2.0}});
  const auto boxed = logged.learn(options);
  const Laws laws = boxed.laws(Queries({{0.0}, {1.0}}));
  const auto& discrete = std::get<DiscreteLaws>(laws.parts().front().kind);
  EXPECT_GE(discrete.support->coordinates().minCoeff(), 0.0);
  EXPECT_LE(discrete.support->coordinates().maxCoeff(), 2.0);
  EXPECT_EQ(boxed.support(), nullptr);

  options.domain = InputSet(InputBox(Vector{{0.0}}, Vector{{2.0}}).grid({21}));
  const auto gridded = logged.learn(options);
  ASSERT_NE(gridded.support(), nullptr);
  EXPECT_EQ(gridded.support()->size(), 21);
  // Rounding to the nearest of points 0.1 apart moves a mean by at most 0.05, and here far less.
  EXPECT_NEAR(mean_of(gridded, 0.5), mean_of(boxed, 0.5), 0.02);
  const Vector one = gridded.average(Queries({{0.3}, {0.7}}), Vector::Ones(21));
  EXPECT_LT((one - Vector::Ones(2)).cwiseAbs().maxCoeff(), test::kRounding);
}

// 300 residuals in 128 clusters: the averages are those of all residuals, the better the wider the kernel.
TEST(Learned, ThinningShiftKeepsItsAverages) {
  Rng rng(7);
  Logged logged(300, 2, 1);
  for (Index j = 0; j < 300; ++j) {
    logged.a(j, 0) = rng.uniform();
    logged.x(j, 0) = logged.a(j, 0) + 0.2 * rng.normal();
    logged.x(j, 1) = 0.2 * rng.normal() + (rng.uniform() < 0.5 ? 0.3 : -0.3);
  }
  LearnedOptions all;
  all.model = LearnedKind::kShift;
  all.shift_points = 300;
  const auto thin = logged.learn(LearnedKind::kShift);
  const auto full = logged.learn(all);
  const Queries a({{0.2}, {0.6}});
  const Inputs x({{0.3, 0.1}, {0.5, -0.3}});
  for (const double l : {0.15, 0.3, 1.0}) {
    const Rbf kernel(1.0, Vector{{l, l}});
    EXPECT_LT((thin.q(kernel, a, a) - full.q(kernel, a, a)).cwiseAbs().maxCoeff(), 0.01 * std::min(1.0, 0.1 / (l * l)))
        << l;
    EXPECT_LT((thin.c(kernel, x, a) - full.c(kernel, x, a)).cwiseAbs().maxCoeff(), 0.02 * std::min(1.0, 0.1 / (l * l)))
        << l;
  }
}

TEST(Learned, ReportsTheScoreOfEveryModel) {
  const auto logged = moving_window(8, 100);
  const auto chosen = logged.learn(LearnedKind::kAuto);
  const auto& scores = chosen.report().scores;
  ASSERT_GE(scores.size(), 5U);  // four models, and ignoring a; the mixture, if it is one
  double chosen_total = 0.0;
  for (const auto& score : scores) chosen_total += score.weight;
  EXPECT_NEAR(chosen_total, 1.0, test::kRounding);
  for (std::size_t i = 1; i < scores.size(); ++i) EXPECT_LE(scores[i - 1].kappa, scores[i].kappa);
  EXPECT_EQ(scores.back().model, "ignore a");
  const auto stack = logged.learn(LearnedKind::kStack);
  double total = 0.0;
  double of_stack = 0.0;
  for (const auto& score : stack.report().scores) {
    total += score.weight;
    if (score.model == "stack") of_stack = score.kappa;
  }
  EXPECT_NEAR(total, 1.0, test::kRounding);
  EXPECT_LE(of_stack, scores.front().kappa + test::kRounding);  // a mixture of all is at least as good as the best
  const std::string text = chosen.report().summary();
  for (const char* piece : {"100 pairs", "shift", "cme", "nw", "plugin", "ignore a", "used"})
    EXPECT_NE(text.find(piece), std::string::npos) << text;
}

// The jackknife's error against the real one: averages of cosines, exact for X = 2 a + N(0, 0.1^2).
TEST(Learned, SaysHowWellAveragesAreKnown) {
  Rows at(21, 1);
  for (Index i = 0; i < 21; ++i) at(i, 0) = 0.05 * static_cast<double>(i);
  const Queries a(at);
  const GaussianConditional truth(QueryMap::affine(Matrix{{2.0}}, Vector{{0.0}}), 0.1);
  const Rows frequency{{1.0}, {2.0}, {4.0}, {8.0}};
  const Vector phase{{0.3, 1.1, 2.0, 0.7}};
  const Matrix want = truth.cosines(a, frequency, phase);
  for (const auto kind : {LearnedKind::kShift, LearnedKind::kCme, LearnedKind::kNw}) {
    double few = 1.0;
    for (const Index n : {40, 160}) {
      double real = 0.0;
      double said = 0.0;
      for (const std::uint64_t seed : {21U, 22U, 23U}) {
        const auto model = moving_window(seed, n).learn(kind);
        real += (model.cosines(a, frequency, phase) - want).squaredNorm() / 3.0;
        said += *model.relative_error() / 3.0;
      }
      real = std::sqrt(real / (want.rowwise() - want.colwise().mean()).squaredNorm());
      EXPECT_GT(said, real / 3.0) << to_string(kind) << ' ' << n;  // as far as two draws of an sd from few folds agree
      EXPECT_LT(said, real * 3.0) << to_string(kind) << ' ' << n;
      EXPECT_LT(said, few) << to_string(kind) << ' ' << n;
      few = said;
    }
  }
  EXPECT_FALSE(truth.relative_error().has_value());
  EXPECT_NE(moving_window(24, 40).learn().report().summary().find("averages are known to about"), std::string::npos);
}

TEST(Learned, SmallAndDegeneratePairsAreExplained) {
  for (const auto kind : kAll) {
    Logged two(2, 1, 1);
    two.x << 0.0, 1.0;
    two.a << 0.0, 1.0;
    const auto model = two.learn(kind);
    EXPECT_TRUE(std::isfinite(mean_of(model, 0.5))) << to_string(kind);
    EXPECT_GE(sd_of(model, 0.5), 0.0);

    Logged same_query(20, 1, 1);
    same_query.a.setConstant(3.0);
    Rng rng(9);
    for (Index j = 0; j < 20; ++j) same_query.x(j, 0) = rng.normal();
    const auto flat = same_query.learn(kind);
    EXPECT_NEAR(mean_of(flat, 3.0), same_query.x.mean(), kind == LearnedKind::kCme ? 0.3 : 0.05) << to_string(kind);
    EXPECT_NE(flat.report().summary().find("column 0 of the logged queries is always 3"), std::string::npos);
    EXPECT_NE(flat.report().summary().find("hardly depends on a"), std::string::npos) << flat.report().summary();

    Logged constant_x = moving_window(10, 30);
    constant_x.x.setConstant(0.7);
    const auto still = constant_x.learn(kind);
    EXPECT_NEAR(mean_of(still, 0.5), 0.7, 0.05) << to_string(kind);
    EXPECT_NE(still.report().summary().find("column 0 of the logged inputs is always 0.7"), std::string::npos);

    Logged twice = moving_window(11, 40);  // every query logged twice
    twice.a.bottomRows(20) = twice.a.topRows(20);
    EXPECT_TRUE(std::isfinite(mean_of(twice.learn(kind), 0.5))) << to_string(kind);
  }
}

TEST(Learned, PairsThatIgnoreTheQueryAreSaidTo) {
  Rng rng(12);
  Logged logged(200, 1, 1);
  for (Index j = 0; j < 200; ++j) {
    logged.a(j, 0) = rng.uniform();
    logged.x(j, 0) = rng.normal();
  }
  const auto model = logged.learn();
  EXPECT_NE(model.report().summary().find("hardly depends on a"), std::string::npos) << model.report().summary();
  EXPECT_GT(model.report().error, 0.5);  // what little seems to depend on a is chance
  EXPECT_LE(model.report().error, 1.0);
  EXPECT_NEAR(mean_of(model, 0.1), mean_of(model, 0.9), 0.35);
}

TEST(Learned, TheSamePairsGiveTheSameBits) {
  const auto logged = moving_window(13, 60);
  const Rbf kernel(1.0, Vector{{0.3}});
  const Queries a({{0.2}, {0.4}});
  for (const auto kind : kAll) EXPECT_EQ(logged.learn(kind).q(kernel, a, a), logged.learn(kind).q(kernel, a, a));
}

// As plain numbers, and back: nothing is learned again, and not a bit is lost. Categories, lists and notes included.
TEST(Learned, NumbersMakeTheSameConditionalAgain) {
  Logged logged = moving_window(13, 60);
  logged.a.conservativeResize(60, 2);
  for (Index j = 0; j < 60; ++j) logged.a(j, 1) = static_cast<double>(j % 3);
  const Rbf kernel(1.0, Vector{{0.3}});
  const Queries a({{0.2, 0.0}, {0.4, 2.0}});
  LearnedOptions options;
  options.categories = {1};
  for (const InputDomain& domain :
       {InputDomain(), InputDomain(InputSet(Inputs::line(Vector::LinSpaced(30, -1.0, 3.0))))})
    for (const auto kind : kAll) {
      options.domain = domain;
      options.model = kind;
      const LearnedConditional learned = logged.learn(options);
      const LearnedConditional again(Inputs(logged.x), Queries(logged.a), options, learned.numbers());
      EXPECT_EQ(again.q(kernel, a, a), learned.q(kernel, a, a)) << to_string(kind);
      EXPECT_EQ(again.report().summary(), learned.report().summary());
      EXPECT_EQ(again.relative_error(), learned.relative_error());
      EXPECT_EQ(again.numbers(), learned.numbers());
      EXPECT_EQ(again.support() == nullptr, learned.support() == nullptr);
    }
  const LearnedNumbers known = logged.learn(options).numbers();
  LearnedNumbers cut = known;
  cut.values.pop_back();
  expect_refusal([&] { LearnedConditional(Inputs(logged.x), Queries(logged.a), options, cut); },
                 {"known: without 1 numbers called error"});
  logged.x(3, 0) += 1e-15;
  expect_refusal([&] { LearnedConditional(Inputs(logged.x), Queries(logged.a), options, known); },
                 {"known: of other pairs or options"});
}

// The paper's embedding of a constant is off by what its weights lack of one; ours is not.
TEST(Learned, PriorMeanMayFollowThePaperLiterally) {
  const auto logged = moving_window(16, 40);
  const Queries a({{0.1}, {0.5}});
  LearnedOptions options;
  options.exact_constant = false;
  for (const auto kind : kFour) {
    options.model = kind;
    const auto literal = logged.learn(options);
    const auto exact = logged.learn(kind);
    const Vector unit =
        literal.cosines(a, Rows::Zero(1, 1), Vector::Zero(1)).col(0);  // E cos(0): the sum of the weights
    EXPECT_LT((literal.nu(ConstantMean(3.0), a) - 3.0 * unit).cwiseAbs().maxCoeff(), test::kRounding)
        << to_string(kind);
    EXPECT_LT((exact.nu(ConstantMean(3.0), a).array() - 3.0).abs().maxCoeff(), test::kRounding) << to_string(kind);
    EXPECT_EQ((unit.array() - 1.0).abs().maxCoeff() > test::kRounding, kind == LearnedKind::kCme) << to_string(kind);
  }
}

// w(a) = (L + N lambda I)^-1 l(a) by a dense solve, l in the units of a, with every setting given.
TEST(Learned, CmeWithGivenSettingsIsAsPrinted) {
  Rng rng(21);
  Logged logged(30, 1, 2);
  for (Index j = 0; j < 30; ++j) {
    logged.a.row(j) << 40.0 * rng.uniform(), 0.01 * rng.uniform();
    logged.x(j, 0) = 0.05 * logged.a(j, 0) + 0.1 * rng.normal();
  }
  LearnedOptions options;
  options.model = LearnedKind::kCme;
  options.lambda = 0.02;
  options.lengthscales = {9.0, 0.004};
  const auto model = logged.learn(options);
  const auto l = [&](const Rows& one, const Rows& other) {
    Matrix out(one.rows(), other.rows());
    for (Index i = 0; i < one.rows(); ++i)
      for (Index j = 0; j < other.rows(); ++j)
        out(i, j) = std::exp(
            -0.5 * (std::pow((one(i, 0) - other(j, 0)) / 9.0, 2) + std::pow((one(i, 1) - other(j, 1)) / 0.004, 2)));
    return out;
  };
  Matrix system = l(logged.a, logged.a);
  system.diagonal().array() += 30.0 * 0.02;
  const Rows asked{{{11.0, 0.003}, {35.0, 0.009}}};
  const Matrix weight = system.partialPivLu().solve(l(logged.a, asked));
  const Rbf k(1.3, Vector{{0.4}});
  const Matrix want = weight.transpose() * k.gram(Inputs(logged.x)) * weight;
  EXPECT_LT((model.q(k, Queries(asked), Queries(asked)) - want).cwiseAbs().maxCoeff(), 1e-12);
}

// What is not given is that of the least leave-one-out error under the yardstick: sum over j of |k(x_j, .) - embedding
// without j|^2, each by a refit.
TEST(Learned, CmeIsChosenUnderTheYardstick) {
  const auto logged = moving_window(22, 25);
  const Rbf k(1.0, Vector{{0.2}});
  LearnedOptions options;
  options.model = LearnedKind::kCme;
  options.yardstick = k.clone();
  options.lengthscales = {0.25};
  const auto loss = [&](double ridge) {
    double sum = 0.0;
    for (Index left = 0; left < 25; ++left) {
      std::vector<Index> others;
      for (Index j = 0; j < 25; ++j)
        if (j != left) others.push_back(j);
      const Inputs x(Rows(logged.x(others, Eigen::all)));
      const Vector a = logged.a(others, 0);
      Matrix system(24, 24);
      for (Index i = 0; i < 24; ++i)
        for (Index j = 0; j < 24; ++j) system(i, j) = std::exp(-0.5 * std::pow((a[i] - a[j]) / 0.25, 2));
      const Vector here = (-0.5 * ((a.array() - logged.a(left, 0)) / 0.25).square()).exp();
      system.diagonal().array() += ridge;
      const Vector w = system.partialPivLu().solve(here);
      const Inputs own(Rows(logged.x.row(left)));
      sum += 1.0 - 2.0 * w.dot(k.gram(x, own).col(0)) + w.dot(k.gram(x) * w);
    }
    return sum;
  };
  const auto ridge_of = [](const LearnedConditional& model) {
    for (const auto& [name, values] : model.numbers().values)
      if (name == "cme ridge") return values[0];
    return 0.0;
  };
  const double chosen = ridge_of(logged.learn(options));
  for (const double other : {1e-4, 1e-3, 3e-3, 1e-2, 3e-2, 0.1, 0.3, 1.0, 3.0, 10.0})
    EXPECT_LE(loss(chosen), loss(other) * (1.0 + 1e-9)) << chosen << " or " << other;
  options.lambda = 0.5;
  EXPECT_DOUBLE_EQ(ridge_of(logged.learn(options)), 12.5);
  options.lengthscales.clear();
  EXPECT_DOUBLE_EQ(ridge_of(logged.learn(options)), 12.5);
}

TEST(Learned, SettingsOfTheCmeArePartOfTheFingerprintOnlyIfGiven) {
  const auto logged = moving_window(23, 12);
  const Inputs x(logged.x);
  const Queries a(logged.a);
  const auto print = [&](const LearnedOptions& options) { return fingerprint(x, a, options); };
  LearnedOptions options;
  options.model = LearnedKind::kCme;
  const double usual = print(options);
  std::set<double> prints{usual};
  options.lambda = 0.1;
  prints.insert(print(options));
  options.lambda.reset();
  options.lengthscales = {0.1};
  prints.insert(print(options));
  options.lengthscales.clear();
  options.yardstick = Rbf(1.0, Vector{{0.1}}).clone();
  prints.insert(print(options));
  options.yardstick = Rbf(1.0, Vector{{0.2}}).clone();
  prints.insert(print(options));
  EXPECT_EQ(prints.size(), 5U);
  options.yardstick.reset();
  EXPECT_EQ(print(options), usual);
}

TEST(Learned, RefusesSettingsThatNoModelUses) {
  const auto logged = moving_window(24, 12);
  LearnedOptions options;
  options.model = LearnedKind::kNw;
  options.lambda = 0.1;
  expect_refusal([&] { logged.learn(options); }, {"model", "nw", "has no lambda", "cme"});
  options.model = LearnedKind::kCme;
  options.lambda = 0.0;
  expect_refusal([&] { logged.learn(options); }, {"lambda", "0"});
  options.lambda.reset();
  options.lengthscales = {1.0, 2.0};
  expect_refusal([&] { logged.learn(options); }, {"lengthscales: has 2 numbers, expected 1, one per column of a"});
  options.lengthscales.clear();
  options.yardstick = Rbf(1.0, Vector::Ones(2)).clone();
  expect_refusal([&] { logged.learn(options); }, {"yardstick: a kernel of 2 coordinates, expected 1"});
}

TEST(Learned, DiscrepancyIsASmoothKernelOnQueries) {
  const auto model = moving_window(14, 100, 1.0, 50.0).learn();
  const auto l = model.discrepancy(0.09);
  const double sd = 50.0 / std::sqrt(12.0);  // of a uniform on (0, 50); the sample's is within 10 % of it
  const Matrix k = l->gram(Queries({{10.0}, {10.0 + 0.5 * sd}}));
  EXPECT_DOUBLE_EQ(k(0, 0), 0.09);
  EXPECT_NEAR(k(0, 1) / 0.09, std::exp(-0.5), 0.1);  // half an sd apart is one lengthscale
  EXPECT_EQ(l->parameter_names(), std::vector<std::string>{"variance"});
  expect_refusal([&] { model.discrepancy(-1.0); }, {"tau2", "-1"});
}

TEST(Learned, RefusesWhatCannotBeLearnedFrom) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  expect_refusal([] { LearnedConditional(Inputs({{0.0}}), Queries({{0.0}})); }, {"x", "1 logged pairs", "at least 2"});
  expect_refusal([] { LearnedConditional(Inputs({{0.0}, {1.0}}), Queries({{0.0}})); }, {"a", "1 rows", "2"});
  expect_refusal([&] { LearnedConditional(Inputs({{0.0}, {nan}}), Queries({{0.0}, {1.0}})); }, {"x", "row 1", "nan"});
  expect_refusal([&] { LearnedConditional(Inputs({{0.0}, {1.0}}), Queries({{0.0}, {nan}})); }, {"a", "row 1", "nan"});
  const auto logged = moving_window(15, 50);
  auto metres = logged;  // among kilometres
  metres.x(7, 0) = 4000.0;
  expect_refusal([&] { metres.learn(); }, {"x", "row 7, column 0", "4000", "same units"});
  metres = logged;
  metres.a(9, 0) = -9000.0;
  expect_refusal([&] { metres.learn(); }, {"a", "row 9, column 0", "-9000", "same units"});
  LearnedOptions options;
  options.categories = {1};
  expect_refusal([&] { logged.learn(options); }, {"categories", "column 1", "0 to 0"});
  options = {};
  options.shift_points = 0;
  expect_refusal([&] { logged.learn(options); }, {"shift_points", "0"});
  options = {};
  options.domain = InputBox(Vector{{0.0}}, Vector{{0.002}});  // the domain in kilometres, the pairs in metres
  expect_refusal([&] { logged.learn(options); }, {"x", "row", "near the domain", "units"});
  expect_refusal([&] { logged.learn().laws(Queries({{0.5}, {1000.0}})); }, {"a", "row 1, column 0", "1000", "units"});
  expect_refusal([&] { logged.learn().laws(Queries({{0.5, 0.5}})); }, {"a", "2 columns", "1"});
}

}  // namespace
}  // namespace iqbo
