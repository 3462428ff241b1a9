#include "iqbo/kernel/stationary.hpp"

#include <cmath>
#include <limits>
#include <utility>

namespace iqbo {
namespace {

using Family = Stationary::Family;

constexpr double kLeastLengthscale = 1e-100;

const double kSqrt3 = std::sqrt(3.0);
const double kSqrt5 = std::sqrt(5.0);

// Overwrites r^2 by rho(r).
void correlate(Family family, Eigen::Ref<Eigen::ArrayXd> r2) {
  switch (family) {
    case Family::kRbf:
      r2 = (-0.5 * r2).exp();
      return;
    case Family::kMatern12:
      r2 = (-r2.sqrt()).exp();
      return;
    case Family::kMatern32:
      r2 = kSqrt3 * r2.sqrt();
      r2 = (1.0 + r2) * (-r2).exp();
      return;
    case Family::kMatern52:
      r2 = kSqrt5 * r2.sqrt();
      r2 = (1.0 + r2 + r2.square() / 3.0) * (-r2).exp();
      return;
  }
}

// Overwrites r^2 by -2 d rho / d(r^2), the factor common to all derivatives of rho. Matern 1/2 has none at r = 0, where
// its derivative in a lengthscale is 0 and in a coordinate undefined: 0 stands for both.
void steepness(Family family, Eigen::Ref<Eigen::ArrayXd> r2) {
  switch (family) {
    case Family::kRbf:
      r2 = (-0.5 * r2).exp();
      return;
    case Family::kMatern12:
      r2 = r2.sqrt();
      r2 = (r2 > 0.0).select((-r2).exp() / r2, 0.0);
      return;
    case Family::kMatern32:
      r2 = 3.0 * (-kSqrt3 * r2.sqrt()).exp();
      return;
    case Family::kMatern52:
      r2 = kSqrt5 * r2.sqrt();
      r2 = (5.0 / 3.0) * (1.0 + r2) * (-r2).exp();
      return;
  }
}

// Coordinate c of every x minus that of y_j, in lengthscales. Scaling comes second: the difference of two near numbers
// is exact, that of their quotients is not. Beyond kFar every rho is zero in doubles, so all that larger differences
// could do is overflow.
auto difference(const Matrix& x, const Rows& y, Index j, Index c, const Vector& per_length) {
  constexpr double kFar = 1e3;
  return ((x.col(c).array() - y(j, c)) * per_length[c]).max(-kFar).min(kFar);
}

void squared_distances(const Matrix& x, const Rows& y, Index j, const Vector& per_length,
                       Eigen::Ref<Eigen::ArrayXd> r2) {
  r2 = difference(x, y, j, 0, per_length).square();
  for (Index c = 1; c < x.cols(); ++c) r2 += difference(x, y, j, c, per_length).square();
}

// One over each; finite also for lengthscales so small that it is not.
Vector inverse(const Vector& lengthscale) {
  return lengthscale.cwiseInverse().cwiseMin(std::numeric_limits<double>::max());
}

}  // namespace

Stationary::Stationary(Family family, double variance, Vector lengthscale)
    : family_(family), variance_(variance), lengthscale_(std::move(lengthscale)) {
  require_positive(variance_, "variance");
  require_not_empty(lengthscale_.size(), "lengthscale");
  require_positive(lengthscale_, "lengthscale");
  for (Index c = 0; c < dimension(); ++c)
    if (lengthscale_[c] < kLeastLengthscale || lengthscale_[c] > 1.0 / kLeastLengthscale)
      refuse("lengthscale", "row " + std::to_string(c) + " is " + readable(lengthscale_[c]),
             "a number from 1e-100 to 1e100, whose square a double holds");
}

std::shared_ptr<const Kernel> Stationary::clone() const { return std::make_shared<Stationary>(*this); }

std::vector<std::string> Stationary::parameter_names() const {
  std::vector<std::string> names{"variance"};
  for (Index c = 0; c < dimension(); ++c) names.push_back("lengthscale[" + std::to_string(c) + "]");
  return names;
}

Vector Stationary::log_parameters() const {
  Vector theta(1 + dimension());
  theta << std::log(variance_), lengthscale_.array().log().matrix();
  return theta;
}

std::shared_ptr<const Kernel> Stationary::with_log_parameters(const Vector& theta) const {
  const Vector values = positive_parameters(theta);
  return std::make_shared<Stationary>(family_, values[0], values.tail(dimension()));
}

Matrix Stationary::evaluate(const Rows& x, const Rows& y) const {
  const Matrix columns = x;  // contiguous
  const Vector per_length = inverse(lengthscale_);
  Matrix out(x.rows(), y.rows());
  for (Index j = 0; j < y.rows(); ++j) {
    auto column = out.col(j).array();
    squared_distances(columns, y, j, per_length, column);
    correlate(family_, column);
    column *= variance_;
  }
  return out;
}

Vector Stationary::evaluate_diagonal(const Rows& x) const { return Vector::Constant(x.rows(), variance_); }

// dk/dlog variance = k;  dk/dlog lengthscale_c = variance * steepness * (difference_c / lengthscale_c)^2.
Vector Stationary::parameter_gradient(const Rows& x, const Rows& y, const Matrix& weight) const {
  const Matrix columns = x;  // contiguous
  const Vector per_length = inverse(lengthscale_);
  Vector gradient = Vector::Zero(1 + dimension());
  Eigen::ArrayXd r2(x.rows());
  Eigen::ArrayXd rho(x.rows());
  for (Index j = 0; j < y.rows(); ++j) {
    squared_distances(columns, y, j, per_length, r2);
    rho = r2;
    correlate(family_, rho);
    steepness(family_, r2);
    r2 *= weight.col(j).array();
    gradient[0] += (weight.col(j).array() * rho).sum();
    for (Index c = 0; c < dimension(); ++c)
      gradient[1 + c] += (r2 * difference(columns, y, j, c, per_length).square()).sum();
  }
  return variance_ * gradient;
}

// dk/dx_c = -variance * steepness * difference_c / lengthscale_c^2.
Rows Stationary::input_gradient(const Rows& x, const Rows& y, const Matrix& weight) const {
  const Matrix columns = x;  // contiguous
  const Vector per_length = inverse(lengthscale_);
  Rows gradient = Rows::Zero(x.rows(), dimension());
  Eigen::ArrayXd r2(x.rows());
  for (Index j = 0; j < y.rows(); ++j) {
    squared_distances(columns, y, j, per_length, r2);
    steepness(family_, r2);
    r2 *= variance_ * weight.col(j).array();
    for (Index c = 0; c < dimension(); ++c)
      gradient.col(c).array() -= r2 * difference(columns, y, j, c, per_length) * per_length[c];
  }
  return gradient;
}

Rbf::Rbf(double variance, Vector lengthscale) : Stationary(Family::kRbf, variance, std::move(lengthscale)) {}
Matern12::Matern12(double variance, Vector lengthscale)
    : Stationary(Family::kMatern12, variance, std::move(lengthscale)) {}
Matern32::Matern32(double variance, Vector lengthscale)
    : Stationary(Family::kMatern32, variance, std::move(lengthscale)) {}
Matern52::Matern52(double variance, Vector lengthscale)
    : Stationary(Family::kMatern52, variance, std::move(lengthscale)) {}

}  // namespace iqbo
