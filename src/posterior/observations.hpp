// What has been observed, in order of arrival: averages and direct looks at f, mixed freely.
#pragma once

#include <vector>

#include "prior.hpp"

namespace iqbo {

class Observations {
 public:
  // Direct looks and averages are kept apart, so that each goes through one batched call; `rows` says which
  // observation each of them is.
  struct Part {
    Functionals functionals;
    std::vector<Index> rows;
  };

  const std::vector<Part>& parts() const { return parts_; }  // at most two
  Index size() const { return z_.size(); }
  const Inputs& inputs() const { return inputs_; }
  const Queries& queries() const { return queries_; }
  const Vector& z() const { return z_; }
  const Vector& noise_var() const { return noise_var_; }

  Observations with(const Functionals& added, const Vector& z, const Vector& noise_var) const;
  Observations with_noise_var(const Vector& noise_var) const;
  Observations with_laws(const Conditional& conditional) const;

  std::vector<Index> rows_of(bool averaged) const;  // which observations are averages, or direct looks

  Vector prior_mean(const Prior& prior) const;
  Matrix mean_jacobian(const Prior& prior) const;
  Matrix covariance(const Prior& prior) const;                                // of the observations, without noise
  Matrix covariance(const Prior& prior, const Functionals& others) const;     // size() x others.size()
  Prior::Gradient pull_back(const Prior& prior, const Matrix& weight) const;  // sum_ij weight_ij d covariance_ij

 private:
  Inputs inputs_;
  Queries queries_;
  std::vector<Part> parts_;
  Vector z_;
  Vector noise_var_;
};

}  // namespace iqbo
