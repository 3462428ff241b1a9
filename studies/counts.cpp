// What do counts gain over averages with a made-up sd: honest intervals, better rates, and at what regret?
//
// 100 cells (10 x 10) in 40 blocks of 4 and 9 overlapping ones of 12; a block is counted, and the cell with the highest rate is
// sought. Each row of the table is a kind of field and of count, each variant sees the same counts:
//
//   auto       the family of the row, the link by evidence
//   link       log (logit for proportions);  identity
//   plug-in    y / N with sd sqrt(max(y, 1)) / N (binomial: of its share, at least half a success from both ends), Gaussian and
//              without a link: what people had to tell without counts
//
//   covers     share of runs whose 90 % interval holds f at the recommended cell, with Jeffreys' 95 % interval; and whose stated
//              95 % interval (best(), widened by what its forecasts missed) does
//   all        share of cells within their 90 % interval
//   error      root mean square error of f over the cells, in units of the mean of f
//   regret     (max f - f recommended) / max f; and minus that of the plug-in, with twice its standard error
//   score      log p of a new count at each block, minus that of the better of link and identity (medians of the two, nats a study)
//
//   counts [--draws 200] [--seed 1] [--only TEXT] [--policy random|auto] [--answers 24]
#include <algorithm>
#include <boost/math/distributions/beta.hpp>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <random>

#include "core/parallel.hpp"
#include "iqbo/kernel/stationary.hpp"
#include "iqbo/policy/policy.hpp"
#include "pixels.hpp"
#include "policy/predictive_count.hpp"
#include "study.hpp"

namespace {

using namespace iqbo;  // a program, not a header

constexpr Index kSide = 10;

struct Row {
  std::string name;
  LikelihoodPtr family;
  double sd;              // of eta; of f, in units of its mean, where the field is narrow
  double counts;          // expected in a block of the mean rate; 0: binomial of 20 to 200
  double dispersion = 0;  // of the counts
  bool narrow = false;
};

std::vector<Row> all_rows() {
  std::vector<Row> out;
  for (const double sd : {0.5, 1.0})
    for (const int counts : {3, 15, 100})
      out.push_back({"log-sd " + std::string(sd < 1 ? ".5" : "1") + ", " + std::to_string(counts) + " counts",
                     poisson_answers(), sd, static_cast<double>(counts)});
  out.push_back({"binomial, 20 to 200", binomial_answers(), 1.0, 0.0});
  out.push_back({"overdispersed, k = 3", likelihood_of("negative-binomial"), 1.0, 15.0, 1.0 / 3.0});
  out.push_back({"narrow, 100 counts", poisson_answers(), 0.15, 100.0, 0.0, true});
  return out;
}

const std::vector<std::string>& all_variants() {
  static const std::vector<std::string> all{"auto", "link", "identity", "plug-in"};
  return all;
}

// --- a world: rates, blocks, and the count of every answer ---

std::vector<BagRow> blocks() {
  std::vector<BagRow> out;
  Index bag = 0;
  for (Index i = 0; i < kSide; i += 2)
    for (Index j = 0; j < kSide; j += 2) study::add_block(out, kSide, bag++, i, j, 2, 2);
  for (Index i = 1; i + 2 < kSide; i += 2)
    for (Index j = 1; j + 2 < kSide; j += 2)
      if (bag < 40) study::add_block(out, kSide, bag++, i, j, 2, 2);
  for (Index i = 0; i + 3 < kSide; i += 3)
    for (Index j = 0; j + 4 <= kSide; j += 3) study::add_block(out, kSide, bag++, i, j, 3, 4);
  return out;
}

struct World {
  Inputs cells = study::pixel_grid(kSide, kSide);
  BagConditional bags{cells, blocks()};
  Vector f;
  double rate = 0.01;
  const Row& row;
  std::uint64_t seed;

  World(const Row& of, std::uint64_t from) : row(of), seed(from) {
    Rng rng(seed, {1});
    const study::Field field(Matern52(1.0, Vector::Constant(2, 0.25)), cells);
    const Vector eta = field.draw(rng);
    if (row.narrow)
      f = rate * (1.0 + row.sd * eta.array()).max(0.05);
    else if (row.counts == 0.0)
      f = (1.0 + (1.5 - row.sd * eta.array()).exp()).inverse();
    else
      f = rate * (row.sd * eta.array() - 0.5 * row.sd * row.sd).exp();
  }

