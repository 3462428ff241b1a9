// Fits to counts: gradients by differences, links and dispersion told apart, the ordinary fit where nothing is linked.
#include "iqbo/fit/linked_fit.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>
#include <random>

#include "fit/objective.hpp"
#include "iqbo/conditional/bag.hpp"
#include "iqbo/core/rng.hpp"

namespace iqbo::test {
namespace {

// 10 x 10 pixels, 25 districts of 2 x 2 and 9 of 3 x 3.
struct Map {
  static Inputs grid() {
    Rows at(100, 2);
    for (Index i = 0; i < 100; ++i) at.row(i) << static_cast<double>(i % 10), static_cast<double>(i / 10);
    return Inputs(std::move(at));
  }
  static std::vector<BagRow> blocks() {
    std::vector<BagRow> rows;
    Index bag = 0;
    for (const Index size : {2, 3})
      for (Index top = 0; top + size <= 10; top += size)
        for (Index left = 0; left + size <= 10; left += size, ++bag)
          for (Index i = 0; i < size * size; ++i) rows.push_back({bag, 10 * (top + i / size) + left + i % size, 1.0});
    return rows;
  }

  Inputs pixels = grid();
  BagConditional bags{pixels, blocks()};
  Posterior prior{Rbf(1.0, Vector::Ones(2)), bags};

  Vector eta(double level, double sd, std::uint64_t seed) const {
    Rng rng(seed);
    const Matrix k = Matern32(sd * sd, Vector::Constant(2, 3.0)).gram(pixels);
    return (level + (Matrix(k.llt().matrixL()) * rng.normals(100)).array()).matrix();
  }

  // Counts among `exposure` for every district; k: of a negative binomial, 0 for Poisson.
  std::vector<CountedAnswer> counts(const Vector& f, double exposure, double k, std::uint64_t seed) const {
    std::mt19937_64 random(seed);
    const Vector g = bags.weight() * f;
    std::vector<CountedAnswer> out;
    for (Index i = 0; i < g.size(); ++i) {
      double mean = exposure * g[i];
      if (k > 0) mean = std::gamma_distribution<double>(k, mean / k)(random);
      const double y = mean > 0 ? static_cast<double>(std::poisson_distribution<long>(mean)(random)) : 0.0;
      out.push_back({bags.queries().slice(i, 1), {y, exposure}});
    }
    return out;
  }
};

TEST(LinkedFit, GradientsAreThoseOfTheEvidence) {
  const Map map;
  const auto answers = map.counts(map.eta(-1, 0.8, 3).array().exp(), 60, 3, 4);
  for (const Index most : {1000, 60})  // nodes as they are, and gathered
    for (const auto& [family, link] :
         std::vector<std::pair<LikelihoodPtr, Link>>{{poisson_answers(), Link::kLog},
                                                     {negative_binomial_answers(0.3), Link::kLog},
                                                     {poisson_answers(), Link::kIdentity}}) {
      Posterior observed = map.prior;
      for (const auto& each : answers)
        observed = observed.condition(std::get<Queries>(each.at), Vector::Constant(1, each.count.rate()), 0.01);
      const internal::NodeReadings nodes(map.bags, answers, *family, most);
      const FitData data(observed, {}, FitReadings{{}, family, link}, nodes);
      const FitObjective objective(data, data.sample(), Matern32(1.0, Vector::Ones(2)), {});
      const Vector theta = objective.centre().array() + 0.2;
      Vector gradient(theta.size()), unused(theta.size());
      objective.evaluate(theta, &gradient);
      constexpr double kStep = 1e-4;
      for (Index i = 0; i < theta.size(); ++i) {
        Vector up = theta, down = theta;
        up[i] += kStep;
        down[i] -= kStep;
        const double slope =
            (objective.evaluate(up, &unused).log_posterior - objective.evaluate(down, &unused).log_posterior) /
            (2 * kStep);
        EXPECT_NEAR(gradient[i], slope, 1e-3 * (1 + std::abs(slope)))
            << family->name() << " " << to_string(link) << " "
            << objective.parameters()[static_cast<std::size_t>(i)].name;
      }
    }
}

TEST(LinkedFit, EvidenceTellsTheLink) {
  const Map map;
  int wide = 0, narrow = 0;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const auto skewed = map.counts(map.eta(-1, 1.0, seed).array().exp(), 80, 0, seed);
    const LinkedFit first = fit_linked(map.prior, {skewed, poisson_answers(), {Link::kLog, Link::kIdentity}}, {}, seed);
    wide += first.link == Link::kLog ? 1 : 0;
    EXPECT_EQ(first.fit.link, to_string(first.link));
    EXPECT_EQ(first.links.size(), 2U);
    EXPECT_GE(first.links[0].second, first.links[1].second);
    // A field that is itself Gaussian, of a coefficient of variation of 0.2: the two say nearly the same.
    const auto flat = map.counts(map.eta(1.0, 0.2, seed).cwiseMax(0.05), 80, 0, seed);
    const LinkedFit second = fit_linked(map.prior, {flat, poisson_answers(), {Link::kLog, Link::kIdentity}}, {}, seed);
    narrow += std::abs(second.links[0].second - second.links[1].second) < 2.0 ? 1 : 0;
  }
  EXPECT_EQ(wide, 4);
  EXPECT_EQ(narrow, 4);
}

TEST(LinkedFit, DispersionIsLearned) {
  const Map map;
  double wide = 0, none = 0;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const Vector f = map.eta(-1, 0.5, seed).array().exp();
    const auto family = negative_binomial_answers(0.1);
    wide += std::log(
        fit_linked(map.prior, {map.counts(f, 200, 3, seed), family, {Link::kLog}}, {}, seed).fit.dispersion->value);
    none += std::log(
        fit_linked(map.prior, {map.counts(f, 200, 0, seed), family, {Link::kLog}}, {}, seed).fit.dispersion->value);
  }
  EXPECT_GT(std::exp(wide / 3), 0.12);  // 1 / 3 in truth, of 34 counts that a rough f explains in part
  EXPECT_LT(std::exp(none / 3), 0.08);
}

