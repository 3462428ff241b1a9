#include "expansion.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "iqbo/average/expectation.hpp"
#include "iqbo/numerics/gauss_rule.hpp"

namespace iqbo {
namespace {

Vector average_terms(const AxisFactors& factors, const AxisLaws& laws) {
  Matrix product;
  for (std::size_t c = 0; c < laws.node.size(); ++c) {
    const auto axis = static_cast<Index>(c);
    Matrix mean = laws.weight[c].col(0).asDiagonal() * factors(axis, laws.node[c].col(0));
    for (Index k = 1; k < laws.node[c].cols(); ++k)
      mean += laws.weight[c].col(k).asDiagonal() * factors(axis, laws.node[c].col(k));
    product = c == 0 ? mean : Matrix(product.cwiseProduct(mean));
  }
  return product.rowwise().sum();
}

Vector average_kernels(const std::vector<KernelSum>& kernels, const Laws& laws) {
  Vector out = Vector::Zero(laws.size());
  for (const KernelSum& sum : kernels) out += expect(*sum.kernel, laws, Laws(sum.centre)) * sum.weight;
  return out;
}

const Rule& normal_rule() {
  static const Rule rule = [] {
    const Vector node = Vector::LinSpaced(kAxisNodes, -kAxisReach, kAxisReach);
    const Vector density = (-0.5 * node.array().square()).exp();
    return Rule{node, density / density.sum()};
  }();
  return rule;
}

AxisLaws axis_laws(const SpreadLaws& laws) {
  AxisLaws out;
  for (Index c = 0; c < laws.centre.cols(); ++c) {
    const bool uniform = laws.half_width.col(c).maxCoeff() > 0.0;
    const Rule& rule = uniform ? gauss_legendre(kAxisNodes) : normal_rule();
    const Vector width = uniform ? laws.half_width.col(c) : laws.sd.col(c);
    out.node.emplace_back((width * rule.node.transpose()).colwise() + laws.centre.col(c));
    out.weight.emplace_back(rule.weight.transpose().replicate(width.size(), 1));
  }
  return out;
}

// P(N(0, 1) < t)
double below(double t) { return 0.5 * std::erfc(-t * (1.0 / std::numbers::sqrt2)); }

}  // namespace

Vector Expansion::at(const Inputs& x) const {
  Vector out = average_kernels(kernels, Laws(x));
  if (!factors) return out;
  AxisLaws points;
  for (Index c = 0; c < x.dimension(); ++c) {
    points.node.emplace_back(x.coordinates().col(c));
    points.weight.emplace_back(Rows::Ones(x.size(), 1));
  }
  return out + average_terms(factors, points);
}

Vector Expansion::average(const SpreadLaws& laws) const {
  Vector out = average_kernels(kernels, Laws(laws));
  if (factors) out += average_terms(factors, axis_laws(laws));
  return out;
}

Vector Expansion::average(const AxisLaws& laws) const {
  Vector out = average_kernels(kernels, Laws(laws));
  if (factors) out += average_terms(factors, laws);
  return out;
}

AxisLaws cut_laws(const SpreadLaws& laws, const InputBox& box, Truncation truncation) {
  const Rule& rule = gauss_legendre(kAxisNodes);
  const Index n = laws.centre.rows();
  AxisLaws out;
  for (Index c = 0; c < laws.centre.cols(); ++c) {
    Rows node(n, kAxisNodes + 2);
    Rows weight(n, kAxisNodes + 2);
    for (Index i = 0; i < n; ++i) {
      const double centre = laws.centre(i, c);
      const double sd = laws.sd(i, c);
      const double lower = std::max(box.lower()[c], centre - kAxisReach * sd);
      const double upper = std::min(box.upper()[c], centre + kAxisReach * sd);
      node.row(i) << (0.5 * (lower + upper) + 0.5 * (upper - lower) * rule.node.array()).transpose().matrix(),
          box.lower()[c], box.upper()[c];
      auto inside = weight.row(i).head(kAxisNodes);
      inside = rule.weight.transpose().array() *
               (-0.5 * ((node.row(i).head(kAxisNodes).array() - centre) / sd).square()).exp();
      const double left = truncation == Truncation::kClip ? below((box.lower()[c] - centre) / sd) : 0.0;
      const double right = truncation == Truncation::kClip ? below((centre - box.upper()[c]) / sd) : 0.0;
      inside *= (1.0 - left - right) / inside.sum();
      weight(i, kAxisNodes) = left;
      weight(i, kAxisNodes + 1) = right;
    }
    out.node.push_back(std::move(node));
    out.weight.push_back(std::move(weight));
  }
  return out;
}

}  // namespace iqbo
