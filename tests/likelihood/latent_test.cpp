// The posterior of eta against quadrature, long chains and finite differences.
#include "likelihood/latent.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <cmath>
#include <functional>
#include <numbers>

#include "iqbo/core/rng.hpp"
#include "likelihood/second_order.hpp"

namespace iqbo::test {
namespace {

using internal::LatentPosterior;
using internal::linearised;
using internal::Linearised;
using internal::Readings;

SparseRows sparse(const Matrix& dense) { return dense.sparseView(); }

// RBF of lengthscale l on 0, 1, ..., n - 1, a nugget and an unknown constant.
Matrix covariance(Index n, double variance, double l, double nugget = 0.05) {
  Matrix k(n, n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j)
      k(i, j) = variance * std::exp(-0.5 * std::pow(static_cast<double>(i - j) / l, 2)) + (i == j ? nugget : 0.0) + 0.3;
  return k;
}

double log_likelihood(const Readings& readings, const Likelihood& family, Link link, const Vector& eta) {
  const Vector g = readings.weight * apply(link, eta);
  double sum = 0;
  for (Index i = 0; i < g.size(); ++i) sum += family.log_density(readings.answers[static_cast<std::size_t>(i)], g[i]);
  return sum;
}

// Two nodes, three answers: everything by a dense sum over the plane.
struct Plane {
  double log_evidence;
  Vector f_mean, f_sd;
};

Plane quadrature(const Matrix& k, const Vector& mean, const Readings& readings, const Likelihood& family, Link link) {
  const Matrix root = k.llt().matrixL();
  constexpr int kSteps = 250;
  const double width = 14.0 / kSteps;
  double sum = 0;
  Vector first = Vector::Zero(2), second = Vector::Zero(2);
  for (int i = 0; i < kSteps; ++i)
    for (int j = 0; j < kSteps; ++j) {
      const Vector z{{-7 + (i + 0.5) * width, -7 + (j + 0.5) * width}};
      const Vector eta = mean + root * z;
      const double p = width * width / (2 * std::numbers::pi) *
                       std::exp(-0.5 * z.squaredNorm() + log_likelihood(readings, family, link, eta));
      const Vector f = apply(link, eta);
      sum += p;
      first += p * f;
      second += p * f.cwiseAbs2();
    }
  first /= sum;
  return {std::log(sum), first, (second / sum - first.cwiseAbs2()).cwiseSqrt()};
}

struct Tiny {
  std::string name;
  LikelihoodPtr family;
  Link link;
  Readings readings;
  double level;
};

std::vector<Tiny> tiny_cases() {
  const SparseRows weight = sparse(Matrix{{1, 0}, {0, 1}, {0.5, 0.5}});
  return {
      {"poisson", poisson_answers(), Link::kLog, {weight, {{4, 10}, {9, 12}, {6, 11}}}, -0.6},
      {"binomial", binomial_answers(), Link::kLogit, {weight, {{4, 20}, {9, 30}, {12, 30}}}, -0.8},
      {"negative-binomial", negative_binomial_answers(0.3), Link::kLog, {weight, {{4, 10}, {9, 12}, {2, 11}}}, -0.6},
      {"gaussian-log",
       gaussian_answers(),
       Link::kLog,
       {weight, {{0.8, 1, 0.02}, {1.3, 1, 0.03}, {1.1, 1, 0.02}}},
       0.0}};
}

TEST(Latent, AgreesWithQuadrature) {
  for (const Tiny& each : tiny_cases()) {
    const Matrix k = covariance(2, 0.4, 1.0);
    const Vector mean = Vector::Constant(2, each.level);
    const LatentPosterior latent({k, mean, each.readings, *each.family, each.link});
    const Plane exact = quadrature(k, mean, each.readings, *each.family, each.link);
    EXPECT_TRUE(latent.settled()) << each.name;
    EXPECT_NEAR(latent.log_evidence(), exact.log_evidence, 0.01) << each.name;
    const Linearised found = linearised({k, mean, each.readings, *each.family, each.link});
    const LinkMoments f = moments(each.link, found.mean, found.var);
    for (Index x = 0; x < 2; ++x) {
      EXPECT_NEAR((f.mean[x] - exact.f_mean[x]) / exact.f_sd[x], 0.0, 0.03) << each.name;
      EXPECT_NEAR(std::sqrt(f.var[x]) / exact.f_sd[x], 1.0, 0.08) << each.name;
    }
    EXPECT_LE(found.iterations, internal::kMostLatentSteps) << each.name;
    EXPECT_TRUE(found.settled) << each.name;
  }
}

// All terms of first and second order are there: what is left of the error falls with the square of the number of events, or
// faster, while Laplace's falls with the number itself.
TEST(Latent, WhatTheEvidenceLeavesOutIsOfThirdOrder) {
  const SparseRows weight = sparse(Matrix{{0.7, 0.3}, {0.2, 0.8}});
  const Matrix k = covariance(2, 0.8, 1.0);
  for (const auto& [family, link, level] : std::vector<std::tuple<LikelihoodPtr, Link, double>>{
           {poisson_answers(), Link::kLog, -0.6}, {binomial_answers(), Link::kLogit, -0.8}}) {
    const Vector mean = Vector::Constant(2, level);
    const auto error = [&](double times) {
      const Readings readings{weight, {{4 * times, 10 * times}, {3 * times, 12 * times}}};
      const LatentPosterior latent({k, mean, readings, *family, link});
      const double exact = quadrature(k, mean, readings, *family, link).log_evidence;
      return std::pair(std::abs(latent.log_evidence() - exact), std::abs(latent.laplace() - exact));
    };
    const auto [few, few_laplace] = error(32);
    const auto [many, many_laplace] = error(128);
    EXPECT_LT(few, 0.001) << family->name();
    EXPECT_LT(many, few / 6) << family->name();
    EXPECT_LT(many, many_laplace / 15) << family->name();
    EXPECT_GT(many_laplace, few_laplace / 5) << family->name();
  }
}

TEST(Latent, HigherSlopesOfLogDensities) {
  const internal::HigherSlopes poisson = internal::higher_slopes(*poisson_answers(), {3, 20}, 0.2);
  EXPECT_NEAR(poisson.third / (2 * 3 / std::pow(0.2, 3)), 1.0, 1e-5);
  EXPECT_NEAR(poisson.fourth / (-6 * 3 / std::pow(0.2, 4)), 1.0, 1e-5);
  const internal::HigherSlopes share = internal::higher_slopes(*binomial_answers(), {19, 20}, 0.98);
  EXPECT_NEAR(share.third / (2 * (19 / std::pow(0.98, 3) - 1 / std::pow(0.02, 3))), 1.0, 1e-5);
  EXPECT_NEAR(share.fourth / (-6 * (19 / std::pow(0.98, 4) + 1 / std::pow(0.02, 4))), 1.0, 1e-5);
  const internal::HigherSlopes measured = internal::higher_slopes(*gaussian_answers(), {1, 1, 0.1}, 0.7);
  EXPECT_EQ(measured.third, 0.0);
  EXPECT_EQ(measured.fourth, 0.0);
}

TEST(Latent, TheModeIsStationary) {
  for (const Tiny& each : tiny_cases()) {
    const Matrix k = covariance(2, 0.4, 1.0);
    const Vector mean = Vector::Constant(2, each.level);
    const LatentPosterior latent({k, mean, each.readings, *each.family, each.link});
    const auto height = [&](const Vector& eta) {
      return log_likelihood(each.readings, *each.family, each.link, eta) -
             0.5 * (eta - mean).dot(k.ldlt().solve(eta - mean));
    };
    for (Index x = 0; x < 2; ++x)
      for (const double step : {-1e-3, 1e-3}) {
        Vector off = latent.mode();
        off[x] += step;
        EXPECT_LT(height(off), height(latent.mode())) << each.name;
      }
  }
}

// A line of 30 nodes, averages over some of them.
struct Line {
  Matrix k = covariance(30, 0.6, 4.0);
  Vector mean;
  Readings readings;

