// Are rare spots found, and does a study know when it has not found them?
//
// Scenes of 64 x 64 pixels (problems tiles-...), bought by tiles of 64 to 4 pixels, noise sd 0.01, a budget of 200,
// everything fitted. Found: the recommendation is within 4 pixels of the maximum. Sure and wrong: P(f(x) >= 0.8 f*) > 0.8
// is believed, and it is not so. Stated: a probability of at least 0.95 that f(x) is within the tolerance of f*.
//
//   spots        the search by itself, from the first fit to the end, without a Policy around it
//   stationary   a Policy without the search; it makes no such statements about tolerances
//   auto         a Policy as it is by default, which searches while the stationary belief has not foreseen the answers better
//                (policy/spots.hpp); "sure and wrong" is not measured
//   box          the same, where X is the box around the pixels and queries are uniform windows on it. A pixel is a square of
//                constant f, so that the answers are those of the tiles
//
//   spots [--draws 40] [--seed 101] [--only TEXT]      scenes seed ... seed + draws - 1 of families and sides so named
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <limits>

#include "iqbo/conditional/spread.hpp"
#include "iqbo/domain/query_domain.hpp"
#include "iqbo/policy/policy.hpp"
#include "iqbo/problem/registry.hpp"
#include "spot/model.hpp"
#include "study.hpp"

namespace {

using namespace iqbo;

constexpr double kBudget = 200.0;
constexpr Index kPaths = 400;
constexpr std::size_t kTimed = 60;  // answers

double cpu() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct Scene {
  Problem problem;
  Vector f;
  Index best = 0;

  Scene(const std::string& family, std::uint64_t seed)
      : problem(iqbo::problem(family, {.seed = seed})), f(problem.f(problem.x().points())) {
    f.maxCoeff(&best);
  }
  double range() const { return f.maxCoeff() - f.minCoeff(); }
  Index nearest(const Inputs& x) const {  // the pixel that holds x
    Index out = 0;
    (problem.x().points().coordinates().rowwise() - x.row(0)).rowwise().squaredNorm().minCoeff(&out);
    return out;
  }
  double answer(const Queries& a, std::uint64_t seed, std::size_t n) const {
    Rng noise(seed, {1000, n});
    return problem.g(a)[0] + problem.noise_sd() * noise.normal();
  }
};

struct Run {
  double found, regret, covered, above = 0, sure_wrong = 0, stated = 0, right = 0, ms = 0;
};

Run judged(const Scene& scene, Index row, double low, double high) {
  const Inputs& x = scene.problem.x().points();
  const double f = scene.f[row];
  return {(x.row(row) - x.row(scene.best)).norm() <= 4.0 ? 1.0 : 0.0, (scene.f[scene.best] - f) / scene.range(),
          low <= f && f <= high ? 1.0 : 0.0};
}

Run with_spots(const Scene& scene, std::uint64_t seed) {
  const Problem& p = scene.problem;
  auto grid = std::make_shared<SpotGrid>(*SpotGrid::of(p.x(), *p.conditional(), p.a().points()));
  SpotModel model(grid, {}, seed);
  const QueryDomainPtr domain = *p.tree();
  const auto open = domain->open({});
  std::vector<SpotAnswer> answers;
  double left = kBudget, ms = 0.0;
  const std::vector<Index> fits = Policy::fit_sizes(1000);
  const auto ask = [&](const Queries& a) {
    answers.push_back({(*grid->rows(*p.conditional(), a))[0], scene.answer(a, seed, answers.size())});
    open->select(a.row(0));
    left -= p.cost(a)[0];
    const auto t = static_cast<Index>(answers.size());
    if (t >= 5 && std::find(fits.begin(), fits.end(), t) != fits.end()) model.fit(answers);
  };
  Rng rng(seed);
  const Queries initial = domain->initial_design(5, rng);
  for (Index i = 0; i < initial.size(); ++i) ask(initial.slice(i, 1));
  for (;;) {
    const Candidates all = open->candidates(1.0);
    std::vector<Index> rows;
    for (Index i = 0; i < all.queries.size(); ++i)
      if (all.allowed[static_cast<std::size_t>(i)] && all.cost[i] <= left + 1e-9) rows.push_back(i);
    if (rows.empty()) break;
    const double before = cpu();
    const Queries some(Rows(all.queries.coordinates()(rows, Eigen::all)));
    const Vector usual = Vector::Constant(some.size(), std::numeric_limits<double>::quiet_NaN());
    const Vector score = model.belief(answers).score(*grid->rows(*p.conditional(), some), usual);
    Index next = 0;
    score.cwiseQuotient(Vector(all.cost(rows))).maxCoeff(&next);
    if (answers.size() == kTimed) ms = 1000.0 * (cpu() - before);
    ask(some.slice(next, 1));
  }
  const SpotRecommendation r = model.stated(answers).recommend(kPaths, rng);
  Run out = judged(scene, r.row, r.low, r.high);
  const double top = scene.f[scene.best], f = scene.f[r.row];
  out.above = top > r.max_high ? 1.0 : 0.0;
  out.sure_wrong =
      static_cast<double>((r.here.array() >= 0.8 * r.largest.array()).count()) > 0.8 * static_cast<double>(kPaths) &&
              f < 0.8 * top
          ? 1.0
          : 0.0;
  out.stated = r.probability >= 0.95 ? 1.0 : 0.0;
  out.right = out.stated > 0.0 && top - f <= r.tolerance ? 1.0 : 0.0;
  out.ms = ms;
  return out;
}

// The box around the pixels, and a tree of windows on it that are the tiles of `tree`.
struct Windows {
  InputBox x;
  QueryTree tree;
  UniformConditional conditional{QueryMap::columns({0, 1}), QueryMap::columns({2})};

