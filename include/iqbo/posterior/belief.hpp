// What is believed about f and about g(a) = E[f(X) | A = a].
//
//   g(a) -> nu(a), q(a, a)     integrated process, used to query
//   f(x) -> m(x), k(x, x)      direct process, used to recommend
//
// Noise sigma^2 is never included: add it where z, not g, is meant. Variances are floored at 0; covariance matrices are
// returned as computed. Every call is batched, and marginals are computed in chunks, so that memory does not grow with
// the number of points beyond the result itself. Beliefs are immutable and safe to share between threads.
//
// Gradients with respect to a or x come as pullbacks, batched like everything else: given weights of each mean and
// each variance, and of covariances with f at some x,
//
//   g_pull_back(a, w)          row j:  w.mean_j d nu(a_j)/da_j + w.var_j d q(a_j, a_j)/da_j
//   g_pull_back(a, w, x, M)    the same plus  sum_i M_ij d Cov(f(x_i), g(a_j))/da_j,  sharing the solves
//   f_pull_back(x, w)          row j:  w.mean_j d m(x_j)/dx_j  + w.var_j d k(x_j, x_j)/dx_j
//
// An empty w.mean or w.var weighs nothing. A variance is differentiated as if it were not floored. gradients() says
// whether g has a gradient and how it is found (conditional/gradients.hpp); where it is kNone, g_pull_back throws
// std::invalid_argument.
//
// The plain GP on (a, z) knows queries only; the conditional mean process knows inputs too, hence two interfaces.
#pragma once

#include <vector>

#include "iqbo/conditional/gradients.hpp"
#include "iqbo/core/points.hpp"

namespace iqbo {

struct Marginals {
  Vector mean;
  Vector var;
};

// The moments of a mixture: sum_s w_s of the means, and of the variances plus the squared deviations of the means.
// Weights need not sum to one.
struct Mixture {
  Marginals all;
  Matrix off;  // column s: the mean of member s minus that of all
};
Mixture mixture_of(const std::vector<Marginals>& members, const Vector& weights);
Marginals mixture(const std::vector<Marginals>& members, const Vector& weights);

// What a query that counts as answered is taken to have said, to each member: the mean of the mixture, so that on this query
// they no longer disagree, but at most two sds of the answer from what the member expects. `each`: g there, by member.
Vector agreed_answer(const Marginals& each, const Vector& noise_var, const Vector& weights);

// Refuses weights of a pullback unless each of them is empty or has one entry per point.
void require_weights(const Marginals& weight, Index points);

class QueryBelief {
 public:
  virtual ~QueryBelief() = default;

  virtual Marginals g(const Queries& a) const = 0;
  virtual Matrix g_cov(const Queries& a, const Queries& b) const = 0;
  Matrix g_cov(const Queries& a) const { return g_cov(a, a); }

  virtual Gradients gradients() const { return Gradients::kNone; }
  virtual Rows g_pull_back(const Queries& a, const Marginals& weight) const;

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

  using QueryBelief::g_pull_back;
  virtual Rows g_pull_back(const Queries& a, const Marginals& weight, const Inputs& x, const Matrix& fg_weight) const;
  virtual Rows f_pull_back(const Inputs& x, const Marginals& weight) const;
};

}  // namespace iqbo
