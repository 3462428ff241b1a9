#include "iqbo/learned/learned.hpp"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <sstream>
#include <utility>

#include "core/activity.hpp"
#include "held_out.hpp"
#include "iqbo/conditional/query_map.hpp"
#include "iqbo/core/stop.hpp"
#include "jackknife.hpp"
#include "large_log.hpp"
#include "mixture.hpp"
#include "models.hpp"
#include "numbers.hpp"
#include "numerics/central_differences.hpp"
#include "pairs.hpp"
#include "query_kernel.hpp"

namespace iqbo {

using namespace internal;

namespace {

constexpr double kDiscrepancyLengthscale = 0.5;  // in sd of a
constexpr double kLearnedNothing = 0.98;         // of the score of ignoring a
constexpr double kPrice = 0.002;  // of a model in a mixture, in units of what the mixture gains over ignoring a

const std::vector<LearnedKind> kFour{LearnedKind::kShift, LearnedKind::kCme, LearnedKind::kNw, LearnedKind::kPlugIn};

// The first value that is implausibly far from the domain.
std::optional<PairFault> outside(const InputDomain& domain, const Inputs& x) {
  Vector lower;
  Vector upper;
  if (const auto* box = std::get_if<InputBox>(&domain)) {
    lower = box->lower();
    upper = box->upper();
  } else if (const auto* set = std::get_if<InputSet>(&domain)) {
    lower = set->points().coordinates().colwise().minCoeff();
    upper = set->points().coordinates().colwise().maxCoeff();
  } else {
    return std::nullopt;
  }
  require_columns(x.dimension(), lower.size(), InputSpace::kName);
  for (Index i = 0; i < x.size(); ++i)
    for (Index c = 0; c < x.dimension(); ++c) {
      const double value = x.coordinates()(i, c);
      const double reach = QueryEncoding::kFarthest * (upper[c] - lower[c]);
      if (value < lower[c] - reach || value > upper[c] + reach)
        return PairFault{true, i, c, "is " + readable(value),
                         "a value near the domain, " + readable(lower[c]) + " to " + readable(upper[c]) +
                             "; are the units the same?"};
    }
  return std::nullopt;
}

// A row in different units (metres among kilometres) would distort every mean and scale.
std::optional<PairFault> off_scale(const Rows& rows, const std::vector<Index>& categories, bool in_x) {
  constexpr Index kLeastRows = 8;  // fewer rows give no useful quartiles
  constexpr double kFarOff = 1000.0;
  if (rows.rows() < kLeastRows) return std::nullopt;
  for (Index c = 0; c < rows.cols(); ++c) {
    if (std::find(categories.begin(), categories.end(), c) != categories.end()) continue;
    std::vector<double> sorted(rows.col(c).begin(), rows.col(c).end());
    std::sort(sorted.begin(), sorted.end());
    const double median = sorted[sorted.size() / 2];
    const double middle_half = sorted[sorted.size() * 3 / 4] - sorted[sorted.size() / 4];
    Index far = 0;
    const double distance = (rows.col(c).array() - median).abs().maxCoeff(&far);
    if (middle_half > 0.0 && distance > kFarOff * middle_half)
      return PairFault{in_x, far, c,
                       "is " + readable(rows(far, c)) + ", while half of the rows lie within " + readable(middle_half) +
                           " around " + readable(median),
                       "all rows in the same units; correct or remove that row"};
  }
  return std::nullopt;
}

std::string percent(double fraction) {
  std::ostringstream out;
  const double percents = 100.0 * fraction;
  if (percents < 99.5)
    out << std::setprecision(2) << percents;
  else
    out << std::setprecision(0) << std::fixed << percents;
  out << " %";
  return out.str();
}

}  // namespace

std::string to_string(LearnedKind kind) {
  switch (kind) {
    case LearnedKind::kShift:
      return "shift";
    case LearnedKind::kCme:
      return "cme";
    case LearnedKind::kNw:
      return "nw";
    case LearnedKind::kPlugIn:
      return "plugin";
    case LearnedKind::kAuto:
      return "auto";
    case LearnedKind::kStack:
      return "stack";
  }
  return "";
}

std::string LearnedReport::summary() const {
  std::ostringstream out;
  out << "p(x|a) learned from " << pairs << " pairs; held-out kappa score (smaller is better):\n";
  for (const auto& [model, kappa, weight] : scores) {
    out << "  " << std::left << std::setw(10) << model << std::fixed << std::setprecision(4) << kappa;
    if (weight > 0.0) out << (weight < 1.0 ? "   used, weight " + percent(weight) : "   used");
    out << '\n';
  }
  out << "  averages are known to about " << percent(error) << " of their spread over queries\n";
  for (const auto& note : notes) out << "  note: " << note << '\n';
  return out.str();
}

Vector sd_of_columns(const Inputs& x, std::vector<std::string>& notes) {
  const Rows& rows = x.coordinates();
  Vector sd = ((rows.rowwise() - rows.colwise().mean()).array().square().colwise().mean()).sqrt().transpose();
  for (Index c = 0; c < sd.size(); ++c)
    if (rows.col(c).minCoeff() == rows.col(c).maxCoeff()) {
      notes.push_back("column " + std::to_string(c) + " of the logged inputs is always " + readable(rows(0, c)) +
                      ": X is taken to have that value for every query");
      sd[c] = 1.0;
    }
  return sd;
}

LearnedReport report_on(const LearnedChoice& choice, const HeldOut& held_out, LearnedKind model, bool any_column) {
  LearnedReport out;
  const auto count = static_cast<Index>(choice.kinds.size());
  for (Index i = 0; i < count; ++i)
    out.scores.push_back({to_string(choice.kinds[static_cast<std::size_t>(i)]), held_out.score(Vector::Unit(count, i)),
                          choice.weight[i]});
  const bool is_mixture = (choice.weight.array() > 0.0).count() > 1;
  if (is_mixture || model == LearnedKind::kStack) out.scores.push_back({"stack", held_out.score(choice.weight), 0.0});
  out.scores.push_back({"ignore a", held_out.ignore, 0.0});
  if (!any_column || held_out.score(choice.weight) > kLearnedNothing * held_out.ignore)
    out.notes.emplace_back(
        "x hardly depends on a: no model predicts a held-out x much better than the distribution of all logged x, "
        "so queries will look alike");
  std::stable_sort(out.scores.begin(), out.scores.end(),
                   [](const auto& left, const auto& right) { return left.kappa < right.kappa; });
  return out;
}

std::optional<PairFault> pair_fault(const Inputs& x, const Queries& a, const LearnedOptions& options) {
  if (auto fault = outside(options.domain, x)) return fault;
  if (auto fault = off_scale(x.coordinates(), {}, true)) return fault;
  return off_scale(a.coordinates(), options.categories, false);
}

namespace {

void require_cme_settings(const Inputs& x, const Queries& a, const LearnedOptions& options) {
  const bool any = options.lambda || !options.lengthscales.empty() || options.yardstick != nullptr;
  if (any && options.model != LearnedKind::kCme && options.model != LearnedKind::kAuto &&
      options.model != LearnedKind::kStack)
    refuse("model", "\"" + to_string(options.model) + "\" has no lambda, lengthscales or yardstick",
           "\"cme\", \"auto\" or \"stack\", or none of these settings");
  if (options.lambda) require_positive(*options.lambda, "lambda");
  if (!options.lengthscales.empty() && static_cast<Index>(options.lengthscales.size()) != a.dimension())
    refuse("lengthscales", "has " + std::to_string(options.lengthscales.size()) + " numbers",
           std::to_string(a.dimension()) + ", one per column of a");
  for (const double each : options.lengthscales) require_positive(each, "lengthscales");
  if (options.yardstick != nullptr && options.yardstick->dimension() != x.dimension())
    refuse("yardstick", "a kernel of " + std::to_string(options.yardstick->dimension()) + " coordinates",
           std::to_string(x.dimension()) + ", as the logged x have");
}

bool has_cme_settings(const LearnedOptions& options) {
  return options.lambda || !options.lengthscales.empty() || options.yardstick != nullptr;
}

void require_sound(const Inputs& x, const Queries& a, const LearnedOptions& options) {
  require_rows(a.size(), x.size(), QuerySpace::kName);
  if (x.size() < 2) refuse(InputSpace::kName, std::to_string(x.size()) + " logged pairs", "at least 2");
  if (options.shift_points < 1) refuse("shift_points", "is " + std::to_string(options.shift_points), "at least 1");
  require_cme_settings(x, a, options);
  if (const auto fault = pair_fault(x, a, options))
    refuse(fault->in_x ? InputSpace::kName : QuerySpace::kName,
           "row " + std::to_string(fault->row) + ", column " + std::to_string(fault->column) + " " + fault->found,
           fault->expected);
}

// All pairs, or a fixed selection of kMostPairs.
LoggedPairs selected(const Inputs& x, const Queries& a, const LearnedOptions& options,
                     std::vector<std::string>& notes) {
  const auto rows = some_rows(x.size(), LearnedConditional::kMostPairs);
  const Inputs used_x(x.coordinates()(rows, Eigen::all));
  const Queries used_a(a.coordinates()(rows, Eigen::all));
  const auto encoding = std::make_shared<const QueryEncoding>(used_a, options.categories);
  notes.insert(notes.end(), encoding->notes().begin(), encoding->notes().end());
  return {std::make_shared<const Inputs>(used_x), used_a, encoding, sd_of_columns(used_x, notes)};
}

std::string selected_of(Index given) {
  return std::to_string(given) + " pairs were given; a fixed selection of " +
         std::to_string(LearnedConditional::kMostPairs) + " is used";
}

std::string selection_note(Index given) {
  return selected_of(given) +
         ", which predicts averages better than a summary of all pairs in cells of similar queries does";
}

std::string cells_note(const LargeLog& log) {
  return "all " + std::to_string(log.size()) + " pairs are used, summarised in " + std::to_string(log.cells().count()) +
         " cells of similar queries and " + std::to_string(log.cells().bins->size()) + " bins of x";
}

// `others`: pairs to judge models by, if there are more than those to learn from.
LearnedChoice learn(const LoggedPairs& pairs, const LearnedOptions& options, const std::vector<std::string>& notes,
                    const LoggedPairs* others = nullptr) {
  const bool chooses = options.model == LearnedKind::kAuto || options.model == LearnedKind::kStack;
  LearnedChoice out;
  out.kinds = chooses ? kFour : std::vector<LearnedKind>{options.model};
  const TrialFunctions functions(pairs);
  out.settings = choose_settings(pairs, out.kinds, functions, options, others);
  const HeldOut held_out = others != nullptr
                               ? judged_by(*others, pairs, out.kinds, out.settings, options.domain, functions)
                               : hold_out(pairs, out.kinds, out.settings, options.domain, functions);
  out.weight = stacking_weights(held_out);
  if (options.model == LearnedKind::kAuto)
    out.weight = stacking_weights(held_out, kPrice * std::max(0.0, held_out.ignore - held_out.score(out.weight)));
  out.report = report_on(out, held_out, options.model, pairs.encoding->groups() > 0);
  out.report.notes.insert(out.report.notes.begin(), notes.begin(), notes.end());
  out.report.pairs = pairs.size();
  // The lengthscales with which the prior of the discrepancy was calibrated: all but the longest.
  const Sum::Terms& all = functions.of_x().terms();
  const Sum finer(Sum::Terms(all.begin() + 1, all.end()));
  out.report.error = jackknife_error(refits(pairs, out.kinds, out.weight, out.settings, options.domain), finer);
  return out;
}

// Pairs that are not in the fixed selection, from all parts of the log: every second of them may choose among its models, and the
// others compare it with the table of all pairs.
enum class Others { kToChoose, kToCompare };
LoggedPairs other_pairs(const Inputs& x, const Queries& a, const LoggedPairs& selection, Others purpose) {
  constexpr Index kOthers = 8192;
  std::vector<char> taken(static_cast<std::size_t>(x.size()), 0);
  for (const Index i : some_rows(x.size(), LearnedConditional::kMostPairs)) taken[static_cast<std::size_t>(i)] = 1;
  std::vector<Index> rows;
  bool wanted = purpose == Others::kToCompare;
  for (Index i = 0; i < x.size(); ++i) {
    if (taken[static_cast<std::size_t>(i)] != 0) continue;
    if (wanted) rows.push_back(i);
    wanted = !wanted;
  }
  if (static_cast<Index>(rows.size()) > kOthers) {
    std::vector<Index> some;
    for (const Index k : some_rows(static_cast<Index>(rows.size()), kOthers))
      some.push_back(rows[static_cast<std::size_t>(k)]);
    rows = std::move(some);
  }
  return {std::make_shared<const Inputs>(x.coordinates()(rows, Eigen::all)), Queries(a.coordinates()(rows, Eigen::all)),
          selection.encoding, selection.x_sd};
}

// Squared errors of what a conditional predicts of trial functions at each pair.
Vector errors_at(const Conditional& conditional, const LoggedPairs& pairs, const Matrix& values,
                 const TrialFunctions& functions) {
  constexpr Index kAtOnce = 256;
  Vector out(pairs.size());
  for (Index begin = 0; begin < pairs.size(); begin += kAtOnce) {
    stop_point();
    const Index count = std::min(kAtOnce, pairs.size() - begin);
    const Matrix predicted = functions.average(conditional.laws(pairs.a.slice(begin, count)));
    out.segment(begin, count) = (values.middleRows(begin, count) - predicted).rowwise().squaredNorm();
  }
  return out;
}

// Whether a few single pairs predict others better than the table of all pairs does, by more than chance. Averages over cells
// would be a poor judge: where cells are wide, only the table is made to predict them.
bool predict_better(const Conditional& few, const Conditional& all, const LoggedPairs& others,
                    const TrialFunctions& functions) {
  const Matrix values = functions.at(others);
  const Vector lead = errors_at(all, others, values, functions) - errors_at(few, others, values, functions);
  const double mean = lead.mean();
  const double error = std::sqrt((lead.array() - mean).square().mean() / static_cast<double>(lead.size()));
  return mean > 2.0 * error;
}

LearnedChoice learn(const LargeLog& log, const TrialFunctions& functions) {
  LearnedChoice out = log.learn(functions);
  std::vector<std::string> notes{cells_note(log)};
  notes.insert(notes.end(), log.notes().begin(), log.notes().end());
  out.report.notes.insert(out.report.notes.begin(), notes.begin(), notes.end());
  out.encoding = log.encoding();
  out.trained = log.trained(out, functions);
  return out;
}

}  // namespace

LearnedConditional::LearnedConditional(const LoggedPairs& pairs, const LearnedChoice& choice,
                                       const LearnedOptions& options, double print)
    : input_dimension_(pairs.x().dimension()),
      query_dimension_(pairs.a.dimension()),
      encoding_(choice.cells ? choice.encoding : pairs.encoding) {
  report_ = std::make_shared<const LearnedReport>(choice.report);
  numbers_ = std::make_shared<const LearnedNumbers>(to_numbers(choice, print));
  if (choice.cells) {
    model_ = choice.trained.model;
    support_ = choice.trained.points;
    return;
  }
  std::vector<LearnedKind> kinds;
  std::vector<double> shares;
  for (std::size_t i = 0; i < choice.kinds.size(); ++i)
    if (const double weight = choice.weight[static_cast<Index>(i)]; weight != 0.0) {
      kinds.push_back(choice.kinds[i]);
      shares.push_back(weight);
    }
  const auto& mean = choice.settings.trained_mean;
  if (kinds.size() == 1) {
    model_ = train(kinds[0], pairs, choice.settings, options.domain, mean);
    // These two put their weight on the logged x; shift puts it on the points of X if those are listed.
    if (kinds[0] == LearnedKind::kCme || kinds[0] == LearnedKind::kNw) support_ = pairs.logged_x;
    if (const auto* set = std::get_if<InputSet>(&options.domain); set != nullptr && kinds[0] == LearnedKind::kShift)
      support_ = std::make_shared<const Inputs>(set->points());
  } else {
    std::vector<Mixed> mixed;
    for (std::size_t i = 0; i < kinds.size(); ++i)
      mixed.push_back({shares[i], train_points(kinds[i], pairs, choice.settings, options.domain, mean)});
    auto mixture = std::make_shared<Mixture>(std::move(mixed), options.exact_constant);
    support_ = mixture->support();
    model_ = std::move(mixture);
  }
}

LearnedConditional::LearnedConditional(const Inputs& x, const Queries& a, const LearnedOptions& options)
    : LearnedConditional([&] {
        require_sound(x, a, options);
        const Activity activity("learning p(x|a) from " + std::to_string(x.size()) + " pairs");
        const double print = fingerprint(x, a, options);
        std::vector<std::string> notes;
        const LoggedPairs pairs = selected(x, a, options, notes);
        const bool given =
            has_cme_settings(options);  // for single pairs, to which the rest of this function does not apply
        if (given && x.size() > kMostPairs)
          notes.insert(notes.begin(), selected_of(x.size()) + ", as settings of the embedding were given");
        if (given || x.size() <= kMostPairs)
          return LearnedConditional(pairs, learn(pairs, options, notes), options, print);
        // All pairs as a table of cells. If one of several models is to be chosen, a selection of single pairs competes:
        // where queries have many columns, cells are wide, and few pairs may say more.
        const TrialFunctions functions(pairs);
        const LargeLog log(x, a, options);
        const LearnedChoice choice = learn(log, functions);
        LearnedConditional all(pairs, choice, options, print);
        constexpr Index kFewest = 100;  // to compare by
        if (options.model != LearnedKind::kAuto || pairs.encoding->groups() != log.encoding()->groups() ||
            x.size() < kMostPairs + 2 * kFewest)
          return all;
        notes.insert(notes.begin(), selection_note(x.size()));
        LearnedConditional few(pairs, learn(pairs, options, notes), options, print);
        if (!predict_better(few, all, other_pairs(x, a, pairs, Others::kToCompare), functions)) return all;
        const LoggedPairs judges = other_pairs(x, a, pairs, Others::kToChoose);
        if (judges.size() < kJudges) return few;
        return LearnedConditional(pairs, learn(pairs, options, notes, &judges), options, print);
      }()) {}

LearnedConditional::LearnedConditional(const Inputs& x, const Queries& a, const LearnedOptions& options,
                                       const LearnedNumbers& known)
    : LearnedConditional([&] {
        require_sound(x, a, options);
        std::vector<std::string> notes;
        const LoggedPairs pairs = selected(x, a, options, notes);
        const double print = fingerprint(x, a, options);
        const auto completed = [&](LearnedChoice choice) {
          choice.settings.shift_points = options.shift_points;
          choice.settings.exact_constant = options.exact_constant;
          return choice;
        };
        if (of_cells(known)) {
          const LargeLog log(x, a, options);
          LearnedChoice choice = completed(from_cell_numbers(known, log.encoding()->groups(), x.size(), print));
          choice.encoding = log.encoding();
          choice.trained = log.trained(choice, TrialFunctions(pairs));
          return LearnedConditional(pairs, choice, options, print);
        }
        return LearnedConditional(pairs, completed(from_numbers(known, pairs, print)), options, print);
      }()) {}

std::shared_ptr<const Conditional> LearnedConditional::clone() const {
  return std::make_shared<LearnedConditional>(*this);
}

Laws LearnedConditional::laws(const Queries& a) const {
  require_columns(a.dimension(), query_dimension_, QuerySpace::kName);
  return model_->laws(a);
}

Matrix LearnedConditional::average(const Queries& a, const Matrix& values_on_support) const {
  if (support_ != nullptr) {
    require_columns(a.dimension(), query_dimension_, QuerySpace::kName);
    require_rows(values_on_support.rows(), support_->size(), "values_on_support");
    if (auto direct = model_->average(a, values_on_support)) return *std::move(direct);
  }
  return Conditional::average(a, values_on_support);
}

Rows LearnedConditional::difference_steps(const Queries& a) const {
  const Vector slope = encoding_->slopes();
  const Vector step = (slope.array() != 0.0).select(internal::kDifferenceStep / slope.array().abs(), 0.0);
  return step.transpose().replicate(a.size(), 1);
}

std::shared_ptr<const Kernel> LearnedConditional::discrepancy(double tau2) const {
  return std::make_shared<QueryKernel>(encoding_, tau2, kDiscrepancyLengthscale);
}

}  // namespace iqbo
