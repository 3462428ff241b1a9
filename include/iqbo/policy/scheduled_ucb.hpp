// GP-UCB on f with resolutions that follow a schedule: theorem 2 of [Zhang26].
//
//   xi_t = argmax over x of m_{t-1}(x) + sqrt(beta_t k_{t-1}(x, x)),   a_t = (xi_t, delta_t),   t - 1 answers so far
//
//   ScheduledUcb ucb(Posterior(kernel, GaussianConditional(QueryMap::columns({0}), QueryMap::columns({1}))),
//                    InputSet(x), ResolutionSchedule::paper(1).within(0.01, 0.3), noise_var, {}, seed);
//   const Queries a = ucb.suggest();
//   ucb.observe(a, ask(a));
//
// It asks where f may be large although the answer is an average. A query is a point of X with a width here, so only X
// is searched; policies that choose queries by what they reveal are in policy.hpp.
#pragma once

#include <cstdint>
#include <functional>

#include "iqbo/policy/setting.hpp"
#include "iqbo/posterior/posterior.hpp"
#include "iqbo/theory/schedule.hpp"

namespace iqbo {

struct ScheduledUcbOptions {
  double delta = 0.1;  // the band holds with probability 1 - delta
  // beta_t; if not given, that of the concentration lemma with the size of a list X for |X|. The lemma is about lists:
  // a box is represented by kPerAxis points per axis, which guarantees nothing between them.
  std::function<double(Index t)> beta = {};
  static constexpr double kPerAxis = 100.0;
};

class ScheduledUcb {
 public:
  // The conditional of `prior` must read queries as (xi, delta).
  ScheduledUcb(const Posterior& prior, TargetSpace x, ResolutionSchedule schedule, double noise_var,
               const ScheduledUcbOptions& options, std::uint64_t seed);

  Queries suggest() const;  // one row; the same until something is observed
  void observe(const Queries& a, const Vector& z);
  Inputs best() const;  // argmax of the mean

  double beta() const;  // of the next step
  Index size() const { return posterior_.size(); }
  const Posterior& posterior() const { return posterior_; }

 private:
  Inputs largest(double sd_factor) const;  // argmax of m + sd_factor sd

  Posterior posterior_;
  TargetSpace x_;
  ResolutionSchedule schedule_;
  double noise_var_;
  ScheduledUcbOptions options_;
  std::uint64_t seed_;
};

}  // namespace iqbo
