#include "prior.hpp"

#include "iqbo/average/expectation.hpp"

namespace iqbo {

Vector Prior::mean_of(const Functionals& functionals) const { return expect(*mean, functionals.laws); }

Matrix Prior::covariance(const Functionals& left, const Functionals& right) const {
  Matrix out = expect(*kernel, left.laws, right.laws);
  if (discrepancy && left.averaged() && right.averaged()) out += discrepancy->gram(left.queries, right.queries);
  return out;
}

Vector Prior::variance(const Functionals& functionals) const {
  Vector out = expect_diagonal(*kernel, functionals.laws);
  if (discrepancy && functionals.averaged()) out += discrepancy->diagonal(functionals.queries);
  return out;
}

Prior::Gradient Prior::zero_gradient() const {
  return {Vector::Zero(kernel->log_parameters().size()),
          discrepancy ? Vector(Vector::Zero(discrepancy->log_parameters().size())) : Vector()};
}

void Prior::pull_back(const Functionals& left, const Functionals& right, const Matrix& weight, Gradient& sum) const {
  sum.kernel += expect_pull_back(*kernel, left.laws, right.laws, weight);
  if (discrepancy && left.averaged() && right.averaged())
    sum.discrepancy += discrepancy->pull_back(left.queries, right.queries, weight);
}

}  // namespace iqbo
