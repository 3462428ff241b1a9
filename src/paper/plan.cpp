#include "core/nearest.hpp"
#include "iqbo/core/check.hpp"
#include "iqbo/paper/paper.hpp"
#include "iqbo/problem/registry.hpp"

namespace iqbo {

using namespace internal;

namespace {

using enum PolicyKind;

struct Curve {
  const char* name;
  PolicyKind kind;
  AskedAs asking = AskedAs::kList;
  bool ours = false;  // learns p(x|a) by `auto` where it is learned
};

const std::vector<Curve> kFigure1{{"cmes", kCmes}, {"mes", kMes},   {"ucb", kUcb},      {"ei", kEi},
                                  {"ckg", kCkg},   {"cjes", kCjes}, {"random", kRandom}};
const std::vector<Curve> kFigure3{{"cmes", kCmes},
                                  {"mes", kMes},
                                  {"ucb", kUcb},
                                  {"ei", kEi},
                                  {"random", kRandom},
                                  {"max-variance", kMaxVariance},
                                  {"ckg", kCkg, AskedAs::kList, true},
                                  {"cjes", kCjes, AskedAs::kList, true},
                                  {"auto", kAuto, AskedAs::kList, true},
                                  {"cmes", kCmes, AskedAs::kList, true}};
const std::vector<Curve> kFigure4{{"cmets", kCmes, AskedAs::kTree},
                                  {"mfmes", kMfmes, AskedAs::kTree},
                                  {"cmes", kCmes, AskedAs::kLeaves},
                                  {"mes", kMes, AskedAs::kLeaves},
                                  {"ucb", kUcb, AskedAs::kLeaves},
                                  {"ei", kEi, AskedAs::kLeaves},
                                  {"random-tree", kRandom, AskedAs::kTree},
                                  {"ckg-tree", kCkg, AskedAs::kTree, true},
                                  {"cjes-tree", kCjes, AskedAs::kTree, true},
                                  {"auto-tree", kAuto, AskedAs::kTree, true},
                                  {"cmets", kCmes, AskedAs::kTree, true}};

// Lengthscales on A are those on X over the sides of X, 15; the resolution's is its range.
Assumed assumed(const PaperOptions& options, bool ours, bool resolutions) {
  Assumed out;
  out.rbf = true;
  out.pairs = options.pairs;
  if (options.choices != Choices::kEvidence) {
    out.lengthscales = std::vector<double>{3.0, 6.0};
    out.query_lengthscales = {0.2, 0.4};
    if (resolutions) out.query_lengthscales.push_back(1.0);
  }
  if (options.choices == Choices::kLearned) out.learned = ours ? LearnedKind::kAuto : LearnedKind::kCme;
  return out;
}

// Adds an entry for each curve. A curve of ours that differs from one of the paper's only in how p(x|a) is learned is
// left out where nothing is learned.
void add(Figure& figure, const Problem& problem, const std::vector<Curve>& curves, const PaperOptions& options) {
  const bool learned = options.choices == Choices::kLearned;
  figure.panels.push_back(panel_of(problem));
  for (const Curve& curve : curves) {
    if (curve.ours && curve.kind == kCmes && !learned) continue;
    Entry entry{problem.name(), std::string(curve.name) + (curve.ours && learned ? ":auto" : "")};
    entry.make = [problem](std::uint64_t /*seed*/) { return problem; };
    entry.details = "X " + std::to_string(problem.x().size()) + ", A " + std::to_string(problem.a().size());
    if (options.truncation) entry.details += ", " + problem.map();
    entry.kind = curve.kind;
    entry.asking = curve.asking;
    entry.assumed = assumed(options, curve.ours, curve.asking != AskedAs::kList);
    entry.initial = options.choices == Choices::kEvidence ? 5 : 2;
    entry.steps = options.steps;
    if (curve.asking != AskedAs::kList) entry.budget = options.budget;
    figure.experiment.entries.push_back(std::move(entry));
  }
}

Figure bandit(const PaperOptions& options) {
  Figure out;
  add(out, problem("bandit"), kFigure1, options);
  for (Entry& entry : out.experiment.entries) {  // a small example, the same for all choices
    entry.policy = entry.policy.substr(0, entry.policy.find(':'));
    entry.assumed = {.lengthscales = std::vector<double>{0.1},
                     .query_lengthscales = {0.1}};  // arms are nearly independent
    entry.initial = 2;
    entry.steps = std::min<Index>(options.steps, 30);
  }
  out.grid =
      Vector::LinSpaced(out.experiment.entries[0].steps, 1.0, static_cast<double>(out.experiment.entries[0].steps));
  return out;
}

Figure algorithm1(const PaperOptions& options) {
  Figure out;
  const ProblemOptions grids{.x_counts = {options.x_grid, options.x_grid},
                             .a_counts = {options.a_grid, options.a_grid},
                             .truncation = options.truncation};
  for (const char* name : {"branin-linear", "branin-nonlinear"}) add(out, problem(name, grids), kFigure3, options);
  out.grid = Vector::LinSpaced(options.steps, 1.0, static_cast<double>(options.steps));
  return out;
}

Figure algorithm2(const PaperOptions& options) {
  Figure out;
  out.axis = Axis::kCost;
  const ProblemOptions grids{.x_counts = {options.x_grid, options.x_grid}, .truncation = options.truncation};
  for (const char* name : {"branin-multires-linear", "branin-multires-nonlinear"})
    add(out, problem(name, grids), kFigure4, options);
  const auto count = static_cast<Index>(options.budget);
  out.grid = Vector::LinSpaced(count, 1.0, static_cast<double>(count));
  return out;
}

}  // namespace

Choices choices(std::string_view name) {
  const std::vector<std::string> names{"fixed", "evidence", "learned"};
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == name) return static_cast<Choices>(i);
  refuse("choices", in_quotes(name), expected_names(name, names));
}

std::string to_string(Choices choices) {
  if (choices == Choices::kFixed) return "fixed";
  return choices == Choices::kEvidence ? "evidence" : "learned";
}

std::optional<Truncation> truncation(std::string_view name) {
  if (name == "none") return std::nullopt;
  if (name == "clip") return Truncation::kClip;
  if (name == "renormalise") return Truncation::kRenormalise;
  refuse("truncation", in_quotes(name), expected_names(name, {"none", "clip", "renormalise"}));
}

Figure paper_figure(int number, const PaperOptions& options) {
  if (options.budget < 10.0) refuse("budget", readable(options.budget), "at least 10");
  if (options.steps < 24)  // quarters are compared, after five initial answers
    refuse("steps", std::to_string(options.steps), "at least 24");
  if (number != 1 && number != 3 && number != 4) refuse("figure", std::to_string(number), "1, 3 or 4");
  Figure out = number == 1 ? bandit(options) : number == 3 ? algorithm1(options) : algorithm2(options);
  out.experiment.name = "fig" + std::to_string(number);
  out.experiment.seeds = options.seeds;
  out.experiment.first_seed = options.first_seed;
  return out;
}

}  // namespace iqbo
