// Is `auto`, what a user gets who says nothing, as good as the best single model of p(x|a), whatever p(x|a) is?
//
// Families of p(x|a) with thin curved supports, classes of distance from a river, districts, windows, mixtures, spreads that
// vary and much noise; N pairs are logged. Error of g^(a) = E[f(X) | a] under what was learned, root mean square over
// queries, in units of sd(g) over them; f drawn from GPs (RBF 0.15, 0.3, 0.6 and Matern 3/2 0.3 of the side of the square), or
// following what a measures (the distance from the river) plus half as much of an RBF. Medians over draws and f; the exact
// g is the mean of 20,000 draws of X. The first families were looked at while the rule was chosen, the held-out ones once,
// when it had been decided.
//
// Second table: coverage of the 95 % interval of f that Policy::best() states at the recommended point, all defaults, from 40
// answers at random queries with noise of sd 0.05 sd(g); X are the distinct ones of 200 points that a log could have. Held-out families,
// with Jeffreys' 95 % interval of the share.
//
//   learned_default [--draws 20] [--seed 1] [--only TEXT]      TEXT: a part of the name of a row, or "coverage"
#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "coverage.hpp"
#include "iqbo/average/expectation.hpp"
#include "iqbo/learned/learned.hpp"
#include "iqbo/policy/policy.hpp"
#include "learned_families.hpp"
#include "study.hpp"

