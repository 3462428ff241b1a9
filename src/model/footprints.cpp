#include "footprints.hpp"

#include <cmath>

#include "iqbo/core/lists.hpp"
#include "snapshot_of.hpp"
#include "windows.hpp"

namespace iqbo::internal {
namespace {

// Weight, weighted mean and weighted mean square of the i-th law of one kind.
struct Moments {
  double weight = 0.0;
  Vector first;
  Vector square;
};

struct MomentsOf {
  Index i;

  Moments operator()(const Inputs& x) const {
    const Vector at = x.row(i).transpose();
    return {1.0, at, at.cwiseAbs2()};
  }
  Moments operator()(const SpreadLaws& laws) const {
    const Vector centre = laws.centre.row(i).transpose();
    const Vector var = (laws.sd.row(i).cwiseAbs2() + laws.half_width.row(i).cwiseAbs2() / 3.0).transpose();
    return {1.0, centre, centre.cwiseAbs2() + var};
  }
  Moments operator()(const DiscreteLaws& laws) const {
    const Index d = laws.support->dimension();
    Moments out{0.0, Vector::Zero(d), Vector::Zero(d)};
    for (SparseRows::InnerIterator it(laws.weight, i); it; ++it) {
      const Vector at = laws.support->row(it.col()).transpose();
      out.weight += it.value();
      out.first += it.value() * at;
      out.square += it.value() * at.cwiseAbs2();
    }
    return out;
  }
  Moments operator()(const AxisLaws& laws) const {
    const auto d = static_cast<Index>(laws.node.size());
    Moments out{1.0, Vector(d), Vector(d)};
    for (Index c = 0; c < d; ++c) {
      const auto node = laws.node[static_cast<std::size_t>(c)].row(i);
      const auto weight = laws.weight[static_cast<std::size_t>(c)].row(i);
      out.first[c] = weight.dot(node);
      out.square[c] = weight.dot(node.cwiseAbs2());
    }
    return out;
  }
};

FootprintRecord ellipse(const Laws& laws, Index i) {
  Vector first = Vector::Zero(laws.dimension()), square = first;
  double weight = 0.0;
  for (const Laws::Part& part : laws.parts()) {
    const Moments some = std::visit(MomentsOf{i}, part.kind);
    weight += part.weight * some.weight;
    first += part.weight * some.first;
    square += part.weight * some.square;
  }
  if (std::abs(weight) > 0.0) {  // learned weights need not sum to one
    first /= weight;
    square /= weight;
  }
  const Vector sd = (square - first.cwiseAbs2()).cwiseMax(0.0).cwiseSqrt();
  return {FootprintRecord::Kind::kEllipse, list_of(first), list_of(sd), {}, {}};
}

FootprintRecord box(const SpreadLaws& laws, Index i, const InputBox* domain) {
  Vector lower = (laws.centre.row(i) - laws.half_width.row(i)).transpose();
  Vector upper = (laws.centre.row(i) + laws.half_width.row(i)).transpose();
  if (domain != nullptr) {
    lower = lower.cwiseMax(domain->lower()).cwiseMin(domain->upper());
    upper = upper.cwiseMin(domain->upper()).cwiseMax(domain->lower());
  }
  return {FootprintRecord::Kind::kBox, list_of(lower), list_of(upper), {}, {}};
}

std::vector<FootprintRecord> boxes(const StudyModel& model, const Queries& a) {
  SpecData whole = model.data();
  whole.spec.conditional.truncate = ConditionalSpec::Truncate::kNone;
  const Laws laws = window_conditional(whole, a.dimension(), model.resolution_first())->laws(a);
  const bool cut = model.spec().conditional.truncate != ConditionalSpec::Truncate::kNone;
  const auto domain = cut ? std::optional(box_of<InputSpace>(model.spec().targets.axes)) : std::nullopt;
  std::vector<FootprintRecord> out;
  for (Index i = 0; i < a.size(); ++i)
    out.push_back(box(std::get<SpreadLaws>(laws.parts()[0].kind), i, domain ? &*domain : nullptr));
  return out;
}

// None if a member is not listed in X.
std::optional<FootprintRecord> members(const DiscreteLaws& laws, Index i, const InputSet& x) {
  FootprintRecord out;
  out.kind = FootprintRecord::Kind::kMembers;
  for (SparseRows::InnerIterator it(laws.weight, i); it; ++it) {
    const auto row = x.find(laws.support->row(it.col()));
    if (!row) return std::nullopt;
    out.members.push_back(*row);
    out.weights.push_back(it.value());
  }
  return out;
}

}  // namespace

std::vector<FootprintRecord> footprints(const StudyModel& model, const Queries& a) {
  if (a.empty()) return {};
  const auto kind = model.spec().conditional.kind;
  if (kind == ConditionalSpec::Kind::kUniform) return boxes(model, a);
  const bool listed = kind == ConditionalSpec::Kind::kBags || kind == ConditionalSpec::Kind::kCells;
  const auto* x = std::get_if<InputSet>(&model.setting().targets);
  const Laws laws = model.setting().conditional->laws(a);
  std::vector<FootprintRecord> out;
  for (Index i = 0; i < a.size(); ++i) {
    std::optional<FootprintRecord> found;
    if (listed && x != nullptr && x->size() <= kSnapshotPoints)
      found = members(std::get<DiscreteLaws>(laws.parts()[0].kind), i, *x);
    out.push_back(found ? *std::move(found) : ellipse(laws, i));
  }
  return out;
}

}  // namespace iqbo::internal
