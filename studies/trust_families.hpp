// Families of problems on which a user would rely on the defaults: fields and groupings of many kinds, drawn from a seed.
//
// SPLIT BEFOREHAND. Families with held_out = false may be looked at while settings are chosen. The others are looked at
// once, at the end, and nothing is changed after that. The split was made before any of them had been run.
//
//              may be looked at                          held out
//   synthetic  smooth, rough, anisotropic,               Matern 3/2, nugget, mildly skewed,
//              skewed, equal blocks, tree of tiles       plateau, trend, windows
//   real       Rocky Mountains, Jura lead,               Jacksboro, forest slope, Swiss rain,
//              Tokyo mortality                           Boston crime, German radiation, Carolina SIDS
//
// The real fields are made by ./dev fields; docs/real_fields.md says what they are. A draw takes a random window of a
// raster, or a random subset of scattered places.
//
// Grouping, noise and budget are random too: what holds only for one kind of blocks is not worth much.
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "grouping.hpp"
#include "iqbo/conditional/cell.hpp"
#include "iqbo/conditional/spread.hpp"
#include "iqbo/kernel/stationary.hpp"
#include "iqbo/policy/policy.hpp"
#include "iqbo/posterior/posterior.hpp"
#include "iqbo/space/query_tree.hpp"
#include "pixels.hpp"
#include "real_field.hpp"

namespace iqbo::study {

struct TrustCase {
  Setting setting;  // X is a list; nothing is known but p(x|a)
  Vector f;         // on X
  std::function<double(const Queries& one)> g;
  double noise_sd;
  Index budget;   // number of answers
  Index queries;  // that may be asked
};

struct TrustFamily {
  std::string name;
  bool held_out;
  std::function<TrustCase(std::uint64_t seed)> make;
  std::string file = {};  // that it needs