  static Windows of(const QueryTree& tiles) {
    const Cell root = tiles.cell(tiles.root());
    const Vector lower = root.centre - root.half_width, upper = root.centre + root.half_width;
    TreeOptions options;
    options.l_max = tiles.l_max();
    options.resolution = PerCell([](const Cell& cell) { return cell.half_width[0]; });
    options.cost = PerCell([tiles](const Cell& cell) { return tiles.cost(cell.node); });
    return {InputBox(lower, upper), QueryTree(QueryBox(lower, upper), options)};
  }
};

enum class Ask { kTiles, kWindows };

Run by_policy(const Scene& scene, std::uint64_t seed, SpotSearch search, Ask ask = Ask::kTiles) {
  const Problem& p = scene.problem;
  const QueryTree& tiles = *p.tree();
  const Windows windows = Windows::of(tiles);
  PolicyOptions options;
  options.budget = kBudget;
  if (search == SpotSearch::kOff) options.recommend_paths = 0;
  options.spots = search;
  const Setting setting = ask == Ask::kTiles ? Setting{p.x(), tiles, p.conditional()}
                                             : Setting{windows.x, windows.tree, windows.conditional};
  const auto tile = [&](const Queries& a) {
    return ask == Ask::kTiles ? a : tiles.queries({*windows.tree.find(a.row(0))});
  };
  Policy policy(setting, options, seed);
  double ms = 0.0;
  for (std::size_t n = 0;; ++n) {
    const double before = cpu();
    const Suggestion next = policy.suggest();
    if (next.queries.empty()) break;
    if (n == kTimed) ms = 1000.0 * (cpu() - before);
    policy.observe(next.queries, Vector::Constant(1, scene.answer(tile(next.queries), seed, n)));
  }
  const Recommendation r = policy.best();
  const Index row = r.row ? *r.row : scene.nearest(r.x);
  Run out = judged(scene, row, r.low, r.high);
  const double top = scene.f[scene.best];
  out.above = top > (std::isnan(r.max_high) ? r.high : r.max_high) ? 1.0 : 0.0;
  out.stated = r.probability >= 0.95 ? 1.0 : 0.0;
  out.right = out.stated > 0.0 && top - scene.f[row] <= r.tolerance ? 1.0 : 0.0;
  out.ms = ms;
  return out;
}

std::vector<double> of(const std::vector<Run>& runs, double Run::*member) {
  std::vector<double> out;
  for (const Run& run : runs) out.push_back(run.*member);
  return out;
}

void print(const std::string& family, const std::string& side, const std::vector<Run>& runs) {
  const auto sum = [&](double Run::*member) {
    double out = 0.0;
    for (const Run& run : runs) out += run.*member;
    return out;
  };
  const auto [regret, se] = study::summarise(of(runs, &Run::regret));
  std::printf("| %s | %s | %.0f of %zu | %.4f +- %.4f | %.0f | %.0f | %.0f | %.0f of %.0f | %.0f |\n", family.c_str(),
              side.c_str(), sum(&Run::found), runs.size(), regret, se, sum(&Run::covered), sum(&Run::above),
              sum(&Run::sure_wrong), sum(&Run::right), sum(&Run::stated),
              sum(&Run::ms) / static_cast<double>(runs.size()));
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  study::Arguments arguments = study::parse(argc, argv, 40, true);
  if (arguments.seed == 1) arguments.seed = 101;  // settings were chosen on scenes 1 to 10
  std::printf("| scenes | | found | regret | f covered | maximum above | sure and wrong | stated right | ms |\n");
  std::printf("|---|---|---|---|---|---|---|---|---|\n");
  for (const char* family : {"tiles-spot", "tiles-narrow-spot", "tiles-two-spots", "tiles-disc", "tiles-ellipse",
                             "tiles-smooth", "tiles-rough"}) {
    std::vector<std::vector<Run>> sides;
    for (const std::string side : {"spots", "stationary", "auto", "box"}) {
      const std::string name = std::string(family) + " " + side;
      if (!arguments.wants(name)) continue;
      std::vector<Run> runs(static_cast<std::size_t>(arguments.draws));
      study::parallel(arguments.draws, name, [&](int d) {
        const auto seed = arguments.seed + static_cast<std::uint64_t>(d);
        const Scene scene(family, seed);
        runs[static_cast<std::size_t>(d)] = side == "spots"        ? with_spots(scene, seed)
                                            : side == "stationary" ? by_policy(scene, seed, SpotSearch::kOff)
                                            : side == "auto"       ? by_policy(scene, seed, SpotSearch::kAuto)
                                                             : by_policy(scene, seed, SpotSearch::kAuto, Ask::kWindows);
      });
      print(family, side, runs);
      sides.push_back(runs);
    }
    if (sides.size() < 2) continue;
    std::vector<double> loss;
    for (std::size_t d = 0; d < sides[0].size(); ++d) loss.push_back(sides[0][d].regret - sides[1][d].regret);
    const auto [mean, se] = study::summarise(loss);
    std::printf("%s: the first side - the second, regret: %+.4f +- %.4f\n", family, mean, se);
  }
}
