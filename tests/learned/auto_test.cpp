// What a user gets who says nothing: mixtures that are no worse than the best model where one of them is bad.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numbers>

#include "iqbo/kernel/stationary.hpp"
#include "iqbo/learned/learned.hpp"
#include "learned/held_out.hpp"
#include "support/random.hpp"
#include "support/tolerance.hpp"

namespace iqbo {
namespace {

struct Logged {
  Rows x, a;
  LearnedConditional learn(LearnedKind kind, const std::vector<Index>& categories = {},
                           const InputDomain& domain = {}) const {
    LearnedOptions options;
    options.model = kind;
    options.categories = categories;
    options.domain = domain;
    return {Inputs(x), Queries(a), options};
  }
};

// X on rings around a mast, a the class of the radius: eight classes, 0.1 wide, from 0.1 on.
Logged rings(std::uint64_t seed, Index n) {
  Rng rng(seed);
  Logged out{Rows(n, 2), Rows(n, 1)};
  for (Index i = 0; i < n; ++i) {
    const Index ring = rng.below(8);
    const double radius = 0.1 + 0.1 * (static_cast<double>(ring) + rng.uniform());
    const double angle = 1.5 * std::numbers::pi * rng.uniform();
    out.a(i, 0) = static_cast<double>(ring);
    out.x.row(i) << radius * std::cos(angle), radius * std::sin(angle);
  }
  return out;
}

// E |X| is the middle of the class, whatever the angles.
double error_of_radius(const LearnedConditional& model) {
  const CallbackMean radius([](const Inputs& x) -> Vector { return x.coordinates().rowwise().norm(); });
  Rows a(8, 1);
  Vector want(8);
  for (Index ring = 0; ring < 8; ++ring) {
    a(ring, 0) = static_cast<double>(ring);
    want[ring] = 0.15 + 0.1 * static_cast<double>(ring);
  }
  return (model.nu(radius, Queries(a)) - want).norm() / std::sqrt(8.0);
}

TEST(LearnedAuto, StaysOnThinCurvedSupports) {
  for (const std::vector<Index>& categories : {std::vector<Index>{}, std::vector<Index>{0}}) {
    double of_auto = 0.0;
    double of_plugin = 0.0;
    double least = 0.0;
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
      const Logged logged = rings(seed, 160);
      of_auto += error_of_radius(logged.learn(LearnedKind::kAuto, categories));
      of_plugin += error_of_radius(logged.learn(LearnedKind::kPlugIn, categories));
      double best = 1.0;
      for (const auto kind : {LearnedKind::kShift, LearnedKind::kNw, LearnedKind::kCme})
        best = std::min(best, error_of_radius(logged.learn(kind, categories)));
      least += best;
    }
    EXPECT_LT(of_auto, 0.5 * of_plugin);  // which puts half of its weight inside of the ring
    EXPECT_LT(of_auto, 1.5 * least);      // the best in each draw, chosen by looking
  }
}

// Half-circles whose ends point to opposite sides: residuals of one end do not fit the other.
TEST(LearnedAuto, DoesNotTakeShiftWhereShiftIsBad) {
  Rng rng(6);
  Logged logged{Rows(200, 2), Rows(200, 1)};
  for (Index i = 0; i < 200; ++i) {
    const double end = static_cast<double>(rng.below(2));
    const double angle = std::numbers::pi * rng.uniform() + std::numbers::pi * end;
    logged.a(i, 0) = end;
    logged.x.row(i) << std::cos(angle), std::sin(angle);
  }
  const LearnedConditional model = logged.learn(LearnedKind::kAuto);
  std::map<std::string, LearnedReport::Score> of;
  for (const auto& score : model.report().scores) of.insert({score.model, score});
  EXPECT_LT(of.at("nw").kappa, of.at("plugin").kappa);
  EXPECT_LT(of.at("plugin").weight, 0.1);
  // |X| = 1 on both: no weight inside of the circle.
  const CallbackMean inside(
      [](const Inputs& x) -> Vector { return (x.coordinates().rowwise().norm().array() < 0.8).cast<double>(); });
  EXPECT_LT(model.nu(inside, Queries({{0.0}, {1.0}})).maxCoeff(), 0.1);
}

TEST(LearnedAuto, KeepsOneModelWhereOthersAddNothing) {
  Rng rng(7);
  Logged logged{Rows(300, 1), rng.uniforms(300, 1)};
  for (Index i = 0; i < 300; ++i)  // a mean that only ridge regression finds, and two sharp modes
    logged.x(i, 0) = 3.0 * logged.a(i, 0) + (rng.uniform() < 0.5 ? 0.3 : -0.3) + 0.01 * rng.normal();
  const LearnedConditional model = logged.learn(LearnedKind::kAuto);
  EXPECT_EQ(model.report().scores.front().model, "shift") << model.report().summary();
  EXPECT_EQ(model.report().scores.front().weight, 1.0) << model.report().summary();
}

TEST(LearnedAuto, OrderAndUnitsOfPairsDoNotMatter) {
  const Logged logged = rings(4, 120);
  const Logged reversed{logged.x.colwise().reverse(), logged.a.colwise().reverse()};
  const Logged metres{1000.0 * logged.x, 1e-3 * logged.a};
  const Rows frequency{{3.0, 1.0}, {-2.0, 5.0}};
  const Vector phase{{0.2, 1.0}};
  for (const std::vector<Index>& categories : {std::vector<Index>{}, std::vector<Index>{0}}) {
    const Matrix want =
        logged.learn(LearnedKind::kAuto, categories).cosines(Queries({{0.0}, {3.0}, {7.0}}), frequency, phase);
    const Matrix other_order =
        reversed.learn(LearnedKind::kAuto, categories).cosines(Queries({{0.0}, {3.0}, {7.0}}), frequency, phase);
    const Matrix other_units = metres.learn(LearnedKind::kAuto, categories)
                                   .cosines(Queries({{0.0}, {0.003}, {0.007}}), 1e-3 * frequency, phase);
    EXPECT_LT((other_order - want).cwiseAbs().maxCoeff(), 1e-6);
    EXPECT_LT((other_units - want).cwiseAbs().maxCoeff(), 1e-6);
  }
}

// A mixture is the weighted sum of its models, whatever it is made of; on lists, over one list of points.
TEST(LearnedAuto, AMixtureAveragesLikeItsModels) {
  Rng rng(8);
  Logged logged{Rows(150, 2), rng.uniforms(150, 1)};
  for (Index i = 0; i < 150; ++i) {
    const double angle = std::numbers::pi * (logged.a(i, 0) - 0.25 + 0.5 * rng.uniform());
    logged.x.row(i) << std::cos(angle), std::sin(angle) + 0.02 * rng.normal();
  }
  const Queries a({{0.1}, {0.5}, {0.8}});
  const Rows frequency{{0.0, 0.0}, {1.0, 1.0}, {-2.0, 1.5}};
  const Vector phase{{0.0, 0.2, 1.0}};
  const InputBox square(Vector{{-1.5, -1.5}}, Vector{{1.5, 1.5}});
  for (const InputDomain& domain : {InputDomain(), InputDomain(square), InputDomain(InputSet(square.grid({41, 41})))}) {
    const LearnedConditional mixture = logged.learn(LearnedKind::kStack, {}, domain);
    Matrix want = Matrix::Zero(3, 3);
    int used = 0;
    for (const auto kind : {LearnedKind::kShift, LearnedKind::kCme, LearnedKind::kNw, LearnedKind::kPlugIn})
      for (const auto& score : mixture.report().scores)
        if (score.model == to_string(kind) && score.weight > 0.0) {
          want += score.weight * logged.learn(kind, {}, domain).cosines(a, frequency, phase);
          ++used;
        }
    EXPECT_GT(used, 1);
    // Weights of kPlugIn are on 64 points, moved into X.
    EXPECT_LT((mixture.cosines(a, frequency, phase) - want).cwiseAbs().maxCoeff(), 0.03);
    const bool listed = std::holds_alternative<InputSet>(domain);
    ASSERT_EQ(mixture.support() != nullptr, listed);
    if (!listed) continue;
    const Rows& points = mixture.support()->coordinates();
    const Matrix values = ((points * frequency.transpose()).rowwise() + phase.transpose()).array().cos();
    EXPECT_LT((mixture.average(a, values) - mixture.cosines(a, frequency, phase)).cwiseAbs().maxCoeff(), 1e-10);
  }
}

// By brute force over a grid of the simplex.
TEST(LearnedAuto, StackingWeightsHaveTheLeastScore) {
  Rng rng(9);
  for (int turn = 0; turn < 20; ++turn) {
    Matrix residual(30, 3);  // k(x, .) - mu_m of 30 pairs, under a yardstick of one function
    for (Index i = 0; i < 30; ++i)
      residual.row(i) = rng.normals(3).transpose() + Vector::Constant(3, rng.normal()).transpose();
    const Matrix products = residual.transpose() * residual / 30.0;
    HeldOut held_out{products.diagonal(), Matrix::Zero(3, 3)};
    for (Index i = 0; i < 3; ++i)
      for (Index j = 0; j < 3; ++j) held_out.distance(i, j) = (residual.col(i) - residual.col(j)).squaredNorm() / 30.0;
    const Vector weight = stacking_weights(held_out);
    EXPECT_NEAR(weight.sum(), 1.0, test::kRounding);
    EXPECT_GE(weight.minCoeff(), 0.0);
    double least = 1e300;
    for (int i = 0; i <= 200; ++i)
      for (int j = 0; i + j <= 200; ++j) {
        const Vector at{{i / 200.0, j / 200.0, (200 - i - j) / 200.0}};
        least = std::min(least, (residual * at).squaredNorm() / 30.0);
      }
    EXPECT_LE((residual * weight).squaredNorm() / 30.0, least + test::kRounding);
    EXPECT_NEAR(held_out.score(weight), (residual * weight).squaredNorm() / 30.0, test::kRounding);
    Index best = 0;
    held_out.scores.minCoeff(&best);
    EXPECT_EQ(stacking_weights(held_out, 1e6), Vector::Unit(3, best));  // a second model is too dear
  }
}

// Stored by version 0.1 for `auto`, which then took one model: a study that was learned with it opens with it.
TEST(LearnedAuto, WhatAnEarlierVersionLearnedIsUsedAsItIs) {
  Rows x(8, 1);
  Rows a(8, 1);
  a << 0, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875;
  x << 0.0, 0.5, 0.25, 1.0, 0.75, 1.25, 1.75, 1.5;
  const LearnedNumbers stored{{{"fingerprint", {127641342411663}},
                               {"weight of plugin", {1}},
                               {"mean scale", {22.627416997969519}},
                               {"mean ridge", {0.001}},
                               {"mean weight",
                                {-111.54794248271378, 170.72367569082954, -297.50919211021318, 233.99663343741605,
                                 -234.51518015827398, 47.199069856832416, 329.38266862723049, -137.72196820350433}},
                               {"residuals",
                                {-0.18707276782283333, 0.23230470528617786, -0.36122276582244378, 0.26993871676703685,
                                 -0.27053691270986258, 0.05730706482400285, 0.44819292608530009, -0.23096822055446756}},
                               {"shift bandwidth", {32}},
                               {"spread bandwidth", {32}},
                               {"score of plugin", {0.39257528211627901, 1}},
                               {"score of shift", {0.42384947345840851, 0}},
                               {"score of cme", {0.59096634312269125, 0}},
                               {"score of nw", {0.6099712378543739, 0}},
                               {"score of ignore a", {0.70543226985724639, 0}},
                               {"error", {0.41482745895716716}}},
                              {}};
  LearnedOptions options;
  options.model = LearnedKind::kAuto;
  const LearnedConditional opened{Inputs(x), Queries(a), options, stored};
  const Matrix q = opened.q(Rbf(1.0, Vector{{0.3}}), Queries({{0.2}, {0.6}}), Queries({{0.2}, {0.6}}));
  EXPECT_NEAR(q(0, 0), 0.6051822918164409, test::kRounding);
  EXPECT_NEAR(q(0, 1), 0.22394561845746386, test::kRounding);
  EXPECT_NEAR(q(1, 1), 0.60513818120479312, test::kRounding);
  EXPECT_NEAR(opened.nu(LinearMean(0.0, Vector{{1.0}}), Queries({{0.6}}))[0], 1.1591735525921085, 1e-10);
  EXPECT_EQ(opened.numbers(), stored);
  EXPECT_EQ(opened.report().error, 0.41482745895716716);
}

TEST(LearnedAuto, IsTheDefault) {
  const Logged logged = rings(5, 60);
  const LearnedConditional unsaid{Inputs(logged.x), Queries(logged.a)};
  EXPECT_EQ(unsaid.numbers(), logged.learn(LearnedKind::kAuto).numbers());
}

}  // namespace
}  // namespace iqbo
