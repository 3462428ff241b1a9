#include "iqbo/acquisition/pointwise_cut.hpp"

#include <cmath>
#include <utility>

#include "batch.hpp"
#include "iqbo/core/check.hpp"
#include "numerics/normal.hpp"

namespace iqbo {

using namespace internal;

PointwiseCut::PointwiseCut(Inputs references, const Vector& f_mean, Vector f_var, const Vector& fstar)
    : references_(std::move(references)), f_var_(std::move(f_var)), share_(references_.size(), fstar.size()) {
  require_not_empty(references_.size(), "references");
  require_rows(f_mean.size(), references_.size(), "f_mean");
  require_finite(f_mean, "f_mean");
  require_rows(f_var_.size(), references_.size(), "f_var");
  require_non_negative(f_var_, "f_var");
  require_samples(fstar, "fstar");
  for (Index i = 0; i < references_.size(); ++i)
    for (Index s = 0; s < fstar.size(); ++s) {
      if (f_var_[i] == 0.0) {
        share_(i, s) = 0.0;
        continue;
      }
      const CutNormal cut = cut_normal((fstar[s] - f_mean[i]) / std::sqrt(f_var_[i]));
      share_(i, s) = std::min(cut.lam * cut.gap, 1.0) / f_var_[i];
    }
}

Vector PointwiseCut::score(const Outlook& outlook, const Eigen::Ref<const Matrix>& c, OutlookGradient* gradient) const {
  const Index n = references_.size(), samples = share_.cols();
  require_batch(outlook);
  require_cross(c, n, outlook.size());
  clear(gradient, n, outlook.size());
  Vector value(outlook.size()), squares(n);
  constexpr double kMost = 1.0 - 1e-12;  // rounding may leave a correlation above 1
  for (Index j = 0; j < outlook.size(); ++j) {
    const double var = outlook.q[j] + outlook.noise_var[j];
    if (!(var > 0.0)) {
      value[j] = kWorthless;
      continue;
    }
    squares = c.col(j).cwiseAbs2();
    double sum = 0.0;
    for (Index s = 0; s < samples; ++s) {
      Index at = 0;
      const double most = squares.cwiseProduct(share_.col(s)).maxCoeff(&at) / var;
      const double part = std::min(most, kMost);
      sum -= 0.5 * std::log1p(-part);
      if (gradient == nullptr || most >= kMost) continue;
      const double slope = 0.5 / (1.0 - part);
      gradient->q[j] -= slope * part / var;
      gradient->c(at, j) += slope * 2.0 * c(at, j) * share_(at, s) / var;
    }
    value[j] = sum > 0.0 ? std::log(sum / static_cast<double>(samples)) : kWorthless;
    if (gradient == nullptr || !(sum > 0.0)) continue;
    gradient->q[j] /= sum;
    gradient->c.col(j) /= sum;
  }
  return value;
}

}  // namespace iqbo
