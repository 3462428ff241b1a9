#include "spectral.hpp"

#include <algorithm>
#include <boost/math/distributions/gamma.hpp>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <numeric>

#include "iqbo/kernel/product.hpp"
#include "iqbo/kernel/stationary.hpp"
#include "iqbo/kernel/sum.hpp"
#include "iqbo/kernel/white.hpp"
#include "numerics/sobol.hpp"

namespace iqbo::internal {
namespace {

double smoothness(Stationary::Family family) {
  switch (family) {
    case Stationary::Family::kMatern12:
      return 0.5;
    case Stationary::Family::kMatern32:
      return 1.5;
    case Stationary::Family::kMatern52:
      return 2.5;
    case Stationary::Family::kRbf:
      break;
  }
  return std::numeric_limits<double>::infinity();
}

// Uniform numbers a factor uses up: one per coordinate, one more for the scale of a Student t.
Index uniforms_of(const Stationary& kernel) {
  return kernel.dimension() + (kernel.family() == Stationary::Family::kRbf ? 0 : 1);
}

// w = N / lengthscale, for Matern divided by sqrt(G / nu), G ~ Gamma(nu): a Student t.
void fill(const Stationary& kernel, const std::vector<Index>& columns, const Eigen::Ref<const Rows>& uniform,
          Rows& frequency) {
  static const boost::math::normal normal;
  const double nu = smoothness(kernel.family());
  for (Index r = 0; r < uniform.rows(); ++r) {
    double scale = 1.0;
    if (std::isfinite(nu)) {
      const double gamma = boost::math::quantile(boost::math::gamma_distribution<>(nu), uniform(r, kernel.dimension()));
      scale = std::sqrt(nu / gamma);
    }
    for (Index j = 0; j < kernel.dimension(); ++j)
      frequency(r, columns[static_cast<std::size_t>(j)]) =
          scale * boost::math::quantile(normal, uniform(r, j)) / kernel.lengthscale()[j];
  }
}

SpectralFeatures features_of(double variance, const std::vector<Product::Factor>& factors, Index dimension, Index count,
                             Rng& rng) {
  Index needed = 0;
  for (const auto& factor : factors) needed += uniforms_of(factor.kernel);
  const Rows uniform = sobol(count, needed, rng);
  SpectralFeatures out{Rows(count, dimension),
                       Vector::Constant(count, std::sqrt(variance / static_cast<double>(count))), 0.0};
  Index used = 0;
  for (const auto& [kernel, columns] : factors) {
    fill(kernel, columns, uniform.middleCols(used, uniforms_of(kernel)), out.frequency);
    used += uniforms_of(kernel);
  }
  return out;
}

SpectralFeatures joined(const std::vector<SpectralFeatures>& parts, Index dimension) {
  SpectralFeatures out{Rows(0, dimension), Vector(0), 0.0};
  for (const auto& part : parts) {
    const Index old = out.amplitude.size();
    out.frequency.conservativeResize(old + part.amplitude.size(), dimension);
    out.amplitude.conservativeResize(old + part.amplitude.size());
    out.frequency.bottomRows(part.amplitude.size()) = part.frequency;
    out.amplitude.tail(part.amplitude.size()) = part.amplitude;
    out.nugget += part.nugget;
  }
  return out;
}

}  // namespace

bool has_spectrum(const Kernel& kernel) {
  if (const auto* sum = dynamic_cast<const Sum*>(&kernel))
    return std::all_of(sum->terms().begin(), sum->terms().end(), [](const auto& term) { return has_spectrum(*term); });
  return dynamic_cast<const Stationary*>(&kernel) != nullptr || dynamic_cast<const Product*>(&kernel) != nullptr ||
         dynamic_cast<const White*>(&kernel) != nullptr;
}

SpectralFeatures spectral_features(const Kernel& kernel, Index count, Rng& rng) {
  if (count < 1) refuse("count", std::to_string(count), "at least 1");
  const Index d = kernel.dimension();
  if (const auto* stationary = dynamic_cast<const Stationary*>(&kernel)) {
    std::vector<Index> columns(static_cast<std::size_t>(d));
    std::iota(columns.begin(), columns.end(), Index{0});
    return features_of(stationary->variance(), {{*stationary, columns}}, d, count, rng);
  }
  if (const auto* product = dynamic_cast<const Product*>(&kernel))
    return features_of(product->variance(), product->factors(), d, count, rng);
  if (const auto* sum = dynamic_cast<const Sum*>(&kernel)) {
    std::vector<SpectralFeatures> parts;
    for (const auto& term : sum->terms()) parts.push_back(spectral_features(*term, count, rng));
    return joined(parts, d);
  }
  if (const auto* white = dynamic_cast<const White*>(&kernel)) return {Rows(0, d), Vector(0), white->variance()};
  refuse("kernel", "one without a known spectral density", "Rbf, Matern, Product, Sum or White");
}

}  // namespace iqbo::internal
