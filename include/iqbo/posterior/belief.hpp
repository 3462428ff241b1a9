// What is believed about f and about g(a) = E[f(X) | A = a].
//
//   g(a) -> nu(a), q(a, a)     integrated process, used to query
//   f(x) -> m(x), k(x, x)      direct process, used to recommend
//
// Noise sigma^2 is never included: add it where z, not g, is meant. Variances are floored at 0; covariance matrices are
// returned as computed. Every call is batched, and marginals are computed in chunks, so that memory does not grow with
// the number of points beyond the answer itself. Beliefs are immutable and safe to share between threads.
//
// The plain GP on (a, z) knows queries only; the conditional mean process knows inputs too, hence two interfaces.
#pragma once

#include "iqbo/core/points.hpp"

namespace iqbo {

struct Marginals {
  Vector mean;
  Vector var;
};

class QueryBelief {
 public:
  virtual ~QueryBelief() = default;

  virtual Marginals g(const Queries& a) const = 0;
  virtual Matrix g_cov(const Queries& a, const Queries& b) const = 0;
  Matrix g_cov(const Queries& a) const { return g_cov(a, a); }

 protected:
  QueryBelief() = default;
  QueryBelief(const QueryBelief&) = default;
  QueryBelief(QueryBelief&&) = default;
  QueryBelief& operator=(const QueryBelief&) = default;
  QueryBelief& operator=(QueryBelief&&) = default;
};

class Belief : public QueryBelief {
 public:
  virtual Marginals f(const Inputs& x) const = 0;
  virtual Matrix f_cov(const Inputs& x, const Inputs& y) const = 0;
  virtual Matrix fg_cov(const Inputs& x, const Queries& a) const = 0;  // Cov(f(x), g(a)), |x| x |a|
  Matrix f_cov(const Inputs& x) const { return f_cov(x, x); }
};

}  // namespace iqbo
