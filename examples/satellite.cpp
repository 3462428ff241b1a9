// Coarse tiles are cheap, fine tiles are expensive, and there is one budget: where is the hottest pixel?
//
// A field of 32 x 32 pixels, known to nobody: a broad warm pool, and elsewhere a small plume that is hotter. A query buys the
// mean of a tile: the whole scene, a quarter of it, ... down to one pixel. The same budget spent on single pixels buys ten.
//
//   satellite DIR    prints the story and writes DIR/satellite_field.csv and satellite_tiles.csv for satellite_plot.py
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>

#include "iqbo/conditional/cell.hpp"
#include "iqbo/core/rng.hpp"
#include "iqbo/kernel/stationary.hpp"
#include "iqbo/policy/policy.hpp"

namespace {

using iqbo::Index;
using iqbo::Vector;

constexpr double kBudget = 160.0;
constexpr double kNoiseSd = 0.03;
constexpr std::array<const char*, 6> kTiles{"the scene", "a quarter", "8 x 8", "4 x 4", "2 x 2", "one pixel"};

iqbo::Inputs pixels() { return iqbo::InputBox(Vector{{0.5, 0.5}}, Vector{{31.5, 31.5}}).grid({32, 32}); }

// Warm water: a broad pool, a ridge, and a small plume that is the hottest of all.
Vector temperature(const iqbo::Inputs& x) {
  Vector out(x.size());
  for (Index i = 0; i < x.size(); ++i) {
    const double u = x.row(i)[0];
    const double v = x.row(i)[1];
    const auto bump = [&](double cu, double cv, double su, double sv) {
      return std::exp(-0.5 * (std::pow((u - cu) / su, 2) + std::pow((v - cv) / sv, 2)));
    };
    out[i] = 0.75 * bump(9.0, 22.0, 5.5, 4.5) + 0.4 * bump(18.0, 14.0, 9.0, 2.5) + bump(24.5, 7.5, 2.2, 2.4);
  }
  return out;
}

// The mean of each tile, with noise.
struct Satellite {
  const iqbo::Conditional& tiles;
  const Vector& field;
  iqbo::Rng rng;

  Vector look(const iqbo::Queries& a) { return tiles.average(a, field).col(0) + kNoiseSd * rng.normals(a.size()); }
};

std::ofstream csv(const std::filesystem::path& path, const char* head) {
  std::ofstream out(path);
  if (!out) throw std::runtime_error("cannot write " + path.string());
  out << head << '\n';
  return out;
}

// Only single pixels, for the same money: what an ordinary optimiser would do.
double only_pixels(const iqbo::Setting& on_tree, const iqbo::QueryTree& tree, const Vector& field, double price) {
  iqbo::Setting setting = on_tree;
  setting.queries = tree.queries_at(tree.l_max());
  iqbo::PolicyOptions options;
  options.policy = iqbo::PolicyKind::kCjes;
  iqbo::Policy policy(setting, options, 1);
  Satellite satellite{*setting.conditional, field, iqbo::Rng(3)};
  for (int t = 0; t < static_cast<int>(kBudget / price); ++t) {
    const iqbo::Queries a = policy.suggest().queries;
    policy.observe(a, satellite.look(a));
  }
  return field[*policy.best().row];
}

void run(const std::filesystem::path& directory) {
  const iqbo::Inputs x = pixels();
  const Vector field = temperature(x);
  iqbo::TreeOptions prices;
  prices.l_max = 5;
  prices.box = iqbo::QueryBox(Vector{{0.0, 0.0}}, Vector{{32.0, 32.0}});
  prices.cost = Vector{{1.0, 1.0, 1.5, 2.5, 4.0, 8.0}};
  const iqbo::QueryTree tree(x, prices);
  iqbo::Setting setting{iqbo::InputSet(x), tree, iqbo::CellConditional(tree)};
  setting.kernel = iqbo::Rbf(0.1, Vector{{3.0, 3.0}});  // from earlier scenes; left out, it is fitted
  setting.mean = std::make_shared<iqbo::ConstantMean>(0.2);
  setting.noise_var = kNoiseSd * kNoiseSd;

  iqbo::PolicyOptions options;
  options.policy = iqbo::PolicyKind::kCjes;
  options.budget = kBudget;
  iqbo::Policy policy(setting, options, 1);
  Satellite satellite{*setting.conditional, field, iqbo::Rng(3)};
  auto tiles = csv(directory / "satellite_tiles.csv", "step,level,x,y,half_width_x,half_width_y,cost,z");
  std::printf("budget %.0f; a pixel costs %.0f, the whole scene %.0f\n\n", kBudget, tree.cost({5, 0}),
              tree.cost({0, 0}));
  std::printf("step  tile        centre          cost   left    mean of the tile\n");
  for (int step = 1;; ++step) {
    const iqbo::Suggestion next = policy.suggest();
    if (next.queries.empty()) {
      std::printf("      %s\n\n", next.why.back().c_str());
      break;
    }
    const Vector z = satellite.look(next.queries);
    policy.observe(next.queries, z);
    const iqbo::Cell cell = tree.cell(next.nodes[0]);
    std::printf("%4d  %-10s  (%4.1f, %4.1f)   %5.1f  %5.1f   %7.3f\n", step,
                kTiles[static_cast<std::size_t>(cell.node.level)], cell.centre[0], cell.centre[1], tree.cost(cell.node),
                next.left, z[0]);
    tiles << step << ',' << cell.node.level << ',' << cell.centre[0] << ',' << cell.centre[1] << ','
          << cell.half_width[0] << ',' << cell.half_width[1] << ',' << tree.cost(cell.node) << ',' << z[0] << '\n';
  }

  const iqbo::Recommendation best = policy.best();
  Index hottest = 0;
  const double most = field.maxCoeff(&hottest);
  std::printf("recommended pixel (%.1f, %.1f): %.2f, 95 %% interval %.2f to %.2f; in truth %.2f\n", best.x.row(0)[0],
              best.x.row(0)[1], best.mean, best.low, best.high, field[*best.row]);
  std::printf("hottest pixel     (%.1f, %.1f): %.2f\n", x.row(hottest)[0], x.row(hottest)[1], most);
  std::printf("single pixels only, for the same money (%d of them): in truth %.2f\n",
              static_cast<int>(kBudget / tree.cost({5, 0})), only_pixels(setting, tree, field, tree.cost({5, 0})));

  const iqbo::Marginals f = policy.belief().f(x);
  auto out = csv(directory / "satellite_field.csv", "x,y,f,mean,sd");
  for (Index i = 0; i < x.size(); ++i)
    out << x.row(i)[0] << ',' << x.row(i)[1] << ',' << field[i] << ',' << f.mean[i] << ',' << std::sqrt(f.var[i])
        << '\n';
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: satellite DIR    writes the tiles and the field there\n";
    return 2;
  }
  try {
    std::filesystem::create_directories(argv[1]);
    run(argv[1]);
  } catch (const std::exception& error) {
    std::cerr << "satellite: " << error.what() << '\n';
    return 1;
  }
}
