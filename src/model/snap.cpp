#include "snap.hpp"

#include <cmath>

namespace iqbo::internal {
namespace {

// How far a number may be off, from the range of those that are right.
double reach(double least, double largest) { return kSnap * (largest > least ? largest - least : std::abs(largest)); }

template <class Space>
Rows snapped_to(const FiniteSet<Space>& list, Rows rows) {
  const Rows& all = list.points().coordinates();
  Eigen::RowVectorXd most;
  for (Index i = 0; i < rows.rows(); ++i) {
    if (list.find(rows.row(i))) continue;
    if (most.size() == 0) {
      most.resize(all.cols());
      for (Index j = 0; j < all.cols(); ++j) most[j] = reach(all.col(j).minCoeff(), all.col(j).maxCoeff());
    }
    const auto off = [&](Index k) { return (all.row(k) - rows.row(i)).cwiseAbs(); };
    for (Index k = 0; k < all.rows(); ++k)
      if ((off(k).array() <= most.array()).all()) {
        rows.row(i) = all.row(k);
        break;
      }
  }
  return rows;
}

bool holds(const Cell& cell, const Eigen::RowVectorXd& place) {
  return ((place.transpose() - cell.centre).cwiseAbs().array() <= (1.0 + kSnap) * cell.half_width.array()).all();
}

}  // namespace

Rows snapped(const InputSet& list, Rows x) { return snapped_to(list, std::move(x)); }
Rows snapped(const QuerySet& list, Rows a) { return snapped_to(list, std::move(a)); }

// Down the cells that hold the place: a centre lies well inside its own.
Rows snapped(const QueryTree& tree, Rows a) {
  const Index d = tree.dimension() - 1;
  const Vector most = kSnap * (tree.box().upper() - tree.box().lower());
  for (Index i = 0; i < a.rows(); ++i) {
    if (tree.find(a.row(i))) continue;
    const Eigen::RowVectorXd place = a.row(i).head(d);
    for (std::optional<Node> node = tree.root(); node;) {
      const Cell cell = tree.cell(*node);
      const double delta = tree.resolution(*node);
      if (((place.transpose() - cell.centre).cwiseAbs().array() <= most.array()).all() &&
          std::abs(a(i, d) - delta) <= kSnap * delta) {
        a.row(i) = tree.queries({*node}).row(0);
        break;
      }
      std::optional<Node> below;
      for (const Node& child : tree.children(*node))
        if (!below && holds(tree.cell(child), place)) below = child;
      node = below;
    }
  }
  return a;
}

Vector snapped(const Vector& values, Vector column) {
  const double most = reach(values.minCoeff(), values.maxCoeff());
  for (double& each : column)
    for (const double value : values)
      if (std::abs(each - value) <= most) each = value;
  return column;
}

}  // namespace iqbo::internal
