#include "iqbo/average/expectation.hpp"

#include <algorithm>
#include <utility>

#include "axis_expectation.hpp"
#include "discrete_expectation.hpp"
#include "smooth_features.hpp"
#include "spread_expectation.hpp"

namespace iqbo {
namespace {

void require_weight(const Matrix& weight, const Laws& left, const Laws& right) {
  require_rows(weight.rows(), left.size(), "weight");
  require_columns(weight.cols(), right.size(), "weight");
}

bool has_white(const Kernel& kernel) {
  const auto terms = kernel.stationary_terms();
  return std::any_of(terms.begin(), terms.end(),
                     [](const KernelTerm& term) { return term.kind == KernelTerm::Kind::kWhite; });
}

// A density averages white noise to zero, but the nodes that represent it would not: each coincides with itself.
void require_no_nugget(const Kernel& kernel, const Laws& laws) {
  for (const auto& part : laws.parts()) {
    const auto* discrete = std::get_if<DiscreteLaws>(&part.kind);
    const bool density = std::holds_alternative<AxisLaws>(part.kind) || (discrete != nullptr && discrete->of_density);
    if (density && has_white(kernel))
      refuse("kernel", "has a White part and p(x|a) is sampled or truncated, a density that averages it away",
             "a kernel without it, or a conditional over listed points");
  }
}

void require_same_space(const Kernel& kernel, const Laws& laws) {
  require_columns(laws.dimension(), kernel.dimension(), "laws of X");
  require_no_nugget(kernel, laws);
}

// Every pair of kinds of law: points are spread laws of zero width, and a discrete law is a sum over points.
struct Covariance {
  const Kernel& kernel;

  Matrix operator()(const Inputs& x, const Inputs& y) const { return kernel.gram(x, y); }
  Matrix operator()(const SpreadLaws& p, const SpreadLaws& r) const { return spread_expect(kernel, p, r); }
  Matrix operator()(const DiscreteLaws& p, const DiscreteLaws& r) const { return discrete_expect(kernel, p, r); }

  Matrix operator()(const Inputs& x, const SpreadLaws& r) const { return (*this)(without_width(x), r); }
  Matrix operator()(const SpreadLaws& p, const Inputs& y) const { return (*this)(p, without_width(y)); }

  Matrix operator()(const Inputs& x, const DiscreteLaws& r) const { return discrete_expect(kernel, x, r); }
  Matrix operator()(const SpreadLaws& p, const DiscreteLaws& r) const {
    return average_columns(r, p.centre.rows(), [&](const Rows& y) { return (*this)(p, Inputs(y)); });
  }
  template <class Points>
  Matrix operator()(const DiscreteLaws& p, const Points& r) const {
    return (*this)(r, p).transpose();
  }

  Matrix operator()(const AxisLaws& p, const AxisLaws& r) const {
    if (by_axes(kernel)) return axis_expect(kernel, p, r);
    return (*this)(grid(p), grid(r));
  }
  Matrix operator()(const Inputs& x, const AxisLaws& r) const {
    if (by_axes(kernel)) return axis_expect(kernel, one_node(x), r);
    return (*this)(x, grid(r));
  }
  Matrix operator()(const AxisLaws& p, const Inputs& y) const { return (*this)(y, p).transpose(); }
  Matrix operator()(const AxisLaws& p, const SpreadLaws& r) const { return (*this)(grid(p), r); }
  Matrix operator()(const SpreadLaws& p, const AxisLaws& r) const { return (*this)(p, grid(r)); }
  Matrix operator()(const AxisLaws& p, const DiscreteLaws& r) const { return (*this)(grid(p), r); }
  Matrix operator()(const DiscreteLaws& p, const AxisLaws& r) const { return (*this)(p, grid(r)); }
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

