#include "iqbo/conditional/expectation.hpp"

#include "discrete_expectation.hpp"
#include "spread_expectation.hpp"

namespace iqbo {
namespace {

void require_same_space(const Kernel& kernel, const Laws& laws) {
  require_columns(laws.dimension(), kernel.dimension(), "laws of X");
}

void require_weight(const Matrix& weight, const Laws& left, const Laws& right) {
  require_rows(weight.rows(), left.size(), "weight");
  require_columns(weight.cols(), right.size(), "weight");
}

// Each kind of law against each: points are spread laws of no width, and a discrete law is a sum over points.
struct Covariance {
  const Kernel& kernel;

  Matrix operator()(const Inputs& x, const Inputs& y) const { return kernel.gram(x, y); }
  Matrix operator()(const SpreadLaws& p, const SpreadLaws& r) const { return spread_expect(kernel, p, r); }
  Matrix operator()(const DiscreteLaws& p, const DiscreteLaws& r) const { return discrete_expect(kernel, p, r); }

  Matrix operator()(const Inputs& x, const SpreadLaws& r) const { return (*this)(without_width(x), r); }
  Matrix operator()(const SpreadLaws& p, const Inputs& y) const { return (*this)(p, without_width(y)); }

  Matrix operator()(const Inputs& x, const DiscreteLaws& r) const {
    return average_columns(r, x.size(), [&](const Rows& y) { return kernel.evaluate(x.coordinates(), y); });
  }
  Matrix operator()(const SpreadLaws& p, const DiscreteLaws& r) const {
    return average_columns(r, p.centre.rows(), [&](const Rows& y) { return (*this)(p, Inputs(y)); });
  }
  template <class Points>
  Matrix operator()(const DiscreteLaws& p, const Points& r) const {
    return (*this)(r, p).transpose();
  }
};

// The same for the gradient of sum_ij weight_ij Covariance_ij in the kernel's hyperparameters.
struct PullBack {
  const Kernel& kernel;
  const Matrix& weight;

  Vector operator()(const Inputs& x, const Inputs& y) const { return kernel.pull_back(x, y, weight); }
  Vector operator()(const SpreadLaws& p, const SpreadLaws& r) const { return spread_pull_back(kernel, p, r, weight); }
  Vector operator()(const DiscreteLaws& p, const DiscreteLaws& r) const {
    return discrete_pull_back(kernel, p, r, weight);
  }

  Vector operator()(const Inputs& x, const SpreadLaws& r) const { return (*this)(without_width(x), r); }
  Vector operator()(const SpreadLaws& p, const Inputs& y) const { return (*this)(p, without_width(y)); }

  template <class Points>
  Vector operator()(const Points& p, const DiscreteLaws& r) const {
    const Compact columns = compact(r);
    return PullBack{kernel, weight * columns.weight}(p, Inputs(columns.point));
  }
  template <class Points>
  Vector operator()(const DiscreteLaws& p, const Points& r) const {
    return PullBack{kernel, weight.transpose()}(r, p);
  }
};

}  // namespace

Vector expect(const Mean& mean, const Laws& laws) {
  struct {
    const Mean& mean;
    Vector operator()(const Inputs& x) const { return mean.at(x); }
    Vector operator()(const SpreadLaws& p) const { return spread_expect(mean, p); }
    Vector operator()(const DiscreteLaws& p) const {
      const Compact used = compact(p);
      const double c = mean.constant_part();
      const Vector rest = mean.at(Inputs(used.point)).array() - c;
      return (used.weight * rest).array() + c;
    }
  } visitor{mean};
  return std::visit(visitor, laws.kind());
}

Matrix expect_jacobian(const Mean& mean, const Laws& laws) {
  struct {
    const Mean& mean;
    Matrix operator()(const Inputs& x) const { return mean.jacobian(x); }
    Matrix operator()(const SpreadLaws& p) const { return mean.jacobian(Inputs(p.centre)); }
    Matrix operator()(const DiscreteLaws& p) const {
      const Compact used = compact(p);
      Matrix out = used.weight * mean.jacobian(Inputs(used.point));
      if (out.cols() > 0) out.col(0).setOnes();  // the constant part passes through
      return out;
    }
  } visitor{mean};
  return std::visit(visitor, laws.kind());
}

Matrix expect(const Kernel& kernel, const Laws& left, const Laws& right) {
  require_same_space(kernel, left);
  require_same_space(kernel, right);
  return std::visit(Covariance{kernel}, left.kind(), right.kind());
}

Vector expect_diagonal(const Kernel& kernel, const Laws& laws) {
  require_same_space(kernel, laws);
  struct {
    const Kernel& kernel;
    Vector operator()(const Inputs& x) const { return kernel.diagonal(x); }
    Vector operator()(const SpreadLaws& p) const { return spread_expect_diagonal(kernel, p); }
    Vector operator()(const DiscreteLaws& p) const { return discrete_expect_diagonal(kernel, p); }
  } visitor{kernel};
  return std::visit(visitor, laws.kind());
}

Matrix expect_cosines(const Laws& laws, const Rows& frequency, const Vector& phase) {
  require_columns(frequency.cols(), laws.dimension(), "frequency");
  require_rows(phase.size(), frequency.rows(), "phase");
  require_finite(frequency, "frequency");
  require_finite(phase, "phase");
  struct {
    const Rows& frequency;
    const Vector& phase;
    Matrix operator()(const Inputs& x) const { return spread_cosines(without_width(x), frequency, phase); }
    Matrix operator()(const SpreadLaws& p) const { return spread_cosines(p, frequency, phase); }
    Matrix operator()(const DiscreteLaws& p) const {
      return average_columns(p, frequency.rows(),
                             [&](const Rows& x) -> Matrix { return (*this)(Inputs(x)).transpose(); })
          .transpose();
    }
  } visitor{frequency, phase};
  return std::visit(visitor, laws.kind());
}

Vector expect_pull_back(const Kernel& kernel, const Laws& left, const Laws& right, const Matrix& weight) {
  require_same_space(kernel, left);
  require_same_space(kernel, right);
  require_weight(weight, left, right);
  return std::visit(PullBack{kernel, weight}, left.kind(), right.kind());
}

}  // namespace iqbo
