#include "slices.hpp"

#include <algorithm>
#include <cmath>

namespace iqbo::internal {
namespace {

constexpr Index kSliceLine = 41;  // values along one axis
constexpr Index kEffect = 21;     // values along the axis of a main effect
constexpr Index kSpread = 48;     // points of the other coordinates that an effect averages over
constexpr Index kPoints = 6000;   // limit over all pairs of axes together

// A sequence that is spread evenly over the unit cube in any dimension: multiples of 1/phi, 1/phi^2, ..., modulo 1, with
// phi^(d+1) = phi + 1 (the golden ratio for d = 1).
Rows spread_evenly(Index count, Index dimension) {
  double phi = 2.0;
  for (int i = 0; i < 40; ++i) phi = std::pow(1.0 + phi, 1.0 / static_cast<double>(dimension + 1));
  Rows out(count, dimension);
  for (Index i = 0; i < count; ++i)
    for (Index j = 0; j < dimension; ++j) {
      const double value = 0.5 + static_cast<double>(i + 1) * std::pow(phi, -static_cast<double>(j + 1));
      out(i, j) = value - std::floor(value);
    }
  return out;
}

// A belief on a box: f on inputs or g on queries.
template <class Space, class Marginal, class Covariance>
class Slicer {
 public:
  Slicer(const StudySetup& setup, Box<Space> box, std::vector<double> at, Marginal marginal, Covariance covariance)
      : setup_(setup), box_(std::move(box)), at_(std::move(at)), marginal_(marginal), covariance_(covariance) {}

  SlicesRecord all() const {
    SlicesRecord out;
    const Index d = box_.dimension(), pairs = d * (d - 1) / 2;
    const auto side = static_cast<Index>(std::sqrt(static_cast<double>(kPoints) / static_cast<double>(pairs)));
    for (Index j = 0; j < d; ++j) out.slices.push_back(slice({j}, kSliceLine));
    for (Index i = 0; i < d; ++i)
      for (Index j = i + 1; j < d; ++j) out.slices.push_back(slice({i, j}, std::clamp<Index>(side, 5, 21)));
    for (Index j = 0; j < d; ++j) out.effects.push_back(effect(j));
    return out;
  }

 private:
  double value(Index axis, Index i, Index count) const {
    const double share = static_cast<double>(i) / static_cast<double>(count - 1);
    return box_.lower()[axis] + share * (box_.upper()[axis] - box_.lower()[axis]);
  }

  SliceRecord slice(const std::vector<Index>& axes, Index count) const {
    SliceRecord out{{axes.begin(), axes.end()}, at_, {}, {}, {}};
    const Index size = axes.size() == 1 ? count : count * count;
    Rows rows = Eigen::Map<const Eigen::RowVectorXd>(at_.data(), box_.dimension()).replicate(size, 1);
    for (Index i = 0; i < size; ++i) {
      out.points.emplace_back();
      for (std::size_t k = 0; k < axes.size(); ++k) {
        const Index place = k + 1 == axes.size() ? i % count : i / count;
        rows(i, axes[k]) = value(axes[k], place, count);
        out.points.back().push_back(rows(i, axes[k]));
      }
    }
    const Marginals belief = marginal_(Points<Space>(std::move(rows)));
    for (Index i = 0; i < size; ++i) add(out, belief.mean[i], belief.var[i]);
    return out;
  }

  SliceRecord effect(Index axis) const {
    SliceRecord out{{axis}, at_, {}, {}, {}};
    Rows rows = spread_evenly(kSpread, box_.dimension());
    for (Index j = 0; j < box_.dimension(); ++j)
      rows.col(j) = box_.lower()[j] + rows.col(j).array() * (box_.upper()[j] - box_.lower()[j]);
    for (Index i = 0; i < kEffect; ++i) {
      rows.col(axis).setConstant(value(axis, i, kEffect));
      const Points<Space> points(rows);
      out.points.push_back({value(axis, i, kEffect)});
      add(out, marginal_(points).mean.mean(), covariance_(points).mean());
    }
    return out;
  }

  void add(SliceRecord& out, double mean, double var) const {
    out.mean.push_back(setup_.user_value(mean));
    out.sd.push_back(setup_.user_difference(std::sqrt(std::max(var, 0.0))));
  }

  const StudySetup& setup_;
  Box<Space> box_;
  std::vector<double> at_;
  Marginal marginal_;
  Covariance covariance_;
};

// A coordinate that never varies gets width 1.
InputBox box_around(const Inputs& points) {
  const Vector lower = points.coordinates().colwise().minCoeff().transpose();
  const Vector upper = points.coordinates().colwise().maxCoeff().transpose();
  return {lower, (upper.array() > lower.array()).select(upper, lower.array() + 1.0)};
}

}  // namespace

SlicesRecord slices_of_f(const StudySetup& setup, Policy& policy, const std::vector<double>& at) {
  if (dimension(setup.setting().targets) <= 2) return {};
  const auto* list = std::get_if<InputSet>(&setup.setting().targets);
  const InputBox box = list != nullptr ? box_around(list->points()) : std::get<InputBox>(setup.setting().targets);
  return Slicer(
             setup, box, at, [&](const Inputs& x) { return policy.rates_f(x); },
             [&](const Inputs& x) { return policy.rates_f_cov(x); })
      .all();
}

SlicesRecord slices_of_g(const StudySetup& setup, Policy& policy, std::vector<double> at) {
  const QuerySpec& s = setup.spec().queries;
  const bool box = s.kind == QuerySpec::Kind::kBox && !s.tree && s.resolutions.empty();
  if (!box || s.axes.size() <= 2) return {};
  const QueryBox range = box_of<QuerySpace>(s.axes);
  if (at.empty())
    for (Index j = 0; j < range.dimension(); ++j) at.push_back(0.5 * (range.lower()[j] + range.upper()[j]));
  return Slicer(
             setup, range, std::move(at), [&](const Queries& a) { return policy.rates_g(a); },
             [&](const Queries& a) { return policy.rates_g_cov(a); })
      .all();
}

}  // namespace iqbo::internal
