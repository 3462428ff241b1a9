#include "smooth_features.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "iqbo/core/stop.hpp"
#include "iqbo/kernel/stationary_part.hpp"

namespace iqbo::internal {
namespace {

constexpr double kAxisError = 5e-15;          // of interpolation along one axis
constexpr double kNegligibleFeature = 1e-17;  // what a product of features may contribute to k and be left out
constexpr double kMostProducts = 1e6;         // of features, before any is left out
constexpr Index kPointsAtOnce = 1024;
constexpr Index kLawsPerPoint = 4;  // laws per point from which features are computed point by point, not law by law

// The bound of smooth_features.hpp for interpolation in both arguments, h in lengthscales. The second one costs a factor
// of the Lebesgue constant, below 4 for kMostNodes.
double interpolation_error(double h, Index nodes) {
  double least = std::numeric_limits<double>::infinity();
  for (double log_rho = 0.05; log_rho < 8.0; log_rho *= 1.1) {
    const double b = std::sinh(log_rho);
    const double exponent = 0.5 * h * h * b * b - static_cast<double>(nodes - 1) * log_rho;
    least = std::min(least, 5.0 * 4.0 * std::exp(std::min(exponent, 700.0)) / std::expm1(log_rho));
  }
  return least;
}

// Chebyshev points of the first kind on [-1, 1], and the values at each x, one row each, of the polynomials that are 1 at
// one of these points and 0 at the others. The barycentric formula loses no digits [Higham04]; sums of Chebyshev
// polynomials lose three at 50 points.
struct Interpolation {
  Vector point, weight;

