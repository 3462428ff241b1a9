// How far is the posterior of counts, and its evidence, from importance sampling?
//
// 60 cells on a line, 12 averages over 1 to 8 of them; log-sd 1, or proportions with a logit field of sd 1. The oracle draws eta
// from a Student t (8 degrees of freedom) around the Gaussian posterior and weights by the exact prior and likelihood. Errors of
// E f in posterior sds (root mean square over the cells, of which the mean), ratio of sds, error of the evidence in nats; all less
// what the oracle itself is unsure of.
//
//   counts_accuracy [--draws 20] [--seed 1] [--only TEXT]
#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <random>

#include "iqbo/core/rng.hpp"
#include "likelihood/latent.hpp"
#include "study.hpp"

namespace {

using namespace iqbo;  // a program, not a header
using internal::LatentPosterior;
using internal::linearised;
using internal::Linearised;
using internal::Readings;

constexpr Index kCells = 60, kAnswers = 12;
constexpr int kSamples = 60000;
constexpr double kFreedom = 8.0;

struct Row {
  std::string name;
  LikelihoodPtr family;
  Link link;
  double counts;
};

std::vector<Row> all_rows() {
  std::vector<Row> out;
  for (const char* counts : {"0.5", "2", "10", "100"})
    out.push_back({std::string("poisson, ") + counts + " counts", poisson_answers(), Link::kLog, std::atof(counts)});
  out.push_back({"negative binomial k = 3, 15 counts", negative_binomial_answers(1.0 / 3.0), Link::kLog, 15});
  out.push_back({"binomial, 20 trials", binomial_answers(), Link::kLogit, 20});
  out.push_back({"binomial, 200 trials", binomial_answers(), Link::kLogit, 200});
  return out;
}

struct Problem {
  Matrix cov{kCells, kCells};
  Vector mean;
  Readings readings;

  Problem(const Row& row, std::uint64_t seed) {
    Rng rng(seed);
    std::mt19937_64 random(seed);
    for (Index i = 0; i < kCells; ++i)
      for (Index j = 0; j < kCells; ++j) {
        const double r = std::sqrt(3.0) * std::abs(static_cast<double>(i - j)) / 8.0;
        cov(i, j) = (1.0 + r) * std::exp(-r) + (i == j ? 0.02 : 0.0);
      }
    const bool share = row.link == Link::kLogit;
    mean = Vector::Constant(kCells, share ? -1.0 : 0.0);
    const Vector f = apply(row.link, Vector(mean + Matrix(cov.llt().matrixL()) * rng.normals(kCells)));
    Matrix weight = Matrix::Zero(kAnswers, kCells);
    for (Index i = 0; i < kAnswers; ++i) {
      const Index size = 1 + rng.below(8);
      const Index begin = rng.below(kCells - size);
      weight.row(i).segment(begin, size).setConstant(1.0 / static_cast<double>(size));
      const double g = weight.row(i).dot(f);
      if (share) {
        const auto y = std::binomial_distribution<int>(static_cast<int>(row.counts), g)(random);
        readings.answers.push_back({static_cast<double>(y), row.counts});
        continue;
      }
      double expected = row.counts * g;
      if (row.family->has_parameter()) expected = std::gamma_distribution<double>(3.0, expected / 3.0)(random);
      readings.answers.push_back({static_cast<double>(std::poisson_distribution<int>(expected)(random)), row.counts});
    }
    readings.weight = weight.sparseView();
  }
};

struct Oracle {
  Vector f_mean, f_sd;
  double log_evidence, evidence_error, effective;
};

// The Gaussian posterior that Linearised describes, as mean and covariance of all cells.
Matrix covariance_of(const Problem& problem, const Linearised& found) {
  Matrix law = Matrix(problem.readings.weight) * found.tilt.asDiagonal();
  law = law.array().colwise() / found.scale.array();
  Matrix s = law * problem.cov * law.transpose();
  s.diagonal() += found.noise_var;
  return problem.cov - problem.cov * law.transpose() * s.ldlt().solve(law * problem.cov);
}

Oracle sampled(const Problem& problem, const Row& row, const Linearised& found, std::uint64_t seed) {
  Rng rng(seed, {9});
  std::mt19937_64 random(seed + 17);
  std::chi_squared_distribution<double> chi(kFreedom);
  const Matrix post = 1.15 * covariance_of(problem, found) + 1e-9 * Matrix::Identity(kCells, kCells);
  const Eigen::LLT<Matrix> root(post), prior(problem.cov);
  const Matrix lower = root.matrixL();
  const double log_det = 2.0 * lower.diagonal().array().log().sum();
  const double prior_det = 2.0 * Matrix(prior.matrixL()).diagonal().array().log().sum();
  const double d = static_cast<double>(kCells);
  const double t_constant = std::lgamma(0.5 * (kFreedom + d)) - std::lgamma(0.5 * kFreedom) -
                            0.5 * d * std::log(kFreedom * std::numbers::pi) - 0.5 * log_det;
  std::vector<double> log_w(kSamples);
  std::vector<Vector> draws(kSamples);
  for (int s = 0; s < kSamples; ++s) {
    const Vector z = rng.normals(kCells) * std::sqrt(kFreedom / chi(random));
    const Vector eta = found.mean + lower * z;
    const Vector off = eta - problem.mean;
    const Vector half = prior.matrixL().solve(off);
    const Vector g = problem.readings.weight * apply(row.link, eta);
    double value = -0.5 * (half.squaredNorm() + prior_det + d * std::log(2.0 * std::numbers::pi));
    for (Index i = 0; i < g.size(); ++i)
      value += row.family->log_density(problem.readings.answers[static_cast<std::size_t>(i)], g[i]);
    value -= t_constant - 0.5 * (kFreedom + d) * std::log1p(z.squaredNorm() / kFreedom);
    log_w[static_cast<std::size_t>(s)] = value;
    draws[static_cast<std::size_t>(s)] = apply(row.link, eta);
  }
  const double top = *std::max_element(log_w.begin(), log_w.end());
  double sum = 0, squares = 0;
  Vector first = Vector::Zero(kCells), second = Vector::Zero(kCells);
  for (int s = 0; s < kSamples; ++s) {
    const double w = std::exp(log_w[static_cast<std::size_t>(s)] - top);
    sum += w;
    squares += w * w;
    first += w * draws[static_cast<std::size_t>(s)];
    second += w * draws[static_cast<std::size_t>(s)].cwiseAbs2();
  }
  first /= sum;
  const double effective = sum * sum / squares;
  return {first, (second / sum - first.cwiseAbs2()).cwiseSqrt(), top + std::log(sum / kSamples),
          std::sqrt(1.0 / effective), effective};
}

}  // namespace