  double g(Index block) const { return (bags.weight().row(block) * f)(0); }

  // The n-th count of this world is the same for every variant that asks the same block.
  Count counted(Index block, std::uint64_t n) const {
    std::mt19937_64 random(seed * 7919 + n * 104729 + static_cast<std::uint64_t>(block));
    if (row.counts == 0.0) {
      const double trials = std::uniform_int_distribution<int>(20, 200)(random);
      return {static_cast<double>(std::binomial_distribution<long>(static_cast<long>(trials), g(block))(random)),
              trials};
    }
    const double exposure = std::round(row.counts / rate * std::uniform_real_distribution<double>(0.5, 1.5)(random));
    double expected = exposure * g(block);
    if (row.dispersion > 0.0)
      expected = std::gamma_distribution<double>(1.0 / row.dispersion, expected * row.dispersion)(random);
    return {static_cast<double>(std::poisson_distribution<long>(expected)(random)), exposure};
  }

  Setting setting(const std::string& variant) const {
    Setting out{InputSet(cells), QuerySet(bags.queries()), bags};
    const bool binomial = row.counts == 0.0;
    if (variant != "plug-in") out.likelihood = row.family;
    if (variant == "plug-in" || variant == "identity") out.links = {Link::kIdentity};
    if (variant == "link") out.links = {binomial ? Link::kLogit : Link::kLog};
    return out;
  }
};

double plug_in_var(const Row& row, const Count& count) {
  if (row.counts != 0.0) return std::max(count.y, 1.0) / (count.exposure * count.exposure);
  const double share = std::clamp(count.rate(), 0.5 / count.exposure, 1.0 - 0.5 / count.exposure);
  return share * (1.0 - share) / count.exposure;
}

// --- one run ---

struct Run {
  bool covers = false, stated = false;
  double all = 0, error = 0, regret = 0, score = 0;
  Link link = Link::kIdentity;
};

// log p of one new count at each block, its rate being normal where there is no likelihood.
double score_of(const World& world, Policy& policy, bool counts) {
  const Queries all = world.bags.queries();
  const Marginals g = policy.rates_g(all);
  double sum = 0;
  for (Index i = 0; i < all.size(); ++i) {
    const Count next = world.counted(i, 1000);
    double p = 0;
    if (counts) {
      LikelihoodPtr family = world.row.family;
      const auto& fit = policy.hyperparameters();
      if (fit && fit->dispersion) family = negative_binomial_answers(fit->dispersion->value);
      const PredictiveCount count(*family, next.exposure, g.mean[i], g.var[i]);
      p = count.cdf(next.y) - count.cdf(next.y - 1.0);
    } else {
      const double sd = std::sqrt(g.var[i] + plug_in_var(world.row, next)) * next.exposure;
      const double mean = g.mean[i] * next.exposure;
      p = 0.5 * (std::erf((next.y + 0.5 - mean) / sd / std::sqrt(2.0)) -
                 std::erf((next.y - 0.5 - mean) / sd / std::sqrt(2.0)));
    }
    sum += std::log(std::max(p, 1e-12));
  }
  return sum;
}

Run run(const World& world, const std::string& variant, PolicyKind kind, int answers, std::uint64_t seed) {
  const internal::Alone alone;  // runs are many at a time
  PolicyOptions options;
  options.policy = kind;
  Policy policy(world.setting(variant), options, seed);
  Rng design(seed, {2});
  const bool counts = variant != "plug-in";
  for (int t = 0; t < answers; ++t) {
    // The same random blocks for every variant; asking a policy fits on its way.
    Queries a = kind == PolicyKind::kRandom ? world.bags.queries().slice(design.below(world.bags.queries().size()), 1)
                                            : policy.suggest().queries;
    const Count count = world.counted(static_cast<Index>(a.row(0)[0]), static_cast<std::uint64_t>(t));
    if (counts)
      policy.observe(a, {count});
    else
      policy.observe(a, Vector::Constant(1, count.rate()), {plug_in_var(world.row, count)});
  }
  const Recommendation best = policy.best();
  const Band band = policy.f_interval(world.cells, 0.9);
  const Vector mean = policy.rates_f(world.cells).mean;
  const double there = world.f[*best.row];
  Run out;
  out.covers = band.low[*best.row] <= there && there <= band.high[*best.row];
  out.stated = best.low <= there && there <= best.high;
  out.all = ((band.low.array() <= world.f.array()) && (world.f.array() <= band.high.array())).cast<double>().mean();
  out.error = std::sqrt((mean - world.f).squaredNorm() / static_cast<double>(world.f.size())) / world.f.mean();
  out.regret = (world.f.maxCoeff() - there) / world.f.maxCoeff();
  out.score = score_of(world, policy, counts);
  out.link = policy.link();
  return out;
}

// --- the table ---

std::string share(const std::vector<Run>& runs, bool Run::*of) {
  const auto n = static_cast<double>(runs.size());
  const auto k = static_cast<double>(std::count_if(runs.begin(), runs.end(), [&](const Run& r) { return r.*of; }));
  const boost::math::beta_distribution<> jeffreys(k + 0.5, n - k + 0.5);
  char text[64];
  std::snprintf(text, sizeof text, "%.2f [%.2f, %.2f]", k / n, k > 0 ? quantile(jeffreys, 0.025) : 0.0,
                k < n ? quantile(jeffreys, 0.975) : 1.0);
  return text;
}

std::vector<double> each(const std::vector<Run>& runs, double Run::*of) {
  std::vector<double> out;
  for (const Run& run : runs) out.push_back(run.*of);
  return out;
}

void print(const Row& row, const std::vector<std::vector<Run>>& runs) {
  const auto& variants = all_variants();
  for (std::size_t v = 0; v < variants.size(); ++v) {
    std::vector<double> difference, behind;
    double linked = 0;
    for (std::size_t d = 0; d < runs[v].size(); ++d) {
      difference.push_back(runs[v][d].regret - runs[3][d].regret);
      behind.push_back(runs[v][d].score - std::max(runs[1][d].score, runs[2][d].score));
      linked += runs[v][d].link != Link::kIdentity ? 1.0 / static_cast<double>(runs[v].size()) : 0.0;
    }
    const auto [apart, se] = study::summarise(difference);
    std::printf("| %s | %s | %s | %s | %.2f | %.2f | %.3f | %+.3f +- %.3f | %+.2f | %.0f %% |\n", row.name.c_str(),
                variants[v].c_str(), share(runs[v], &Run::covers).c_str(), share(runs[v], &Run::stated).c_str(),
                study::summarise(each(runs[v], &Run::all)).mean, study::summarise(each(runs[v], &Run::error)).mean,
                study::summarise(each(runs[v], &Run::regret)).mean, apart, 2.0 * se, study::summarise(behind).mean,
                100.0 * linked);
  }
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<char*> rest{argv[0]};
  PolicyKind kind = PolicyKind::kRandom;
  int answers = 24;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--policy") == 0 && i + 1 < argc)
      kind = policy_kind(argv[++i]);
    else if (std::strcmp(argv[i], "--answers") == 0 && i + 1 < argc)
      answers = std::max(3, std::atoi(argv[++i]));
    else
      rest.push_back(argv[i]);
  }
  const study::Arguments options = study::parse(static_cast<int>(rest.size()), rest.data(), 200, true);
  std::printf(
      "%d answers by policy %s, %d draws a row\n"
      "| field | variant | covers 90 %% | covers 95 %%, stated | all 90 %% | error | regret | minus plug-in | score | "
      "linked |\n"
      "|---|---|---|---|---|---|---|---|---|---|\n",
      answers, to_string(kind).c_str(), options.draws);
  for (const Row& row : all_rows()) {
    if (!options.wants(row.name)) continue;
    std::vector<std::vector<Run>> runs(all_variants().size(),
                                       std::vector<Run>(static_cast<std::size_t>(options.draws)));
    study::parallel(options.draws, row.name, [&](int d) {
      const std::uint64_t seed = options.seed * 100000 + static_cast<std::uint64_t>(d);
      const World world(row, seed);
      for (std::size_t v = 0; v < runs.size(); ++v)
        runs[v][static_cast<std::size_t>(d)] = run(world, all_variants()[v], kind, answers, seed);
    });
    print(row, runs);
  }
}
