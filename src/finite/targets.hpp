// What a finite belief is about, before any observation: f on listed inputs, g on listed queries.
#pragma once

#include <memory>
#include <vector>

#include "average/lattice_laws.hpp"
#include "numerics/pivoted_cholesky.hpp"
#include "posterior/prior.hpp"

namespace iqbo {

class SharedLaws;

struct FiniteTargets {
  FiniteTargets(Prior assumed, std::shared_ptr<const Conditional> p_x_given_a, Inputs inputs, Queries queries,
                std::shared_ptr<SharedLaws> common = {});

  Prior prior;
  std::shared_ptr<const Conditional> conditional;
  Inputs x;
  Queries a;
  Vector f_mean;           // m(x)
  Vector g_mean;           // nu(a)
  double amplitude = 0.0;  // largest prior variance of f
  bool support_is_x;       // p(x|a) lists its points, and they are x
  bool windows;            // p(x|a) is a Gaussian or a uniform window
  double least_share;      // of any variance: the least noise (posterior/least_noise.hpp)
  std::shared_ptr<const internal::LatticePoints> lattice;  // of x; null if it is not on one, or k is not stationary
  std::shared_ptr<SharedLaws> laws;                        // where others have the same p(x|a); or null

  // Whether covariances are functions of lags (average/lattice_kernel.hpp).
  bool by_lag() const { return support_is_x && lattice != nullptr; }

  // Whether few observations cost little without features: covariances by lag or under windows, paths by embedding. Clouds of
  // other points than x have neither.
  bool has_cheap_columns() const { return lattice != nullptr && (support_is_x || windows); }

  // var - known, but no less than the errors of covariances (unless `var` was less), so that a variance is 0 only where it
  // always was.
  Vector remaining(const Vector& var, const Vector& known) const {
    return (var - known).cwiseMax(var.cwiseMin(least_share * amplitude).cwiseMax(0.0));
  }

  // The same with more queries at the end.
  std::shared_ptr<const FiniteTargets> with(const Queries& more) const;

  const Inputs* support() const { return conditional->support(); }
  Prior of_f() const { return {prior.kernel, prior.mean, nullptr}; }  // without the discrepancy
};

// f at inputs (rows 0 to n - 1) and its averages at queries (rows n to n + p - 1) as one Gaussian vector.
class JointPrior final : public internal::CovarianceSource {
 public:
  JointPrior(Prior prior, std::shared_ptr<const Conditional> conditional, Inputs x, const Queries& a);

  Index inputs() const { return x_.size(); }
  Index size() const { return x_.size() + a_.size(); }
  const Kernel& kernel() const { return *prior_.kernel; }
  const Inputs& x() const { return x_; }
  const Functionals& averaged() const { return averages_.front(); }  // where a() is not empty
  const Queries& a() const { return a_; }

  Vector diagonal() const override;
  Matrix columns(const std::vector<Index>& which) const override;
  Matrix block(const std::vector<Index>& which) const override;
  Matrix covariance(const std::vector<Index>& which, const Functionals& others) const;  // |which| x |others|

 private:
  struct Split;
  Split split(const std::vector<Index>& which) const;

  Prior prior_;
  std::shared_ptr<const Conditional> conditional_;
  Inputs x_;
  Queries a_;
  std::vector<Functionals> averages_;  // of all queries; empty if there are none
  Matrix features_;                    // of all rows, if laws are clouds and the kernel is smooth; else empty
};

// The discrepancy at queries.
class DiscrepancyPrior final : public internal::CovarianceSource {
 public:
  DiscrepancyPrior(std::shared_ptr<const Kernel> l, Queries a) : l_(std::move(l)), a_(std::move(a)) {}

  Vector diagonal() const override { return l_->diagonal(a_); }
  Matrix columns(const std::vector<Index>& which) const override { return l_->gram(a_, at(which)); }
  Matrix block(const std::vector<Index>& which) const override { return l_->gram(at(which)); }
  Matrix covariance(const std::vector<Index>& which, const Queries& others) const {
    return l_->gram(at(which), others);
  }

 private:
  Queries at(const std::vector<Index>& which) const { return Queries(a_.coordinates()(which, Eigen::all)); }

  std::shared_ptr<const Kernel> l_;
  Queries a_;
};

}  // namespace iqbo
