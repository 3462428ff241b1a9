#include "iqbo/kernel/stationary_part.hpp"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "iqbo/core/check.hpp"
#include "iqbo/kernel/family.hpp"

namespace iqbo {
namespace {

constexpr double kLeastLengthscale = 1e-100;

// 1 / lengthscale, capped at the largest double where it would overflow.
Vector inverse(const Vector& lengthscale) {
  return lengthscale.cwiseInverse().cwiseMin(std::numeric_limits<double>::max());
}

// Differences of many x from one y, in lengthscales. Scaled second: the difference of two nearby numbers is exact, that
// of their quotients is not. Beyond `far` every rho is zero in doubles; larger differences could only overflow.
class Distances {
 public:
  Distances(const Rows& x, const Rows& y, const Vector& lengthscale, double far)
      : x_(x), y_(y), per_length_(inverse(lengthscale)), far_(far) {}

  auto along(Index j, Index c) const { return ((x_.col(c).array() - y_(j, c)) * per_length_[c]).max(-far_).min(far_); }
  void squared(Index j, Eigen::Ref<Eigen::ArrayXd> r2) const {
    r2 = along(j, 0).square();
    for (Index c = 1; c < x_.cols(); ++c) r2 += along(j, c).square();
  }
  double per_length(Index c) const { return per_length_[c]; }

 private:
  Matrix x_;  // contiguous columns
  const Rows& y_;
  Vector per_length_;
  double far_;
};

// The first of the ascending sums that exceeds `number` times the last, for a number in (0, 1).
Index pick(const Vector& sums, double number) {
  const auto found = std::upper_bound(sums.begin(), sums.end(), number * sums[sums.size() - 1]);
  return std::min<Index>(found - sums.begin(), sums.size() - 1);
}

}  // namespace

StationaryPart::StationaryPart(const StationaryFamily& family, Vector lengthscale, Vector shape)
    : family_(family), lengthscale_(std::move(lengthscale)), shape_(std::move(shape)) {
  require_not_empty(lengthscale_.size(), "lengthscale");
  require_positive(lengthscale_, "lengthscale");
  for (Index c = 0; c < dimension(); ++c)
    if (lengthscale_[c] < kLeastLengthscale || lengthscale_[c] > 1.0 / kLeastLengthscale)
      refuse("lengthscale", "row " + std::to_string(c) + " is " + readable(lengthscale_[c]),
             "a number from 1e-100 to 1e100, whose square a double holds");
  require_rows(shape_.size(), family.shape_size(dimension()), "shape of " + family.class_name);
  const auto names = family.parameter_names(dimension());
  for (Index i = 0; i < shape_.size(); ++i)
    require_positive(shape_[i], names[static_cast<std::size_t>(dimension() + i)]);
}

Vector StationaryPart::parameters() const {
  Vector out(lengthscale_.size() + shape_.size());
  out << lengthscale_, shape_;
  return out;
}

std::shared_ptr<const StationaryPart> StationaryPart::with_parameters(const Vector& values) const {
  return family_.make(family_, values.head(dimension()), values.tail(shape_.size()));
}

Rows StationaryPart::frequencies(const Eigen::Ref<const Rows>&) const {
  throw std::logic_error("a part without a spectrum was asked for frequencies");
}

// --- radial -----------------------------------------------------------------------------------------------------------

Matrix RadialPart::evaluate(const Rows& x, const Rows& y, double variance) const {
  const Distances distances(x, y, lengthscale(), far());
  Matrix out(x.rows(), y.rows());
  for (Index j = 0; j < y.rows(); ++j) {
    auto column = out.col(j).array();
    distances.squared(j, column);
    correlate(column);
    column *= variance;
  }
  return out;
}

// d rho / dlog lengthscale_c = steepness * (difference_c / lengthscale_c)^2.
Vector RadialPart::parameter_gradient(const Rows& x, const Rows& y, const Matrix& weight) const {
  const Distances distances(x, y, lengthscale(), far());
  Vector gradient = Vector::Zero(1 + dimension() + shape().size());
  Eigen::ArrayXd r2(x.rows());
  Eigen::ArrayXd rho(x.rows());
  for (Index j = 0; j < y.rows(); ++j) {
    distances.squared(j, r2);
    rho = r2;
    correlate(rho);
    if (shape().size() > 0) gradient.tail(shape().size()) += shape_slopes(r2).matrix().transpose() * weight.col(j);
    steepness(r2);
    r2 *= weight.col(j).array();
    gradient[0] += (weight.col(j).array() * rho).sum();
    for (Index c = 0; c < dimension(); ++c) gradient[1 + c] += (r2 * distances.along(j, c).square()).sum();
  }
  return gradient;
}

// d rho / dx_c = -steepness * difference_c / lengthscale_c^2.
Rows RadialPart::input_gradient(const Rows& x, const Rows& y, const Matrix& weight, double variance) const {
  const Distances distances(x, y, lengthscale(), far());
  Rows gradient = Rows::Zero(x.rows(), dimension());
  Eigen::ArrayXd r2(x.rows());
  for (Index j = 0; j < y.rows(); ++j) {
    distances.squared(j, r2);
    steepness(r2);
    r2 *= variance * weight.col(j).array();
    for (Index c = 0; c < dimension(); ++c)
      gradient.col(c).array() -= r2 * distances.along(j, c) * distances.per_length(c);
  }
  return gradient;
}

Index RadialPart::uniforms() const {
  if (mixture() == nullptr) return 0;
  return dimension() + (mixture()->scale.size() > 1 ? 1 : 0);
}

double RadialPart::inverse_scale(double uniform) const {
  Vector sums(mixture()->weight.size());
  std::partial_sum(mixture()->weight.begin(), mixture()->weight.end(), sums.begin());
  return 1.0 / mixture()->scale[pick(sums, uniform)];
}

// The spectrum of an RBF is a normal law; that of a mixture is a mixture of those.
Rows RadialPart::frequencies(const Eigen::Ref<const Rows>& uniform) const {
  static const boost::math::normal normal;
  const bool one_scale = uniforms() == dimension();
  Rows out(uniform.rows(), dimension());
  for (Index r = 0; r < uniform.rows(); ++r) {
    const double scale = one_scale ? 1.0 / mixture()->scale[0] : inverse_scale(uniform(r, dimension()));
    for (Index c = 0; c < dimension(); ++c)
      out(r, c) = scale * boost::math::quantile(normal, uniform(r, c)) / lengthscale()[c];
  }
  return out;
}

// --- by axes ----------------------------------------------------------------------------------------------------------

Matrix AxisPart::evaluate(const Rows& x, const Rows& y, double variance) const {
  const Matrix columns = x;
  Matrix out = Matrix::Constant(x.rows(), y.rows(), variance);
  Eigen::ArrayXd t(x.rows());
  for (Index j = 0; j < y.rows(); ++j)
    for (Index c = 0; c < dimension(); ++c) {
      t = columns.col(c).array() - y(j, c);
      correlate(c, t);
      out.col(j).array() *= t;
    }
  return out;
}

namespace {

// For every x and one y: phi along each column, and its slopes times the phi along the other columns.
struct AxisSlopes {
  Eigen::ArrayXd rho;
  std::vector<Eigen::ArrayXXd> slopes;

