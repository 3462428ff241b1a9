// The conditional knowledge gradient: the expected rise of the largest posterior mean of f once a is answered.
//
//   log ( E max_i (m_i + b_i Z) - max_i m_i ),   b_i = c(i, j) / sqrt(q_j + noise_var_j),   Z ~ N(0, 1)
//
// over the reference inputs r_i with posterior means m_i: the answer z moves m_i by b_i times the standardised surprise
// Z. Exact for a finite set of references, by the upper envelope of the lines m_i + b_i Z [Frazier09]:
//
//   sum over corners z_e of the envelope:   (change of slope) (phi(z_e) - |z_e| Phi(-|z_e|))
//
// Lines that rise above the best one only for |Z| > sqrt(81 + z_1^2), z_1 being the corner nearest to 0, are left out.
// That costs at most 5e-18 max_i |b_i - b_best| / |b_1 - b_best| of the worth, b_1 the slope beyond z_1, however small
// the worth is.
//
// Cost for n references, per query: a vectorised pass over the column of c, a pass that keeps the lines that matter,
// and a hull by repeated farthest points [Barber96]; O(n) in all except for contrived columns. Nothing is sorted.
#pragma once

#include "iqbo/acquisition/acquisition.hpp"

namespace iqbo {

class Ckg : public Acquisition {
 public:
  Ckg(Inputs references, Vector mean);  // r_i and m_i

  const Inputs& references() const override { return references_; }
  bool logarithmic() const override { return true; }
  Vector score(const Outlook& outlook, const Eigen::Ref<const Matrix>& c,
               OutlookGradient* gradient = nullptr) const override;

 private:
  Inputs references_;
  Vector mean_;
};

// The same for plain arrays, in units of f rather than as a logarithm; c has a row per reference, a column per query.
Vector knowledge_gradient(const Eigen::Ref<const Vector>& mean, const Eigen::Ref<const Matrix>& c,
                          const Eigen::Ref<const Vector>& q, const Eigen::Ref<const Vector>& noise_var);

}  // namespace iqbo