int main(int argc, char** argv) {
  const study::Arguments options = study::parse(argc, argv, 20, true);
  std::printf(
      "| counts | mean of E f, sds | rms | ratio of sds | evidence, rms nats | without correction | iterations: "
      "median, most "
      "| draws worth |\n|---|---|---|---|---|---|---|---|\n");
  for (const Row& row : all_rows()) {
    if (!options.wants(row.name)) continue;
    const auto n = static_cast<std::size_t>(options.draws);
    std::vector<double> bias(n), rms(n), ratio(n), evidence(n), laplace(n), steps(n), worth(n), unsure(n);
    study::parallel(options.draws, row.name, [&](int run) {
      const auto at = static_cast<std::size_t>(run);
      const std::uint64_t seed = options.seed * 1000 + static_cast<std::uint64_t>(run);
      const Problem problem(row, seed);
      const internal::LatentProblem asked{problem.cov, problem.mean, problem.readings, *row.family, row.link};
      const LatentPosterior latent(asked);
      const Linearised found = linearised(asked);
      const LinkMoments f = moments(row.link, found.mean, found.var);
      const Oracle exact = sampled(problem, row, found, seed);
      const Vector off = (f.mean - exact.f_mean).cwiseQuotient(exact.f_sd);
      bias[at] = off.mean();
      rms[at] = std::max(off.squaredNorm() / static_cast<double>(kCells) - 1.0 / exact.effective, 0.0);
      ratio[at] = f.var.cwiseSqrt().cwiseQuotient(exact.f_sd).mean();
      evidence[at] = latent.log_evidence() - exact.log_evidence;
      laplace[at] = latent.laplace() - exact.log_evidence;
      unsure[at] = exact.evidence_error * exact.evidence_error;
      steps[at] = found.iterations;
      worth[at] = exact.effective;
    });
    const auto root_mean = [&](const std::vector<double>& values) {
      double sum = 0, less = 0;
      for (std::size_t i = 0; i < n; ++i) sum += values[i] * values[i], less += unsure[i];
      return std::sqrt(std::max(sum - less, 0.0) / static_cast<double>(n));
    };
    std::sort(steps.begin(), steps.end());
    std::printf("| %s | %+.3f | %.3f | %.3f | %.3f | %.3f | %.0f, %.0f | %.0f |\n", row.name.c_str(),
                study::summarise(bias).mean, std::sqrt(study::summarise(rms).mean), study::summarise(ratio).mean,
                root_mean(evidence), root_mean(laplace), steps[n / 2], steps.back(), study::summarise(worth).mean);
    std::fflush(stdout);
  }
}
