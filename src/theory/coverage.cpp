#include "iqbo/theory/coverage.hpp"

#include <algorithm>
#include <boost/math/distributions/non_central_chi_squared.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "iqbo/core/check.hpp"
#include "iqbo/numerics/gauss_rule.hpp"
#include "numerics/sobol.hpp"

namespace iqbo {

using namespace internal;

namespace {

constexpr double kSqrt2 = std::numbers::sqrt2;
constexpr double kWidestExact = 1000.0;  // eps / sd above which the series of the chi^2 law gets too long

double normal_cdf(double t) { return 0.5 * std::erfc(-t / kSqrt2); }
double normal_mass(double low, double high) {
  return low > 0.0 ? normal_cdf(-low) - normal_cdf(-high) : normal_cdf(high) - normal_cdf(low);
}
// The integral of Phi up to t.
double normal_ramp(double t) { return t * normal_cdf(t) + std::exp(-0.5 * t * t) / std::sqrt(2.0 * std::numbers::pi); }

// One coordinate of a window: centre + sd N + half_width U.
struct Axis {
  double centre, sd, half_width;

  double quantile(double u, double v) const {
    return centre - sd * kSqrt2 * boost::math::erfc_inv(2.0 * u) + half_width * (2.0 * v - 1.0);
  }

  // P(low <= X <= high).
  double mass(double low, double high) const {
    low -= centre;
    high -= centre;
    if (sd == 0.0 && half_width == 0.0) return low <= 0.0 && 0.0 <= high ? 1.0 : 0.0;
    if (sd == 0.0) return std::max(0.0, std::min(high, half_width) - std::max(low, -half_width)) / (2.0 * half_width);
    if (half_width == 0.0) return normal_mass(low / sd, high / sd);
    if (half_width > sd) {  // the ramps' difference keeps its digits
      const auto below = [&](double at) {
        return normal_ramp((at + half_width) / sd) - normal_ramp((at - half_width) / sd);
      };
      return std::clamp((below(high) - below(low)) * sd / (2.0 * half_width), 0.0, 1.0);
    }
    const Rule& rule = gauss_legendre(24);  // a normal smoothed over less than its sd: smooth enough for a Gauss rule
    double out = 0.0;
    for (Index k = 0; k < rule.node.size(); ++k)
      out +=
          rule.weight[k] * normal_mass((low - half_width * rule.node[k]) / sd, (high - half_width * rule.node[k]) / sd);
    return out;
  }
};

// One coordinate of a law given by nodes.
struct NodeAxis {
  Eigen::RowVectorXd node, weight;

  double quantile(double u, double /*v*/) const {
    Index k = 0;
    for (double sum = weight[0]; sum < u && k + 1 < node.size();) sum += weight[++k];
    return node[k];
  }

  double mass(double low, double high) const {
    return ((node.array() >= low) && (node.array() <= high)).select(weight.array(), 0.0).sum();
  }
};

struct Estimate {
  double probability;
  double error;
};

// Points of the unit cube, with two coordinates for each axis except the last, shifted kShifts times.
using Shifts = std::vector<Rows>;

Shifts make_shifts(Index dimension, Rng& rng) {
  Shifts out;
  for (int s = 0; s < kShifts; ++s) out.push_back(sobol(kShiftPoints, 2 * (dimension - 1), rng));
  return out;
}

template <class AxisLaw>
Estimate cube(const std::vector<AxisLaw>& axes, const Inputs& x, double eps) {
  double out = 1.0;
  for (Index c = 0; c < x.dimension(); ++c)
    out *= axes[static_cast<std::size_t>(c)].mass(x.row(0)[c] - eps, x.row(0)[c] + eps);
  return {out, 0.0};
}

// The expectation, over all coordinates but the last, of P(last coordinate within the remaining radius).
template <class AxisLaw>
Estimate ball(const std::vector<AxisLaw>& axes, const Inputs& x, double eps, const Shifts& shifts) {
  const Index last = x.dimension() - 1;
  Vector mean(static_cast<Index>(shifts.size()));
  for (std::size_t s = 0; s < shifts.size(); ++s) {
    double sum = 0.0;
    for (Index p = 0; p < shifts[s].rows(); ++p) {
      double left = eps * eps;
      for (Index c = 0; c < last && left >= 0.0; ++c) {
        const double off =
            axes[static_cast<std::size_t>(c)].quantile(shifts[s](p, 2 * c), shifts[s](p, 2 * c + 1)) - x.row(0)[c];
        left -= off * off;
      }
      if (left < 0.0) continue;
      const double reach = std::sqrt(left);
      sum += axes[static_cast<std::size_t>(last)].mass(x.row(0)[last] - reach, x.row(0)[last] + reach);
    }
    mean[static_cast<Index>(s)] = sum / static_cast<double>(shifts[s].rows());
  }
  const double n = static_cast<double>(mean.size());
  return {mean.mean(), std::sqrt((mean.array() - mean.mean()).square().sum() / (n * (n - 1.0)))};
}

// P(|X - x| <= eps) for X = centre + sd N.
double round_ball(double distance, double sd, double eps, Index dimension) {
  if (sd == 0.0) return distance <= eps ? 1.0 : 0.0;
  if (distance - eps > 40.0 * sd) return 0.0;
  const boost::math::non_central_chi_squared_distribution<double> law(static_cast<double>(dimension),
                                                                      distance * distance / (sd * sd));
  return boost::math::cdf(law, eps * eps / (sd * sd));
}

class Measure {
 public:
  Measure(Inputs x, double eps, Neighbourhood shape, Rng& rng)
      : x_(std::move(x)), eps_(eps), shape_(shape), rng_(rng) {}

