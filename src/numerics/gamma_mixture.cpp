// The mean over u ~ Gamma(nu, 1) by the trapezoidal rule, after u = exp(v) and
//
//   v = x - stretch depth exp(-x / depth)
//
// which leaves v ~ x for large u and makes the steps in v longer and longer as u -> 0. That is allowed: the error of
// the rule at v is about u^nu exp(-pi^2 / step), so where little mass is left a long step is as good as a short one.
// Equal steps in v, the textbook choice [Trefethen14], need about 160, 67 and 50 nodes for the same error. Little more
// can be gained: optimising every node and weight freely (least squares over r, nu = 5/2) saved two nodes of 27.
#include "gamma_mixture.hpp"

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "iqbo/core/check.hpp"

namespace iqbo::internal {
namespace {

struct Grid {
  int nodes;
  double first, step;  // x = first, first + step, ...
  double stretch, depth;
};

// Found by annealing on the largest error over all r, fewest nodes first; near these values the error is flat.
constexpr Grid kGridHalf{87, -24.265, 0.32409, 0.13468, 7.3518};
constexpr Grid kGridThreeHalves{37, -6.7233, 0.28419, 0.32359, 2.9398};
constexpr Grid kGridFiveHalves{27, -4.0579, 0.28427, 0.23496, 1.5444};

ScaleMixture make_mixture(double nu, const Grid& grid) {
  ScaleMixture mixture{Vector(grid.nodes), Vector(grid.nodes), {}, {}};
  const double scale = grid.step / std::tgamma(nu);
  for (int i = 0; i < grid.nodes; ++i) {
    const double x = grid.first + i * grid.step;
    const double bend = grid.stretch * std::exp(-x / grid.depth);
    const double v = x - grid.depth * bend;
    const double u = std::exp(v);
    mixture.scale[i] = std::sqrt(u / nu);
    mixture.weight[i] = scale * (1 + bend) * std::exp(nu * v - u);
  }
  // The mass below the first node belongs to scales that are indistinguishable from the first.
  mixture.weight[0] += 1 - mixture.weight.sum();
  return mixture;
}

}  // namespace

const ScaleMixture& matern_mixture(double nu) {
  static const ScaleMixture half = make_mixture(0.5, kGridHalf);
  static const ScaleMixture three_halves = make_mixture(1.5, kGridThreeHalves);
  static const ScaleMixture five_halves = make_mixture(2.5, kGridFiveHalves);
  if (nu == 0.5) return half;
  if (nu == 1.5) return three_halves;
  if (nu == 2.5) return five_halves;
  refuse("nu", "is " + readable(nu), "0.5, 1.5 or 2.5");
}

// u / alpha = exp(v), whose log density is alpha (v - exp(v)) plus a constant. For small alpha the left tail
// exp(alpha v) is long, and the step at v is the longest whose error exp(alpha v - pi^2 / step) is exp(-kDigits):
// dv/dx = pi^2 / (kDigits + alpha v), integrated below. For large alpha the density is a bump of width alpha^-1/2.
ScaleMixture rational_quadratic_mixture(double alpha) {
  constexpr double kDigits = 30.0;  // exp(-30) = 1e-13
  constexpr double kSmall = 2.0;
  constexpr double kPi2 = std::numbers::pi * std::numbers::pi;
  if (!(alpha > 0.0)) refuse("alpha", "is " + readable(alpha), "a number > 0");
  struct Node {
    double v, log_density, step;
  };
  const auto node = [alpha](double i) -> Node {
    double v = i * 0.66 / std::sqrt(alpha + 3.0);
    double step = 1.0;
    if (alpha <= kSmall) {
      const double root = std::sqrt(std::max(0.0, kDigits * kDigits + 2.0 * alpha * kPi2 * i));
      v = 2.0 * kPi2 * i / (root + kDigits);
      step = root > 0.0 ? kPi2 / root : 0.0;
    }
    return {v, alpha * (v - std::expm1(v)), step};
  };
  std::vector<Node> nodes;  // scales ascend, so v descends
  double first = 0.0;
  while (node(first).log_density > -kDigits) ++first;
  for (double i = first; node(i).step > 0.0 && (i > 0.0 || node(i).log_density > -kDigits); --i)
    nodes.push_back(node(i));
  const auto count = static_cast<Index>(nodes.size());
  ScaleMixture out{Vector(count), Vector(count), Matrix(count, 1), {}};
  for (Index i = 0; i < count; ++i) {
    const auto& [v, log_density, step] = nodes[static_cast<std::size_t>(i)];
    out.scale[i] = std::exp(-0.5 * v);
    out.weight[i] = step * std::exp(log_density);
    out.weight_slope(i, 0) = log_density;
  }
  out.weight /= out.weight.sum();
  const double mean = out.weight.dot(out.weight_slope.col(0));
  out.weight_slope.array() = out.weight.array() * (out.weight_slope.col(0).array() - mean);
  return out;
}

}  // namespace iqbo::internal
