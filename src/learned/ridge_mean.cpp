#include "ridge_mean.hpp"

#include <utility>

#include "leave_one_out.hpp"
#include "numerics/cholesky.hpp"
#include "ridge_grid.hpp"

namespace iqbo {

using namespace internal;

namespace {

constexpr double kIntercept = 100.0;

Matrix gram(const Matrix& a, const Matrix& b) { return similarity(a, b).array() + kIntercept; }

}  // namespace

RidgeSettings choose_ridge(const LoggedPairs& all) {
  const LoggedPairs pairs = all.subset(some_rows(all.size(), kRidgePairs));
  const Rows x = pairs.scaled_x();
  return search_ridge(*pairs.encoding, [&](const Vector& scale) {
    const Matrix logged = pairs.encoding->encoded(pairs.a, scale);
    const RidgeLeaveOneOut left_out(gram(logged, logged));
    return best_ridge([&](double ridge) { return left_out.residuals(ridge, x).squaredNorm(); });
  });
}

RidgeMean::RidgeMean(const LoggedPairs& pairs, const RidgeSettings& settings, Rows weight, Rows leave_one_out)
    : encoding_(pairs.encoding),
      scale_(settings.scale),
      logged_(encoding_->encoded(pairs.a, scale_)),
      weight_(std::move(weight)),
      leave_one_out_(std::move(leave_one_out)) {}

RidgeMean::RidgeMean(const LoggedPairs& pairs, const RidgeSettings& settings) : RidgeMean(pairs, settings, {}, {}) {
  Matrix a = gram(logged_, logged_);
  a.diagonal().array() += settings.ridge;
  const Cholesky factor(a);
  Matrix solved = pairs.x().coordinates();
  factor.solve_lower_in_place(solved);
  factor.solve_upper_in_place(solved);
  weight_ = solved;
  solved.array().colwise() /= factor.inverse_diagonal().array();
  leave_one_out_ = solved;
}

// Weights are large and cancel. So queries are computed one by one: the result for a query must not depend, by
// rounding, on the rest of the batch (it did, by 1e-10 of the spread, with 60 pairs).
Rows RidgeMean::operator()(const Queries& a) const {
  const Matrix here = encoding_->encoded(a, scale_);
  const Eigen::RowVectorXd intercept = kIntercept * weight_.colwise().sum();
  Rows out(a.size(), weight_.cols());
  for (Index i = 0; i < a.size(); ++i) out.row(i) = similarity(logged_, here.row(i)).transpose() * weight_ + intercept;
  return out;
}

}  // namespace iqbo
