// The level set {x : f(x) > threshold}: by how much an answer lowers the expected number of inputs on the wrong side.
//
// An input r_i is put on the side of its mean, and is then on the wrong one with probability
//
//   P_i = Phi(-|h_i|),     h_i = (m_i - threshold) / s_i,     f(r_i) ~ N(m_i, s_i^2)
//
// After the answer at a_j the mean is m_i + rho s_i Z, rho = |c(i, j)| / (s_i sqrt(q_j + noise_var_j)), Z ~ N(0, 1), and mean
// and f lie on different sides of the threshold with probability 2 T(|h_i|, sqrt(1 - rho^2) / rho), T being Owen's function
// [Owen56]. The score is the logarithm of
//
//   sum_i P_i - 2 T(|h_i|, sqrt(1 - rho^2) / rho) = sum_i 1/pi int_0^asin(rho) exp(-h_i^2 / (2 sin^2 t)) dt
//
// which is exact where f is Gaussian. It never is negative: an answer does not make things worse on average.
#pragma once

#include "iqbo/acquisition/acquisition.hpp"

namespace iqbo {

class LevelSet : public Acquisition {
 public:
  LevelSet(Inputs references, Vector mean, Vector var, double threshold);  // r_i, m_i and s_i^2

  const Inputs& references() const override { return references_; }
  bool logarithmic() const override { return true; }
  Vector score(const Outlook& outlook, const Eigen::Ref<const Matrix>& c,
               OutlookGradient* gradient = nullptr) const override;

 private:
  Inputs references_;
  Vector sd_;
  Vector distance_;  // |h|
};

// P - 2 T(h, sqrt(1 - rho^2) / rho), h >= 0, 0 <= rho <= 1; to 1e-14.
double misclassification_drop(double h, double rho);

}  // namespace iqbo
