// iqbo best: where the optimum is believed to be.
#include <algorithm>
#include <cmath>
#include <iostream>

#include "chance_options.hpp"
#include "commands.hpp"
#include "common_options.hpp"
#include "core/chance.hpp"
#include "core/nearest.hpp"
#include "iqbo/core/check.hpp"
#include "iqbo/core/lists.hpp"
#include "limits.hpp"
#include "show.hpp"

namespace iqbo::cli {

using namespace internal;

namespace {

constexpr const char* kBestExample =
    "Examples:\n"
    "  iqbo best -s campaign.db\n"
    "  iqbo best -s campaign.db --stop                  # what stopping now would cost, and the few points that "
    "contain the best\n"
    "  iqbo best -s campaign.db --above 3.5 --among 5   # where f exceeds 3.5, and which points are among the five "
    "best\n"
    "  iqbo best -s campaign.db --which p7,p12,p31      # which of these is the best\n"
    "The interval contains f there with 95 % probability if the assumptions hold, which are printed below it.";

void print_best(const SpecData& data, const RecommendationRecord& best) {
  const Spec& spec = data.spec;
  const std::string unit = spec.value.unit.empty() ? "" : " " + spec.value.unit;
  const double width = best.high - best.low;
  std::cout << (spec.goal == Goal::kMaximize ? "largest " : "smallest ") << spec.value.name << " at "
            << describe_input(data, best.x, best.name) << '\n'
            << "  expected " << number_within(best.mean, width) << unit << ", between "
            << number_within(best.low, width) << " and " << number_within(best.high, width) << unit
            << " with 95 % probability\n";
  if (best.tolerance > 0.0)
    std::cout << "  within " << short_number(best.tolerance) << unit << " of the optimum with a probability of ";
  else
    std::cout << "  the best of all listed points with a probability of ";
  std::cout << (best.probability_error ? chance_with_error(best.probability, *best.probability_error)
                                       : chance_text(best.probability))
            << '\n';
  if (best.optimum_low && best.optimum_high)
    std::cout << "  the optimum itself is between " << number_within(*best.optimum_low, width) << " and "
              << number_within(*best.optimum_high, width) << unit
              << " with 95 % probability, including spots that have not been seen\n";
  for (const std::string& note : best.notes) std::cout << "  note: " << note << '\n';
}

// `noise_told`: with every answer, so that none was fitted.
void print_fit(const SpecData& data, const Hyperparameters& fit, bool noise_told) {
  std::vector<std::vector<std::string>> rows{
      {"fitted to " + std::to_string(fit.observations) + " answers", "", "95 % interval"}, {"  kernel", fit.family}};
  if (fit.link == "log" || fit.link == "logit")
    rows.push_back({"  link", fit.link,
                    std::string("the values below are those of eta, f = ") +
                        (fit.link == "log" ? "exp(eta)" : "1 / (1 + exp(-eta))")});
  const std::vector<std::string> coordinates = coordinate_names(data.spec.targets);
  for (const FittedParameter& p : fit.parameters(coordinates)) {
    if (noise_told && p.name.starts_with("noise")) continue;
    const std::string interval = p.low < p.high ? short_number(p.low) + " to " + short_number(p.high) : "";
    rows.push_back({"  " + p.name, short_number(p.value), interval});
  }
  std::cout << table(rows);
  for (const std::string& note : fit.named_notes(coordinates)) std::cout << "  note: " << note << '\n';
}

struct BestCommand {
  CommonOptions common;
  ChanceCommand chances;
  std::vector<std::string> which;
  bool stop = false;
  double holds = 0.95;