TEST(LinkedFit, GaussianAnswersUnderTheIdentityAreTheOrdinaryFit) {
  const Map map;
  Rng rng(2);
  const Vector g = map.bags.weight() * map.eta(1, 0.5, 9);
  std::vector<CountedAnswer> answers;
  Posterior observed = map.prior;
  for (Index i = 0; i < 20; ++i) {
    const double z = g[i] + 0.05 * rng.normal();
    answers.push_back({map.bags.queries().slice(i, 1), {z, 1, 1.0}});
    observed = observed.condition(map.bags.queries().slice(i, 1), Vector::Constant(1, z), 1.0);
  }
  const LinkedFit linked = fit_linked(map.prior, {answers, gaussian_answers(), {Link::kIdentity}}, {}, 5);
  const Fit plain = fit(observed, {}, 5);
  EXPECT_EQ(linked.fit.variance->value, plain.variance->value);
  EXPECT_EQ(linked.fit.log_evidence, plain.log_evidence);
  EXPECT_EQ(linked.fit.posterior.f(map.pixels).mean, plain.posterior.f(map.pixels).mean);
}

// Measured values of a positive, skewed field: the log link is found, and intervals are positive.
TEST(LinkedFit, PositiveMeasurements) {
  const Map map;
  const Vector f = map.eta(0, 1.2, 7).array().exp();
  const Vector g = map.bags.weight() * f;
  Rng rng(3);
  std::vector<CountedAnswer> answers;
  for (Index i = 0; i < g.size(); ++i)
    answers.push_back({map.bags.queries().slice(i, 1), {g[i] + 0.05 * rng.normal(), 1, 1.0}});
  const LinkedFit found = fit_linked(map.prior, {answers, gaussian_answers(), usual_links(*gaussian_answers())}, {}, 1);
  EXPECT_EQ(found.link, Link::kLog);
  EXPECT_NEAR(std::sqrt(found.fit.noise_var->value), 0.05, 0.04);
  for (auto& each : answers) each.count.noise_var = found.fit.noise_var->value;
  const Posterior prior(found.fit.posterior.kernel(), map.bags, found.fit.posterior.mean());
  const LinkedPosterior post(prior, answers, gaussian_answers(), Link::kLog);
  const auto [low, high] = post.interval(map.pixels, 0.9);
  EXPECT_GT(low.minCoeff(), 0.0);
  EXPECT_GT(((low.array() <= f.array()) && (f.array() <= high.array())).cast<double>().mean(), 0.75);
}

TEST(LinkedFit, MembersAreDrawn) {
  const Map map;
  const auto answers = map.counts(map.eta(-1, 0.8, 5).array().exp(), 30, 0, 6);
  const LinkedFit found = fit_linked(map.prior, {answers, poisson_answers(), {Link::kLog}}, {}, 8, 4);
  EXPECT_GE(found.fit.members.size(), 2U);
  double sum = 0;
  for (const auto& each : found.fit.members) {
    EXPECT_EQ(each.link, "log");
    sum += each.weight;
  }
  EXPECT_NEAR(sum, 1.0, 1e-12);
  const LinkedFit again = fit_linked(map.prior, {answers, poisson_answers(), {Link::kLog}}, {}, 8, 4);
  EXPECT_EQ(again.fit.members, found.fit.members);
}

}  // namespace
}  // namespace iqbo::test
