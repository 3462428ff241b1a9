#include "axis_law.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace iqbo {
namespace {

constexpr double kTails = 3.0;          // sds
constexpr double kLeastWeight = 1e-12;  // weights below are rounding
constexpr double kLeastMass = 0.5;

double density(double t) { return std::exp(-0.5 * t * t) / std::sqrt(2.0 * std::numbers::pi); }
double cdf(double t) { return 0.5 * std::erfc(-t / std::numbers::sqrt2); }

// The integral of t Phi(t) + phi(t), which is that of Phi.
double twice_integrated(double t) { return 0.5 * ((t * t + 1.0) * cdf(t) + t * density(t)); }

// E max(0, t - X), whose second differences are the weights.
double ramp(const AxisLaw& law, double t) {
  const double d = t - law.centre, h = law.half_width, s = law.sd;
  if (h == 0.0 && s == 0.0) return std::max(d, 0.0);
  if (h == 0.0) return s * (d / s * cdf(d / s) + density(d / s));
  if (s == 0.0) return d <= -h ? 0.0 : d >= h ? d : (d + h) * (d + h) / (4.0 * h);
  return s * s / (2.0 * h) * (twice_integrated((d + h) / s) - twice_integrated((d - h) / s));
}

}  // namespace

std::optional<AxisLaw> AxisLaw::of(const Laws& laws, Index i, Index c) {
  if (laws.parts().size() != 1) return std::nullopt;
  const auto& kind = laws.parts().front().kind;
  if (const auto* spread = std::get_if<SpreadLaws>(&kind))
    return AxisLaw{spread->centre(i, c), spread->sd(i, c), spread->half_width(i, c)};
  if (const auto* x = std::get_if<Inputs>(&kind)) return AxisLaw{x->row(i)[c]};
  if (const auto* axes = std::get_if<AxisLaws>(&kind)) {
    const auto axis = static_cast<std::size_t>(c);
    return AxisLaw{0.0, 0.0, 0.0, axes->node[axis].row(i).transpose(), axes->weight[axis].row(i).transpose()};
  }
  return std::nullopt;
}

double AxisLaw::mean() const { return is_discrete() ? node.dot(weight) : centre; }

double AxisLaw::width() const {
  const double var =
      is_discrete() ? weight.dot((node.array() - mean()).square().matrix()) : sd * sd + half_width * half_width / 3.0;
  return std::sqrt(12.0 * var);
}

double AxisLaw::low() const { return is_discrete() ? node.minCoeff() : centre - half_width - kTails * sd; }
double AxisLaw::high() const { return is_discrete() ? node.maxCoeff() : centre + half_width + kTails * sd; }

std::optional<Vector> hat_weights(const AxisLaw& law, const AxisLattice& lattice) {
  Vector out = Vector::Zero(lattice.size);
  if (law.is_discrete()) {
    for (Index k = 0; k < law.node.size(); ++k) {
      const double at = (law.node[k] - lattice.origin) / lattice.step;
      const double below = std::floor(at);
      const auto first = static_cast<Index>(below);
      if (first >= 0 && first < lattice.size) out[first] += law.weight[k] * (1.0 - (at - below));
      if (first + 1 >= 0 && first + 1 < lattice.size) out[first + 1] += law.weight[k] * (at - below);
    }
  } else {
    Vector at(lattice.size + 2);
    for (Index k = 0; k < at.size(); ++k) at[k] = ramp(law, lattice.origin + static_cast<double>(k - 1) * lattice.step);
    out = (at.tail(lattice.size) - 2.0 * at.segment(1, lattice.size) + at.head(lattice.size)) / lattice.step;
  }
  out = (out.array() > kLeastWeight).select(out, 0.0);
  const double mass = out.sum();
  if (mass < kLeastMass) return std::nullopt;
  return out / mass;
}

}  // namespace iqbo
