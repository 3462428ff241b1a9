#include "snapshot_of.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "iqbo/core/check.hpp"
#include "iqbo/learned/learned.hpp"
#include "shown.hpp"

namespace iqbo::internal {
namespace {

using Family = Stationary::Family;
constexpr std::array<std::pair<const char*, Family>, 4> kFamilies{{{"rbf", Family::kRbf},
                                                                   {"matern12", Family::kMatern12},
                                                                   {"matern32", Family::kMatern32},
                                                                   {"matern52", Family::kMatern52}}};

std::string numbered(const char* name, Index i) { return std::string(name) + "[" + std::to_string(i) + "]"; }

std::vector<ParameterRecord> parameters_of(const StudyModel& model, const Hyperparameters& h) {
  std::vector<ParameterRecord> out;
  const auto add = [&](const std::string& name, double value) { out.push_back({name, value, value, value}); };
  add("variance", h.variance);
  for (Index i = 0; i < h.lengthscale.size(); ++i) add(numbered("lengthscale", i), h.lengthscale[i]);
  if (h.nugget > 0.0) add("nugget", h.nugget);
  add("noise_var", h.noise_var);
  add("mean", model.user_value(h.mean[0]));
  for (Index i = 1; i < h.mean.size(); ++i) add(numbered("slope", i - 1), model.sign() * h.mean[i]);
  if (h.discrepancy_var) add("discrepancy_var", *h.discrepancy_var);
  return out;
}

FitRecord record_of(const StudyModel& model, const Hyperparameters& values) {
  FitRecord out;
  out.observations = values.observations;
  for (const auto& [name, family] : kFamilies)
    if (family == values.family) out.family = name;
  out.parameters = parameters_of(model, values);
  return out;
}

void add_intervals(const StudyModel& model, const Fit& fit, std::vector<ParameterRecord>& out) {
  for (ParameterRecord& record : out) {
    const auto found = std::find_if(fit.parameters.begin(), fit.parameters.end(),
                                    [&](const FittedParameter& p) { return p.name == record.name; });
    if (found == fit.parameters.end()) continue;
    record.low = found->low;
    record.high = found->high;
    if (record.name == "mean") {
      record.low = model.user_value(found->low);
      record.high = model.user_value(found->high);
    } else if (record.name.rfind("slope", 0) == 0) {
      record.low *= model.sign();
      record.high *= model.sign();
    }
    if (record.low > record.high) std::swap(record.low, record.high);
  }
}

std::vector<double> row_of(const Rows& rows, Index i) { return {rows.row(i).begin(), rows.row(i).end()}; }
std::vector<double> list_of(const Vector& values) { return {values.begin(), values.end()}; }

BeliefRecord record_of(const StudyModel& model, const Rows& points, const Marginals& belief) {
  BeliefRecord out;
  for (Index i = 0; i < points.rows(); ++i) out.points.push_back(row_of(points, i));
  out.mean = list_of(model.user_value(belief.mean));
  out.sd = list_of(belief.var.cwiseMax(0.0).cwiseSqrt());
  return out;
}

std::vector<CellRecord> cells_of(const StudyModel& model, Policy& policy, const Queries& asked,
                                 const Queries& expected) {
  const auto* tree = std::get_if<QueryTree>(&model.setting().a);
  if (tree == nullptr) return {};
  std::map<Node, CellRecord> cells;
  for (const OpenedNode& each : policy.opened(expected)) cells[each.node].candidate = each.candidate;
  for (Index i = 0; i < asked.size(); ++i)
    if (const auto node = tree->find(asked.row(i))) ++cells[*node].asked;
  std::vector<Node> nodes;
  for (const auto& each : cells) nodes.push_back(each.first);
  const Marginals g = believed_g(model, policy, tree->queries(nodes));
  std::vector<CellRecord> out;
  for (auto& [node, record] : cells) {
    const auto i = static_cast<Index>(out.size());
    const Cell cell = tree->cell(node);
    record.level = node.level;
    record.lower = list_of(cell.centre - cell.half_width);
    record.upper = list_of(cell.centre + cell.half_width);
    record.mean = model.user_value(g.mean[i]);
    record.sd = std::sqrt(std::max(g.var[i], 0.0));
    out.push_back(std::move(record));
  }
  return out;
}

// The row of `shown` that is `one`, or, in units of what is shown, the nearest.
Index nearest_row(const Queries& shown, const Queries& one) {
  const Rows& all = shown.coordinates();
  const Eigen::RowVectorXd range = all.colwise().maxCoeff() - all.colwise().minCoeff();
  const Eigen::RowVectorXd scale = (range.array() > 0.0).select(range, 1.0);
  Index row = 0;
  ((all.rowwise() - one.row(0)).array().rowwise() / scale.array()).square().rowwise().sum().minCoeff(&row);
  return row;
}

void add_scores(const StudyModel& model, Policy& policy, const Queries& shown, const SnapshotOptions& options,
                Snapshot& out) {
  const Survey survey = policy.survey(shown, options.pending, options.avoid);
  out.policy = to_string(survey.next.used);
  out.why = survey.next.why;
  out.logarithms = survey.logarithmic;
  if (!survey.next.queries.empty()) {
    out.next_query = row_of(model.user_query(survey.next.queries), 0);
    if (!shown.empty()) out.next = nearest_row(shown, survey.next.queries);
  }
  if (survey.scores.size() == 0 || shown.empty()) return;
  out.scores.assign(static_cast<std::size_t>(shown.size()), -std::numeric_limits<double>::infinity());
  const QuerySet places(shown);
  for (Index i = 0; i < survey.scores.size(); ++i)
    if (const auto row = places.find(survey.queries.row(i)); row && survey.open[static_cast<std::size_t>(i)])
      out.scores[static_cast<std::size_t>(*row)] = survey.scores[i];
}

}  // namespace

std::optional<FitRecord> fit_record(const StudyModel& model, Policy& policy, const FitRecord* known) {
  const auto& values = policy.hyperparameters();
  if (!values) return std::nullopt;
  if (known != nullptr && policy.fit() == nullptr) return *known;
  FitRecord out = record_of(model, *values);
  if (const Fit* fit = policy.fit()) {
    add_intervals(model, *fit, out.parameters);
    out.log_evidence = fit->log_evidence;
    out.notes = fit->notes;
  }
  return out;
}

namespace {

Hyperparameters read_record(const StudyModel& model, const FitRecord& record, Index dimension) {
  const auto value = [&](const std::string& name) -> std::optional<double> {
    for (const ParameterRecord& p : record.parameters)
      if (p.name == name) return p.value;
    return std::nullopt;
  };
  const auto needed = [&](const std::string& name) {
    const auto found = value(name);
    if (!found) refuse("fit", "without " + name, "one that iqbo wrote");
    return *found;
  };
  Hyperparameters out;
  out.observations = record.observations;
  const auto family =
      std::find_if(kFamilies.begin(), kFamilies.end(), [&](auto f) { return record.family == f.first; });
  if (family == kFamilies.end()) refuse("fit.family", record.family, "rbf, matern12, matern32 or matern52");
  out.family = family->second;
  out.variance = needed("variance");
  out.lengthscale.resize(dimension);
  for (Index i = 0; i < out.lengthscale.size(); ++i) out.lengthscale[i] = needed(numbered("lengthscale", i));
  out.nugget = value("nugget").value_or(0.0);
  out.noise_var = needed("noise_var");
  const bool linear = value("slope[0]").has_value();
  out.mean.resize(linear ? 1 + out.lengthscale.size() : 1);
  out.mean[0] = model.policy_value(Vector::Constant(1, needed("mean")))[0];
  for (Index i = 1; i < out.mean.size(); ++i) out.mean[i] = model.sign() * needed(numbered("slope", i - 1));
  out.discrepancy_var = value("discrepancy_var");
  return out;
}

}  // namespace

Hyperparameters hyperparameters_of(const StudyModel& model, const FitRecord& record) {
  return read_record(model, record, dimension(model.setting().x));
}

std::optional<FitRecord> plain_fit_record(const StudyModel& model, Policy& policy) {
  const auto values = policy.plain_hyperparameters();
  return values ? std::optional(record_of(model, *values)) : std::nullopt;
}

Hyperparameters plain_hyperparameters_of(const StudyModel& model, const FitRecord& record) {
  return read_record(model, record, dimension(model.setting().a));
}

RecommendationRecord recommendation_record(const StudyModel& model, const Recommendation& best) {
  RecommendationRecord out;
  out.x = row_of(best.x.coordinates(), 0);
  out.name = model.input_name(best.x);
  out.mean = model.user_value(best.mean);
  out.sd = best.sd;
  out.low = model.user_value(model.sign() > 0 ? best.low : best.high);
  out.high = model.user_value(model.sign() > 0 ? best.high : best.low);
  out.probability = best.probability;
  out.tolerance = best.tolerance;
  out.notes = best.notes;
  return out;
}

Marginals believed_f(const StudyModel& model, Policy& policy, const Inputs& x) {
  const FiniteBelief* finite = policy.finite();
  const auto* list = std::get_if<InputSet>(&model.setting().x);
  std::vector<Index> rows;
  for (Index i = 0; finite != nullptr && i < x.size(); ++i)
    if (const auto row = list->find(x.row(i))) rows.push_back(*row);
  if (static_cast<Index>(rows.size()) < x.size()) return policy.posterior().f(x);
  return {finite->f().mean(rows), finite->f().var(rows)};
}

Marginals believed_g(const StudyModel& model, Policy& policy, const Queries& a) {
  const auto* list = std::get_if<QuerySet>(&model.setting().a);
  const FiniteBelief* finite = list == nullptr ? nullptr : policy.finite();
  std::vector<Index> rows;
  for (Index i = 0; finite != nullptr && i < a.size(); ++i)
    if (const auto row = list->find(a.row(i))) rows.push_back(*row);
  if (static_cast<Index>(rows.size()) < a.size()) return policy.posterior().g(a);
  return {finite->g().mean(rows), finite->g().var(rows)};
}

Snapshot snapshot_of(const StudyModel& model, Policy& policy, const SnapshotOptions& options) {
  Snapshot out;
  out.observations = policy.size();
  const Inputs x = shown_inputs(model);
  const Queries a = shown_queries(model, policy);
  if (!x.empty()) out.x = record_of(model, x.coordinates(), believed_f(model, policy, x));
  if (!a.empty()) out.a = record_of(model, model.user_query(a), believed_g(model, policy, a));
  if (!x.empty()) out.x.names = model.data().target.ids;
  if (!a.empty()) out.a.names = model.data().query.ids;
  if (!x.empty()) out.x.grid = grid_of_inputs(model);
  if (!a.empty()) out.a.grid = grid_of_queries(model);
  out.cells = cells_of(model, policy, options.asked, options.pending.joined(options.avoid));
  out.policy = model.spec().policy.name;
  if (options.scores) add_scores(model, policy, a, options, out);
  out.fit = fit_record(model, policy);
  out.best = recommendation_record(model, policy.recommend());
  const std::string learned = learned_summary(model);
  if (!learned.empty()) out.notes.push_back(learned);
  return out;
}

std::string learned_summary(const StudyModel& model) {
  const auto* learned = dynamic_cast<const LearnedConditional*>(model.setting().conditional.get());
  return learned == nullptr ? std::string() : learned->report().summary();
}

std::optional<LearningRecord> learning_record(const StudyModel& model, Policy& policy) {
  const auto* learned = dynamic_cast<const LearnedConditional*>(model.setting().conditional.get());
  if (learned == nullptr) return std::nullopt;
  LearningRecord out{learned->report().summary(), {}, {}};
  for (const LearnedReport::Score& each : learned->report().scores)
    out.models.push_back({each.model, each.kappa, each.weight});
  if (const Kernel* discrepancy = policy.prior().discrepancy())
    out.discrepancy = std::sqrt(discrepancy->evaluate_diagonal(Rows::Zero(1, discrepancy->dimension()))[0]);
  return out;
}

}  // namespace iqbo::internal