  // What the spec asks for is answered without being asked again.
  bool asked(const Spec& spec) const {
    return chances.given() || !which.empty() || stop || spec.stop || spec.policy.above;
  }
};

struct Compared {
  Rows points;
  std::vector<std::string> names;
  bool queries = false;  // or inputs
};

// The named inputs or queries, or all inputs.
Compared compared(const BestCommand& options, Study& study) {
  const SpecData& data = study.data();
  if (options.which.empty()) {
    const Snapshot now = study.snapshot(false);
    if (now.x.points.empty()) refuse("best", "X has too many points to be compared", "--which a,b,c: some of them");
    Compared out{rows_of(now.x.points), now.x.names};
    out.names.resize(now.x.points.size());
    return out;
  }
  Compared out;
  const auto has = [](const PointTable& list, const std::string& name) {
    return std::find(list.ids.begin(), list.ids.end(), name) != list.ids.end();
  };
  out.queries = !has(data.targets, options.which.front()) && has(data.queries, options.which.front());
  const PointTable& list = out.queries ? data.queries : data.targets;
  out.points.resize(static_cast<Index>(options.which.size()), list.coordinates.cols());
  for (const std::string& name : options.which) {
    if (!has(list, name))
      refuse("which", in_quotes(name),
             list.ids.empty() ? "names of listed points or queries, of which there are none"
                              : expected_names(name, list.ids));
    const auto row = std::find(list.ids.begin(), list.ids.end(), name) - list.ids.begin();
    out.points.row(static_cast<Index>(out.names.size())) = list.coordinates.row(row);
    out.names.push_back(name);
  }
  return out;
}

std::string label(const SpecData& data, const Compared& compared, Index i) {
  const std::string& name = compared.names[static_cast<std::size_t>(i)];
  if (!name.empty()) return name;
  return describe_input(data, {compared.points.row(i).begin(), compared.points.row(i).end()}, "");
}

// The positions with the largest numbers, at most `most`, those of at least 0.01 only.
std::vector<Index> leading(const Vector& numbers, std::size_t most) {
  std::vector<Index> out;
  for (Index i = 0; i < numbers.size(); ++i)
    if (numbers[i] >= 0.01) out.push_back(i);
  std::stable_sort(out.begin(), out.end(), [&](Index i, Index j) { return numbers[i] > numbers[j]; });
  if (out.size() > most) out.resize(most);
  return out;
}

Json chances_json(const SpecData& data, const Compared& compared, const Chances& found, const BestCommand& options) {
  Json points = Json::array();
  for (Index i = 0; i < found.best.size(); ++i) {
    Json one{{"name", label(data, compared, i)},
             {"mean", found.mean[i]},
             {"best", found.best[i]},
             {"best_error", found.best_error[i]}};
    if (options.chances.among) {
      one["among"] = found.among[i];
      one["among_error"] = found.among_error[i];
    }
    if (found.above.size() > 0) one["above"] = found.above[i];
    points.push_back(std::move(one));
  }
  Json smallest = Json::array();
  for (const Index i : found.smallest) smallest.push_back(label(data, compared, i));
  return {{"draws", found.draws},
          {"smallest", std::move(smallest)},
          {"smallest_probability", found.smallest_probability},
          {"smallest_error", found.smallest_error},
          {"points", std::move(points)}};
}

void print_column(const SpecData& data, const Compared& compared, const std::string& title, const Vector& numbers,
                  const Vector& errors) {
  constexpr std::size_t kMost = 8;
  std::cout << "  " << title << ":\n";
  std::vector<std::vector<std::string>> rows;
  for (const Index i : leading(numbers, kMost)) {
    rows.push_back({"    " + label(data, compared, i),
                    errors.size() > 0 ? chance_with_error(numbers[i], errors[i]) : chance_text(numbers[i])});
  }
  if (rows.empty()) rows.push_back({"    none with a probability of at least 1 %"});
  std::cout << table(rows);
}

void print_chances(const SpecData& data, const Compared& compared, const Chances& found, const BestCommand& options,
                   const std::optional<double>& above) {
  const std::string what = compared.queries ? "queries" : "points";
  const std::string all = std::to_string(found.best.size()) + " " + what;
  if (!options.which.empty()) {
    print_column(data, compared, "probability of being the best of these " + all, found.best, found.best_error);
  } else if (found.smallest.size() <= 12) {
    std::string names;
    for (const Index i : found.smallest) names += (names.empty() ? "" : "; ") + label(data, compared, i);
    std::cout << "  the best of all " << all << " is " << (found.smallest.size() == 1 ? "" : "one of ") << names
              << " with a probability of " << chance_with_error(found.smallest_probability, found.smallest_error)
              << '\n';
  } else {
    std::cout << "  the best is one of " << found.smallest.size() << " of the " << all << " with a probability of "
              << chance_with_error(found.smallest_probability, found.smallest_error) << '\n';
    print_column(data, compared, "probability of being the best, largest first", found.best, found.best_error);
  }
  if (options.chances.among)
    print_column(data, compared, "probability of being among the " + std::to_string(*options.chances.among) + " best",
                 found.among, found.among_error);
  if (above) {
    const auto count = [&](double least) { return std::to_string((found.above.array() >= least).count()); };
    std::cout << "  above " << with_unit(*above, data.spec) << ": " << count(0.5) << " of " << all
              << " more probably than not, " << count(0.95) << " with at least 95 %\n";
    print_column(data, compared, "probability of being above", found.above, {});
  }
}

void print_stopping(const SpecData& data, const Stopping& now) {
  std::cout << "  stopping now is expected to cost " << with_error(now.regret, now.regret_error, data.spec.value.unit)
            << " compared with the true optimum\n";
  if (std::isfinite(now.bound))
    std::cout << "  and costs at most " << with_unit(now.bound, data.spec)
              << " with 95 % probability, if the model is right\n";
  if (now.reached) std::cout << "  enough is known: " << now.why << '\n';
}

// All points were compared by more draws than the recommendation needed: two numbers for one probability would confuse.
void take_over(const Compared& points, const Chances& found, RecommendationRecord& best) {
  if (points.queries || best.tolerance > 0.0) return;
  const Eigen::Map<const Eigen::RowVectorXd> at(best.x.data(), static_cast<Index>(best.x.size()));
  for (Index i = 0; i < points.points.rows(); ++i) {
    if (points.points.row(i) != at) continue;
    best.probability = found.best[i];
    best.probability_error = found.best_error[i];
  }
}

void run_best(const BestCommand& options) {
  const CommonOptions& common = options.common;
  Study study = common.open(Access::kReadOnly);
  RecommendationRecord best = study.best();
  const Spec& spec = study.data().spec;
  const bool more = !common.quiet && options.asked(spec);
  std::optional<Compared> points;
  std::optional<Chances> found;
  std::optional<Stopping> stopping;
  std::optional<double> above = options.chances.above ? options.chances.above : spec.policy.above;
  if (more) {
    const bool box = spec.targets.kind == TargetSpec::Kind::kBox && spec.targets.axes.front().grid == 0;
    if (options.which.empty()) stopping = study.stopping();
    if (!options.which.empty() || !box || above || options.chances.among) {
      points = compared(options, study);
      ChanceOptions wanted = options.chances.options(points->points.rows());
      wanted.above = above;
      wanted.holds = options.holds;
      found = points->queries ? study.chances_g(points->points, wanted) : study.chances_f(points->points, wanted);
      if (options.which.empty()) take_over(*points, *found, best);
    }
  }
  if (common.json) {
    Json out = best_json(study.data(), best);
    if (stopping) {
      out["regret"] = stopping->regret;
      out["regret_error"] = stopping->regret_error;
      if (std::isfinite(stopping->bound)) out["regret_bound"] = stopping->bound;
      if (spec.stop) out["stop"] = stopping->reached;
    }
    if (found) out["chances"] = chances_json(study.data(), *points, *found, options);
    std::cout << line_of(out);
    return;
  }
  if (common.quiet) {
    std::cout << best_text(study.data(), best) << '\n';
    return;
  }
  print_best(study.data(), best);
  if (stopping) print_stopping(study.data(), *stopping);
  if (found) print_chances(study.data(), *points, *found, options, above);
  if (const auto fit = study.fit()) print_fit(study.data(), *fit, study.noise_is_told());
  std::cout << study.learned();
}

}  // namespace

void add_best(CLI::App& app) {
  auto options = std::make_shared<BestCommand>();
  CLI::App* command = app.add_subcommand("best", "Show where the optimum probably is, and how sure that is");
  command->add_flag("--stop", options->stop,
                    "Also print the expected regret of stopping now, and the smallest set that contains the best");
  command->add_option("--which", options->which, "Compare only these listed points, or queries")
      ->delimiter(',')
      ->type_name("NAMES");
  command->add_option("--holds", options->holds, "The probability with which that set contains the best")
      ->capture_default_str()
      ->check(positive());
  add_chances(*command, options->chances);
  add_common_options(*command, options->common);
  add_limits(*command);
  command->footer(kBestExample);
  command->callback([options] { run_best(*options); });
}

}  // namespace iqbo::cli
