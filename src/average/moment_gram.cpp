#include "moment_gram.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "discrete_expectation.hpp"
#include "iqbo/core/check.hpp"
#include "iqbo/core/stop.hpp"
#include "iqbo/kernel/stationary_part.hpp"
#include "smooth_features.hpp"

namespace iqbo::internal {
namespace {

constexpr double kMomentError = 1e-11;       // of interpolation along an axis
constexpr double kLeftOut = 1e-13;           // what a product of polynomials may contribute to q and be left out
constexpr double kNegligibleMoment = 1e-15;  // what a product of features may contribute to q and be left out

// T_0 to T_(count - 1) at each x of [-1, 1], one row each.
Matrix chebyshev(const Eigen::Ref<const Vector>& x, Index count) {
  Matrix out(x.size(), count);
  out.col(0).setOnes();
  if (count > 1) out.col(1) = x;
  for (Index k = 2; k < count; ++k) out.col(k) = 2.0 * x.array() * out.col(k - 1).array() - out.col(k - 2).array();
  return out;
}

}  // namespace

// An RBF along one axis, in terms of Chebyshev polynomials.
struct MomentGram::Axis {
  Matrix value;  // coefficients of rho
  Matrix slope;  // of d rho / dlog lengthscale
  Matrix root;   // root root' = value, its columns in descending order of `most`
  Vector most;   // |polynomial of each column of root|, anywhere on the axis

