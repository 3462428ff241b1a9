// The conditional knowledge gradient in rates: f = h(eta), and what is wanted is the largest E f.
//
//   log ( E max_i E[f_i | z] - max_i E f_i ),   eta_i | z ~ N(m_i + b_i Z, v_i - b_i^2),   b_i = c(i, j) / sqrt(q_j + noise_var_j)
//
// over the reference inputs, eta_i ~ N(m_i, v_i) before the answer, Z ~ N(0, 1). Under the log link E[f_i | z] is
// exp(m_i + v_i / 2 + b_i Z - b_i^2 / 2): the exponential of a line in Z, and its expectation over each piece of the upper
// envelope is a difference of normal probabilities. Under the logit link E[f_i | z] is taken to be h of a line, that of
// m_i + b_i Z over sqrt(1 + pi (v_i - b_i^2) / 8) [MacKay92], and pieces are integrated by 48 Gauss-Legendre nodes.
// Worths below 1e-13 of the best E f (logit: 1e-8) are rounding, and count as worthless.
#pragma once

#include <vector>

#include "iqbo/acquisition/acquisition.hpp"
#include "iqbo/numerics/link.hpp"

namespace iqbo {

class RateGradient : public Acquisition {
 public:
  RateGradient(Inputs references, Vector mean, Vector var, Link link);  // r_i, m_i and v_i; log or logit

  const Inputs& references() const override { return references_; }
  bool logarithmic() const override { return true; }
  bool has_gradient() const override { return false; }
  Vector score(const Outlook& outlook, const Eigen::Ref<const Matrix>& c,
               OutlookGradient* gradient = nullptr) const override;

 private:
  Inputs references_;
  Vector mean_, var_;
  Link link_;
  std::vector<Index> leaders_;  // of the largest E f
};

}  // namespace iqbo
