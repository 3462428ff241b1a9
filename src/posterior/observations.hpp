// What has been observed, in order of arrival: answers (averages) and values of f, in any mixture.
#pragma once

#include <vector>

#include "iqbo/posterior/contradiction.hpp"
#include "prior.hpp"

namespace iqbo {

class Observations {
 public:
  // Values and averages are stored separately, so that each kind goes through one batched call; `rows` has the position
  // of each among all observations.
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

  Contradiction::Observed observed(Index i) const;  // what it was, and where; nothing of what was expected

  std::vector<Index> rows_of(bool averaged) const;  // positions of the averages, or of the values of f

  Vector prior_mean(const Prior& prior) const;
  Matrix mean_jacobian(const Prior& prior) const;
  Matrix covariance(const Prior& prior) const;                             // of the observations, without noise
  Matrix covariance(const Prior& prior, const Functionals& others) const;  // size() x others.size()

  // sum_ij weight_ij d covariance_ij, for a symmetric weight.
  Prior::Gradient pull_back(const Prior& prior, const Matrix& weight) const;

 private:
  Inputs inputs_;
  Queries queries_;
  std::vector<Part> parts_;
  Vector z_;
  Vector noise_var_;
};

}  // namespace iqbo
