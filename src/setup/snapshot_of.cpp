#include "snapshot_of.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "iqbo/core/lists.hpp"
#include "iqbo/learned/learned.hpp"
#include "shown.hpp"

namespace iqbo::internal {
namespace {

BeliefRecord record_of(const StudySetup& setup, const Rows& points, const Marginals& belief) {
  BeliefRecord out;
  out.points = lists_of(points);
  out.mean = list_of(setup.user_value(belief.mean));
  out.sd = list_of(setup.user_sd(belief.var));
  return out;
}

std::vector<CellRecord> cells_of(const StudySetup& setup, Policy& policy, const Queries& asked,
                                 const Queries& expected) {
  const QueryDomain& domain = *setup.setting().queries;
  if (!domain.cell(domain.any().row(0))) return {};
  const Candidates opened = policy.opened(expected);
  std::map<Node, std::pair<Queries, CellRecord>> cells;
  const auto record = [&](const Queries& one) -> CellRecord& {
    return cells.try_emplace(domain.cell(one.row(0))->node, one, CellRecord()).first->second.second;
  };
  for (Index i = 0; i < opened.queries.size(); ++i)
    record(opened.queries.slice(i, 1)).candidate = opened.allowed[static_cast<std::size_t>(i)];
  for (Index i = 0; i < asked.size(); ++i)
    if (domain.contains(asked.row(i))) ++record(asked.slice(i, 1)).asked;
  Rows at(static_cast<Index>(cells.size()), domain.dimension());
  Index row = 0;
  for (const auto& each : cells) at.row(row++) = each.second.first.row(0);
  const Marginals g = believed_g(policy, Queries(std::move(at)));
  std::vector<CellRecord> out;
  for (auto& [node, each] : cells) {
    const auto i = static_cast<Index>(out.size());
    const Cell cell = *domain.cell(each.first.row(0));
    out.push_back(std::move(each.second));
    out.back().level = node.level;
    out.back().lower = list_of(cell.centre - cell.half_width);
    out.back().upper = list_of(cell.centre + cell.half_width);
    out.back().mean = setup.user_value(g.mean[i]);
    out.back().sd = setup.user_difference(std::sqrt(std::max(g.var[i], 0.0)));
  }
  return out;
}

// The row of `shown` nearest to `one`, distances being measured in units of the range shown.
Index nearest_row(const Queries& shown, const Queries& one) {
  const Rows& all = shown.coordinates();
  const Eigen::RowVectorXd range = all.colwise().maxCoeff() - all.colwise().minCoeff();
  const Eigen::RowVectorXd scale = (range.array() > 0.0).select(range, 1.0);
  Index row = 0;
  ((all.rowwise() - one.row(0)).array().rowwise() / scale.array()).square().rowwise().sum().minCoeff(&row);
  return row;
}

void add_scores(const StudySetup& setup, Policy& policy, const Queries& shown, const SnapshotOptions& options,
                Snapshot& out) {
  const Survey survey = policy.survey(shown, options.pending, options.avoid);
  out.policy = to_string(survey.next.used);
  out.why = survey.next.why;
  out.logarithms = survey.logarithmic;
  if (!survey.next.queries.empty()) {
    out.next_query = lists_of(setup.user_query(survey.next.queries))[0];
    if (!shown.empty()) out.next = nearest_row(shown, survey.next.queries);
  }
  if (survey.scores.size() == 0 || shown.empty()) return;
  out.scores.assign(static_cast<std::size_t>(shown.size()), -std::numeric_limits<double>::infinity());
  const QuerySet listed(shown);
  for (Index i = 0; i < survey.scores.size(); ++i)
    if (const auto row = listed.find(survey.queries.row(i)); row && survey.open[static_cast<std::size_t>(i)])
      out.scores[static_cast<std::size_t>(*row)] = survey.scores[i];
}

// Whether some query averages over this point; where queries are no bags, they are taken to reach every point.
bool is_reached(const StudySetup& setup, const Inputs& x) {
  const auto& bags = setup.data().bags;
  if (setup.spec().conditional.kind != ConditionalSpec::Kind::kBags || bags.entries.empty()) return true;
  return std::any_of(bags.entries.begin(), bags.entries.end(), [&](const BagEntry& entry) {
    return entry.weight > 0.0 && bags.points.row(entry.point) == x.coordinates().row(0);
  });
}

}  // namespace

RecommendationRecord recommendation_record(const StudySetup& setup, const Recommendation& best) {
  RecommendationRecord out;
  out.x = lists_of(best.x.coordinates())[0];
  out.name = setup.input_name(best.x);
  out.mean = setup.user_value(best.mean);
  out.sd = setup.user_difference(best.sd);
  out.low = setup.user_value(setup.sign() > 0 ? best.low : best.high);
  out.high = setup.user_value(setup.sign() > 0 ? best.high : best.low);
  out.probability = best.probability;
  if (std::isfinite(best.probability_error)) out.probability_error = best.probability_error;
  out.tolerance = setup.user_difference(best.tolerance);
  if (best.widened > 1.0) out.widened = best.widened;
  if (std::isfinite(best.unseen)) out.unseen = best.unseen;
  if (std::isfinite(best.max_high)) {
    out.optimum_low = setup.user_value(setup.sign() > 0 ? best.max_low : best.max_high);
    out.optimum_high = setup.user_value(setup.sign() > 0 ? best.max_high : best.max_low);
  }
  out.notes = best.notes;
  if (!is_reached(setup, best.x))
    out.notes.push_back(
        (out.name.empty() ? "this point" : out.name) +
        " is in no area that can be asked: its estimate comes from its neighbours only. Measure it itself "
        "(iqbo import --values), or make the study anew with points that areas contain as targets");
  return out;
}

namespace {

Marginals within_range(Policy& policy, Marginals rates) {
  rates.mean = policy.within_range(rates.mean);
  return rates;
}

}  // namespace

Marginals believed_f(Policy& policy, const Inputs& x) {
  return within_range(policy, policy.link() != Link::kIdentity ? policy.rates_f(x) : policy.f(x));
}

Vector mean_f(Policy& policy, const Inputs& x) {
  if (policy.link() == Link::kIdentity)
    if (auto mean = policy.mean_with_spots(x)) return *std::move(mean);
  return believed_f(policy, x).mean;
}

Marginals believed_g(Policy& policy, const Queries& a) {
  return within_range(policy, policy.link() != Link::kIdentity ? policy.rates_g(a) : policy.g(a));
}

// As predictions are, where earlier forecasts were off.
Marginals widened(const Marginals& belief, const Vector& widening) {
  return {belief.mean, belief.var.cwiseProduct(widening.cwiseAbs2())};
}

Snapshot snapshot_of(const StudySetup& setup, Policy& policy, const ShownPoints& shown,
                     const SnapshotOptions& options) {
  Snapshot out;
  out.observations = policy.size();
  const auto& [x, a] = shown;
  if (!x.empty()) {
    const Marginals f = believed_f(policy, x);
    out.x = record_of(setup, x.coordinates(), widened(f, policy.f_widening(x, f)));
  }
  if (!a.empty()) {
    const Marginals g = believed_g(policy, a);
    out.a = record_of(setup, setup.user_query(a), widened(g, policy.g_widening(g)));
  }
  if (!x.empty()) out.x.names = setup.data().targets.ids;
  if (!a.empty() && !setup.data().queries.ids.empty())
    for (Index i = 0; i < a.size(); ++i) out.a.names.push_back(setup.query_name(a.slice(i, 1)));
  if (!x.empty()) out.x.grid = grid_of_inputs(setup);
  if (!a.empty()) out.a.grid = grid_of_queries(setup);
  out.cells = cells_of(setup, policy, options.asked, options.pending.joined(options.avoid));
  out.policy = setup.spec().policy.name;
  if (options.scores) add_scores(setup, policy, a, options, out);
  if (const auto& fit = policy.hyperparameters()) out.fit = setup.user_fit(*fit);
  out.best = recommendation_record(setup, policy.best());
  const std::string learned = learned_summary(setup);
  if (!learned.empty()) out.notes.push_back(learned);
  return out;
}

std::string learned_summary(const StudySetup& setup) {
  const auto* learned = dynamic_cast<const LearnedConditional*>(setup.setting().conditional.get());
  if (learned == nullptr) return "";
  const Index copies = setup.copies_of_pairs();
  if (copies == 1) return learned->report().summary();
  return "every logged pair is there " + std::to_string(copies) +
         " times, as if the log had been imported more than once: each is used once; " + learned->report().summary();
}

std::optional<LearningRecord> learning_record(const StudySetup& setup, Policy& policy) {
  const auto* learned = dynamic_cast<const LearnedConditional*>(setup.setting().conditional.get());
  if (learned == nullptr) return std::nullopt;
  LearningRecord out{learned_summary(setup), {}, {}};
  for (const LearnedReport::Score& each : learned->report().scores)
    out.models.push_back({each.model, each.kappa, each.weight});
  if (const Kernel* discrepancy = policy.prior().discrepancy())
    out.discrepancy = std::sqrt(discrepancy->evaluate_diagonal(Rows::Zero(1, discrepancy->dimension()))[0]);
  return out;
}

}  // namespace iqbo::internal
