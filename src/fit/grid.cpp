// The coarse grid. A kernel matrix per lengthscale serves all ratios of noise and nugget; the overall variance is
// profiled: if every variance is multiplied by c, log p is largest at c = quadratic / t.
#include <algorithm>
#include <array>
#include <cmath>

#include "search.hpp"

namespace iqbo {
namespace {

using Kind = FitParameter::Kind;

constexpr std::array kLengths{0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4};  // times the prior median
constexpr int kBetween = 5;                                        // steps from one to the next, where f oscillates
constexpr std::array kNoises{1e-4, 1e-2, 0.3};                     // times the signal's variance in the averages
constexpr std::array kNuggets{0.02, 0.3, 3.0};                     // times the variance of f
constexpr std::array kSignals{0.3, 1.0, 3.0};                      // times s^2, where the noise is known
constexpr std::array kTaus{0.05, 0.1, 0.2, 0.4};                   // times s
constexpr std::size_t kTausFor = 4;                                // grid points

class Grid {
 public:
  Grid(const FitObjective& objective, int budget)
      : objective_(objective), low_(objective.low()), high_(objective.high()), left_(budget) {}

  std::vector<FitPoint> points;

  void scan() {
    for (const double length : kLengths)
      for (int step = 0; step < (objective_.oscillates() ? kBetween : 1); ++step)
        scan_length(length * std::exp2(static_cast<double>(step) / kBetween));
    std::sort(points.begin(), points.end(), better);
    const Index tau = objective_.position(Kind::kDiscrepancy);
    if (tau < 0) return;
    const std::size_t tried = std::min(points.size(), kTausFor);
    const double unit = 2.0 * std::log(objective_.data().output_sd());
    for (std::size_t i = 0; i < tried; ++i)
      for (const double ratio : kTaus) {
        Vector theta = points[i].theta;
        theta[tau] = unit + 2.0 * std::log(ratio);
        if (left_-- > 0) points.push_back({theta, objective_.evaluate(theta, nullptr).log_posterior});
      }
    std::sort(points.begin(), points.end(), better);
  }

 private:
  static bool better(const FitPoint& a, const FitPoint& b) { return a.log_posterior > b.log_posterior; }

  void scan_length(double length) {
    Vector theta = objective_.centre();
    for (Index i = 0; i < objective_.size(); ++i)
      if (objective_.parameters()[static_cast<std::size_t>(i)].kind == Kind::kLengthscale) theta[i] += std::log(length);
    if (const Index tau = objective_.position(Kind::kDiscrepancy); tau >= 0) theta[tau] = low_[tau];
    const Index variance = objective_.position(Kind::kVariance);
    theta[variance] = 0.0;
    const auto& data = objective_.data();
    unit_ = objective_.sample().under(*objective_.kernel(theta), false).covariance;
    const double share = std::max(unit_.diagonal().mean(), 1e-12);  // of the variance of f that averages keep
    const double s2 = std::pow(data.output_sd(), 2);
    const Index noise = objective_.position(Kind::kNoise);
    const Index nugget = objective_.position(Kind::kNugget);
    for (const double second : noise >= 0 ? kNoises : kSignals) {
      theta[variance] = std::log(s2 * (noise >= 0 ? 1.0 : second) / share);
      if (noise >= 0) theta[noise] = std::log(data.noise_unit() * second);
      if (nugget < 0) {
        try_point(theta, variance, noise, nugget);
        continue;
      }
      for (const double ratio : kNuggets) {
        theta[nugget] = theta[variance] + std::log(ratio);
        try_point(theta, variance, noise, nugget);
      }
    }
  }

  void try_point(const Vector& start, Index variance, Index noise, Index nugget) {
    if (left_-- <= 0) return;
    const Vector theta = start.cwiseMax(low_).cwiseMin(high_);
    const auto value = objective_.evaluate_with(std::exp(theta[variance]) * unit_, theta);
    if (!std::isfinite(value.log_posterior)) return;
    Vector scaled = theta;
    double log_posterior = value.log_posterior;
    if (noise >= 0 && !objective_.sample().linked) {
      const auto t = static_cast<double>(objective_.data().size());
      const double c = std::clamp(value.quadratic / t, 1e-4, 1e4);
      for (const Index i : {variance, noise, nugget})
        if (i >= 0) scaled[i] += std::log(c);
      scaled = scaled.cwiseMax(low_).cwiseMin(high_);
      // This scales the wide prior of the mean too, which is accurate enough to choose starts.
      log_posterior += 0.5 * (value.quadratic * (1.0 - 1.0 / c) - t * std::log(c)) +
                       objective_.log_prior(scaled, nullptr) - objective_.log_prior(theta, nullptr);
    }
    points.push_back({scaled, log_posterior});
  }

  const FitObjective& objective_;
  Vector low_, high_;
  int left_;
  Matrix unit_;  // covariance of the observations at variance 1 and the lengthscale being scanned
};

}  // namespace

std::vector<FitPoint> grid_starts(const FitObjective& objective, int count, int budget) {
  Grid grid(objective, budget);
  grid.scan();
  const Index length = objective.position(Kind::kLengthscale);
  const Index tau = objective.position(Kind::kDiscrepancy);
  const auto alike = [&](const FitPoint& a, const FitPoint& b) {
    return (length < 0 || a.theta[length] == b.theta[length]) && (tau < 0 || a.theta[tau] == b.theta[tau]);
  };
  std::vector<FitPoint> starts;
  for (const auto& point : grid.points) {
    if (static_cast<int>(starts.size()) == count) break;
    if (std::none_of(starts.begin(), starts.end(), [&](const FitPoint& s) { return alike(s, point); }))
      starts.push_back(point);
  }
  if (starts.empty()) starts.push_back({objective.centre().cwiseMin(objective.high()), 0.0});
  return starts;
}

}  // namespace iqbo
