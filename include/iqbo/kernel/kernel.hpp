// Covariance functions: k on inputs x, l on queries a.
//
// A kernel is a function of coordinates; the templates below only let it compare points of the same space. Everything
// is batched. Gradients are given as pullbacks: for any weights M (n x m) and K_ij = k(x_i, y_j),
//
//   pull_back(x, y, M)[p]           = sum_ij M_ij dK_ij / dtheta_p       theta: logarithms of the hyperparameters
//   input_pull_back(x, y, M)(i, c)  = sum_j  M_ij dK_ij / dx_ic
//   diagonal_pull_back(x, w)(i, c)  = w_i dk(x_i, x_i) / dx_ic
//
// which is what gradients of the evidence and of scores need, without ever storing a matrix per hyperparameter. A
// kernel that is not differentiable where x_i = y_j (Matern 1/2, white) contributes 0 there.
//
// Add a stationary kernel as a family (family.hpp) if you can: it then works with everything. Any other kernel derives
// from Kernel and works at once with conditionals that have a finite support: bags, samples, learned laws.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "iqbo/core/points.hpp"

namespace iqbo {

class StationaryPart;

// One summand of a kernel, in the form that averages, spectra and lattices need.
struct KernelTerm {
  enum class Kind {
    kProduct,  // variance * prod_g part_g(x_g - y_g), x_g the columns of factor g
    kWhite,    // variance * [x = y]
    kOpaque    // anything else: only its values are known
  };
  struct Factor {
    std::shared_ptr<const StationaryPart> part;
    std::vector<Index> columns;
  };
  Kind kind = Kind::kOpaque;
  double variance = 0.0;             // unless opaque
  std::vector<Factor> factors = {};  // of a product
};

class Kernel {
 public:
  virtual ~Kernel() = default;
  virtual std::shared_ptr<const Kernel> clone() const = 0;
  virtual std::string description() const;  // one line for people: "Rbf(variance=1, lengthscale=[3, 6])"

  // The kernel as a sum. The hyperparameters of the terms, in order (variance, then the parameters of each part), must
  // be those of log_parameters().
  virtual std::vector<KernelTerm> stationary_terms() const { return {{}}; }

  virtual Index dimension() const = 0;  // number of coordinates

  // Hyperparameters, as logarithms. Names are stable and unique within a kernel: "variance", "lengthscale[1]".
  virtual std::vector<std::string> parameter_names() const = 0;
  virtual Vector log_parameters() const = 0;
  virtual std::shared_ptr<const Kernel> with_log_parameters(const Vector& theta) const = 0;

  template <class Space>
  Matrix gram(const Points<Space>& x, const Points<Space>& y) const {
    require_columns(x.dimension(), dimension(), Space::kName);
    require_columns(y.dimension(), dimension(), "y");
    return evaluate(x.coordinates(), y.coordinates());
  }
  template <class Space>
  Matrix gram(const Points<Space>& x) const {
    return gram(x, x);
  }
  template <class Space>
  Vector diagonal(const Points<Space>& x) const {
    require_columns(x.dimension(), dimension(), Space::kName);
    return evaluate_diagonal(x.coordinates());
  }
  template <class Space>
  Vector pull_back(const Points<Space>& x, const Points<Space>& y, const Matrix& weight) const {
    require_pull_back(x.coordinates(), y.coordinates(), weight);
    return parameter_gradient(x.coordinates(), y.coordinates(), weight);
  }
  template <class Space>
  Rows input_pull_back(const Points<Space>& x, const Points<Space>& y, const Matrix& weight) const {
    require_pull_back(x.coordinates(), y.coordinates(), weight);
    return input_gradient(x.coordinates(), y.coordinates(), weight);
  }
  template <class Space>
  Rows diagonal_pull_back(const Points<Space>& x, const Vector& weight) const {
    require_columns(x.dimension(), dimension(), Space::kName);
    require_rows(weight.size(), x.size(), "weight");
    return diagonal_gradient(x.coordinates(), weight);
  }

  // Kernels implement these: the same functions on bare coordinates whose sizes have been checked.
  virtual Matrix evaluate(const Rows& x, const Rows& y) const = 0;
  virtual Vector evaluate_diagonal(const Rows& x) const = 0;

  // Central differences unless overridden: about eight digits, at two evaluations per parameter or column.
  virtual Vector parameter_gradient(const Rows& x, const Rows& y, const Matrix& weight) const;
  virtual Rows input_gradient(const Rows& x, const Rows& y, const Matrix& weight) const;

 protected:
  Kernel() = default;
  Kernel(const Kernel&) = default;
  Kernel(Kernel&&) = default;
  Kernel& operator=(const Kernel&) = default;
  Kernel& operator=(Kernel&&) = default;

  // For with_log_parameters: exp(theta), after checking count and range.
  Vector positive_parameters(const Vector& theta) const;

 private:
  Rows diagonal_gradient(const Rows& x, const Vector& weight) const;
  void require_pull_back(const Rows& x, const Rows& y, const Matrix& weight) const;
};

// Whether k(x, y) is known to be a function of x - y: no term is opaque.
bool is_stationary(const Kernel& kernel);

}  // namespace iqbo
