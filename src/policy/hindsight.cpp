#include "hindsight.hpp"

#include <algorithm>
#include <array>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <numbers>

#include "iqbo/core/check.hpp"

namespace iqbo {
namespace {

constexpr double kReach = 30.0;       // chosen on the families of studies/trust.cpp that may be looked at
constexpr double kDoubt = 0.005;      // how improbable a spread must be to be spoken of
constexpr double kSurprise = 1e-3;    // likewise the largest residual, among so many
constexpr double kSpokenOf = 1.3;     // a widening that a user is told about
constexpr double kTrend = 3.0;        // standard errors of a correlation with time
constexpr double kUsualTails = 0.15;  // the prior of 1 / nu is exponential, with this mean

// The most likely scale is sought too, by a few steps of expectation maximisation from a root mean square.
double log_student(const Vector& e, double tails) {
  const auto n = static_cast<double>(e.size());
  double var = std::max(e.squaredNorm() / n, 1e-12);
  if (tails <= 0.0) return -0.5 * n * (1.0 + std::log(2.0 * std::numbers::pi * var));
  const double nu = 1.0 / tails;
  for (int step = 0; step < 20; ++step)
    var = (e.array().square() * (nu + 1.0) / (nu + e.array().square() / var)).mean();
  return n * (std::lgamma(0.5 * (nu + 1.0)) - std::lgamma(0.5 * nu) - 0.5 * std::log(nu * std::numbers::pi * var)) -
         0.5 * (nu + 1.0) * (e.array().square() / (nu * var)).log1p().sum();
}

// The correlation with 1, 2, 3, ..., in standard errors.
double trend(const Vector& e) {
  const auto n = static_cast<double>(e.size());
  const Vector time = Vector::LinSpaced(e.size(), -1.0, 1.0);
  const Vector centred = e.array() - e.mean();
  const double size = centred.norm() * time.norm();
  return size > 0.0 ? std::sqrt(n) * centred.dot(time) / size : 0.0;
}

std::string times(double factor) { return readable(std::round(10.0 * factor) / 10.0) + " times"; }

}  // namespace

double tail_weight(const Vector& residual) {
  constexpr std::array kGrid{0.0, 0.02, 0.05, 0.08, 0.12, 0.16, 0.2, 0.25, 0.3, 0.35, 0.4};
  std::array<double, kGrid.size()> log_weight{};
  for (std::size_t i = 0; i < kGrid.size(); ++i)
    log_weight[i] = log_student(residual, kGrid[i]) - kGrid[i] / kUsualTails;
  const double most = *std::max_element(log_weight.begin(), log_weight.end());
  double sum = 0.0, weighted = 0.0;
  for (std::size_t i = 0; i < kGrid.size(); ++i) {
    const double weight = std::exp(log_weight[i] - most);
    sum += weight;
    weighted += weight * kGrid[i];
  }
  return weighted / sum;
}

double few_factor(std::size_t answers) {
  if (answers < 2 || answers > 3) return 1.0;
  const boost::math::students_t law(static_cast<double>(answers - 1));
  return quantile(law, 0.975) / quantile(boost::math::normal(), 0.975);
}

double log_score(const Vector& z, const Marginals& ahead) {
  const Index count = std::max<Index>(0, z.size() - Hindsight::kFirst);
  const Eigen::ArrayXd var = ahead.var.tail(count).array().max(1e-300);
  const Eigen::ArrayXd residual = (z - ahead.mean).tail(count).array();
  return -0.5 * (residual.square() / var + (2.0 * std::numbers::pi * var).log()).sum();
}

Hindsight::Hindsight(const Vector& z, const Marginals& ahead) {
  const Index count = z.size() - kFirst;
  if (count < kLeast) return;
  residual = (z - ahead.mean).tail(count).cwiseQuotient(ahead.var.tail(count).cwiseMax(1e-300).cwiseSqrt());
  if (!residual.allFinite()) {
    residual.resize(0);
    return;
  }
  const auto n = static_cast<double>(count);
  spread = std::sqrt(residual.squaredNorm() / n);
  tails = tail_weight(residual);
  const boost::math::chi_squared expected(n);
  narrow = n * spread * spread > quantile(complement(expected, kDoubt));
  wide = n * spread * spread < quantile(expected, kDoubt);
}

std::string Hindsight::most_surprising(std::size_t before) const {
  if (residual.size() == 0) return "";
  Index worst = 0;
  residual.cwiseAbs().maxCoeff(&worst);
  return "answer " + std::to_string(before + static_cast<std::size_t>(worst + kFirst) + 1) + " in order of arrival";
}

// By the spread of the others: one that is far off makes the spread of all large enough to hide it.
bool Hindsight::is_surprised() const {
  if (residual.size() == 0) return false;
  const auto n = static_cast<double>(residual.size());
  const double largest = residual.cwiseAbs().maxCoeff();
  const double others = std::sqrt(std::max(0.0, n * spread * spread - largest * largest) / (n - 1.0));
  const boost::math::students_t law(n - 1.0);
  return 2.0 * n * cdf(complement(law, largest / std::max(1.0, others))) < kSurprise;
}

std::vector<std::string> Hindsight::findings(double widened, std::size_t before) const {
  std::vector<std::string> out;
  if (residual.size() == 0) return out;
  if (narrow)
    out.push_back("the model is too sure of itself: answers differ from its forecasts by " + times(spread) +
                  " what it states, and the interval is made " + times(widened) +
                  " as wide as the model's own; if the noise of answers is known, state it, and repeat some queries");
  else if (widened > kSpokenOf)
    out.push_back("the interval is " + times(widened) +
                  " as wide as the model's own: f is expected to be better there than any answer, which no answer has "
                  "tested, and some forecasts were far off; a query that covers little else would settle it");
  else if (wide)
    out.push_back("the model is less sure than it could be: answers differ from its forecasts by only " +
                  times(spread) + " what it states; the interval may be wider than necessary");
  if (is_surprised())
    out.push_back(
        most_surprising(before) + " differs from what the earlier answers predict by " +
        readable(std::round(10.0 * residual.cwiseAbs().maxCoeff()) / 10.0) +
        " standard deviations: check it, and amend it with its own noise sd if it is less precise than the others");
  if (std::abs(trend(residual)) > kTrend)
    out.emplace_back(
        "answers have drifted away from their forecasts in one direction during the study: if the quantity itself "
        "drifts, repeat some early queries");
  return out;
}

Vector Hindsight::widening(const Vector& mean, const Vector& z, bool is_fitted) const {
  const double factor = residual.size() == 0 ? 1.0 : spread_factor();
  const double sd = z.size() == 0 ? 0.0 : std::sqrt((z.array() - z.mean()).square().mean());
  if (residual.size() == 0 || !is_fitted || sd == 0.0) return Vector::Constant(mean.size(), factor);
  const auto beyond = ((mean.array() - z.maxCoeff()) / sd).max(0.0);
  return factor * (1.0 + kReach * tails * beyond).sqrt();
}

double Hindsight::widening(double mean, const Vector& z, bool is_fitted) const {
  return widening(Vector(Vector::Constant(1, mean)), z, is_fitted)[0];
}

}  // namespace iqbo
