// Counts through p(x|a) of every kind, against the same posterior on explicit nodes and against each other.
#include "iqbo/likelihood/linked.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "iqbo/conditional/bag.hpp"
#include "iqbo/conditional/spread.hpp"
#include "iqbo/core/rng.hpp"
#include "iqbo/kernel/stationary.hpp"
#include "iqbo/kernel/sum.hpp"
#include "iqbo/kernel/white.hpp"
#include "likelihood/latent.hpp"

namespace iqbo::test {
namespace {

// 12 pixels on a line, districts of three and of two.
struct Districts {
  Inputs pixels = Inputs::line(Vector::LinSpaced(12, 0.0, 11.0));
  BagConditional bags{pixels,
                      {{0, 0, 1},
                       {0, 1, 2},
                       {0, 2, 1},
                       {1, 3, 1},
                       {1, 4, 1},
                       {1, 5, 1},
                       {2, 6, 1},
                       {2, 7, 3},
                       {3, 8, 1},
                       {3, 9, 1},
                       {4, 10, 1},
                       {4, 11, 1},
                       {5, 1, 1},
                       {5, 4, 1}}};
  Posterior prior{Matern32(0.7, Vector::Constant(1, 3.0)), bags, ConstantMean(-1.5)};
  std::vector<CountedAnswer> answers;