  AxisSlopes(const AxisPart& part, const Matrix& x, const Rows& y, Index j) : rho(Eigen::ArrayXd::Ones(x.rows())) {
    for (Index c = 0; c < x.cols(); ++c) {
      Eigen::ArrayXd t = x.col(c).array() - y(j, c);
      Eigen::ArrayXXd here = part.slopes(c, t);
      part.correlate(c, t);
      here.colwise() *= rho;
      for (auto& before : slopes) before.colwise() *= t;
      slopes.push_back(std::move(here));
      rho *= t;
    }
  }
};

}  // namespace

Vector AxisPart::parameter_gradient(const Rows& x, const Rows& y, const Matrix& weight) const {
  const Matrix columns = x;
  Vector gradient = Vector::Zero(1 + dimension() + shape().size());
  for (Index j = 0; j < y.rows(); ++j) {
    const AxisSlopes at(*this, columns, y, j);
    gradient[0] += (weight.col(j).array() * at.rho).sum();
    for (Index c = 0; c < dimension(); ++c)
      for (Index q = 0; q < parameters_per_column(); ++q)
        gradient[1 + position(q, c)] += weight.col(j).dot(at.slopes[static_cast<std::size_t>(c)].col(1 + q).matrix());
  }
  return gradient;
}

Rows AxisPart::input_gradient(const Rows& x, const Rows& y, const Matrix& weight, double variance) const {
  const Matrix columns = x;
  Rows gradient = Rows::Zero(x.rows(), dimension());
  for (Index j = 0; j < y.rows(); ++j) {
    const AxisSlopes at(*this, columns, y, j);
    for (Index c = 0; c < dimension(); ++c)
      gradient.col(c).array() += variance * weight.col(j).array() * at.slopes[static_cast<std::size_t>(c)].col(0);
  }
  return gradient;
}

// A frequency and its negative are equally likely, which makes products of cosines right.
Rows AxisPart::frequencies(const Eigen::Ref<const Rows>& uniform) const {
  Rows out(uniform.rows(), dimension());
  for (Index c = 0; c < dimension(); ++c) {
    const CosineSeries terms = series(c);
    Vector sums(terms.amplitude.size());
    std::partial_sum(terms.amplitude.begin(), terms.amplitude.end(), sums.begin());
    for (Index r = 0; r < uniform.rows(); ++r) {
      const double centred = 2.0 * uniform(r, c) - 1.0;
      out(r, c) = std::copysign(terms.frequency[pick(sums, std::abs(centred))], centred);
    }
  }
  return out;
}

}  // namespace iqbo
