// The mean over u ~ Gamma(nu, 1) by the trapezoidal rule, after u = exp(v) and
//
//   v = x - stretch depth exp(-x / depth)
//
// which leaves v ~ x for large u and makes the steps in v longer and longer as u -> 0. They may be: the error of the
// rule at v is about u^nu exp(-pi^2 / step), so where little mass is left a long step does as well as a short one.
// Steps equal in v, the textbook choice [Trefethen14], need about 160, 67 and 50 nodes for the same error. Little is
// left to gain: moving every node and weight freely (least squares over r, nu = 5/2) saved two nodes of 27.
#include "gamma_mixture.hpp"

#include <cmath>
#include <string>

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
  ScaleMixture mixture{Vector(grid.nodes), Vector(grid.nodes)};
  const double scale = grid.step / std::tgamma(nu);
  for (int i = 0; i < grid.nodes; ++i) {
    const double x = grid.first + i * grid.step;
    const double bend = grid.stretch * std::exp(-x / grid.depth);
    const double v = x - grid.depth * bend;
    const double u = std::exp(v);
    mixture.scale[i] = std::sqrt(u / nu);
    mixture.weight[i] = scale * (1 + bend) * std::exp(nu * v - u);
  }
  // The mass below the first node belongs to scales too small to tell from the first.
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

}  // namespace iqbo::internal
