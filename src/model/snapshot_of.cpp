#include "iqbo/model/snapshot_of.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "iqbo/conditional/learned.hpp"
#include "iqbo/core/check.hpp"

namespace iqbo {
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

// A list, or a grid that stands for a box; empty if that would be too many.
template <class Space>
Points<Space> shown(const FiniteSet<Space>& list) {
  return list.size() <= kSnapshotPoints ? list.points() : Points<Space>();
}
template <class Space>
Points<Space> shown(const Box<Space>& box) {
  if (box.dimension() > 2) return {};
  return box.grid(box.dimension() == 1 ? std::vector<Index>{201} : std::vector<Index>{41, 41});
}
Queries shown(const MixedQueries& mixed) {
  Queries out;
  const Queries places = shown(mixed.box());
  for (Index i = 0; !places.empty() && i < mixed.choices().size(); ++i) out = out.joined(mixed.with_choice(i, places));
  return out.size() <= kSnapshotPoints ? out : Queries();
}
Queries shown(const QueryTree& tree) {
  constexpr double kCells = 1024.0;
  std::vector<Node> nodes;
  for (Index level = 0; level <= tree.l_max() && tree.size_at(level) <= kCells; ++level)
    for (const Node& node : tree.nodes_at(level)) nodes.push_back(node);
  return tree.queries(nodes);
}

std::vector<CellRecord> cells_of(const QueryTree& tree, const Queries& asked) {
  std::map<Node, std::int64_t> count;
  for (Index i = 0; i < asked.size(); ++i)
    if (const auto node = tree.find(asked.row(i))) {
      ++count[*node];
      for (const Node& child : tree.children(*node)) count.emplace(child, 0);
    }
  std::vector<CellRecord> out;
  for (const auto& [node, times] : count) {
    const Cell cell = tree.cell(node);
    out.push_back({node.level, list_of(cell.centre - cell.half_width), list_of(cell.centre + cell.half_width), times,
                   times == 0});
  }
  return out;
}

}  // namespace

std::optional<FitRecord> fit_record(const StudyModel& model, Policy& policy, const FitRecord* known) {
  const auto& values = policy.hyperparameters();
  if (!values) return std::nullopt;
  if (known != nullptr && policy.fit() == nullptr) return *known;
  FitRecord out;
  out.observations = values->observations;
  for (const auto& [name, family] : kFamilies)
    if (family == values->family) out.family = name;
  out.parameters = parameters_of(model, *values);
  if (const Fit* fit = policy.fit()) {
    add_intervals(model, *fit, out.parameters);
    out.log_evidence = fit->log_evidence;
    out.notes = fit->notes;
  }
  return out;
}

Hyperparameters hyperparameters_of(const StudyModel& model, const FitRecord& record) {
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
  out.lengthscale.resize(dimension(model.setting().x));
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

Snapshot snapshot_of(const StudyModel& model, Policy& policy, const Queries& asked) {
  Snapshot out;
  out.observations = policy.size();
  const Inputs x = std::visit([](const auto& space) { return shown(space); }, model.setting().x);
  const Queries a = std::visit([](const auto& space) { return shown(space); }, model.setting().a);
  if (!x.empty()) out.x = record_of(model, x.coordinates(), believed_f(model, policy, x));
  if (!a.empty()) out.a = record_of(model, model.user_query(a), believed_g(model, policy, a));
  if (!x.empty()) out.x.names = model.data().target.ids;
  if (!a.empty()) out.a.names = model.data().query.ids;
  if (const auto* tree = std::get_if<QueryTree>(&model.setting().a)) out.cells = cells_of(*tree, asked);
  out.policy = model.spec().policy.name;
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

}  // namespace iqbo
