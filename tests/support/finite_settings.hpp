// Priors on listed inputs and queries for tests of the finite engine: windows, bags, learned embeddings; with and
// without a mean and a discrepancy.
#pragma once

#include <string>
#include <vector>

#include "iqbo/conditional/bag.hpp"
#include "iqbo/conditional/spread.hpp"
#include "iqbo/kernel/stationary.hpp"
#include "iqbo/kernel/sum.hpp"
#include "iqbo/kernel/white.hpp"
#include "iqbo/learned/learned.hpp"
#include "iqbo/posterior/posterior.hpp"
#include "support/random.hpp"

namespace iqbo::test {

struct FiniteSetting {
  std::string name;
  Posterior prior;
  Inputs x;
  Queries a;
};

inline Rows grid(Index side) {
  Rows out(side * side, 2);
  for (Index i = 0; i < side; ++i)
    for (Index j = 0; j < side; ++j)
      out.row(i * side + j) << static_cast<double>(i) / static_cast<double>(side - 1),
          static_cast<double>(j) / static_cast<double>(side - 1);
  return out;
}

// `count` bags of 6 random pixels.
inline BagConditional random_bags(Rng& rng, const Inputs& pixels, Index count) {
  std::vector<BagRow> rows;
  for (Index bag = 0; bag < count; ++bag)
    for (int j = 0; j < 6; ++j) rows.push_back({bag, rng.below(pixels.size()), 0.2 + rng.uniform()});
  return {pixels, rows};
}

inline LearnedConditional learned(Rng& rng, LearnedKind model, const InputDomain& domain = {}) {
  const Rows a = rng.uniforms(60, 2);
  const Rows noise = uniform_rows(rng, 60, 2, -0.08, 0.08);
  LearnedOptions options;
  options.model = model;
  options.domain = domain;
  options.shift_points = 16;
  return {Inputs((0.1 + 0.8 * a.array().square()).matrix() + noise), Queries(a), options};
}

inline std::vector<FiniteSetting> smooth_settings(Rng& rng) {
  const Inputs x(grid(9));
  const Queries a(uniform_rows(rng, 60, 2));
  const Rbf rbf(1.0, Vector{{0.35, 0.45}});
  const ConstantMean constant(0.7);
  const LinearMean linear(0.5, Vector{{1.0, -0.7}});
  const GaussianConditional windows(QueryMap::identity(2), 0.1);
  const BagConditional bags = random_bags(rng, x, 40);
  const Inputs pixels(uniform_rows(rng, 70, 2));
  const BagConditional elsewhere = random_bags(rng, pixels, 30);
  const LearnedConditional cme = learned(rng, LearnedKind::kCme);
  const LearnedConditional shift = learned(rng, LearnedKind::kShift);
  const LearnedConditional listed = learned(rng, LearnedKind::kShift, InputSet(x));
  const LearnedConditional stack = learned(rng, LearnedKind::kStack);
  return {
      {"windows", Posterior(rbf, windows), x, a},
      {"windows, discrepancy", Posterior(rbf, windows, linear).with_discrepancy(Rbf(0.04, Vector{{0.5, 0.5}})), x, a},
      {"bags of x", Posterior(rbf, bags, constant), x, bags.queries()},
      {"bags of other pixels", Posterior(rbf, elsewhere, linear), x, elsewhere.queries()},
      {"cme", Posterior(rbf, cme, linear), x, a},
      {"cme, discrepancy", Posterior(rbf, cme, constant).with_discrepancy(*cme.discrepancy(0.01)), x, a},
      {"shift", Posterior(rbf, shift, linear).with_discrepancy(*shift.discrepancy(0.01)), x, a},
      {"shift on listed points", Posterior(rbf, listed, constant), x, a},
      {"stack", Posterior(rbf, stack).with_discrepancy(*stack.discrepancy(0.01)), x, a}};
}

// Rough fields with a nugget, on a lattice with gaps and at scattered points.
inline std::vector<FiniteSetting> rough_settings(Rng& rng) {
  const Inputs lattice(grid(12).topRows(130));
  const Inputs scattered(uniform_rows(rng, 120, 2));
  const Sum rough(Matern32(1.0, Vector{{0.1, 0.15}}), White(0.1, 2));
  const BagConditional on_lattice = random_bags(rng, lattice, 40);
  const BagConditional off_lattice = random_bags(rng, scattered, 40);
  const GaussianConditional windows(QueryMap::identity(2), 0.05);
  return {
      {"lattice", Posterior(rough, on_lattice, ConstantMean(0.4)), lattice, on_lattice.queries()},
      {"scattered", Posterior(rough, off_lattice).with_discrepancy(Rbf(0.05, Vector{{3.0}})), scattered,
       off_lattice.queries()},
      {"windows", Posterior(Matern12(1.0, Vector{{0.2, 0.2}}), windows), scattered, Queries(uniform_rows(rng, 50, 2))}};
}

}  // namespace iqbo::test