  bool real() const { return !file.empty(); }
};

namespace trust {

inline double between(double low, double high, Rng& rng) { return low + (high - low) * rng.uniform(); }
inline double log_between(double low, double high, Rng& rng) { return low * std::pow(high / low, rng.uniform()); }

inline double sd_of(const Vector& values) { return std::sqrt((values.array() - values.mean()).square().mean()); }

inline Index some_budget(Rng& rng) { return 40 + 10 * rng.below(3); }

// Noise from 3 to 30 % of the spread of the averages.
inline double some_noise(const Vector& g, Rng& rng) { return log_between(0.03, 0.3, rng) * sd_of(g); }

// A field whose cells are seen through the averages of groups.
inline TrustCase grouped(const Inputs& cells, const Vector& f, const BagConditional& bags, Rng& rng) {
  const Vector g = bags.average(bags.queries(), f).col(0);
  Setting setting{InputSet(cells), QuerySet(bags.queries()), bags.clone()};
  auto average = [bags, f](const Queries& one) { return bags.average(one, f)(0, 0); };
  return {std::move(setting), f, std::move(average), some_noise(g, rng), some_budget(rng), bags.queries().size()};
}

// Overlapping blocks of three sizes, each about 1.6 times as wide as the last.
inline BagConditional some_blocks(const Inputs& cells, const Vector& weight, Rng& rng) {
  Grouping groups(cells);
  const auto least = static_cast<double>(2 + rng.below(3));
  for (const double times : {1.0, 1.6, 2.6}) groups.add_blocks(std::round(least * times), rng);
  return groups.bags(weight);
}

// Groups of three sizes of neighbouring places: the nearest of a random one, or districts in two ways.
inline BagConditional some_groups(const Inputs& cells, const Vector& weight, Rng& rng) {
  Grouping groups(cells);
  const Index least = 3 + rng.below(4);
  const bool nearest = rng.uniform() < 0.5;
  for (const Index size : {least, 2 * least, 4 * least}) {
    if (nearest) {
      groups.add_nearest(size, cells.size() / 5, rng);
    } else {
      for (int layer = 0; layer < 2; ++layer) groups.add_districts(std::max<Index>(cells.size() / size, 2), rng);
    }
  }
  return groups.bags(weight);
}

// The centres of side x side pixels, in pixels.
inline Inputs square(Index side) {
  return Inputs(Rows(static_cast<double>(side) * pixel_grid(side, side).coordinates()));
}

// ---- synthetic fields on 24 x 24 to 28 x 28 pixels; lengthscales in pixels ----

using FieldMaker = std::function<Vector(const Inputs& pixels, Rng& rng)>;

inline TrustCase on_pixels(const FieldMaker& field, Rng& rng) {
  const Inputs pixels = square(24 + rng.below(5));
  const Vector f = field(pixels, rng);
  return grouped(pixels, f, some_blocks(pixels, Vector::Ones(pixels.size()), rng), rng);
}

inline Vector draw(const Kernel& kernel, const Inputs& pixels, Rng& rng) { return Field(kernel, pixels).draw(rng); }

inline Vector smooth(const Inputs& pixels, Rng& rng) {
  return draw(Rbf(1.0, Vector::Constant(2, log_between(2.5, 6.0, rng))), pixels, rng);
}

inline Vector matern12(const Inputs& pixels, Rng& rng) {
  return draw(Matern12(1.0, Vector::Constant(2, log_between(4.0, 16.0, rng))), pixels, rng);
}

inline Vector matern32(const Inputs& pixels, Rng& rng) {
  return draw(Matern32(1.0, Vector::Constant(2, log_between(3.0, 10.0, rng))), pixels, rng);
}

inline Vector anisotropic(const Inputs& pixels, Rng& rng) {
  const double scale = log_between(3.0, 6.0, rng);
  const double ratio = std::sqrt(log_between(2.0, 6.0, rng));
  const bool along = rng.uniform() < 0.5;
  return draw(Matern52(1.0, along ? Vector{{scale * ratio, scale / ratio}} : Vector{{scale / ratio, scale * ratio}}),
              pixels, rng);
}

// A share of 10 to 40 % of the variance is white.
inline Vector with_nugget(const Inputs& pixels, Rng& rng) {
  const double white = between(0.1, 0.4, rng);
  const Vector structured = matern32(pixels, rng);
  return std::sqrt(1.0 - white) * structured + std::sqrt(white) * rng.normals(pixels.size());
}

inline FieldMaker skewed(double log_sd) {
  return [log_sd](const Inputs& pixels, Rng& rng) -> Vector { return (log_sd * matern32(pixels, rng)).array().exp(); };
}

// Half of the square is high ground, on which there is one hill; all else is small ripples.
inline Vector plateau(const Inputs& pixels, Rng& rng) {
  const double side = pixels.coordinates().maxCoeff() + 0.5;
  const double angle = between(0.0, 6.283185307179586, rng);
  const Eigen::RowVector2d uphill(std::cos(angle), std::sin(angle));
  const Eigen::RowVector2d middle = Eigen::RowVector2d::Constant(side / 2.0);
  const Eigen::RowVector2d hill = middle + side * between(0.15, 0.3, rng) * uphill;
  const double width = between(1.5, 3.0, rng);
  const double height = between(0.6, 1.2, rng);
  Vector out = 0.08 * draw(Rbf(1.0, Vector::Constant(2, 3.0)), pixels, rng);
  for (Index i = 0; i < out.size(); ++i) {
    const Eigen::RowVector2d x = pixels.row(i);
    out[i] += 1.0 / (1.0 + std::exp(-(x - middle).dot(uphill) / 1.5));
    out[i] += height * std::exp(-0.5 * (x - hill).squaredNorm() / (width * width));
  }
  return out;
}

// A plane that rises by 3 to 6 sds of the field on it.
inline Vector trend(const Inputs& pixels, Rng& rng) {
  const double side = pixels.coordinates().maxCoeff() + 0.5;
  const double angle = between(0.0, 6.283185307179586, rng);
  const double rise = between(3.0, 6.0, rng) / side;
  const Vector slope = rise * Vector{{std::cos(angle), std::sin(angle)}};
  return matern32(pixels, rng) + pixels.coordinates() * slope;
}

// ---- synthetic fields with queries of other kinds ----

// 36 tiles of 16 pixels and nothing else: nugget and noise look alike unless a tile is asked twice.
inline TrustCase equal_blocks(Rng& rng) {
  const Inputs pixels = square(24);
  const Vector f = with_nugget(pixels, rng);
  Grouping groups(pixels);
  groups.add_tiles(4.0);
  return grouped(pixels, f, groups.bags(Vector::Ones(pixels.size())), rng);
}

// A positive field that varies in proportion to its level, on two scales and from cell to cell, as ore grades do: 4,900 cells,
// overlapping blocks of four sizes. Too many cells for f = exp(eta) to be tried.
inline TrustCase ore(Rng& rng) {
  const Inputs pixels = square(70);
  const auto part = [&](double sd, double lengthscale) -> Vector {
    return sd * draw(Rbf(1.0, Vector::Constant(2, lengthscale)), pixels, rng);
  };
  const Vector f = (part(0.75, 6.0) + part(0.5, 2.0) + 0.43 * rng.normals(pixels.size())).array().exp();
  Grouping groups(pixels);
  for (const double side : {4.0, 8.0, 12.0, 20.0}) groups.add_blocks(side, rng);
  return grouped(pixels, f, groups.bags(Vector::Ones(pixels.size())), rng);
}

// The same without what varies from cell to cell, and with more answers: high grades lie in continuous veins.
inline TrustCase veins(Rng& rng) {
  const Inputs pixels = square(70);
  const auto part = [&](double sd, double lengthscale) -> Vector {
    return sd * draw(Matern32(1.0, Vector::Constant(2, lengthscale)), pixels, rng);
  };
  const Vector f = (part(0.8, log_between(8.0, 16.0, rng)) + part(0.5, log_between(2.0, 4.0, rng))).array().exp();
  Grouping groups(pixels);
  for (const double side : {3.0, 5.0, 8.0, 13.0}) groups.add_blocks(side, rng);
  TrustCase out = grouped(pixels, f, groups.bags(Vector::Ones(pixels.size())), rng);
  out.budget = 150;
  return out;
}

// A tree of tiles, from the whole square down to single pixels, all at the same cost.
inline TrustCase tree_of_tiles(Rng& rng) {
  const Inputs pixels = square(32);
  const Vector f = matern32(pixels, rng);
  TreeOptions options;
  options.l_max = 5;
  options.cost = Vector(Vector::Ones(options.l_max + 1));
  const QueryTree tree(pixels, options);
  const CellConditional cells(tree);
  const Vector g = cells.average(tree.queries(tree.nodes_at(3)), f).col(0);
  Index nodes = 0;
  for (Index level = 0; level <= options.l_max; ++level) nodes += static_cast<Index>(tree.nodes_at(level).size());
  auto average = [cells, f](const Queries& one) { return cells.average(one, f)(0, 0); };
  return {{InputSet(pixels), tree, cells.clone()}, f, average, some_noise(g, rng), some_budget(rng), nodes};
}

// Gaussian windows of two widths around 12 x 12 centres.
inline TrustCase windows(Rng& rng) {
  constexpr Index kSide = 24;
  const Inputs pixels = square(kSide);
  const Rows centres = 2.0 * square(kSide / 2).coordinates();
  Rows places(2 * centres.rows(), 3);
  const double width = between(1.0, 2.0, rng);
  places << centres, Vector::Constant(centres.rows(), width), centres, Vector::Constant(centres.rows(), 2.0 * width);
  const Queries a(places);
  const GaussianConditional window(QueryMap::columns({0, 1}), QueryMap::columns({2}));
  const Posterior prior(Matern52(1.0, Vector::Constant(2, log_between(3.0, 7.0, rng))), window);
  Matrix cov(pixels.size() + a.size(), pixels.size() + a.size());
  const Matrix across = prior.fg_cov(pixels, a);
  cov << prior.f_cov(pixels), across, across.transpose(), prior.g_cov(a);
  cov.diagonal().array() += 1e-9;
  const Vector both = internal::Cholesky(cov).lower() * rng.normals(cov.rows());
  const Vector g = both.tail(a.size());
  const QuerySet listed(a);
  auto look_up = [listed, g](const Queries& one) { return g[*listed.find(one.row(0))]; };
  return {{InputSet(pixels), listed, window.clone()},
          both.head(pixels.size()),
          look_up,
          some_noise(g, rng),
          some_budget(rng),
          a.size()};
}

// ---- real fields ----

// Read when it is first needed, by whichever thread.
class FieldFile {
 public:
  explicit FieldFile(std::string file) : file_(std::move(file)) {}
  const RealField& get() const {
    std::call_once(once_, [this] { field_ = read_field(file_); });
    return *field_;
  }

