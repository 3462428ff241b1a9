#include "shared_axes.hpp"

#include <array>
#include <utility>

namespace iqbo {
namespace {

SpreadLaws along(const SpreadLaws& laws, const std::vector<Index>& rows, Index c) {
  return {laws.centre(rows, c), laws.sd(rows, c), laws.half_width(rows, c)};
}

// One row per component from the first that matters on, one column per pair of laws.
Matrix factors(const Group& group, Index g, const SpreadLaws& left, const SpreadLaws& right, Index first) {
  const Index n = left.centre.rows();
  PairColumns columns(left, right);
  Matrix out(group.weights().size() - first, n * right.centre.rows());
  Array values(n);
  for (Index j = 0; j < right.centre.rows(); ++j)
    for (Index s = 0; s < out.rows(); ++s) {
      group.factor(g, columns.column(j), first + s, values);
      out.row(s).segment(j * n, n) = values;
    }
  return out;
}

bool any_point(const Group& group, const SpreadLaws& laws) {
  Array wide = Array::Zero(laws.centre.rows());
  for (Index g = 0; g < group.size(); ++g)
    wide += laws.sd.col(group.column(g)).array() + laws.half_width.col(group.column(g)).array();
  return (wide == 0.0).any();
}

bool any_box(const Group& group, const SpreadLaws& laws) {
  for (Index g = 0; g < group.size(); ++g)
    if ((laws.half_width.col(group.column(g)).array() > 0.0).any()) return true;
  return false;
}

}  // namespace

SharedAxes::SharedAxes(std::vector<Axis> axes, const Vector& scale_weight) : axes_(std::move(axes)) {
  Matrix& first = axes_.front().factor;
  first.array().colwise() *= scale_weight.array();
  if (axes_.size() == 1) first = first.colwise().sum().eval();
}

std::optional<SharedAxes> SharedAxes::of(const Group& group, const SpreadLaws& left, const SpreadLaws& right) {
  const Index n = left.centre.rows();
  const Index m = right.centre.rows();
  if (n == 0 || m == 0) return std::nullopt;
  if (group.is_rbf() && !any_box(group, left) && !any_box(group, right)) return std::nullopt;
  if (!group.is_rbf() && any_point(group, left) && any_point(group, right)) return std::nullopt;

  const Index first = group.first_component(left, right);
  const auto side = [&](const SpreadLaws& laws) {
    return [&](Index g, Index count) {
      const Index c = group.column(g);
      return different(count, [&](Index i) {
        return std::array<double, 3>{laws.centre(i, c), laws.sd(i, c), laws.half_width(i, c)};
      });
    };
  };
  return tabulate(group.size(), n, m, group.weights().tail(group.weights().size() - first), side(left), side(right),
                  [&](Index g, const std::vector<Index>& lefts, const std::vector<Index>& rights) {
                    const Index c = group.column(g);
                    return factors(group, g, along(left, lefts, c), along(right, rights, c), first);
                  });
}

Array SharedAxes::column(Index j) const {
  const Axis& first = axes_.front();
  const Axis& last = axes_.back();
  Array out(static_cast<Index>(first.left.size()));
  if (axes_.size() == 1) {
    for (Index i = 0; i < out.size(); ++i) out[i] = first.factors(i, j)[0];
  } else if (axes_.size() == 2) {
    for (Index i = 0; i < out.size(); ++i) out[i] = first.factors(i, j).dot(last.factors(i, j));
  } else {
    Vector product(first.factor.rows());
    for (Index i = 0; i < out.size(); ++i) {
      product = first.factors(i, j);
      for (std::size_t c = 1; c + 1 < axes_.size(); ++c) product.array() *= axes_[c].factors(i, j).array();
      out[i] = product.dot(last.factors(i, j));
    }
  }
  return out;
}

}  // namespace iqbo
