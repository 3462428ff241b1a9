// What has been observed, in order of arrival: averages and direct looks at f, mixed freely.
#pragma once

#include <vector>

#include "iqbo/conditional/laws.hpp"
#include "iqbo/core/points.hpp"
#include "iqbo/kernel/kernel.hpp"
#include "iqbo/kernel/mean.hpp"

namespace iqbo {

class Observations {
 public:
  Index size() const { return z_.size(); }
  const Inputs& inputs() const { return inputs_; }
  const Queries& queries() const { return queries_; }
  const Vector& z() const { return z_; }
  const Vector& noise_var() const { return noise_var_; }

  Observations with(const Inputs& x, const Vector& z, const Vector& noise_var) const;
  Observations with(const Queries& a, const Laws& laws, const Vector& z, const Vector& noise_var) const;

  Vector prior_mean(const Mean& mean) const;
  Matrix mean_jacobian(const Mean& mean) const;
  Matrix covariance(const Kernel& kernel) const;                       // of the observations, without noise
  Matrix covariance(const Kernel& kernel, const Laws& others) const;   // size() x others.size()
  Vector pull_back(const Kernel& kernel, const Matrix& weight) const;  // sum_ij weight_ij d covariance_ij / d theta

 private:
  // Direct looks and averages are kept apart, so that each goes through one batched call; the row vectors say which
  // observation each of them is.
  struct Part {
    Laws laws;
    std::vector<Index> rows;
  };
  void append(const Laws& laws, const Vector& z, const Vector& noise_var);

  Inputs inputs_;
  Queries queries_;
  std::vector<Part> parts_;  // at most two: Inputs and the conditional's kind
  Vector z_;
  Vector noise_var_;
};

}  // namespace iqbo
