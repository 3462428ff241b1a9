#include "ridge_mean.hpp"

#include <utility>

#include "iqbo/core/stop.hpp"
#include "leave_one_out.hpp"
#include "numerics/cholesky.hpp"
#include "ridge_grid.hpp"

namespace iqbo {

using namespace internal;

namespace {

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

RidgeSettings choose_ridge(const LoggedPairs& all, const LoggedPairs& others) {
  constexpr double kStep = 1.5, kRidgeStep = 4.0;
  constexpr int kSweeps = 4, kMostSteps = 8;
  const LoggedPairs known = all.subset(some_rows(all.size(), kJudgedRidgePairs));
  const LoggedPairs judges = others.subset(some_rows(others.size(), kRidgeJudges));
  const Vector unit = all.x_sd.cwiseInverse();
  const auto error = [&](const RidgeSettings& settings) {
    stop_point();
    const Rows off = judges.x().coordinates() - RidgeMean(known, settings)(judges.a);
    return (off * unit.asDiagonal()).squaredNorm();
  };
  RidgeSettings best = choose_ridge(all);
  double least = error(best);
  const auto try_one = [&](const RidgeSettings& other) {
    const double found = error(other);
    if (!(found < least)) return false;
    best = other;
    least = found;
    return true;
  };
  // Along one number, as far as it helps: up, or else down.
  const auto along = [&](const auto& moved) {
    bool better = false;
    for (const bool up : {true, false}) {
      for (int step = 0; step < kMostSteps && try_one(moved(best, up)); ++step) better = true;
      if (better) break;
    }
    return better;
  };
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    bool better = along([](RidgeSettings other, bool up) {
      other.ridge *= up ? kRidgeStep : 1.0 / kRidgeStep;
      return other;
    });
    for (Index group = 0; group < best.scale.size(); ++group)
      better |= along([group](RidgeSettings other, bool up) {
        other.scale[group] *= up ? kStep : 1.0 / kStep;
        return other;
      });
    if (!better) break;
  }
  return best;
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
