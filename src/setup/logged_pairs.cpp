#include "logged_pairs.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "iqbo/core/check.hpp"
#include "iqbo/learned/learned.hpp"
#include "study_setup.hpp"

namespace iqbo::internal {
namespace {

LearnedKind learned_kind(ConditionalSpec::Model model) {
  switch (model) {
    case ConditionalSpec::Model::kAuto:
      return LearnedKind::kAuto;
    case ConditionalSpec::Model::kShift:
      return LearnedKind::kShift;
    case ConditionalSpec::Model::kCme:
      return LearnedKind::kCme;
    case ConditionalSpec::Model::kNw:
      return LearnedKind::kNw;
    case ConditionalSpec::Model::kPlugin:
      return LearnedKind::kPlugIn;
    case ConditionalSpec::Model::kStack:
      return LearnedKind::kStack;
  }
  throw std::logic_error("a learned model of an unknown kind");
}

LearnedOptions options_of(const SpecData& data) {
  LearnedOptions options;
  options.model = learned_kind(data.spec.conditional.model);
  if (data.spec.targets.kind == TargetSpec::Kind::kBox)
    options.domain = box_of<InputSpace>(data.spec.targets.axes);
  else
    options.domain = InputSet(Inputs(data.targets.coordinates));
  for (std::size_t j = 0; j < data.queries.codes.size(); ++j)
    if (!data.queries.codes[j].empty()) options.categories.push_back(static_cast<Index>(j));
  return options;
}

Inputs inputs_of(const SpecData& data, const PairTable& more) { return Inputs(stacked(data.pairs.x, more.x)); }
Queries queries_of(const SpecData& data, const PairTable& more) { return Queries(stacked(data.pairs.a, more.a)); }

LearnedNumbers numbers_of(const LearnedRecord& record) {
  LearnedNumbers out{{}, record.notes};
  for (const auto& [name, values] : record.values) out.values.emplace_back(name, values);
  return out;
}

}  // namespace

void require_learnable(const SpecData& data, const PairTable& more, const CsvTable& table) {
  const Inputs x = inputs_of(data, more);
  const auto fault = pair_fault(x, queries_of(data, more), options_of(data));
  if (!fault) return;
  const Index before = x.size() - static_cast<Index>(table.size());
  if (fault->row < before)
    refuse(table.name, "with it, pair " + std::to_string(fault->row + 1) + " of those before " + fault->found,
           fault->expected);
  const Spec& spec = data.spec;
  const auto names = fault->in_x ? coordinate_names(spec.targets) : coordinate_names(spec.queries, spec.targets);
  const std::string& name = names.at(static_cast<std::size_t>(fault->column));
  const std::string prefixed = (fault->in_x ? "x." : "a.") + name;
  table.refuse_cell(static_cast<std::size_t>(fault->row - before),
                    table.position(table.has(prefixed) ? prefixed : name), fault->found, fault->expected);
}

void require_learnable(const SpecData& data, const SpecBundle& bundle) {
  if (data.spec.conditional.kind != ConditionalSpec::Kind::kLearned) return;
  if (!pair_fault(inputs_of(data, {}), queries_of(data, {}), options_of(data))) return;
  const std::string& file = data.spec.conditional.pairs;  // read once more to say where the mistake is
  require_learnable(data, {}, parse_csv(bundle.files.at(file), "conditional.pairs (" + file + ")"));
}

namespace {

// How often every pair is there: the greatest common divisor; and the rows that are left if each is used so many times less.
std::pair<Index, std::vector<Index>> copies_of(const Rows& x, const Rows& a) {
  constexpr Index kFew = 10;  // pairs, which may well be alike
  const auto same = [&](Index i, Index j) { return x.row(i) == x.row(j) && a.row(i) == a.row(j); };
  Index first = 0;  // of the first pair: mostly 1, which ends it
  for (Index i = 0; i < x.rows(); ++i) first += same(0, i) ? 1 : 0;
  if (first < 2) return {1, {}};
  std::map<std::vector<double>, std::vector<Index>> rows;
  for (Index i = 0; i < x.rows(); ++i) {
    std::vector<double> pair(x.row(i).begin(), x.row(i).end());
    pair.insert(pair.end(), a.row(i).begin(), a.row(i).end());
    rows[pair].push_back(i);
  }
  Index copies = first;
  for (const auto& each : rows) copies = std::gcd(copies, static_cast<Index>(each.second.size()));
  std::vector<Index> left;
  for (const auto& each : rows)
    left.insert(left.end(), each.second.begin(), each.second.begin() + std::ssize(each.second) / copies);
  if (std::ssize(left) < kFew) return {1, {}};
  std::sort(left.begin(), left.end());
  return {copies, left};
}

std::shared_ptr<const Conditional> recalled(const Inputs& x, const Queries& a, const LearnedOptions& options,
                                            const std::vector<LearnedRecord>& known) {
  const double print = fingerprint(x, a, options);
  for (const LearnedRecord& record : known)
    if (!record.values.empty() && record.values[0].values == std::vector<double>{print})
      return LearnedConditional(x, a, options, numbers_of(record)).clone();
  return nullptr;
}

}  // namespace

LearnedPairs learned_from(const SpecData& data, const PairTable& more, const std::vector<LearnedRecord>& known) {
  const LearnedOptions options = options_of(data);
  const Inputs all_x = inputs_of(data, more);
  const Queries all_a = queries_of(data, more);
  if (auto earlier = recalled(all_x, all_a, options, known)) return {earlier};
  const auto [copies, rows] = copies_of(all_x.coordinates(), all_a.coordinates());
  if (copies == 1) return {LearnedConditional(all_x, all_a, options).clone()};
  const Inputs x(Rows(all_x.coordinates()(rows, Eigen::all)));
  const Queries a(Rows(all_a.coordinates()(rows, Eigen::all)));
  if (auto earlier = recalled(x, a, options, known)) return {earlier, copies};
  return {LearnedConditional(x, a, options).clone(), copies};
}

std::optional<LearnedRecord> learned_record(const Conditional& conditional) {
  const auto* learned = dynamic_cast<const LearnedConditional*>(&conditional);
  if (learned == nullptr) return std::nullopt;
  LearnedRecord out{{}, learned->numbers().notes};
  for (const auto& [name, values] : learned->numbers().values) out.values.push_back({name, values});
  return out;
}

}  // namespace iqbo::internal
