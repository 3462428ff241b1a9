// The assumptions before any data, and the linear functionals to which they are applied.
//
//   f ~ GP(m, k)    and, where p(x|a) was learned,    e ~ GP(0, l) on A, independent of f
//
// A functional is f(x), or a noise-free answer: g(a) = E[f(X) | a] + e(a). The discrepancy e is part of g and not of f:
// it enters covariances between queries and nothing else.
#pragma once

#include <memory>

#include "iqbo/average/laws.hpp"
#include "iqbo/conditional/conditional.hpp"
#include "iqbo/kernel/kernel.hpp"
#include "iqbo/kernel/mean.hpp"

namespace iqbo {

struct Functionals {
  Laws laws;
  Queries queries = {};  // none for f(x)

  Index size() const { return laws.size(); }
  bool averaged() const { return !queries.empty(); }
};

inline Functionals looks(const Inputs& x) { return {Laws(x)}; }
inline Functionals averages(const Conditional& conditional, const Queries& a) { return {conditional.laws(a), a}; }

struct Prior {
  std::shared_ptr<const Kernel> kernel;
  std::shared_ptr<const Mean> mean;
  std::shared_ptr<const Kernel> discrepancy;  // l; null for none

  Vector mean_of(const Functionals& functionals) const;
  Matrix covariance(const Functionals& left, const Functionals& right) const;
  Vector variance(const Functionals& functionals) const;

  // sum_ij weight_ij d covariance_ij, in kernel->log_parameters() and in discrepancy->log_parameters().
  struct Gradient {
    Vector kernel;
    Vector discrepancy;
  };
  Gradient zero_gradient() const;
  void pull_back(const Functionals& left, const Functionals& right, const Matrix& weight, Gradient& sum) const;
};

}  // namespace iqbo
