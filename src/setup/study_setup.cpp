#include "study_setup.hpp"

#include <algorithm>
#include <limits>

#include "at_path.hpp"
#include "chosen_exposure.hpp"
#include "core/nearest.hpp"
#include "counts.hpp"
#include "domain/large_list.hpp"
#include "iqbo/conditional/bag.hpp"
#include "iqbo/conditional/cell.hpp"
#include "iqbo/core/check.hpp"
#include "iqbo/kernel/family.hpp"
#include "iqbo/kernel/sum.hpp"
#include "iqbo/kernel/white.hpp"
#include "iqbo/policy/resolutions.hpp"
#include "logged_pairs.hpp"
#include "windows.hpp"

namespace iqbo::internal {
namespace {

Vector vector_of(const std::vector<double>& values) {
  return Eigen::Map<const Vector>(values.data(), static_cast<Index>(values.size()));
}

PerCell per_level(const std::vector<double>& values) { return values.empty() ? PerCell() : PerCell(vector_of(values)); }

// Equal numbers for coordinates in the same unit; none if a unit is not known.
std::vector<int> units_of(const TargetSpec& target) {
  std::vector<std::string> names = target.units;
  if (target.kind == TargetSpec::Kind::kBox)
    for (const AxisSpec& axis : target.axes) names.push_back(axis.unit);
  if (std::any_of(names.begin(), names.end(), [](const std::string& name) { return name.empty(); })) return {};
  std::vector<int> out;
  for (const std::string& name : names)
    out.push_back(static_cast<int>(std::find(names.begin(), names.end(), name) - names.begin()));
  return out;
}

bool gridded(const std::vector<AxisSpec>& axes) { return !axes.empty() && axes.front().grid > 0; }

template <class Space>
Points<Space> grid_of(const std::vector<AxisSpec>& axes) {
  std::vector<Index> counts;
  for (const AxisSpec& axis : axes) counts.push_back(axis.grid);
  return box_of<Space>(axes).grid(counts);
}

// Whether the spec says that f = h(eta), or that answers are counts.
bool is_linked(const Spec& spec) { return is_count(spec.answers) || spec.link == LinkKind::kLog; }

// The mean of eta at which f has the usual value that the spec gives.
double mean_of_eta(const Spec& spec) {
  const double usual = spec.mean.value / (is_count(spec.answers) ? spec.value.per : 1.0);
  return inverse(links_of(spec).front(), counts_complements(spec) ? 1.0 - usual : usual);
}

std::function<Vector(const Queries&)> constant(double value) {
  return [value](const Queries& a) { return Vector(Vector::Constant(a.size(), value)); };
}

TreeOptions tree_options(const TreeSpec& s) {
  TreeOptions out;
  out.l_max = s.levels - 1;
  out.splits.assign(s.splits.begin(), s.splits.end());
  out.cost = per_level(s.costs);
  out.resolution = per_level(s.resolutions);
  if (!s.noise_sds.empty()) out.noise_var = Vector(vector_of(s.noise_sds).cwiseAbs2());
  return out;
}

// The middle of each bag and its extent: listed queries that have only names are near each other if their bags are.
Rows embedding_of_bags(const SpecData& data) {
  const Index d = data.bags.points.cols();
  Rows sum = Rows::Zero(static_cast<Index>(data.queries.ids.size()), 2 * d);
  Vector weight = Vector::Zero(sum.rows());
  for (const BagEntry& each : data.bags.entries) {
    const auto at = data.bags.points.row(each.point);
    sum.row(each.query).head(d) += each.weight * at;
    sum.row(each.query).tail(d) += each.weight * at.cwiseAbs2();
    weight[each.query] += each.weight;
  }
  sum.array().colwise() /= weight.array().max(1e-300);
  sum.rightCols(d) = (sum.rightCols(d) - sum.leftCols(d).cwiseAbs2()).cwiseMax(0.0).cwiseSqrt();
  return sum;
}

std::shared_ptr<const Conditional> bags(const SpecData& data) {
  std::vector<BagRow> rows;
  rows.reserve(data.bags.entries.size());
  for (const BagEntry& entry : data.bags.entries) rows.push_back({entry.query, entry.point, entry.weight});
  return BagConditional(Inputs(data.bags.points), rows, Queries(data.queries.coordinates)).clone();
}

Vector one_each(const std::vector<double>& values, Index count) {
  return values.size() == 1 ? Vector::Constant(count, values[0]) : vector_of(values);
}

Vector shape_of(const KernelSpec& s, Index inputs) {
  Vector out(0);
  for (const ShapeParameter& each : family_of(s.family).shape) {
    const Vector values = one_each(s.shape.at(each.name), each.per_column ? inputs : 1);
    out.conservativeResize(out.size() + values.size());
    out.tail(values.size()) = values;
  }
  return out;
}

std::shared_ptr<const Kernel> kernel_of(const KernelSpec& s, Index inputs) {
  const Stationary smooth(s.family, s.variance, one_each(s.lengthscale, inputs), shape_of(s, inputs));
  if (s.nugget == 0.0) return smooth.clone();
  return Sum(smooth, White(s.nugget, inputs)).clone();
}

}  // namespace

std::vector<std::string> policy_names() {
  std::vector<std::string> out;
  for (const PolicyKind kind : all_policies()) out.push_back(to_string(kind));
  return out;
}

template <class Space>
Box<Space> box_of(const std::vector<AxisSpec>& axes) {
  Vector lower(static_cast<Index>(axes.size()));
  Vector upper(lower.size());
  for (std::size_t j = 0; j < axes.size(); ++j) {
    lower[static_cast<Index>(j)] = axes[j].from;
    upper[static_cast<Index>(j)] = axes[j].to;
  }
  return {std::move(lower), std::move(upper)};
}
template Box<InputSpace> box_of(const std::vector<AxisSpec>&);
template Box<QuerySpace> box_of(const std::vector<AxisSpec>&);

StudySetup::StudySetup(std::shared_ptr<const SpecData> data, const PairTable& more,
                       const std::optional<CustomScore>& score, const std::vector<LearnedRecord>& known)
    : data_(std::move(data)),
      setting_{InputBox(Vector::Zero(1), Vector::Ones(1)), QueryBox(Vector::Zero(1), Vector::Ones(1)), nullptr} {
  sign_ = spec().goal == Goal::kMaximize ? 1.0 : -1.0;
  if (spec().mean.kind == MeanSpec::Kind::kFixed && !is_linked(spec())) offset_ = spec().mean.value;
  if (is_count(spec().answers)) per_ = spec().value.per;
  if (counts_complements(spec())) offset_ = per_;  // per (1 - f)
  at_path("targets", [&] { make_target(); });
  at_path("queries", [&] { make_queries(); });
  make_conditional(more, known);
  make_exposure();
  make_prior();
  make_options(score);
  require_consistent(setting_);
}

void StudySetup::make_target() {
  const TargetSpec& s = spec().targets;
  if (s.kind == TargetSpec::Kind::kPoints)
    setting_.targets = InputSet(Inputs(data_->targets.coordinates));
  else if (gridded(s.axes))
    setting_.targets = InputSet(grid_of<InputSpace>(s.axes));
  else
    setting_.targets = box_of<InputSpace>(s.axes);
}

void StudySetup::make_queries() {
  const QuerySpec& s = spec().queries;
  if (s.kind == QuerySpec::Kind::kCells) {
    cells_.emplace(Inputs(data_->targets.coordinates), data_->target_weight, tree_options(*s.tree));
    setting_.queries = *cells_;
  } else if (s.kind == QuerySpec::Kind::kPoints) {
    setting_.queries = chooses_exposure(s) ? listed_with_exposures(data())
                                           : ListedQueries{QuerySet(Queries(data_->queries.coordinates)), data_->cost,
                                                           data_->noise_sd.cwiseAbs2(),
                                                           spec().conditional.kind == ConditionalSpec::Kind::kBags &&
                                                                   data_->queries.coordinates.rows() > LargeList::kSmall
                                                               ? embedding_of_bags(data())
                                                               : Rows()};
  } else if (s.tree) {
    setting_.queries = QueryTree(box_of<QuerySpace>(s.axes), tree_options(*s.tree));
  } else if (!s.resolutions.empty()) {
    make_windows();
  } else {
    QueryTraits traits{.cost = constant(s.cost.value)};
    if (s.noise_sd) traits.noise_var = constant(s.noise_sd->value * s.noise_sd->value);
    const QueryDomainPtr all = gridded(s.axes) ? QueryDomainPtr(QuerySet(grid_of<QuerySpace>(s.axes)))
                                               : QueryDomainPtr(box_of<QuerySpace>(s.axes));
    setting_.queries = all->with(traits);
  }
}

// A box of locations with resolutions, without a tree.
void StudySetup::make_windows() {
  const QuerySpec& s = spec().queries;
  FlatOptions options;
  if (!s.costs.empty())
    options.cost = [s](double delta) {
      const auto found = std::find(s.resolutions.begin(), s.resolutions.end(), delta);
      if (found == s.resolutions.end()) refuse("resolution", readable(delta), "one of queries.resolutions");
      return s.costs[static_cast<std::size_t>(found - s.resolutions.begin())];
    };
  const CentreSpace centres =
      gridded(s.axes) ? CentreSpace(QuerySet(grid_of<QuerySpace>(s.axes))) : CentreSpace(box_of<QuerySpace>(s.axes));
  const FlatQueries flat = flat_queries(centres, vector_of(s.resolutions), options);
  setting_.queries = flat.a();
  resolution_first_ = flat.resolution_first();
}

void StudySetup::make_conditional(const PairTable& more, const std::vector<LearnedRecord>& known) {
  const ConditionalSpec& s = spec().conditional;
  const Index locations = setting_.queries->dimension() - (chooses_exposure(spec().queries) ? 1 : 0);
  if (more.x.rows() > 0 && s.kind != ConditionalSpec::Kind::kLearned)
    refuse("pairs", "given", "a spec whose conditional is learned");
  switch (s.kind) {
    case ConditionalSpec::Kind::kGaussian:
    case ConditionalSpec::Kind::kUniform:
      setting_.conditional = window_conditional(data(), locations, resolution_first_);
      break;
    case ConditionalSpec::Kind::kBags:
      setting_.conditional = at_path("conditional.bags", [&] { return bags(data()); });
      break;
    case ConditionalSpec::Kind::kLearned:
      std::tie(setting_.conditional, copies_of_pairs_) = at_path("conditional.pairs", [&] {
        LearnedPairs found = learned_from(data(), more, known);
        return std::pair(std::move(found.conditional), found.copies);
      });
      return;
    case ConditionalSpec::Kind::kCells:
      setting_.conditional = CellConditional(*cells_).clone();
  }
  if (chooses_exposure(spec().queries)) setting_.conditional = whatever_exposure(*setting_.conditional);
}

// Of answers still to come: as the spec says, of a cell the sum over its points.
void StudySetup::make_exposure() {
  if (!counts()) return;
  setting_.likelihood = likelihood_of(spec());
  const auto& s = spec().queries.exposure;
  if (!s) return;
  if (!s->choices.empty()) {
    setting_.exposure = [](const Queries& a) { return Vector(a.coordinates().col(a.dimension() - 1)); };
  } else if (s->column.empty()) {
    setting_.exposure = constant(s->value);
  } else if (cells_) {
    setting_.exposure = [tree = *cells_, each = data_->exposure](const Queries& a) {
      Vector out = Vector::Zero(a.size());
      for (Index i = 0; i < a.size(); ++i)
        for (const Index row : tree.members(*tree.find(a.row(i)))) out[i] += each[row];
      return out;
    };
  } else {
    setting_.exposure = [queries = setting_.queries, each = data_->exposure](const Queries& a) {
      Vector out = Vector::Zero(a.size());
      for (Index i = 0; i < a.size(); ++i)
        if (const auto row = queries->find(a.row(i))) out[i] = each[*row];
      return out;
    };
  }
}

Count StudySetup::policy_count(const Answer& told) const {
  const auto y = static_cast<double>(*told.count);
  return {counts_complements(spec()) ? *told.exposure - y : y, *told.exposure};
}

double StudySetup::usual_exposure(const Queries& one) const {
  const double known = setting_.exposure ? setting_.exposure(one)[0] : 0.0;
  return known > 0.0 ? known : std::numeric_limits<double>::quiet_NaN();
}

void StudySetup::make_prior() {
  if (spec().noise_sd) setting_.noise_var = *spec().noise_sd * *spec().noise_sd;
  setting_.links = links_of(spec());
  if (!spec().kernel) return;
  setting_.kernel = at_path("kernel.", [&] { return kernel_of(*spec().kernel, dimension(setting_.targets)); });
  if (is_linked(spec())) setting_.mean = ConstantMean(mean_of_eta(spec())).clone();
}

void StudySetup::make_options(const std::optional<CustomScore>& score) {
  const PolicySpec& s = spec().policy;
  if (s.name.starts_with(kCustomPolicy)) {
    options_.policy = PolicyKind::kCustom;
    options_.custom = score.value_or(CustomScore{s.name.substr(kCustomPolicy.size())});
  } else {
    options_.policy = at_path("policy", [&] { return policy_kind(s.name); });
  }
  if (score && s.name != std::string(kCustomPolicy) + score->name)
    refuse("acquisition", "is " + in_quotes(score->name), "the policy of the study, " + in_quotes(s.name));
  if (options_.policy == PolicyKind::kMfmes && !spec().queries.tree && spec().queries.resolutions.empty())
    refuse("policy", "is \"mfmes\"", "queries.resolutions or queries.tree: it compares coarse queries with fine ones");
  options_.initial = s.initial;
  options_.samples = s.samples;
  options_.repeats = s.repeats;
  options_.spots = s.spots == PolicySpec::Spots::kOff ? SpotSearch::kOff : SpotSearch::kAuto;
  options_.budget = spec().budget;
  if (spec().queries.tree) options_.requery_leaf = spec().queries.tree->requery_leaf;
  if (spec().fit == FitKind::kPoint) options_.members = 1;
  options_.fit.units = units_of(spec().targets);
  if (spec().mean.kind == MeanSpec::Kind::kLinear) options_.fit.mean = FitOptions::MeanModel::kLinear;
  if (spec().mean.kind == MeanSpec::Kind::kFixed) options_.fit.mean = FitOptions::MeanModel::kFixed;
}

// The threshold moves with the level of the answers, which is found later than the other options.
Policy StudySetup::policy() const {
  PolicyOptions options = options_;
  if (const auto& above = spec().policy.above) options.above = policy_threshold(*above);
  if (const auto& stop = spec().stop) {
    if (stop->regret) options.stop.regret = *stop->regret / per_;
    options.stop.probability = stop->probability;
  }
  return {setting_, options, data_->spec.seed};
}

void StudySetup::set_level(double level) {
  if (is_fitted() && spec().mean.kind != MeanSpec::Kind::kFixed) offset_ = level;
}

std::optional<Hyperparameters> StudySetup::given() const {
  if (!spec().kernel) return std::nullopt;
  const KernelSpec& s = *spec().kernel;
  Hyperparameters out{
      .family = s.family, .variance = s.variance, .noise_var = setting_.noise_var.value_or(0.0), .mean = {0.0}};
  if (is_linked(spec())) {
    out.link = to_string(setting_.links.front());
    out.mean = {mean_of_eta(spec())};
    out.dispersion = spec().dispersion;
    if (counts()) out.noise_var.reset();
  }
  const Index inputs = dimension(setting_.targets);
  const Vector lengthscale = one_each(s.lengthscale, inputs);
  out.lengthscale.assign(lengthscale.begin(), lengthscale.end());
  out.others = named_shape(family_of(s.family), inputs, shape_of(s, inputs));
  if (s.nugget > 0.0) out.nugget = s.nugget;
  return out;
}

namespace {

// The mean becomes sign mean + offset, slopes sign slope; a sign of -1 swaps the ends of their intervals.
Hyperparameters with_values(Hyperparameters fit, double sign, double offset) {
  for (Hyperparameters& member : fit.members) member = with_values(std::move(member), sign, offset);
  for (FittedNumber& each : fit.mean) {
    if (sign < 0.0) std::swap(each.low, each.high);
    for (double* number : {&each.value, &each.low, &each.high}) *number = sign * *number + offset;
    offset = 0.0;
  }
  return fit;
}

}  // namespace

Hyperparameters StudySetup::policy_fit(Hyperparameters user) const {
  if (is_linked(spec())) return user;
  return with_values(std::move(user), sign_, -sign_ * offset_);
}

Hyperparameters StudySetup::user_fit(Hyperparameters policy) const {
  if (is_linked(spec())) return policy;
  return with_values(std::move(policy), sign_, offset_);
}

std::optional<LearnedRecord> StudySetup::learned() const { return learned_record(*setting_.conditional); }

}  // namespace iqbo::internal
