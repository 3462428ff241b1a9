#include "footprints.hpp"

#include <algorithm>
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

std::vector<FootprintRecord> boxes(const StudySetup& setup, const Queries& a) {
  SpecData whole = setup.data();
  whole.spec.conditional.truncate = ConditionalSpec::Truncate::kNone;
  const Laws laws = window_conditional(whole, a.dimension(), setup.resolution_first())->laws(a);
  const bool cut = setup.spec().conditional.truncate != ConditionalSpec::Truncate::kNone;
  const auto domain = cut ? std::optional(box_of<InputSpace>(setup.spec().targets.axes)) : std::nullopt;
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

std::vector<FootprintRecord> footprints(const StudySetup& setup, const Queries& a) {
  if (a.empty()) return {};
  const auto kind = setup.spec().conditional.kind;
  if (kind == ConditionalSpec::Kind::kUniform) return boxes(setup, a);
  const bool listed = kind == ConditionalSpec::Kind::kBags || kind == ConditionalSpec::Kind::kCells;
  const auto* x = std::get_if<InputSet>(&setup.setting().targets);
  const Laws laws = setup.setting().conditional->laws(a);
  std::vector<FootprintRecord> out;
  for (Index i = 0; i < a.size(); ++i) {
    std::optional<FootprintRecord> found;
    if (listed && x != nullptr && x->size() <= kSnapshotPoints)
      found = members(std::get<DiscreteLaws>(laws.parts()[0].kind), i, *x);
    out.push_back(found ? *std::move(found) : ellipse(laws, i));
  }
  return out;
}

namespace {

// The values that a coordinate of the points takes, ascending.
std::vector<double> values_of(const Inputs& x, Index j) {
  std::vector<double> out(x.coordinates().col(j).begin(), x.coordinates().col(j).end());
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

// The rectangle of a lattice that is filled evenly by one bag, or that holds a cell of a tree: all of its points, and no others.
class LatticeTiles {
 public:
  explicit LatticeTiles(const Inputs& x) : x_(x) {
    double places = 1.0;
    for (Index j = 0; j < x.dimension(); ++j) {
      axes_.push_back(values_of(x, j));
      places *= static_cast<double>(axes_.back().size());
      shared_ = shared_ && 2 * axes_.back().size() <= static_cast<std::size_t>(x.size());
    }
    shared_ = x.dimension() == 1 || (shared_ && kFilled * places <= static_cast<double>(x.size()));
  }

  // None if the bag is no rectangle. A cell is one, whatever its points weigh and wherever there are none.
  std::optional<TileRecord> tile(const FootprintRecord& bag, bool is_cell) const {
    constexpr double kEven = 1e-3;  // of a weight
    if (!shared_) return std::nullopt;
    const auto members = static_cast<double>(bag.members.size());
    for (const double weight : bag.weights)
      if (!is_cell && std::abs(weight * members - 1.0) > kEven) return std::nullopt;
    Rows at(static_cast<Index>(bag.members.size()), x_.dimension());
    for (std::size_t i = 0; i < bag.members.size(); ++i) at.row(static_cast<Index>(i)) = x_.row(bag.members[i]);
    TileRecord out;
    double cells = 1.0;
    for (Index j = 0; j < x_.dimension(); ++j) {
      const std::vector<double>& axis = axes_[static_cast<std::size_t>(j)];
      const auto first = std::lower_bound(axis.begin(), axis.end(), at.col(j).minCoeff());
      const auto last = std::lower_bound(axis.begin(), axis.end(), at.col(j).maxCoeff());
      cells *= static_cast<double>(last - first + 1);
      if (axis.size() < 2) return std::nullopt;
      // Half way to the neighbours; at an edge as far as on the other side.
      out.lower.push_back(first == axis.begin() ? 1.5 * first[0] - 0.5 * first[1] : 0.5 * (first[-1] + first[0]));
      out.upper.push_back(last + 1 == axis.end() ? 1.5 * last[0] - 0.5 * last[-1] : 0.5 * (last[0] + last[1]));
    }
    return is_cell || cells == members ? std::optional(std::move(out)) : std::nullopt;
  }

 private:
  static constexpr double kFilled = 0.1;  // a map may leave out the sea

  const Inputs& x_;
  std::vector<std::vector<double>> axes_;
  bool shared_ =
      true;  // coordinates are shared as on a lattice; scattered points have no cells whose bounds could be said
};

}  // namespace

std::optional<std::vector<TileRecord>> tiles(const StudySetup& setup, const Queries& a) {
  if (a.empty()) return std::nullopt;
  const auto kind = setup.spec().conditional.kind;
  const auto* x = std::get_if<InputSet>(&setup.setting().targets);
  const bool listed = kind == ConditionalSpec::Kind::kBags || kind == ConditionalSpec::Kind::kCells;
  if (kind != ConditionalSpec::Kind::kUniform && (!listed || x == nullptr)) return std::nullopt;
  std::optional<LatticeTiles> lattice;
  if (listed) lattice.emplace(x->points());
  std::vector<TileRecord> out;
  for (FootprintRecord& each : footprints(setup, a)) {
    std::optional<TileRecord> one;
    if (each.kind == FootprintRecord::Kind::kBox) one = TileRecord{std::move(each.first), std::move(each.second)};
    if (each.kind == FootprintRecord::Kind::kMembers && lattice)
      one = lattice->tile(each, kind == ConditionalSpec::Kind::kCells);
    if (!one) return std::nullopt;
    out.push_back(*std::move(one));
  }
  return out;
}

}  // namespace iqbo::internal
