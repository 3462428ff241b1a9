// CMES with the condition that a sample of f* really puts: f(x) <= f* for every x, where [Zhang26] has g(a) <= f*.
//
// An average over a window hardly ever reaches f*, so that g(a) <= f* says nothing about a wide window, and CMES never looks where
// a narrow peak may hide. f(x) <= f* for a single x does say something about z, through their correlation:
//
//   PointwiseCut   log mean_s max_i [ -log(1 - rho_i^2 cut_is) / 2 ],   rho_i^2 = c_i^2 / (k_i (q + noise_var))
//
// c_i = Cov(f(r_i), g(a)), k_i = Var f(r_i), and cut_is = lam (lam + gamma) at gamma = (fstar_s - m_i) / sqrt(k_i) is the share of the
// variance of f(r_i) that the condition f(r_i) <= fstar_s removes (lam = phi / Phi). So this is the information that z and the one
// condition share, from variances; of the conditions at all references the most informative counts. The score is ours.
#pragma once

#include "iqbo/acquisition/acquisition.hpp"

namespace iqbo {

class PointwiseCut : public Acquisition {
 public:
  // References r_i with the mean m_i and the variance k_i of f there; samples of f*.
  PointwiseCut(Inputs references, const Vector& f_mean, Vector f_var, const Vector& fstar);

  const Inputs& references() const override { return references_; }
  bool logarithmic() const override { return true; }
  Vector score(const Outlook& outlook, const Eigen::Ref<const Matrix>& c,
               OutlookGradient* gradient = nullptr) const override;

 private:
  Inputs references_;
  Vector f_var_;
  Matrix share_;  // cut_is / k_i, a column for each sample
};

}  // namespace iqbo
