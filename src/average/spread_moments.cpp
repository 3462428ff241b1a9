// Means and cosines under SpreadLaws.
#include <algorithm>
#include <utility>

#include "iqbo/average/expectation.hpp"
#include "iqbo/numerics/gauss_rule.hpp"
#include "spread_expectation.hpp"

namespace iqbo {
namespace {

constexpr Index kMostPoints = Index{1} << 16;  // passed to a mean in one call, unless a single law needs more

// The points and weights of a tensor Gauss rule for law i.
std::pair<Rows, Vector> tensor_rule(const SpreadLaws& laws, Index i) {
  Rows points = laws.centre.row(i);
  Vector weights = Vector::Ones(1);
  int axes = 0;
  // Spreads every point so far along coordinate c over the nodes of `rule`.
  const auto widen = [&](Index c, double width, const Rule& rule) {
    if (width == 0.0) return;
    if (++axes > 3)
      refuse("mean", "is averaged over more than three axes", "a constant or linear mean, or SampledConditional");
    const Index count = rule.node.size();
    Rows wider(points.rows() * count, points.cols());
    Vector heavier(wider.rows());
    for (Index r = 0; r < wider.rows(); ++r) {
      wider.row(r) = points.row(r / count);
      wider(r, c) += width * rule.node[r % count];
      heavier[r] = weights[r / count] * rule.weight[r % count];
    }
    points = std::move(wider);
    weights = std::move(heavier);
  };
  for (Index c = 0; c < laws.centre.cols(); ++c) {
    widen(c, laws.sd(i, c), gauss_hermite(kMeanNodes));
    widen(c, laws.half_width(i, c), gauss_legendre(kMeanNodes));
  }
  return {points, weights};
}

}  // namespace

Matrix spread_average(const SpreadLaws& laws, Index columns, const std::function<Matrix(const Inputs&)>& values) {
  const Index n = laws.centre.rows();
  Matrix out(n, columns);
  for (Index begin = 0; begin < n;) {
    // Takes as many laws as fit into one call.
    std::vector<std::pair<Rows, Vector>> rules;
    Index total = 0;
    for (Index i = begin; i < n && (rules.empty() || total < kMostPoints); ++i) {
      rules.push_back(tensor_rule(laws, i));
      total += rules.back().first.rows();
    }
    Rows points(total, laws.centre.cols());
    Index at = 0;
    for (const auto& [rows, weights] : rules) {
      points.middleRows(at, rows.rows()) = rows;
      at += rows.rows();
    }
    const Matrix found = values(Inputs(std::move(points)));
    at = 0;
    for (const auto& [rows, weights] : rules) {
      out.row(begin++) = weights.transpose() * found.middleRows(at, rows.rows());
      at += rows.rows();
    }
  }
  return out;
}

// E cos(w.X + b) = cos(w.centre + b) prod_c exp(-(w_c sd_c)^2 / 2) sin(w_c h_c) / (w_c h_c).
Matrix spread_cosines(const SpreadLaws& laws, const Rows& frequency, const Vector& phase) {
  Matrix out = laws.centre * frequency.transpose();
  out.rowwise() += phase.transpose();
  out = out.array().cos();
  for (Index c = 0; c < laws.centre.cols(); ++c) {
    const auto angles = [&](const Rows& width) -> Matrix { return width.col(c) * frequency.col(c).transpose(); };
    if ((laws.sd.col(c).array() > 0.0).any()) out.array() *= (-0.5 * angles(laws.sd).array().square()).exp();
    if ((laws.half_width.col(c).array() > 0.0).any()) {
      const Matrix angle = angles(laws.half_width);
      out.array() *= (angle.array() == 0.0).select(1.0, angle.array().sin() / angle.array());
    }
  }
  return out;
}

}  // namespace iqbo