  explicit Interpolation(Index count) {
    point = chebyshev_points(count);
    weight = (1.0 - point.array().square()).sqrt();
    for (Index k = 1; k < count; k += 2) weight[k] = -weight[k];
  }
  Matrix at(const Eigen::Ref<const Vector>& x) const {
    constexpr double kHit = 1e-290;  // stands for a distance of zero
    Matrix out(x.size(), point.size());
    for (Index k = 0; k < point.size(); ++k) {
      const auto distance = x.array() - point[k];
      out.col(k) = weight[k] / (distance == 0.0).select(kHit, distance);
    }
    const Vector total = out.rowwise().sum();
    out.array().colwise() /= total.array();
    return out;
  }
};

bool is_rbf(const StationaryPart& part) {
  return part.mixture() != nullptr && part.mixture()->weight.size() == 1 && part.shape().size() == 0;
}

// Points of all laws, each as often as it is used; -1 if a law is not made of points.
double points_of(const Laws& laws) {
  double out = 0.0;
  for (const auto& part : laws.parts()) {
    if (const auto* x = std::get_if<Inputs>(&part.kind))
      out += static_cast<double>(x->size());
    else if (const auto* discrete = std::get_if<DiscreteLaws>(&part.kind))
      out += static_cast<double>(std::min(discrete->weight.nonZeros(), discrete->support->size()));
    else
      return -1.0;
  }
  return out;
}

}  // namespace

Index smooth_nodes(double h, double error, Index most) {
  Index nodes = 1;
  if (h > 0.0)
    while (nodes <= most && interpolation_error(h, nodes) > error) ++nodes;
  return nodes;
}

Vector chebyshev_points(Index count) {
  const double step = std::numbers::pi / static_cast<double>(count);
  return ((Vector::LinSpaced(count, 0.0, static_cast<double>(count - 1)).array() + 0.5) * step).cos();
}

// Cholesky with pivoting. Eigenvectors would be a hundred times less
// accurate, since their errors are relative to the largest eigenvalue.
Matrix correlation_root(Matrix k) {
  constexpr double kRounding = 1e-16;
  Matrix out(k.rows(), 0);
  Index pivot = 0;
  while (out.cols() < k.rows() && k.diagonal().maxCoeff(&pivot) > kRounding) {
    const Vector column = k.col(pivot) / std::sqrt(k(pivot, pivot));
    out.conservativeResize(Eigen::NoChange, out.cols() + 1);
    out.rightCols(1) = column;
    k.noalias() -= column * column.transpose();
    k.row(pivot).setZero();
    k.col(pivot).setZero();
  }
  return out;
}

std::optional<Vector> rbf_precision(const KernelTerm& term, Index d) {
  if (term.kind != KernelTerm::Kind::kProduct) return std::nullopt;
  Vector out = Vector::Zero(d);
  for (const auto& [part, columns] : term.factors) {
    if (!is_rbf(*part)) return std::nullopt;
    for (std::size_t g = 0; g < columns.size(); ++g)
      out[columns[g]] += std::pow(part->lengthscale()[static_cast<Index>(g)] * part->mixture()->scale[0], -2);
  }
  return out;
}

std::optional<SmoothAxis> SmoothAxis::of(double lower, double upper, double lengthscale) {
  const double half = 0.5 * (upper - lower);
  const double h = half / lengthscale;
  const Index nodes = smooth_nodes(h, kAxisError, kMostNodes);
  if (nodes > kMostNodes) return std::nullopt;
  const Interpolation interpolation(nodes);
  const Vector at = h * interpolation.point;
  const Matrix difference = at.replicate(1, nodes) - at.transpose().replicate(nodes, 1);

  SmoothAxis out;
  out.middle_ = 0.5 * (lower + upper);
  out.per_half_ = half > 0.0 ? 1.0 / half : 0.0;
  out.on_nodes_ = correlation_root(Matrix((-0.5 * difference.array().square()).exp()));
  const Vector everywhere = Vector::LinSpaced(8 * nodes + 1, lower, upper);
  out.most_ = out.at(everywhere).cwiseAbs().colwise().maxCoeff();
  for (Index q = out.size() - 1; q > 0; --q) out.most_[q - 1] = std::max(out.most_[q - 1], out.most_[q]);
  return out;
}

Matrix SmoothAxis::interpolate(const Eigen::Ref<const Vector>& x) const {
  return Interpolation(nodes()).at((x.array() - middle_) * per_half_);
}

void SmoothFeatures::Term::combine(std::vector<Index>& chosen, double most) {
  const SmoothAxis& axis = axes[chosen.size()];
  const double least = std::sqrt(kNegligibleFeature);
  if (chosen.size() + 1 == axes.size()) {
    const Index kept = (most * axis.most().array() >= least).count();
    if (kept == 0) return;
    prefix.push_back(chosen);
    count.push_back(kept);
    size += kept;
    return;
  }
  for (Index q = 0; q < axis.size() && most * axis.most()[q] >= least; ++q) {
    chosen.push_back(q);
    combine(chosen, most * axis.most()[q]);
    chosen.pop_back();
  }
}

Matrix SmoothFeatures::Term::prefixes(const Rows& points) const {
  Matrix out = Matrix::Constant(points.rows(), static_cast<Index>(prefix.size()), sd);
  for (std::size_t c = 0; c + 1 < axes.size(); ++c) {
    const Matrix along = axes[c].at(points.col(column[c]));
    for (std::size_t r = 0; r < prefix.size(); ++r)
      out.col(static_cast<Index>(r)).array() *= along.col(prefix[r][c]).array();
  }
  return out;
}

// In the plane the values of the interpolating polynomials are averaged, not those of the features, which are then
// computed once per law instead of once per point.
Matrix SmoothFeatures::Term::first_factor(const Rows& points) const {
  return axes.size() == 2 ? Matrix(sd * axes[0].interpolate(points.col(column[0]))) : prefixes(points);
}

void SmoothFeatures::Term::add(const Eigen::Ref<const Matrix>& first_factor, const Eigen::Ref<const Matrix>& last,
                               const Eigen::Ref<const Vector>& weight, Eigen::Ref<Vector> sum) const {
  const Matrix weighted = first_factor.array().colwise() * weight.array();
  const Matrix on_nodes = last.transpose() * weighted;
  Matrix all = axes.back().on_nodes().transpose() * on_nodes;
  if (axes.size() == 2) all = all * axes[0].on_nodes().leftCols(static_cast<Index>(prefix.size()));
  Index first = 0;
  for (std::size_t r = 0; r < count.size(); first += count[r++])
    sum.segment(first, count[r]) += all.col(static_cast<Index>(r)).head(count[r]);
}

std::optional<SmoothFeatures::Term> SmoothFeatures::term_of(const KernelTerm& term, const Vector& lower,
                                                            const Vector& upper) {
  const auto per_square = rbf_precision(term, lower.size());
  if (!per_square) return std::nullopt;
  Term out{std::sqrt(term.variance)};
  for (Index c = 0; c < lower.size(); ++c) {
    if ((*per_square)[c] == 0.0) continue;
    auto axis = SmoothAxis::of(lower[c], upper[c], 1.0 / std::sqrt((*per_square)[c]));
    if (!axis) return std::nullopt;
    out.column.push_back(c);
    out.axes.push_back(std::move(*axis));
  }
  if (out.axes.empty()) return std::nullopt;
  double all = 1.0;
  for (const auto& axis : out.axes) all *= static_cast<double>(axis.size());
  if (all > kMostProducts) return std::nullopt;
  std::vector<Index> none;
  out.combine(none, 1.0);
  return out;
}

std::optional<SmoothFeatures> SmoothFeatures::of(const Kernel& kernel, const std::vector<const Laws*>& laws,
                                                 Index most) {
  Vector lower = Vector::Constant(kernel.dimension(), std::numeric_limits<double>::infinity());
  Vector upper = -lower;
  const auto include = [&](const Inputs& x) {
    lower = lower.cwiseMin(x.coordinates().colwise().minCoeff().transpose());
    upper = upper.cwiseMax(x.coordinates().colwise().maxCoeff().transpose());
  };
  for (const Laws* some : laws)
    for (const auto& part : some->parts()) {
      if (const auto* x = std::get_if<Inputs>(&part.kind))
        include(*x);
      else if (const auto* discrete = std::get_if<DiscreteLaws>(&part.kind))
        include(*discrete->support);
      else
        return std::nullopt;
    }
  SmoothFeatures out;
  for (const auto& term : kernel.stationary_terms()) {
    auto found = term_of(term, lower, upper);
    if (!found) return std::nullopt;
    out.terms_.push_back(std::move(*found));
    if (out.size() > most) return std::nullopt;
  }
  return out;
}

Index SmoothFeatures::size() const {
  Index out = 0;
  for (const auto& term : terms_) out += term.size;
  return out;
}

Matrix SmoothFeatures::at(const Rows& points) const {
  Matrix out(points.rows(), size());
  Index first = 0;
  for (const auto& term : terms_) {
    const Matrix prefixes = term.prefixes(points);
    const Matrix last = term.axes.back().at(points.col(term.column.back()));
    for (std::size_t r = 0; r < term.count.size(); ++r)
      for (Index q = 0; q < term.count[r]; ++q)
        out.col(first++) = prefixes.col(static_cast<Index>(r)).cwiseProduct(last.col(q));
  }
  return out;
}

void SmoothFeatures::add(double share, const DiscreteLaws& laws, Matrix& sum) const {
  const SparseRows& weight = laws.weight;
  Matrix columns = Matrix::Zero(sum.cols(), sum.rows());
  Index begin = 0;
  while (begin < weight.rows()) {
    stop_point();
    std::vector<Index> first{0};  // where the points of each law begin
    std::vector<Index> point;
    std::vector<double> value;
    const Index from = begin;
    for (; begin < weight.rows() && (begin == from || static_cast<Index>(point.size()) < kPointsAtOnce); ++begin) {
      for (SparseRows::InnerIterator it(weight, begin); it; ++it) {
        point.push_back(it.col());
        value.push_back(share * it.value());
      }
      first.push_back(static_cast<Index>(point.size()));
    }
    const Rows points = laws.support->coordinates()(point, Eigen::all);
    const Eigen::Map<const Vector> values(value.data(), static_cast<Index>(value.size()));
    Index row = 0;
    for (const auto& term : terms_) {
      const Matrix first_factor = term.first_factor(points);
      const Matrix last = term.axes.back().interpolate(points.col(term.column.back()));
      for (Index i = from; i < begin; ++i) {
        const Index at = first[static_cast<std::size_t>(i - from)];
        const Index count = first[static_cast<std::size_t>(i - from) + 1] - at;
        term.add(first_factor.middleRows(at, count), last.middleRows(at, count), values.segment(at, count),
                 columns.col(i).segment(row, term.size));
      }
      row += term.size;
    }
  }
  sum += columns.transpose();
}

Matrix SmoothFeatures::average(const Laws& laws) const {
  Matrix out = Matrix::Zero(laws.size(), size());
  for (const auto& [share, kind] : laws.parts()) {
    if (const auto* x = std::get_if<Inputs>(&kind)) {
      out += share * at(x->coordinates());
      continue;
    }
    const auto& discrete = std::get<DiscreteLaws>(kind);
    if (discrete.weight.nonZeros() <= kLawsPerPoint * discrete.support->size())
      add(share, discrete, out);
    else if (2 * discrete.weight.nonZeros() > discrete.weight.size())
      out += share * (Matrix(discrete.weight) * at(discrete.support->coordinates()));
    else
      out += share * (discrete.weight * at(discrete.support->coordinates()));
  }
  return out;
}

double SmoothFeatures::cost(const Laws& laws) const {
  constexpr double kPerProduct = 0.035;  // a product and a sum, as part of a matrix product, in kernel values
  double products = 0.0;
  for (const auto& term : terms_) {
    products += static_cast<double>(term.axes.back().size() * static_cast<Index>(term.prefix.size()));
    for (const auto& axis : term.axes) products += static_cast<double>(axis.nodes() * axis.size());
  }
  return kPerProduct * products * points_of(laws);
}

namespace {

constexpr double kFewValues = 2e6;  // fewer kernel values take less than 10 ms
constexpr double kGain = 0.7;       // of the time for all kernel values: features must take less
constexpr Index kMostFeatures = 4000;

}  // namespace

std::optional<Matrix> smooth_expect(const Kernel& kernel, const Laws& left, const Laws& right) {
  const double values = points_of(left) * points_of(right);
  if (!(values > kFewValues)) return std::nullopt;
  const auto features = SmoothFeatures::of(kernel, {&left, &right}, kMostFeatures);
  if (!features || features->cost(left) + features->cost(right) > kGain * values) return std::nullopt;
  const Matrix rows = features->average(left);
  if (&left == &right) return rows * rows.transpose();
  return rows * features->average(right).transpose();
}

std::optional<Vector> smooth_expect_diagonal(const Kernel& kernel, const Laws& laws) {
  const double points = points_of(laws);
  const double values = points * points / static_cast<double>(std::max<Index>(1, laws.size()));
  if (!(points > 0.0 && values > kFewValues)) return std::nullopt;
  const auto features = SmoothFeatures::of(kernel, {&laws}, kMostFeatures);
  if (!features || features->cost(laws) > kGain * values) return std::nullopt;
  return features->average(laws).rowwise().squaredNorm();
}

}  // namespace iqbo::internal