  Coverage operator()(const Inputs& point) const {
    Coverage out = empty(point.size());
    for (Index i = 0; i < point.size(); ++i) out.probability[i] = is_near(point.row(i)) ? 1.0 : 0.0;
    return out;
  }

  Coverage operator()(const DiscreteLaws& laws) const {
    const Coverage near = (*this)(*laws.support);
    Coverage out = empty(laws.weight.rows());
    out.probability = laws.weight * near.probability;
    if (laws.of_density) {
      const Vector squares = laws.weight.cwiseProduct(laws.weight) * Vector::Ones(laws.weight.cols());
      const auto p = out.probability.array().max(0.0).min(1.0);
      out.error = (p * (1.0 - p) * squares.array()).sqrt();
    }
    return out;
  }

  Coverage operator()(const SpreadLaws& laws) {
    Coverage out = empty(laws.centre.rows());
    for (Index i = 0; i < laws.centre.rows(); ++i) {
      const auto [probability, error] = of_window(laws.centre.row(i), laws.sd.row(i), laws.half_width.row(i));
      out.probability[i] = probability;
      out.error[i] = error;
    }
    return out;
  }

  Coverage operator()(const AxisLaws& laws) {
    Coverage out = empty(laws.node.front().rows());
    for (Index i = 0; i < out.error.size(); ++i) {
      std::vector<NodeAxis> axes;
      double rule_error = 0.0;
      for (std::size_t c = 0; c < laws.node.size(); ++c) {
        axes.push_back({laws.node[c].row(i), laws.weight[c].row(i)});
        rule_error += 2.0 * axes.back().weight.maxCoeff();
      }
      const auto [probability, error] = of_axes(axes);
      out.probability[i] = probability;
      out.error[i] = std::min(1.0, error + rule_error);
    }
    return out;
  }

 private:
  static Coverage empty(Index size) { return {Vector::Zero(size), Vector::Zero(size)}; }

  bool is_near(const Eigen::Ref<const Eigen::RowVectorXd>& point) const {
    const Eigen::RowVectorXd off = point - x_.row(0);
    return (shape_ == Neighbourhood::kCube ? off.cwiseAbs().maxCoeff() : off.norm()) <= eps_;
  }

  template <class AxisLaw>
  Estimate of_axes(const std::vector<AxisLaw>& axes) {
    if (shape_ == Neighbourhood::kCube || x_.dimension() == 1) return cube(axes, x_, eps_);
    if (shifts_.empty()) shifts_ = make_shifts(x_.dimension(), rng_);
    return ball(axes, x_, eps_, shifts_);
  }

  Estimate of_window(const Eigen::RowVectorXd& centre, const Eigen::RowVectorXd& sd,
                     const Eigen::RowVectorXd& half_width) {
    const bool round = sd.minCoeff() == sd.maxCoeff() && half_width.maxCoeff() == 0.0;
    if (round && shape_ == Neighbourhood::kBall && x_.dimension() > 1 && (sd[0] == 0.0 || eps_ <= kWidestExact * sd[0]))
      return {round_ball((centre - x_.row(0)).norm(), sd[0], eps_, x_.dimension()), 0.0};
    std::vector<Axis> axes;
    for (Index c = 0; c < centre.size(); ++c) axes.push_back({centre[c], sd[c], half_width[c]});
    return of_axes(axes);
  }

  Inputs x_;
  double eps_;
  Neighbourhood shape_;
  Rng& rng_;
  Shifts shifts_;  // the same for every law
};

}  // namespace

Coverage coverage(const Laws& laws, const Inputs& x, double eps, Neighbourhood shape, Rng& rng) {
  require_rows(x.size(), 1, "x");
  require_columns(x.dimension(), laws.dimension(), "x");
  require_non_negative(Vector(Vector::Constant(1, eps)), "eps");
  Measure measure(x, eps, shape, rng);
  Coverage out{Vector::Zero(laws.size()), Vector::Zero(laws.size())};
  for (const auto& [weight, kind] : laws.parts()) {
    const Coverage part = std::visit([&](const auto& law) { return measure(law); }, kind);
    out.probability += weight * part.probability;
    out.error += std::abs(weight) * part.error;
  }
  return out;
}

BestCoverage best_coverage(const Conditional& conditional, const Queries& candidates, const Inputs& x, double eps,
                           Neighbourhood shape, Rng& rng) {
  require_not_empty(candidates.size(), "candidates");
  const Coverage all = coverage(conditional.laws(candidates), x, eps, shape, rng);
  Index row = 0;
  const double most = all.probability.maxCoeff(&row);
  return {row, most, all.error[row]};
}

}  // namespace iqbo