  Vector operator()(const AxisLaws& p, const AxisLaws& r) const {
    if (by_axes(kernel)) return axis_pull_back(kernel, p, r, weight);
    return (*this)(grid(p), grid(r));
  }
  Vector operator()(const Inputs& x, const AxisLaws& r) const {
    if (by_axes(kernel)) return axis_pull_back(kernel, one_node(x), r, weight);
    return (*this)(x, grid(r));
  }
  Vector operator()(const AxisLaws& p, const Inputs& y) const { return PullBack{kernel, weight.transpose()}(y, p); }
  Vector operator()(const AxisLaws& p, const SpreadLaws& r) const { return (*this)(grid(p), r); }
  Vector operator()(const SpreadLaws& p, const AxisLaws& r) const { return (*this)(p, grid(r)); }
  Vector operator()(const AxisLaws& p, const DiscreteLaws& r) const { return (*this)(grid(p), r); }
  Vector operator()(const DiscreteLaws& p, const AxisLaws& r) const { return (*this)(p, grid(r)); }
};

}  // namespace

namespace {

// Averages are linear in the law: the sum over its parts of weight * average(part).
template <class Average>
auto over_parts(const Laws& laws, Average average) {
  const auto& parts = laws.parts();
  auto sum = std::visit(average, parts.front().kind);
  if (parts.front().weight != 1.0) sum *= parts.front().weight;
  for (std::size_t p = 1; p < parts.size(); ++p) sum += parts[p].weight * std::visit(average, parts[p].kind);
  return sum;
}

// The same for functions that are bilinear in two laws.
template <class Average>
auto over_parts(const Laws& left, const Laws& right, Average average) {
  return over_parts(left,
                    [&](const auto& p) { return over_parts(right, [&](const auto& r) { return average(p, r); }); });
}

struct MeanOf {
  const Mean& mean;
  Vector operator()(const Inputs& x) const { return mean.at(x); }
  Vector operator()(const SpreadLaws& p) const {
    if (mean.is_affine()) return mean.at(Inputs(p.centre));
    return spread_average(p, 1, [&](const Inputs& x) -> Matrix { return mean.at(x); });
  }
  Vector operator()(const DiscreteLaws& p) const {
    const bool is_constant = mean.is_affine() && mean.dimension() == 0;
    if (p.exact_constant && is_constant) return Vector::Constant(p.weight.rows(), mean.constant_part());
    const Compact used = compact(p);
    const double c = p.exact_constant ? mean.constant_part() : 0.0;
    const Vector rest = mean.at(Inputs(used.point)).array() - c;
    return (used.weight * rest).array() + c;
  }
  Vector operator()(const AxisLaws& p) const {
    return mean.is_affine() ? mean.at(Inputs(axis_centres(p))) : (*this)(grid(p));
  }
};

struct MeanJacobian {
  const Mean& mean;
  Matrix operator()(const Inputs& x) const { return mean.jacobian(x); }
  Matrix operator()(const SpreadLaws& p) const {
    if (mean.is_affine()) return mean.jacobian(Inputs(p.centre));
    return spread_average(p, mean.parameters().size(), [&](const Inputs& x) { return mean.jacobian(x); });
  }
  Matrix operator()(const DiscreteLaws& p) const {
    const Compact used = compact(p);
    Matrix out = used.weight * mean.jacobian(Inputs(used.point));
    if (!p.exact_constant) return out;
    const Vector missing = 1.0 - (used.weight * Vector::Ones(used.point.rows())).array();
    return out + missing * mean.constant_gradient().transpose();
  }
  Matrix operator()(const AxisLaws& p) const {
    return mean.is_affine() ? mean.jacobian(Inputs(axis_centres(p))) : (*this)(grid(p));
  }
};

struct Cosines {
  const Rows& frequency;
  const Vector& phase;
  Matrix operator()(const Inputs& x) const { return spread_cosines(without_width(x), frequency, phase); }
  Matrix operator()(const SpreadLaws& p) const { return spread_cosines(p, frequency, phase); }
  Matrix operator()(const DiscreteLaws& p) const {
    return average_columns(p, frequency.rows(), [&](const Rows& x) -> Matrix { return (*this)(Inputs(x)).transpose(); })
        .transpose();
  }
  Matrix operator()(const AxisLaws& p) const { return axis_cosines(p, frequency, phase); }
};

struct Diagonal {
  const Kernel& kernel;
  Vector operator()(const Inputs& x) const { return kernel.diagonal(x); }
  Vector operator()(const SpreadLaws& p) const { return spread_expect_diagonal(kernel, p); }
  Vector operator()(const DiscreteLaws& p) const { return discrete_expect_diagonal(kernel, p); }
  Vector operator()(const AxisLaws& p) const {
    return by_axes(kernel) ? axis_expect_diagonal(kernel, p) : (*this)(grid(p));
  }
};

}  // namespace

Vector expect(const Mean& mean, const Laws& laws) { return over_parts(laws, MeanOf{mean}); }

Matrix expect_jacobian(const Mean& mean, const Laws& laws) { return over_parts(laws, MeanJacobian{mean}); }

Matrix expect(const Kernel& kernel, const Laws& left, const Laws& right) {
  require_same_space(kernel, left);
  require_same_space(kernel, right);
  if (auto smooth = internal::smooth_expect(kernel, left, right)) return std::move(*smooth);
  return over_parts(left, right, Covariance{kernel});
}

Vector expect_diagonal(const Kernel& kernel, const Laws& laws) {
  require_same_space(kernel, laws);
  if (auto smooth = internal::smooth_expect_diagonal(kernel, laws)) return std::move(*smooth);
  if (laws.parts().size() == 1) return std::visit(Diagonal{kernel}, laws.parts().front().kind);
  Vector out(laws.size());  // in a mixture, different parts have covariances too
  for (Index i = 0; i < laws.size(); ++i) out[i] = expect(kernel, laws.slice(i, 1), laws.slice(i, 1))(0, 0);
  return out;
}

Matrix expect_cosines(const Laws& laws, const Rows& frequency, const Vector& phase) {
  require_columns(frequency.cols(), laws.dimension(), "frequency");
  require_rows(phase.size(), frequency.rows(), "phase");
  require_finite(frequency, "frequency");
  require_finite(phase, "phase");
  return over_parts(laws, Cosines{frequency, phase});
}

Vector expect_pull_back(const Kernel& kernel, const Laws& left, const Laws& right, const Matrix& weight) {
  require_same_space(kernel, left);
  require_same_space(kernel, right);
  require_weight(weight, left, right);
  return over_parts(left, right, PullBack{kernel, weight});
}

}  // namespace iqbo