namespace {

using namespace iqbo;  // a program, not a header
using namespace iqbo::study;

constexpr int kCloud = 20000;
const std::vector<LearnedKind> kSingle{LearnedKind::kCme, LearnedKind::kNw, LearnedKind::kPlugIn, LearnedKind::kShift};
const std::vector<LearnedKind> kMixed{LearnedKind::kStack, LearnedKind::kAuto};

struct Log {
  Rows x, a;
};

Log logged(const Family& family, Index n, Rng& rng) {
  Log out{Rows(n, 2), Rows(n, family.query_dimension)};
  for (Index i = 0; i < n; ++i) {
    out.a.row(i) = family.query(rng);
    const Point x = family.x(out.a.row(i), rng);
    out.x.row(i) << x[0], x[1];
  }
  return out;
}

// A category that was never logged cannot be asked about.
Queries answerable(const Family& family, const Queries& a, const Log& log) {
  std::vector<Index> rows;
  for (Index i = 0; i < a.size(); ++i)
    if (std::all_of(family.categories.begin(), family.categories.end(),
                    [&](Index c) { return (log.a.col(c).array() == a.coordinates()(i, c)).any(); }))
      rows.push_back(i);
  return Queries(Rows(a.coordinates()(rows, Eigen::all)));
}

Matrix true_averages(const Family& family, const Queries& a, const std::vector<Draw>& fs, Rng& rng) {
  Matrix out = Matrix::Zero(a.size(), static_cast<Index>(fs.size()));
  for (Index i = 0; i < a.size(); ++i)
    for (int j = 0; j < kCloud; ++j) {
      const Point x = family.x(a.row(i), rng);
      for (std::size_t f = 0; f < fs.size(); ++f) out(i, static_cast<Index>(f)) += fs[f](x) / kCloud;
    }
  return out;
}

// What follows the place is no cosine of x: summed over the points of each law, 2,000 of them for a window.
Vector extra_averages(const Laws& laws, const Draw& f) {
  Vector out = Vector::Zero(laws.size());
  Rng rng(3);
  for (const auto& [share, kind] : laws.parts()) {
    if (const auto* points = std::get_if<DiscreteLaws>(&kind)) {
      Vector values(points->support->size());
      for (Index j = 0; j < values.size(); ++j) values[j] = f.extra(points->support->row(j));
      out += share * (points->weight * values);
      continue;
    }
    const auto& window = std::get<SpreadLaws>(kind);
    for (Index i = 0; i < laws.size(); ++i)
      for (int j = 0; j < 2000; ++j)
        out[i] += share / 2000.0 *
                  f.extra({window.centre(i, 0) + window.sd(i, 0) * rng.normal(),
                           window.centre(i, 1) + window.sd(i, 1) * rng.normal()});
  }
  return out;
}

double relative_error(const Vector& got, const Vector& truth) {
  const double sd = std::sqrt((truth.array() - truth.mean()).square().mean());
  return std::sqrt((got - truth).squaredNorm() / static_cast<double>(truth.size())) / sd;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  return 0.5 * (values[(n - 1) / 2] + values[n / 2]);
}

using Errors = std::map<LearnedKind, std::vector<double>>;

// One draw of queries, pairs and functions; `follows`: f follows what a measures.
Errors errors_of(const Family& family, bool follows, Index n, std::uint64_t seed, std::uint64_t draw) {
  Rng rng(seed, {draw, follows ? 1U : 0U, std::hash<std::string>{}(family.name)});
  const Queries all = test_queries(family, rng);
  std::vector<Draw> fs;
  if (follows) {
    for (int r = 0; r < 3; ++r) fs.emplace_back(rng, 0.3, 0, family.place);
  } else {
    for (const double lengthscale : {0.15, 0.3, 0.6}) fs.emplace_back(rng, lengthscale, 0);
    fs.emplace_back(rng, 0.3, 3);
  }
  for (Draw& f : fs) f.tabulate();
  const Log log = logged(family, n, rng);
  const Queries a = answerable(family, all, log);
  const Matrix truth = true_averages(family, a, fs, rng);
  std::vector<LearnedKind> kinds = kSingle;
  kinds.insert(kinds.end(), kMixed.begin(), kMixed.end());
  Errors out;
  for (const LearnedKind kind : kinds) {
    LearnedOptions options;
    options.model = kind;
    options.categories = family.categories;
    const Laws laws = LearnedConditional(Inputs(log.x), Queries(log.a), options).laws(a);
    for (std::size_t f = 0; f < fs.size(); ++f) {
      Vector g = expect_cosines(laws, fs[f].frequency, fs[f].phase) * fs[f].amplitude;
      if (follows) g += extra_averages(laws, fs[f]);
      out[kind].push_back(relative_error(g, truth.col(static_cast<Index>(f))));
    }
  }
  return out;
}

void error_row(const Family& family, bool follows, Index n, const Arguments& arguments) {
  const std::string name = family.name + (follows ? ", f follows a" : "");
  if (!arguments.wants(name)) return;
  std::vector<Errors> draws(static_cast<std::size_t>(arguments.draws));
  parallel(arguments.draws, name, [&](int d) {
    draws[static_cast<std::size_t>(d)] = errors_of(family, follows, n, arguments.seed, static_cast<std::uint64_t>(d));
  });
  Errors all;
  for (const Errors& draw : draws)
    for (const auto& [kind, values] : draw) all[kind].insert(all[kind].end(), values.begin(), values.end());
  double best = 1e300;
  for (const LearnedKind kind : kSingle) best = std::min(best, median(all[kind]));
  std::printf("| %s | %s | %ld |", name.c_str(), family.held_out ? "yes" : "", static_cast<long>(n));
  for (const LearnedKind kind : kSingle) std::printf(" %.3f |", median(all[kind]));
  for (const LearnedKind kind : kMixed) std::printf(" %.3f |", median(all[kind]));
  std::printf(" %.2f |\n", median(all[LearnedKind::kAuto]) / best);
  std::fflush(stdout);
}

struct Covered {
  bool inside = false;
  double half_width = 0.0;  // in sd of f over X
};

// Each row once.
template <class Rowwise>
Rowwise distinct(const Rowwise& points) {
  std::map<std::vector<double>, Index> first;
  for (Index i = 0; i < points.size(); ++i) first.try_emplace({points.row(i).begin(), points.row(i).end()}, i);
  std::vector<Index> rows;
  for (const auto& [at, i] : first) rows.push_back(i);
  return Rowwise(Rows(points.coordinates()(rows, Eigen::all)));
}

Covered covered(const Family& family, Index n, std::uint64_t seed, std::uint64_t draw) {
  constexpr Index kInputs = 200, kAnswers = 40;
  Rng rng(seed, {draw, 2, std::hash<std::string>{}(family.name)});
  std::vector<Draw> fs;
  fs.emplace_back(rng, 0.3, 0);
  fs.front().tabulate();
  const Log log = logged(family, n, rng);
  const Inputs x = distinct(Inputs(logged(family, kInputs, rng).x));
  Vector f(x.size());
  for (Index i = 0; i < x.size(); ++i) f[i] = fs.front()(x.row(i));
  const Queries a = answerable(family, Queries(logged(family, kAnswers, rng).a), log);
  const Vector g = true_averages(family, a, fs, rng).col(0);
  const double sd = std::sqrt((g.array() - g.mean()).square().mean());
  const Vector z = g + 0.05 * sd * rng.normals(g.size());
  LearnedOptions options;
  options.categories = family.categories;
  options.domain = InputSet(x);
  const LearnedConditional learned(Inputs(log.x), Queries(log.a), options);
  Policy policy(Setting{InputSet(x), QuerySet(distinct(a)), learned.clone()}, {}, seed);
  policy.observe(a, z);
  const Recommendation best = policy.best();
  const double at = f[*best.row];
  const double spread = std::sqrt((f.array() - f.mean()).square().mean());
  return {best.low <= at && at <= best.high, 0.5 * (best.high - best.low) / spread};
}

void coverage_row(const std::string& name, const std::vector<Covered>& runs) {
  std::vector<double> inside, width;
  for (const Covered& run : runs) {
    inside.push_back(run.inside ? 1.0 : 0.0);
    width.push_back(run.half_width);
  }
  std::printf("| %s | %zu | %s | %.2f |\n", name.c_str(), runs.size(), with_jeffreys(inside).c_str(), median(width));
  std::fflush(stdout);
}

void coverage_table(const std::vector<Family>& families, const Arguments& arguments) {
  constexpr Index kPairs = 400;
  std::printf("\n| p(x given a), %ld pairs | runs | covers | half-width / sd(f) |\n|---|---|---|---|\n",
              static_cast<long>(kPairs));
  std::vector<Covered> all;
  for (const Family& family : families) {
    if (!family.held_out) continue;
    std::vector<Covered> runs(static_cast<std::size_t>(arguments.draws));
    parallel(arguments.draws, family.name, [&](int d) {
      runs[static_cast<std::size_t>(d)] = covered(family, kPairs, arguments.seed, static_cast<std::uint64_t>(d));
    });
    coverage_row(family.name, runs);
    all.insert(all.end(), runs.begin(), runs.end());
  }
  coverage_row("all", all);
}

}  // namespace

int main(int argc, char** argv) {
  const Arguments arguments = parse(argc, argv, 20, true);
  std::vector<Family> families = looked_at();
  const std::vector<Family> more = looked_at_once();
  families.insert(families.end(), more.begin(), more.end());
  if (arguments.only != "coverage") {
    std::printf("| p(x given a) | held out | N | cme | nw | plugin | shift | stack | auto | auto / best |\n");
    std::printf("|---|---|---|---|---|---|---|---|---|---|\n");
    for (const Family& family : families)
      for (const bool follows : {false, true})
        if (!follows || family.place)
          for (const Index n : {100, 400}) error_row(family, follows, n, arguments);
  }
  if (!arguments.only.empty() && arguments.only != "coverage") return 0;
  coverage_table(families, arguments);
}
