#include "iqbo/policy/custom_score.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "iqbo/acquisition/location.hpp"
#include "iqbo/acquisition/max_value.hpp"
#include "iqbo/policy/policy.hpp"
#include "support/errors.hpp"
#include "support/policy_settings.hpp"

namespace iqbo {
namespace {

using namespace test;  // NOLINT(google-build-using-namespace): the problem of policy_settings.hpp

Policy custom(const Setting& setting, CustomScore::Function score, std::uint64_t seed = 1) {
  PolicyOptions options;
  options.policy = PolicyKind::kCustom;
  options.samples = 8;
  options.custom = {"mine", std::move(score)};
  return {setting, options, seed};
}

Vector optimist(const Outlook& g, const SampledMaxima& /*maxima*/, const Eigen::Ref<const Matrix>& /*c*/) {
  return g.nu + 2.0 * g.q.cwiseSqrt();
}

// Written by hand, upper confidence bounds choose what the policy of that name does.
TEST(CustomScore, ChoosesWhatTheSameScoreWouldInside) {
  Policy ours = custom(on_lists(), &optimist);
  PolicyOptions options;
  options.policy = PolicyKind::kUcbG;
  Policy theirs(on_lists(), options, 1);
  for (int t = 0; t < 6; ++t) {
    const Suggestion said = ours.suggest();
    EXPECT_EQ(said.rows, theirs.suggest().rows) << t;
    EXPECT_EQ(said.used, t < 2 ? PolicyKind::kCustom : said.used);
    ours.observe(said.queries, answers(said.queries));
    theirs.observe(said.queries, answers(said.queries));
  }
  EXPECT_EQ(ours.suggest().why.front(), "policy custom:mine");
}

// What it sees is what the exact posterior says, and samples of f* with their places.
TEST(CustomScore, SeesBeliefsAndSamples) {
  for (const Setting& setting : {on_lists(), on_continua()}) {
    int calls = 0;
    std::optional<Posterior> exact;
    Policy policy =
        custom(setting, [&](const Outlook& g, const SampledMaxima& maxima, const Eigen::Ref<const Matrix>& c) {
          ++calls;
          EXPECT_EQ(maxima.values.size(), 8);
          EXPECT_EQ(maxima.arguments.size(), 8);
          EXPECT_EQ(c.rows(), 8);
          EXPECT_EQ(c.cols(), g.size());
          EXPECT_LT((g.noise_var.array() - 1e-4).abs().maxCoeff(), 1e-15);
          const Marginals f = exact->f(maxima.arguments);
          EXPECT_LT((f.mean - maxima.f.mean).norm(), 1e-6);
          EXPECT_LT((f.var - maxima.f.var).norm(), 1e-6);
          EXPECT_LE((c.array().square().rowwise() / g.q.transpose().array()).colwise().maxCoeff().maxCoeff(),
                    maxima.f.var.maxCoeff() + 1e-9);  // Cauchy and Schwarz
          return Vector(g.q);
        });
    policy.observe(Queries{{0.2}, {0.5}}, Vector{{0.1, 0.3}});
    exact = policy.posterior();
    policy.suggest();
    EXPECT_GE(calls, 1);
  }
}

TEST(CustomScore, WhatItReturnsIsChecked) {
  const auto suggest = [](const CustomScore::Function& score) {
    Policy policy = custom(on_lists(), score);
    policy.observe(Queries{{0.2}, {0.5}}, Vector{{0.1, 0.3}});
    policy.suggest();
  };
  expect_refusal([&] { suggest([](const auto&, const auto&, const auto&) { return Vector(Vector::Zero(3)); }); },
                 {"custom score \"mine\"", "3 rows", "25"});
  expect_refusal([&] { suggest([](const auto& g, const auto&, const auto&) { return Vector(g.nu * std::nan("")); }); },
                 {"custom score \"mine\": row 0 is nan", "-infinity"});
  EXPECT_THROW(suggest([](const auto&, const auto&, const auto&) -> Vector { throw std::out_of_range("mine"); }),
               std::out_of_range);
}

TEST(CustomScore, WithoutItsFunctionOnlySuggestingIsRefused) {
  Policy policy = custom(on_lists(), {});
  policy.observe(Queries{{0.2}, {0.5}}, Vector{{0.1, 0.3}});
  policy.best();
  expect_refusal([&] { policy.suggest(); }, {"policy: \"custom:mine\"", "this program does not have", "Python"});
}

TEST(CustomScore, KindAndScoreGoTogether) {
  PolicyOptions options;
  options.policy = PolicyKind::kCustom;
  expect_refusal([&] { Policy(on_lists(), options, 1); }, {"custom: none", "a score"});
  options.policy = PolicyKind::kCmes;
  options.custom = CustomScore{"mine", &optimist};
  expect_refusal([&] { Policy(on_lists(), options, 1); }, {"custom: given for policy cmes", "none"});
}

Policy made(const Setting& setting, CustomScore::Factory make) {
  PolicyOptions options;
  options.policy = PolicyKind::kCustom;
  options.samples = 8;
  options.custom = {.name = "mine", .make = std::move(make)};
  return {setting, options, 1};
}

// Acquisitions made from the samples choose what the policies of their names do: with references (cjes) and without (cmes), with
// gradients where there are continua.
TEST(CustomScore, MayBeAnAcquisition) {
  const auto cmes = [](const SampledMaxima& maxima) { return std::make_shared<Cmes>(maxima.values, 1e-12 * 0.5); };
  const auto cjes = [](const SampledMaxima& maxima) { return std::make_shared<Cjes>(maxima.arguments, maxima.f.var); };
  const std::vector<std::pair<PolicyKind, CustomScore::Factory>> both{{PolicyKind::kCmes, cmes},
                                                                      {PolicyKind::kCjes, cjes}};
  for (const Setting& setting : {on_lists(), on_continua()})
    for (const auto& [kind, make] : both) {
      Policy ours = made(setting, make), theirs = run(setting, kind, 0);
      for (int t = 0; t < 5; ++t) {
        const Suggestion said = ours.suggest();
        EXPECT_EQ(said.queries.coordinates(), theirs.suggest().queries.coordinates()) << to_string(kind) << t;
        ours.observe(said.queries, answers(said.queries));
        theirs.observe(said.queries, answers(said.queries));
      }
    }
}

TEST(CustomScore, AnAcquisitionRefersToTargetsOnly) {
  const Queries a{{0.2}, {0.6}};
  Policy elsewhere =
      made(on_lists(), [](const SampledMaxima&) { return std::make_shared<Cjes>(Inputs{{0.1234}}, Vector{{1.0}}); });
  elsewhere.observe(a, answers(a));
  expect_refusal([&] { elsewhere.suggest(); }, {"references: row 0 is not in the set, expected one of its 60 points"});
  Policy none = made(on_lists(), [](const SampledMaxima&) { return nullptr; });
  none.observe(a, answers(a));
  expect_refusal([&] { none.suggest(); }, {"custom score \"mine\": none, expected an Acquisition"});
}

}  // namespace
}  // namespace iqbo