  Index terms() const { return value.rows(); }
};

// The products of polynomials, T_u along the first axis varying fastest, that contribute to q: at most
// sqrt(C_uu) sqrt(D_vv), C and D the coefficients along the axes.
std::vector<Index> MomentGram::large_products(const Axis& first, const Axis& second) {
  const Vector rows = first.value.diagonal().cwiseMax(first.slope.diagonal().cwiseAbs()).cwiseSqrt();
  const Vector columns = second.value.diagonal().cwiseMax(second.slope.diagonal().cwiseAbs()).cwiseSqrt();
  std::vector<Index> out;
  for (Index v = 0; v < columns.size(); ++v)
    for (Index u = 0; u < rows.size(); ++u)
      if (rows[u] * columns[v] >= kLeftOut) out.push_back(u + v * rows.size());
  return out;
}

Index MomentGram::terms_along(Index c, double precision) const {
  return smooth_nodes(half_[c] * std::sqrt(precision), kMomentError, kMostTerms);
}

MomentGram::Axis MomentGram::axis(Index c, double precision) const {
  const Index n = terms_along(c, precision);
  const Vector at = chebyshev_points(n);
  Matrix to_coefficients = chebyshev(at, n).transpose() * (2.0 / static_cast<double>(n));
  to_coefficients.row(0) /= 2.0;
  const Vector scaled = half_[c] * std::sqrt(precision) * at;
  const Eigen::ArrayXXd r2 = (scaled.replicate(1, n) - scaled.transpose().replicate(n, 1)).array().square();
  const Matrix rho = (-0.5 * r2).exp();
  Axis out;
  out.root = to_coefficients * correlation_root(rho);
  out.value = out.root * out.root.transpose();
  out.slope = to_coefficients * Matrix(rho.array() * r2) * to_coefficients.transpose();
  out.most = (chebyshev(Vector::LinSpaced(4 * n + 1, -1.0, 1.0), n) * out.root).cwiseAbs().colwise().maxCoeff();
  for (Index q = out.most.size() - 1; q > 0; --q) out.most[q - 1] = std::max(out.most[q - 1], out.most[q]);
  return out;
}

std::optional<MomentGram> MomentGram::of(const Laws& laws) {
  if (laws.dimension() > 2) return std::nullopt;
  Vector lower = Vector::Constant(laws.dimension(), std::numeric_limits<double>::infinity());
  Vector upper = -lower;
  std::vector<std::pair<double, DiscreteLaws>> parts;
  for (const auto& [share, kind] : laws.parts()) {
    if (const auto* x = std::get_if<Inputs>(&kind)) {
      SparseRows one(x->size(), x->size());
      one.setIdentity();
      parts.emplace_back(share, DiscreteLaws{std::make_shared<const Inputs>(*x), one});
    } else if (const auto* discrete = std::get_if<DiscreteLaws>(&kind)) {
      parts.emplace_back(share, *discrete);
    } else {
      return std::nullopt;
    }
    const Rows& points = parts.back().second.support->coordinates();
    lower = lower.cwiseMin(points.colwise().minCoeff().transpose());
    upper = upper.cwiseMax(points.colwise().maxCoeff().transpose());
  }
  MomentGram out;
  out.laws_ = laws.size();
  out.dimension_ = laws.dimension();
  out.middle_ = out.half_ = Vector::Zero(2);
  out.middle_.head(out.dimension_) = 0.5 * (lower + upper);
  out.half_.head(out.dimension_) = 0.5 * (upper - lower);
  out.moment_ = Matrix::Zero(kMostTerms, kMostTerms * out.laws_);
  for (const auto& [share, discrete] : parts) out.add(share, discrete);
  return out;
}

void MomentGram::add(double share, const DiscreteLaws& laws) {
  for (Index i = 0; i < laws.weight.rows(); ++i) {
    stop_point();
    std::vector<Index> used;
    std::vector<double> weight;
    for (SparseRows::InnerIterator it(laws.weight, i); it; ++it) {
      used.push_back(it.col());
      weight.push_back(share * it.value());
    }
    add_points(laws.support->coordinates()(used, Eigen::all),
               Eigen::Map<const Vector>(weight.data(), static_cast<Index>(weight.size())), i);
  }
}

void MomentGram::add_points(const Rows& points, const Vector& weight, Index law) {
  const auto along = [&](Index c) -> Matrix {
    Vector scaled = Vector::Zero(points.rows());
    if (c < dimension_ && half_[c] > 0.0) scaled = (points.col(c).array() - middle_[c]) / half_[c];
    return chebyshev(scaled, kMostTerms);
  };
  const Matrix weighted = along(1).array().colwise() * weight.array();
  moment_.middleCols(law * kMostTerms, kMostTerms).noalias() += along(0).transpose() * weighted;
}

bool MomentGram::suits(const Kernel& kernel) const {
  const auto terms = kernel.stationary_terms();
  return std::all_of(terms.begin(), terms.end(), [&](const KernelTerm& term) {
    const auto precision = rbf_precision(term, 2);
    return precision && terms_along(0, (*precision)[0]) <= kMostTerms && terms_along(1, (*precision)[1]) <= kMostTerms;
  });
}

Matrix MomentGram::moments(Index rows, Index columns) const {
  Matrix out(rows, columns * laws_);
  for (Index i = 0; i < laws_; ++i)
    out.middleCols(i * columns, columns) = moment_.block(0, i * kMostTerms, rows, columns);
  return out;
}

// With roots A and B of the coefficients along the axes, q_ij is the scalar product of A' M_i B and A' M_j B.
Matrix MomentGram::covariance(const Kernel& kernel) const {
  Matrix out = Matrix::Zero(laws_, laws_);
  for (const auto& term : kernel.stationary_terms()) {
    const Vector precision = rbf_precision(term, 2).value();
    const Axis first = axis(0, precision[0]);
    const Axis second = axis(1, precision[1]);
    const Matrix half = first.root.transpose() * moments(first.terms(), second.terms());
    std::vector<Index> count;  // how many of the first axis matter with each of the second
    Index size = 0;
    for (const double most : second.most) {
      count.push_back((most * first.most.array() >= std::sqrt(kNegligibleMoment)).count());
      size += count.back();
    }
    Matrix feature(size, laws_);
    for (Index i = 0; i < laws_; ++i) {
      const Matrix whole = half.middleCols(i * second.terms(), second.terms()) * second.root;
      Index row = 0;
      for (Index q = 0; q < whole.cols(); ++q) {
        const Index kept = count[static_cast<std::size_t>(q)];
        feature.col(i).segment(row, kept) = whole.col(q).head(kept);
        row += kept;
      }
    }
    out.selfadjointView<Eigen::Lower>().rankUpdate(feature.transpose(), term.variance);
  }
  return out.selfadjointView<Eigen::Lower>();
}

// sum_ij T_ij <M_i, C M_j D'> = <sum_j (sum_i T_ij M_i) (M_j D)', C>, and likewise for D.
Vector MomentGram::pull_back(const Kernel& kernel, const Matrix& weight) const {
  require_rows(weight.rows(), laws_, "weight");
  require_columns(weight.cols(), laws_, "weight");
  Vector gradient = Vector::Zero(kernel.log_parameters().size());
  Index at = 0;
  for (const auto& term : kernel.stationary_terms()) {
    const Vector precision = rbf_precision(term, 2).value();
    const Axis first = axis(0, precision[0]);
    const Axis second = axis(1, precision[1]);
    const Index n = first.terms();
    const Index m = second.terms();
    const Matrix moment = moments(n, m);
    const std::vector<Index> used = large_products(first, second);
    const Matrix some = Eigen::Map<const Matrix>(moment.data(), n * m, laws_)(used, Eigen::all);
    Matrix mixed = Matrix::Zero(n, m * laws_);
    Eigen::Map<Matrix>(mixed.data(), n * m, laws_)(used, Eigen::all) = some * weight;
    const Matrix left = first.value * moment;
    Matrix right(n, m * laws_);
    Matrix of_second = Matrix::Zero(m, m);
    for (Index j = 0; j < laws_; ++j) {
      right.middleCols(j * m, m).noalias() = moment.middleCols(j * m, m) * second.value;
      of_second.noalias() += mixed.middleCols(j * m, m).transpose() * left.middleCols(j * m, m);
    }
    const Matrix of_first = mixed * right.transpose();
    const Vector slope{{of_first.cwiseProduct(first.slope).sum(), of_second.cwiseProduct(second.slope).sum()}};
    gradient[at++] = term.variance * of_first.cwiseProduct(first.value).sum();
    for (const auto& [part, columns] : term.factors)
      for (const Index column : columns) gradient[at++] = term.variance * slope[column];
  }
  return gradient;
}

}  // namespace iqbo::internal
