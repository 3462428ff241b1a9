// p(x|a): which inputs a query touches, and how likely each is.
//
// A conditional turns queries into laws of X. From these follow, for any kernel k and prior mean m,
//
//   nu(m, a)          E[m(X) | a]                prior mean of g(a) = E[f(X) | a]
//   q(k, a, b)        E[k(X, X') | a, b]         prior covariance of g
//   q_diagonal(k, a)  q(a, a)
//   c(k, x, a)        E[k(x, X) | a]             covariance of f(x) and g(a)
//   cosines(a, w, b)  E[cos(w.X + b) | a]        for random-feature paths
//
// all batched; expectation.hpp says how exact they are. To add a conditional, derive and implement laws(): known
// windows, bags, samples and learned embeddings differ in nothing else.
//
// Gradients in a, for search over a continuous A, come as a pullback: pull_back(a, sum) is the gradient, query by
// query, of a weighted sum of these averages (average_sum.hpp). gradients() says whether there is one and how it is
// computed: in closed form for windows, by central differences for classes that do not override it.
#pragma once

#include <memory>
#include <optional>

#include "iqbo/average/laws.hpp"
#include "iqbo/conditional/gradients.hpp"
#include "iqbo/core/points.hpp"
#include "iqbo/kernel/kernel.hpp"
#include "iqbo/kernel/mean.hpp"

namespace iqbo {

struct AverageSum;

class Conditional {
 public:
  virtual ~Conditional() = default;
  virtual std::shared_ptr<const Conditional> clone() const = 0;

  virtual Index input_dimension() const = 0;
  virtual Index query_dimension() const = 0;

  // The law of X given each query, all of one kind. The same query always gets the same law.
  virtual Laws laws(const Queries& a) const = 0;

  // The inputs on which p(x|a) can put weight, for every a; null if there is no such list.
  virtual const Inputs* support() const { return nullptr; }

  // How far averages may be from the true ones, in units of their sd over queries; known for learned conditionals.
  virtual std::optional<double> relative_error() const { return std::nullopt; }

  Vector nu(const Mean& mean, const Queries& a) const;
  Matrix q(const Kernel& kernel, const Queries& a, const Queries& b) const;
  Vector q_diagonal(const Kernel& kernel, const Queries& a) const;
  Matrix c(const Kernel& kernel, const Inputs& x, const Queries& a) const;
  virtual Gradients gradients() const { return Gradients::kDifferences; }

  // Row j: d sum.at(laws(a))[j] / da_j. Throws std::invalid_argument where gradients() is kNone.
  virtual Rows pull_back(const Queries& a, const AverageSum& sum) const;

  Matrix cosines(const Queries& a, const Rows& frequency, const Vector& phase) const;

  // E[h(X) | a] for functions h tabulated on support(), one per column. Throws std::invalid_argument if there is none.
  // Override it if averages can be computed without forming the weights.
  virtual Matrix average(const Queries& a, const Matrix& values_on_support) const;

 protected:
  // Step of each coordinate of each query for central differences; 0 for coordinates that are not continuous, such as
  // codes of categories, in which the gradient is then 0.
  virtual Rows difference_steps(const Queries& a) const;

  Conditional() = default;
  Conditional(const Conditional&) = default;
  Conditional(Conditional&&) = default;
  Conditional& operator=(const Conditional&) = default;
  Conditional& operator=(Conditional&&) = default;
};

}  // namespace iqbo