  Districts() {
    const std::vector<Count> counts{{3, 20}, {9, 30}, {0, 12}, {14, 25}};
    for (std::size_t i = 0; i < counts.size(); ++i)
      answers.push_back({bags.queries().slice(static_cast<Index>(i), 1), counts[i]});
  }
};

TEST(Linked, IsThePosteriorOfItsNodes) {
  const Districts with;
  for (const auto& [family, link] :
       std::vector<std::pair<LikelihoodPtr, Link>>{{poisson_answers(), Link::kLog},
                                                   {binomial_answers(), Link::kLogit},
                                                   {negative_binomial_answers(0.2), Link::kLog}}) {
    const LinkedPosterior found(with.prior, with.answers, family, link);
    internal::Readings readings{SparseRows(Matrix(with.bags.weight()).topRows(4).sparseView()), {}};
    for (const auto& each : with.answers) readings.answers.push_back(each.count);
    const Matrix k = with.prior.kernel().gram(with.pixels);
    const internal::LatentProblem problem{k, Vector::Constant(12, -1.5), readings, *family, link};
    const internal::Linearised all = linearised(problem);
    EXPECT_NEAR(found.log_evidence(), internal::LatentPosterior(problem).log_evidence(), 1e-7);
    const Marginals eta = found.eta().f(with.pixels);
    EXPECT_LT((eta.mean - all.mean).cwiseAbs().maxCoeff(), 1e-5) << family->name();
    EXPECT_LT((eta.var - all.var).cwiseAbs().maxCoeff(), 1e-5) << family->name();
    // E g is the average of E f, of what was asked and of what was not.
    const Marginals f = found.f(with.pixels);
    const Marginals g = found.g(with.bags.queries());
    EXPECT_LT((g.mean - with.bags.weight() * f.mean).cwiseAbs().maxCoeff(), 1e-12) << family->name();
    const auto [low, high] = found.interval(with.pixels, 0.95);
    EXPECT_GT(low.minCoeff(), 0.0);
    EXPECT_LT((low - f.mean).maxCoeff(), 0.0);
    EXPECT_GT((high - f.mean).minCoeff(), 0.0);
  }
}

// settled() says whether the posterior is as accurate as promised, not whether the last digit stands still: ordinary counts of the
// model itself, drawn from it, must not raise an alarm.
TEST(Linked, OrdinaryCountsSettle) {
  const Districts with;
  const Matrix k = with.prior.kernel().gram(with.pixels);
  const Matrix root = k.llt().matrixL();
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Rng rng(seed, {1});
    Vector eta = Vector::NullaryExpr(12, [&](Index) { return rng.normal(); });
    const Vector f = ((root * eta).array() - 1.5).exp();
    const Vector g = with.bags.weight() * f;
    std::mt19937_64 random(seed);
    std::vector<CountedAnswer> answers;
    for (Index i = 0; i < 6; ++i) {
      const double exposure = 5.0 * std::pow(10.0, static_cast<double>(i % 3));
      const auto y = std::poisson_distribution<long>(exposure * g[i])(random);
      answers.push_back({with.bags.queries().slice(i, 1), {static_cast<double>(y), exposure}});
    }
    for (const Link link : {Link::kLog, Link::kIdentity}) {
      const Posterior prior = link == Link::kLog
                                  ? with.prior
                                  : with.prior.with_prior(Matern32(0.05, Vector::Constant(1, 3.0)), ConstantMean(0.3));
      EXPECT_TRUE(LinkedPosterior(prior, answers, poisson_answers(), link).settled()) << seed;
    }
  }
}

// Var g = J S J' with all covariances of the nodes.
TEST(Linked, SpreadOfAnAverageNotAsked) {
  const Districts with;
  const LinkedPosterior found(with.prior, with.answers, poisson_answers(), Link::kLog);
  const Matrix s = found.eta().f_cov(with.pixels);
  const Vector f = found.f(with.pixels).mean;
  const Matrix j = Matrix(with.bags.weight()) * f.asDiagonal();
  EXPECT_LT((found.g(with.bags.queries()).var - (j * s * j.transpose()).diagonal()).cwiseAbs().maxCoeff(), 1e-6);
  const std::vector<Count> like(6, Count{0, 40});
  const Vector noise = found.noise_var(with.bags.queries(), like);
  const Vector g = found.g(with.bags.queries()).mean;
  EXPECT_LT((noise.array() * g.array() * 40 - 1).abs().maxCoeff(), 1e-9);  // 1 / (N g), log link
}

TEST(Linked, RepeatsAreOneAnswerOfTheirSums) {
  const Districts with;
  auto split = with.answers;
  split[1].count = {4, 10};
  split.push_back({with.bags.queries().slice(1, 1), {5, 20}});
  const LinkedPosterior one(with.prior, with.answers, poisson_answers(), Link::kLog);
  const LinkedPosterior two(with.prior, split, poisson_answers(), Link::kLog);
  EXPECT_LT((one.f(with.pixels).mean - two.f(with.pixels).mean).cwiseAbs().maxCoeff(), 1e-9);
  const auto wide = negative_binomial_answers(0.5);  // two counts tell less about chance than one of their sum would
  const LinkedPosterior apart(with.prior, split, wide, Link::kLog);
  const LinkedPosterior together(with.prior, with.answers, wide, Link::kLog);
  EXPECT_LT(apart.eta().f(with.pixels).var[4], together.eta().f(with.pixels).var[4]);
}

TEST(Linked, ACountAtAPointIsABagOfOne) {
  const Districts with;
  BagConditional single(with.pixels, {{0, 7, 1.0}});
  const Posterior prior(with.prior.kernel(), single, ConstantMean(-1.5));
  const LinkedPosterior bag(prior, {{single.queries().slice(0, 1), {5, 20}}}, poisson_answers(), Link::kLog);
  const LinkedPosterior point(prior, {{with.pixels.slice(7, 1), {5, 20}}}, poisson_answers(), Link::kLog);
  EXPECT_LT((bag.f(with.pixels).mean - point.f(with.pixels).mean).cwiseAbs().maxCoeff(), 1e-9);
}

// A window that is narrow against the lengthscale is nearly a point; one of any width is a bag of many points.
TEST(Linked, WindowsByTheirNodes) {
  const Matern32 kernel(0.7, Vector::Constant(1, 3.0));
  const GaussianConditional windows(QueryMap::identity(1), 1.5);
  const Posterior prior(kernel, windows, ConstantMean(-1.0));
  const Queries a = Queries::line(Vector{{2.0, 6.0, 7.5}});
  std::vector<CountedAnswer> answers;
  for (Index i = 0; i < 3; ++i) answers.push_back({a.slice(i, 1), {static_cast<double>(4 + 3 * i), 15}});
  const LinkedPosterior found(prior, answers, poisson_answers(), Link::kLog);

  std::vector<BagRow> rows;
  const Vector fine = Vector::LinSpaced(321, -4.0, 12.0);
  for (Index i = 0; i < 3; ++i)
    for (Index j = 0; j < fine.size(); ++j) {
      const double off = (fine[j] - a.row(i)[0]) / 1.5;
      if (std::abs(off) < 4.0) rows.push_back({i, j, std::exp(-0.5 * off * off)});
    }
  const BagConditional bags(Inputs::line(fine), rows);
  const Posterior dense(kernel, bags, ConstantMean(-1.0));
  std::vector<CountedAnswer> same;
  for (Index i = 0; i < 3; ++i)
    same.push_back({bags.queries().slice(i, 1), answers[static_cast<std::size_t>(i)].count});
  const LinkedPosterior exact(dense, same, poisson_answers(), Link::kLog);

  const Inputs x = Inputs::line(Vector::LinSpaced(9, 0.0, 9.0));
  const Marginals f = found.f(x), other = exact.f(x);
  for (Index i = 0; i < x.size(); ++i) {
    EXPECT_NEAR((f.mean[i] - other.mean[i]) / std::sqrt(other.var[i]), 0.0, 0.02);
    EXPECT_NEAR(std::sqrt(f.var[i] / other.var[i]), 1.0, 0.03);
  }
  EXPECT_LT((found.g(a).mean - exact.g(bags.queries()).mean).cwiseAbs().maxCoeff(), 0.01);
}

// 1,600 pixels in 16 districts are too many nodes: they are gathered, and the result is that of all of them, nearly.
TEST(Linked, ManyPixelsAreGathered) {
  Rows at(1600, 2);
  for (Index i = 0; i < 1600; ++i) at.row(i) << static_cast<double>(i % 40), static_cast<double>(i / 40);
  const Inputs pixels{std::move(at)};
  std::vector<BagRow> rows;
  for (Index i = 0; i < 1600; ++i) rows.push_back({(i / 400) * 4 + (i % 40) / 10, i, 1.0});
  const BagConditional bags(pixels, rows);
  const Sum kernel({Matern32(0.6, Vector::Constant(2, 12.0)).clone(), White(0.3, 2).clone()});
  const Posterior prior(kernel, bags, ConstantMean(-2.0));
  std::vector<CountedAnswer> answers;
  internal::Readings readings{bags.weight(), {}};
  for (Index i = 0; i < 16; ++i) {
    const Count count{static_cast<double>(5 + 3 * (i % 5) + 2 * (i / 4)), 60};
    answers.push_back({bags.queries().slice(i, 1), count});
    readings.answers.push_back(count);
  }
  const LinkedPosterior found(prior, answers, poisson_answers(), Link::kLog);
  const Matrix cov = kernel.gram(pixels);
  const LikelihoodPtr family = poisson_answers();
  const internal::LatentProblem problem{cov, Vector::Constant(1600, -2.0), readings, *family, Link::kLog};
  const internal::Linearised exact = linearised(problem);
  const Marginals eta = found.eta().f(pixels);
  const Vector sd = exact.var.cwiseSqrt();
  EXPECT_NEAR(found.log_evidence(), internal::LatentPosterior(problem).log_evidence(), 0.15);
  EXPECT_LT((eta.mean - exact.mean).cwiseQuotient(sd).cwiseAbs().maxCoeff(), 0.03);
  EXPECT_LT((eta.var.cwiseSqrt().cwiseQuotient(sd).array() - 1).abs().maxCoeff(), 0.01);
  EXPECT_LT((found.g(bags.queries()).mean - exact.g).cwiseQuotient(exact.g).cwiseAbs().maxCoeff(), 0.01);
}

// Gaussian answers under the identity are today's posterior, bit for bit.
TEST(Linked, GaussianAnswersUnderTheIdentityAreThePosterior) {
  const Districts with;
  std::vector<CountedAnswer> answers;
  Vector z(3);
  for (Index i = 0; i < 3; ++i) {
    z[i] = 0.3 * static_cast<double>(i);
    answers.push_back({with.bags.queries().slice(i, 1), {z[i], 1, 0.02}});
  }
  const LinkedPosterior found(with.prior, answers, gaussian_answers(), Link::kIdentity);
  const Posterior plain = with.prior.condition(with.bags.queries().slice(0, 3), z, 0.02);
  EXPECT_EQ(found.f(with.pixels).mean, plain.f(with.pixels).mean);
  EXPECT_EQ(found.f(with.pixels).var, plain.f(with.pixels).var);
  EXPECT_EQ(found.log_evidence(), plain.log_evidence());
}

// Few events among a large exposure, identity link: a Gaussian answer of variance g / N, nearly.
TEST(Linked, CountsUnderTheIdentity) {
  const Districts with;
  const Posterior prior(Matern32(0.01, Vector::Constant(1, 3.0)), with.bags, ConstantMean(0.5));
  std::vector<CountedAnswer> answers;
  Vector z(4), noise(4);
  for (Index i = 0; i < 4; ++i) {
    const double y = 5000.0 + 300.0 * static_cast<double>(i);
    answers.push_back({with.bags.queries().slice(i, 1), {y, 10000}});
    z[i] = y / 10000;
    noise[i] = z[i] / 10000;
  }
  const LinkedPosterior found(prior, answers, poisson_answers(), Link::kIdentity);
  const Posterior plain = prior.condition(with.bags.queries().slice(0, 4), z, noise);
  const Vector sd = plain.f(with.pixels).var.cwiseSqrt();
  EXPECT_LT(((found.f(with.pixels).mean - plain.f(with.pixels).mean).cwiseQuotient(sd)).cwiseAbs().maxCoeff(), 0.02);
  EXPECT_LT((found.f(with.pixels).var.cwiseSqrt().cwiseQuotient(sd).array() - 1).abs().maxCoeff(), 0.01);
}

TEST(Linked, RefusesWhatDoesNotGoTogether) {
  const Districts with;
  EXPECT_THROW(LinkedPosterior(with.prior, with.answers, poisson_answers(), Link::kLogit), std::invalid_argument);
  EXPECT_THROW(LinkedPosterior(with.prior, with.answers, binomial_answers(), Link::kLog), std::invalid_argument);
  auto bad = with.answers;
  bad[2].count = {40, 25};
  EXPECT_THROW(LinkedPosterior(with.prior, bad, binomial_answers(), Link::kLogit), std::invalid_argument);
  EXPECT_NO_THROW(LinkedPosterior(with.prior, bad, poisson_answers(), Link::kLog));
  EXPECT_NO_THROW(LinkedPosterior(with.prior, {}, poisson_answers(), Link::kLog));
}

}  // namespace
}  // namespace iqbo::test
