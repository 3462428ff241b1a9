#include "core/nearest.hpp"
#include "iqbo/core/check.hpp"
#include "iqbo/paper/paper.hpp"
#include "iqbo/problem/registry.hpp"

namespace iqbo {

using namespace internal;

namespace {

using enum PolicyKind;

// Whose curve it is, and how it learns p(x|a) where that is learned.
enum class Of {
  kPaper,        // as the set of choices says
  kControl,      // likewise; the paper has no such curve
  kOurs,         // a policy of ours; where the set has the paper's CME, it learns by `auto`
  kAuto,         // the paper's policy with p(x|a) learned by `auto`, where the set has the paper's CME
  kDiscrepancy,  // the paper's policy with its CME and our discrepancy, likewise
};

struct Curve {
  const char* name;
  PolicyKind kind;
  AskedAs asking = AskedAs::kList;
  Of of = Of::kPaper;
};

const std::vector<Curve> kFigure1{{"cmes", kCmes}, {"mes", kMes},   {"ucb", kUcb},      {"ei", kEi},
                                  {"ckg", kCkg},   {"cjes", kCjes}, {"random", kRandom}};
const std::vector<Curve> kFigure3{{"cmes", kCmes},
                                  {"mes", kMes},
                                  {"ucb", kUcb},
                                  {"ei", kEi},
                                  {"random", kRandom, AskedAs::kList, Of::kControl},
                                  {"max-variance", kMaxVariance, AskedAs::kList, Of::kControl},
                                  {"ckg", kCkg, AskedAs::kList, Of::kOurs},
                                  {"cjes", kCjes, AskedAs::kList, Of::kOurs},
                                  {"auto", kAuto, AskedAs::kList, Of::kOurs},
                                  {"cmes", kCmes, AskedAs::kList, Of::kAuto},
                                  {"cmes", kCmes, AskedAs::kList, Of::kDiscrepancy}};
const std::vector<Curve> kFigure4{{"cmets", kCmes, AskedAs::kTree},
                                  {"mfmes", kMfmes, AskedAs::kTree},
                                  {"cmes", kCmes, AskedAs::kLeaves},
                                  {"mes", kMes, AskedAs::kLeaves},
                                  {"ucb", kUcb, AskedAs::kLeaves},
                                  {"ei", kEi, AskedAs::kLeaves},
                                  {"random-tree", kRandom, AskedAs::kTree, Of::kControl},
                                  {"ckg-tree", kCkg, AskedAs::kTree, Of::kOurs},
                                  {"cjes-tree", kCjes, AskedAs::kTree, Of::kOurs},
                                  {"auto-tree", kAuto, AskedAs::kTree, Of::kOurs},
                                  {"cmets", kCmes, AskedAs::kTree, Of::kAuto},
                                  {"cmets", kCmes, AskedAs::kTree, Of::kDiscrepancy}};

// How a curve learns p(x|a).
void assume_conditional(Choices choices, Of of, Assumed& out) {
  if (!is_learned(choices)) return;
  const bool ours = of == Of::kOurs || of == Of::kAuto;
  const bool by_auto = choices == Choices::kAuto || choices == Choices::kAutoFitted;
  out.learned = by_auto || (ours && is_printed_cme(choices)) ? LearnedKind::kAuto : LearnedKind::kCme;
  out.printed_cme = is_printed_cme(choices) && *out.learned == LearnedKind::kCme;
  out.discrepancy = !out.printed_cme || of == Of::kDiscrepancy;
}

// Lengthscales on A are those on X over the sides of X, 15; the resolution's is its range.
Assumed assumed(const PaperOptions& options, Of of, bool resolutions) {
  Assumed out;
  out.rbf = true;
  out.pairs = options.pairs;
  out.plain_evidence = is_fitted(options.choices);
  if (!is_fitted(options.choices)) {
    out.lengthscales = std::vector<double>{3.0, 6.0};
    out.query_lengthscales = {0.2, 0.4};
    if (resolutions) out.query_lengthscales.push_back(1.0);
  }
  assume_conditional(options.choices, of, out);
  return out;
}

std::string tail(Of of, const PaperOptions& options) {
  if (!is_printed_cme(options.choices)) return "";
  if (of == Of::kDiscrepancy) return ":discrepancy";
  return of == Of::kOurs || of == Of::kAuto ? ":auto" : "";
}

bool is_there(Of of, const PaperOptions& options) {
  if (of == Of::kPaper) return true;
  return options.extras && (is_printed_cme(options.choices) || (of != Of::kAuto && of != Of::kDiscrepancy));
}

void add(Figure& figure, const Problem& problem, const std::vector<Curve>& curves, const PaperOptions& options) {
  figure.panels.push_back(panel_of(problem));
  for (const Curve& curve : curves) {
    if (!is_there(curve.of, options)) continue;
    Entry entry{problem.name(), curve.name + tail(curve.of, options)};
    entry.make = [problem](std::uint64_t /*seed*/) { return problem; };
    entry.details = "X " + std::to_string(problem.x().size()) + ", A " + std::to_string(problem.a().size());
    if (options.truncation) entry.details += ", " + problem.map();
    entry.kind = curve.kind;
    entry.asking = curve.asking;
    entry.assumed = assumed(options, curve.of, curve.asking != AskedAs::kList);
    entry.initial = is_fitted(options.choices) ? 5 : 2;
    entry.steps = options.steps;
    if (curve.asking != AskedAs::kList) entry.budget = options.budget;
    entry.printed_tree = options.printed_tree && curve.asking == AskedAs::kTree;
    entry.noise_by_level = options.noise_by_level && curve.asking != AskedAs::kList;
    figure.experiment.entries.push_back(std::move(entry));
  }
}

Figure bandit(const PaperOptions& options) {
  Figure out;
  add(out, problem("bandit"), kFigure1, options);
  for (Entry& entry : out.experiment.entries) {  // a small example, the same for all choices
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

namespace {

struct NamedChoices {
  Choices choices;
  const char* name;
};
constexpr NamedChoices kNames[] = {{Choices::kPaper, "paper"},
                                   {Choices::kFixed, "fixed"},
                                   {Choices::kEvidence, "evidence"},
                                   {Choices::kLearned, "learned"},
                                   {Choices::kDiscrepancy, "discrepancy"},
                                   {Choices::kDiscrepancyFitted, "discrepancy-fitted"},
                                   {Choices::kAuto, "auto"},
                                   {Choices::kAutoFitted, "auto-fitted"}};

}  // namespace

Choices choices(std::string_view name) {
  std::vector<std::string> names;
  for (const NamedChoices& each : kNames) {
    if (each.name == name) return each.choices;
    names.emplace_back(each.name);
  }
  refuse("choices", in_quotes(name), expected_names(name, names));
}

std::string to_string(Choices choices) {
  for (const NamedChoices& each : kNames)
    if (each.choices == choices) return each.name;
  return "";
}

const std::vector<Choices>& all_choices() {
  static const std::vector<Choices> all = [] {
    std::vector<Choices> out;
    for (const NamedChoices& each : kNames) out.push_back(each.choices);
    return out;
  }();
  return all;
}

bool is_fitted(Choices choices) {
  return choices == Choices::kEvidence || choices == Choices::kPaper || choices == Choices::kDiscrepancyFitted ||
         choices == Choices::kAutoFitted;
}

bool is_learned(Choices choices) { return choices != Choices::kFixed && choices != Choices::kEvidence; }

bool is_printed_cme(Choices choices) { return choices == Choices::kLearned || choices == Choices::kPaper; }

PaperOptions paper_choices(std::string_view name) {
  PaperOptions out;
  out.choices = choices(name);
  if (out.choices == Choices::kPaper) {
    out.truncation = Truncation::kClip;
    out.printed_tree = true;
  }
  return out;
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