 private:
  std::string file_;
  mutable std::once_flag once_;
  mutable std::optional<RealField> field_;
};

inline TrustCase in_window(const RealField& raster, Rng& rng) {
  const Index side = 24 + rng.below(9);
  const RealField part = some_window(raster, side, rng);
  const Inputs cells(part.places);
  return grouped(cells, part.value, some_blocks(cells, part.weight, rng), rng);
}

inline TrustCase in_subset(const RealField& scattered, Rng& rng) {
  const double share = between(0.7, 1.0, rng);
  const RealField part = some_places(scattered, share, rng);
  const Inputs cells(part.places);
  return grouped(cells, part.value, some_groups(cells, part.weight, rng), rng);
}

// ---- families ----

// FNV-1a, which numbers a family by its name: two families have nothing in common, whatever their seeds.
inline std::uint64_t number_of(const std::string& name) {
  std::uint64_t out = 14695981039346656037U;
  for (const char letter : name) out = (out ^ static_cast<unsigned char>(letter)) * 1099511628211U;
  return out;
}

inline TrustFamily family(const std::string& name, bool held_out, const std::function<TrustCase(Rng&)>& make,
                          const std::string& file = {}) {
  const auto from_seed = [make, number = number_of(name)](std::uint64_t seed) {
    Rng rng(seed, {18, number});
    return make(rng);
  };
  return {name, held_out, from_seed, file};
}

inline TrustFamily synthetic(const std::string& name, bool held_out, const FieldMaker& field) {
  return family(name, held_out, [field](Rng& rng) { return on_pixels(field, rng); });
}

inline TrustFamily raster(const std::string& name, bool held_out, const std::string& file) {
  const auto all = std::make_shared<const FieldFile>(file);
  return family(
      name, held_out, [all](Rng& rng) { return in_window(all->get(), rng); }, file);
}

inline TrustFamily scattered(const std::string& name, bool held_out, const std::string& file) {
  const auto all = std::make_shared<const FieldFile>(file);
  return family(
      name, held_out, [all](Rng& rng) { return in_subset(all->get(), rng); }, file);
}

}  // namespace trust

// `fields`: the folder that ./dev fields made. Without it real families are listed, but cannot be drawn.
inline std::vector<TrustFamily> trust_families(const std::string& fields) {
  constexpr bool kDev = false;
  constexpr bool kHeldOut = true;
  const auto file = [&](const char* name) { return fields + "/" + name + ".csv"; };
  return {
      trust::synthetic("smooth", kDev, trust::smooth),
      trust::synthetic("rough", kDev, trust::matern12),
      trust::synthetic("anisotropic", kDev, trust::anisotropic),
      trust::synthetic("skewed", kDev, trust::skewed(1.0)),
      trust::family("equal blocks", kDev, trust::equal_blocks),
      trust::family("tree of tiles", kDev, trust::tree_of_tiles),
      trust::family("ore", kDev, trust::ore),
      trust::family("veins", kDev, trust::veins),
      trust::raster("Rocky Mountains", kDev, file("rocky_mountains")),
      trust::scattered("Jura lead", kDev, file("jura_lead")),
      trust::scattered("Tokyo mortality", kDev, file("tokyo_mortality")),
      trust::synthetic("Matern 3/2", kHeldOut, trust::matern32),
      trust::synthetic("nugget", kHeldOut, trust::with_nugget),
      trust::synthetic("mildly skewed", kHeldOut, trust::skewed(0.5)),
      trust::synthetic("plateau", kHeldOut, trust::plateau),
      trust::synthetic("trend", kHeldOut, trust::trend),
      trust::family("windows", kHeldOut, trust::windows),
      trust::raster("Jacksboro", kHeldOut, file("jacksboro")),
      trust::raster("forest slope", kHeldOut, file("forest_slope")),
      trust::scattered("Swiss rain", kHeldOut, file("swiss_rain")),
      trust::scattered("Boston crime", kHeldOut, file("boston_crime")),
      trust::scattered("German radiation", kHeldOut, file("german_radiation")),
      trust::scattered("Carolina SIDS", kHeldOut, file("carolina_sids")),
  };
}

}  // namespace iqbo::study
