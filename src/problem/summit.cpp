#include "summit.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "numerics/maximise.hpp"

namespace iqbo {

using namespace internal;

namespace {

constexpr double kStep = 1e-5;  // of a side, for differences

// f on the unit cube, in units of `range`.
template <class Space>
struct Scaled {
  const BatchFunction<Space>& f;
  const Box<Space>& box;
  double range;

  Rows to_box(const Rows& u) const {
    const Vector side = box.upper() - box.lower();
    return ((u.array().rowwise() * side.transpose().array()).rowwise() + box.lower().transpose().array())
        .min(box.upper().transpose().array().replicate(u.rows(), 1));  // rounding must not leave the box
  }

  double operator()(const Vector& u, Vector* gradient) const {
    const Index d = u.size();
    Rows at = u.transpose().replicate(1 + 2 * d, 1);
    for (Index c = 0; c < d; ++c) {
      at(1 + 2 * c, c) = std::min(u[c] + kStep, 1.0);
      at(2 + 2 * c, c) = std::max(u[c] - kStep, 0.0);
    }
    const Vector value = f(Points<Space>(to_box(at))) / range;
    if (gradient != nullptr)
      for (Index c = 0; c < d; ++c)
        (*gradient)[c] = (value[1 + 2 * c] - value[2 + 2 * c]) / (at(1 + 2 * c, c) - at(2 + 2 * c, c));
    return value[0];
  }
};

template <class Space>
Points<Space> starts(const Vector& values, const Points<Space>& listed, const Points<Space>& known) {
  std::vector<Index> order(static_cast<std::size_t>(listed.size()));
  std::iota(order.begin(), order.end(), Index{0});
  const auto count = std::min<std::ptrdiff_t>(kSummitStarts, listed.size());
  std::partial_sort(order.begin(), order.begin() + count, order.end(),
                    [&](Index i, Index j) { return values[i] > values[j]; });
  order.resize(static_cast<std::size_t>(count));
  return known.joined(Points<Space>(Rows(listed.coordinates()(order, Eigen::all))));
}

}  // namespace

template <class Space>
Optimum<Space> summit(const BatchFunction<Space>& f, const Box<Space>& box, const Points<Space>& listed,
                      const Points<Space>& known) {
  const Vector values = f(listed);
  const double range = std::max(values.maxCoeff() - values.minCoeff(), 1e-300);
  const Scaled<Space> scaled{f, box, range};
  const Vector side = box.upper() - box.lower();
  const Points<Space> from = starts(values, listed, known);
  const MaximiseOptions options{.max_evaluations = 500, .value_tolerance = 1e-16, .point_tolerance = 1e-9};
  std::vector<Maximum> found;
  for (Index i = 0; i < from.size(); ++i) {
    const Vector u = (from.row(i).transpose() - box.lower()).cwiseQuotient(side);
    found.push_back(maximise(scaled, u, Vector::Zero(u.size()), Vector::Ones(u.size()), options));
  }
  std::stable_sort(found.begin(), found.end(), [](const Maximum& p, const Maximum& q) { return p.value > q.value; });
  std::vector<Maximum> kept;
  for (const Maximum& one : found) {
    const bool high = one.value >= found.front().value - kSameHeight;
    const bool taken = std::any_of(kept.begin(), kept.end(), [&](const Maximum& other) {
      return (other.point - one.point).cwiseAbs().maxCoeff() < kSamePlace;
    });
    if (high && !taken) kept.push_back(one);
  }
  Rows argmax(static_cast<Index>(kept.size()), box.dimension());
  for (Index i = 0; i < argmax.rows(); ++i) argmax.row(i) = kept[static_cast<std::size_t>(i)].point.transpose();
  const Points<Space> points(scaled.to_box(argmax));
  return {points, f(points)[0]};
}

template <class Space>
Optimum<Space> best_listed(const Vector& values, const Points<Space>& listed) {
  const double max = values.maxCoeff();
  std::vector<Index> rows;
  for (Index i = 0; i < values.size(); ++i)
    if (values[i] == max) rows.push_back(i);
  return {Points<Space>(Rows(listed.coordinates()(rows, Eigen::all))), max};
}

template Optimum<InputSpace> summit(const BatchFunction<InputSpace>&, const InputBox&, const Inputs&, const Inputs&);
template Optimum<QuerySpace> summit(const BatchFunction<QuerySpace>&, const QueryBox&, const Queries&, const Queries&);
template Optimum<InputSpace> best_listed(const Vector&, const Inputs&);
template Optimum<QuerySpace> best_listed(const Vector&, const Queries&);

}  // namespace iqbo
