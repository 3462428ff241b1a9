#include "iqbo/kernel/spectral.hpp"

#include <algorithm>
#include <cmath>

#include "iqbo/kernel/stationary_part.hpp"
#include "numerics/sobol.hpp"

namespace iqbo {

using namespace internal;

namespace {

bool has_spectrum(const KernelTerm& term) {
  return term.kind != KernelTerm::Kind::kOpaque &&
         std::all_of(term.factors.begin(), term.factors.end(),
                     [](const KernelTerm::Factor& factor) { return factor.part->uniforms() > 0; });
}

// The frequencies of each factor, in its columns.
Rows frequencies(const KernelTerm& term, Index dimension, Index count, Rng& rng) {
  Index needed = 0;
  for (const auto& factor : term.factors) needed += factor.part->uniforms();
  const Rows uniform = sobol(count, needed, rng);
  Rows out(count, dimension);
  Index used = 0;
  for (const auto& [part, columns] : term.factors) {
    out(Eigen::all, columns) = part->frequencies(uniform.middleCols(used, part->uniforms()));
    used += part->uniforms();
  }
  return out;
}

}  // namespace

bool has_spectrum(const Kernel& kernel) {
  const auto terms = kernel.stationary_terms();
  return std::all_of(terms.begin(), terms.end(), [](const KernelTerm& term) { return has_spectrum(term); });
}

SpectralFeatures spectral_features(const Kernel& kernel, Index count, Rng& rng) {
  if (count < 1) refuse("count", std::to_string(count), "at least 1");
  if (!has_spectrum(kernel))
    refuse("kernel", "one without a known spectral density", "a sum or product of families that have one, or White");
  const Index d = kernel.dimension();
  SpectralFeatures out{Rows(0, d), Vector(0), 0.0};
  for (const KernelTerm& term : kernel.stationary_terms()) {
    if (term.kind == KernelTerm::Kind::kWhite) {
      out.nugget += term.variance;
      continue;
    }
    out.frequency = stacked(out.frequency, frequencies(term, d, count, rng));
    out.amplitude.conservativeResize(out.frequency.rows());
    out.amplitude.tail(count).setConstant(std::sqrt(term.variance / static_cast<double>(count)));
  }
  return out;
}

}  // namespace iqbo