  Line(const Likelihood& family, Link link, double level, double exposure, std::uint64_t seed)
      : mean(Vector::Constant(30, level)) {
    Rng rng(seed);
    const Matrix root = k.llt().matrixL();
    const Vector f = apply(link, Vector(mean + root * rng.normals(30)));
    Matrix weight = Matrix::Zero(12, 30);
    for (Index i = 0; i < 12; ++i) {
      const Index begin = rng.below(25), size = 1 + rng.below(5);
      weight.row(i).segment(begin, size).setConstant(1.0 / static_cast<double>(size));
      const double g = weight.row(i).dot(f);
      if (family.counts()) {
        const double spread = std::sqrt(family.variance({0, exposure}, g));
        const double y = std::round(exposure * (g + spread * rng.normals(1)[0]));
        readings.answers.push_back({std::clamp(y, 0.0, exposure), exposure});
      } else {
        readings.answers.push_back({g + 0.1 * rng.normals(1)[0], 1, 0.01});
      }
    }
    readings.weight = sparse(weight);
  }
};

TEST(Latent, GradientsAreThoseOfTheEvidence) {
  const std::vector<std::tuple<LikelihoodPtr, Link, double>> all{{poisson_answers(), Link::kLog, -1.0},
                                                                 {binomial_answers(), Link::kLogit, -1.0},
                                                                 {negative_binomial_answers(0.2), Link::kLog, -1.0},
                                                                 {gaussian_answers(), Link::kLog, 0.0}};
  for (const auto& [family, link, level] : all) {
    const Line line(*family, link, level, 30, 3);
    const auto value = [&](const Matrix& k, const Likelihood& of) {
      return LatentPosterior({k, line.mean, line.readings, of, link}).laplace();
    };
    const auto gradient = LatentPosterior({line.k, line.mean, line.readings, *family, link}).gradient();
    constexpr double kStep = 1e-4;
    for (const auto& [variance, l, nugget] : std::vector<std::tuple<double, double, double>>{
             {0.6 + kStep, 4, 0.05}, {0.6, 4 + kStep, 0.05}, {0.6, 4, 0.05 + kStep}}) {
      const Matrix up = covariance(30, variance, l, nugget);
      const Matrix down = 2 * line.k - up;
      const double slope = (value(up, *family) - value(down, *family)) / 2;
      const double found = gradient.cov.cwiseProduct((up - down) / 2).sum();
      EXPECT_NEAR(found / kStep, slope / kStep, 1e-4 * (1 + std::abs(slope / kStep))) << family->name();
    }
    if (!family->has_parameter()) continue;
    const double slope = (value(line.k, *family->with_log_parameter(family->log_parameter() + kStep)) -
                          value(line.k, *family->with_log_parameter(family->log_parameter() - kStep))) /
                         (2 * kStep);
    EXPECT_NEAR(gradient.parameter, slope, 1e-5 * (1 + std::abs(slope))) << family->name();
  }
}

// Elliptical slice sampling: the exact posterior, by a long chain.
struct Chain {
  Vector f_mean, f_sd;
};

Chain sampled(const Line& line, const Likelihood& family, Link link, int steps) {
  Rng rng(11);
  const Matrix root = line.k.llt().matrixL();
  Vector at = Vector::Zero(line.mean.size());
  const auto height = [&](const Vector& off) { return log_likelihood(line.readings, family, link, line.mean + off); };
  double now = height(at);
  Vector first = Vector::Zero(at.size()), second = Vector::Zero(at.size());
  const int skipped = steps / 10;
  for (int step = 0; step < steps + skipped; ++step) {
    const Vector other = root * rng.normals(at.size());
    const double level = now + std::log(rng.uniform());
    double angle = 2 * std::numbers::pi * rng.uniform();
    double low = angle - 2 * std::numbers::pi, high = angle;
    while (true) {
      const Vector next = std::cos(angle) * at + std::sin(angle) * other;
      const double reached = height(next);
      if (reached > level) {
        at = next;
        now = reached;
        break;
      }
      (angle < 0 ? low : high) = angle;
      angle = low + (high - low) * rng.uniform();
    }
    if (step < skipped) continue;
    const Vector f = apply(link, Vector(line.mean + at));
    first += f;
    second += f.cwiseAbs2();
  }
  first /= steps;
  return {first, (second / steps - first.cwiseAbs2()).cwiseSqrt()};
}

TEST(Latent, AgreesWithALongChain) {
  const std::vector<std::tuple<LikelihoodPtr, Link, double, double>> all{
      {poisson_answers(), Link::kLog, -1.0, 10},
      {binomial_answers(), Link::kLogit, -1.0, 30},
      {negative_binomial_answers(0.3), Link::kLog, -1.0, 20}};
  for (const auto& [family, link, level, exposure] : all) {
    const Line line(*family, link, level, exposure, 5);
    const Linearised found = linearised({line.k, line.mean, line.readings, *family, link});
    const LinkMoments f = moments(link, found.mean, found.var);
    const Chain exact = sampled(line, *family, link, 20000);
    const Vector off = (f.mean - exact.f_mean).cwiseQuotient(exact.f_sd);
    EXPECT_LT(std::abs(off.mean()), 0.03) << family->name();
    EXPECT_LT(std::sqrt(off.squaredNorm() / 30), 0.06) << family->name();  // of which the chain's own error is 0.03
    EXPECT_NEAR(f.var.cwiseSqrt().cwiseQuotient(exact.f_sd).mean(), 1.0, 0.08) << family->name();
  }
}

// What Linearised says is a Gaussian problem whose solution is the posterior that it states.
TEST(Latent, ItsStandInsReproduceIt) {
  const Line line(*poisson_answers(), Link::kLog, -1.0, 30, 9);
  const Linearised found = linearised({line.k, line.mean, line.readings, *poisson_answers(), Link::kLog});
  Matrix law = Matrix(line.readings.weight) * found.tilt.asDiagonal();
  law = law.array().colwise() / found.scale.array();
  Matrix s = law * line.k * law.transpose();
  s.diagonal() += found.noise_var;
  const Matrix gain = line.k * law.transpose() * s.inverse();
  EXPECT_LT((line.mean + gain * (found.z - law * line.mean) - found.mean).cwiseAbs().maxCoeff(), 1e-6);
  EXPECT_LT(((line.k - gain * law * line.k).diagonal() - found.var).cwiseAbs().maxCoeff(), 1e-6);
  EXPECT_LT((law.rowwise().sum().array() - 1).abs().maxCoeff(), 1e-12);
}

TEST(Latent, IdentityAndGaussianAreOrdinaryConditioning) {
  const Line line(*gaussian_answers(), Link::kIdentity, 0.5, 1, 4);
  const LikelihoodPtr family = gaussian_answers();
  const internal::LatentProblem problem{line.k, line.mean, line.readings, *family, Link::kIdentity};
  const Matrix w(line.readings.weight);
  Vector y(12);
  for (Index i = 0; i < 12; ++i) y[i] = line.readings.answers[static_cast<std::size_t>(i)].y;
  Matrix s = w * line.k * w.transpose();
  s.diagonal().array() += 0.01;
  const Vector r = y - w * line.mean;
  const double evidence =
      -0.5 * (r.dot(s.ldlt().solve(r)) + std::log(s.determinant()) + 12 * std::log(2 * std::numbers::pi));
  EXPECT_NEAR(LatentPosterior(problem).log_evidence(), evidence, 1e-9);
  EXPECT_LT((linearised(problem).mean - (line.mean + line.k * w.transpose() * s.ldlt().solve(r))).cwiseAbs().maxCoeff(),
            1e-9);
}

// Many events among a large exposure: log rates are known, as with Gaussian answers of variance 1 / y.
TEST(Latent, ManyEventsPinTheRates) {
  const Matrix k = covariance(2, 0.4, 1.0);
  const Readings readings{sparse(Matrix::Identity(2, 2)), {{300000, 1000000}, {500000, 1000000}}};
  const Linearised found = linearised({k, Vector::Constant(2, -1.0), readings, *poisson_answers(), Link::kLog});
  EXPECT_NEAR(found.mean[0], std::log(0.3), 1e-4);
  EXPECT_NEAR(found.mean[1], std::log(0.5), 1e-4);
  EXPECT_NEAR(found.var[0] * 300000, 1.0, 1e-3);
}

TEST(Latent, ABadStartIsNotTaken) {
  const Line line(*poisson_answers(), Link::kLog, -1.0, 30, 6);
  const LikelihoodPtr family = poisson_answers();
  const internal::LatentProblem problem{line.k, line.mean, line.readings, *family, Link::kLog};
  const LatentPosterior cold(problem);
  const LatentPosterior absurd(problem, Vector::Constant(30, 40.0));
  EXPECT_NEAR(absurd.laplace(), cold.laplace(), 1e-8);
  const LatentPosterior warm(problem, cold.alpha());
  EXPECT_NEAR(warm.laplace(), cold.laplace(), 1e-8);
  EXPECT_LE(warm.iterations(), 2);
}

}  // namespace
}  // namespace iqbo::test
