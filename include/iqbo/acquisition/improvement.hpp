// The classic scores, on the belief about g, with t = (nu - incumbent) / sqrt(q):
//
//   ExpectedImprovement        log E[(g - incumbent)+] = log sqrt(q) + log(phi(t) + t Phi(t))
//   ProbabilityOfImprovement   log P(g >= incumbent)   = log Phi(t)
//   Ucb                        nu + root_beta sqrt(q)                                           not logarithmic
//   MaxVariance                log q, a control
//
// The logarithms stay exact where the improvement itself underflows, as [Ament23] recommends. At q = 0 the scores are
// their limits, -infinity where the worth vanishes, and derivatives that would be infinite are set to zero.
#pragma once

#include "iqbo/acquisition/acquisition.hpp"

namespace iqbo {

class ExpectedImprovement : public Acquisition {
 public:
  explicit ExpectedImprovement(double incumbent);

  bool logarithmic() const override { return true; }
  Vector score(const Outlook& outlook, const Eigen::Ref<const Matrix>& c,
               OutlookGradient* gradient = nullptr) const override;

 private:
  double incumbent_;
};

class ProbabilityOfImprovement : public Acquisition {
 public:
  explicit ProbabilityOfImprovement(double incumbent);

  bool logarithmic() const override { return true; }
  Vector score(const Outlook& outlook, const Eigen::Ref<const Matrix>& c,
               OutlookGradient* gradient = nullptr) const override;

 private:
  double incumbent_;
};

class Ucb : public Acquisition {
 public:
  explicit Ucb(double root_beta = 2);

  bool logarithmic() const override { return false; }
  Vector score(const Outlook& outlook, const Eigen::Ref<const Matrix>& c,
               OutlookGradient* gradient = nullptr) const override;

 private:
  double root_beta_;
};

class MaxVariance : public Acquisition {
 public:
  bool logarithmic() const override { return true; }
  Vector score(const Outlook& outlook, const Eigen::Ref<const Matrix>& c,
               OutlookGradient* gradient = nullptr) const override;
};

// The same for plain arrays: the improvement and its probability, not their logarithms.
Vector expected_improvement(const Eigen::Ref<const Vector>& nu, const Eigen::Ref<const Vector>& q, double incumbent);
Vector probability_of_improvement(const Eigen::Ref<const Vector>& nu, const Eigen::Ref<const Vector>& q,
                                  double incumbent);
Vector ucb(const Eigen::Ref<const Vector>& nu, const Eigen::Ref<const Vector>& q, double root_beta = 2);

}  // namespace iqbo
