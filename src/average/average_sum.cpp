#include "iqbo/average/average_sum.hpp"

#include <utility>

#include "axis_expectation.hpp"
#include "discrete_expectation.hpp"
#include "iqbo/average/expectation.hpp"
#include "numerics/central_differences.hpp"
#include "spread_expectation.hpp"

namespace iqbo {

using namespace internal;

namespace {

// The gradient in x_j of sum_i weight_ij E k(Y_i, x_j), for each kind of law that Y may have.
struct InInputs {
  const Kernel& kernel;
  const Inputs& x;
  const Matrix& weight;

  Rows operator()(const Inputs& y) const { return kernel.input_pull_back(x, y, weight.transpose()); }
  Rows operator()(const SpreadLaws& y) const {
    return spread_law_pull_back(kernel, y, without_width(x), weight, false).centre;
  }
  Rows operator()(const DiscreteLaws& y) const {
    Rows sum = Rows::Zero(x.size(), x.dimension());
    for_weighted_points(y, weight, [&](const Rows& points, const Matrix& point_weight) {
      sum += kernel.input_gradient(x.coordinates(), points, point_weight.transpose());
    });
    return sum;
  }
  Rows operator()(const AxisLaws& y) const { return (*this)(grid(y)); }
};

// The same in the parameters of spread laws.
struct InSpread {
  const Kernel& kernel;
  const SpreadLaws& laws;
  const Matrix& weight;
  bool in_half_width;

  SpreadGradient operator()(const SpreadLaws& y) const {
    return spread_law_pull_back(kernel, y, laws, weight, in_half_width);
  }
  SpreadGradient operator()(const Inputs& y) const { return (*this)(without_width(y)); }
  SpreadGradient operator()(const DiscreteLaws& y) const {
    SpreadGradient sum(laws);
    for_weighted_points(y, weight, [&](const Rows& points, const Matrix& point_weight) {
      sum += InSpread{kernel, laws, point_weight, in_half_width}(Inputs(points));
    });
    return sum;
  }
  SpreadGradient operator()(const AxisLaws& y) const { return (*this)(grid(y)); }
};

template <class Gradient>
void add_cross(const AverageSum::Cross& cross, const Gradient& gradient, decltype(gradient(Inputs()))& sum) {
  for (const auto& [weight, kind] : cross.left.parts()) {
    auto part = std::visit(gradient, kind);
    part *= weight;
    sum += part;
  }
}

Rows mean_gradient(const Mean& mean, const Inputs& x, const Vector& weight) {
  // For an affine function long steps are as exact as short ones, and have less rounding error.
  const Rows step = mean.is_affine() ? Rows(x.coordinates().cwiseAbs().cwiseMax(1.0)) : default_steps(x);
  return central_differences(
      x, step, [&](const Inputs& moved) -> Eigen::ArrayXd { return weight.cwiseProduct(mean.at(moved)); });
}

// Treats the parameters of the laws as points: centre, sd and half_width side by side. A zero width stays zero.
SpreadGradient mean_gradient(const Mean& mean, const SpreadLaws& laws, const Vector& weight, bool in_half_width) {
  SpreadGradient out(laws);
  if (mean.is_affine()) {
    out.centre = mean_gradient(mean, Inputs(laws.centre), weight);
    return out;
  }
  const Index d = laws.centre.cols();
  Rows parameters(laws.centre.rows(), 3 * d);
  parameters << laws.centre, laws.sd, laws.half_width;
  const Inputs all(parameters);
  Rows step = default_steps(all);
  step.rightCols(2 * d) = step.rightCols(2 * d).cwiseMin(0.5 * parameters.rightCols(2 * d));
  if (!in_half_width) step.rightCols(d).setZero();
  const Rows gradient = central_differences(all, step, [&](const Inputs& moved) -> Eigen::ArrayXd {
    const Rows& p = moved.coordinates();
    return weight.cwiseProduct(expect(mean, SpreadLaws{p.leftCols(d), p.middleCols(d, d), p.rightCols(d)}));
  });
  out.centre = gradient.leftCols(d);
  out.sd = gradient.middleCols(d, d);
  out.half_width = gradient.rightCols(d);
  return out;
}

void require_weights(const AverageSum& sum, Index laws) {
  if (sum.mean.size() > 0) require_rows(sum.mean.size(), laws, "weight of the mean");
  if (sum.var.size() > 0) require_rows(sum.var.size(), laws, "weight of the variance");
  for (const auto& [left, weight] : sum.cross) {
    require_rows(weight.rows(), left.size(), "weight");
    require_columns(weight.cols(), laws, "weight");
  }
}

}  // namespace

SpreadGradient& SpreadGradient::operator+=(const SpreadGradient& other) {
  centre += other.centre;
  sd += other.sd;
  half_width += other.half_width;
  return *this;
}

SpreadGradient& SpreadGradient::operator*=(double factor) {
  centre *= factor;
  sd *= factor;
  half_width *= factor;
  return *this;
}

Vector AverageSum::at(const Laws& laws) const {
  require_weights(*this, laws.size());
  Vector out = Vector::Zero(laws.size());
  if (mean.size() > 0) out += mean.cwiseProduct(expect(m, laws));
  if (var.size() > 0) out += var.cwiseProduct(expect_diagonal(k, laws));
  for (const auto& [left, weight] : cross)
    out += weight.cwiseProduct(expect(k, left, laws)).colwise().sum().transpose();
  return out;
}

Rows AverageSum::gradient(const Inputs& x) const {
  require_weights(*this, x.size());
  Rows sum = Rows::Zero(x.size(), x.dimension());
  if (mean.size() > 0) sum += mean_gradient(m, x, mean);
  if (var.size() > 0) sum += k.diagonal_pull_back(x, var);
  for (const auto& part : cross) add_cross(part, InInputs{k, x, part.weight}, sum);
  return sum;
}

SpreadGradient AverageSum::gradient(const SpreadLaws& laws, bool in_half_width) const {
  require_weights(*this, laws.centre.rows());
  SpreadGradient sum(laws);
  if (mean.size() > 0) sum += mean_gradient(m, laws, mean, in_half_width);
  if (var.size() > 0) sum += spread_diagonal_pull_back(k, laws, var, in_half_width);
  for (const auto& part : cross) add_cross(part, InSpread{k, laws, part.weight, in_half_width}, sum);
  return sum;
}

}  // namespace iqbo
