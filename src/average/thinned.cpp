#include "thinned.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace iqbo::internal {
namespace {

struct Cloud {
  Rows point;
  Vector weight;
};

// Collects the parts of one law.
class Parts {
 public:
  Parts(const Cloud& cloud, std::vector<Eigen::Triplet<double, Index>>& entries,
        std::vector<Eigen::RowVectorXd>& points, Index law)
      : cloud_(cloud), entries_(entries), points_(points), law_(law) {}

  void divide(std::vector<Index> rows, Index parts) {
    if (rows.empty()) return;
    if (parts == 1 || rows.size() == 1) return collect(rows);
    const Index side = widest(rows);
    std::stable_sort(rows.begin(), rows.end(),
                     [&](Index a, Index b) { return cloud_.point(a, side) < cloud_.point(b, side); });
    const double half = 0.5 * cloud_.weight(rows).sum();
    double sum = 0.0;
    std::size_t cut = 0;
    while (cut + 1 < rows.size() && sum + 0.5 * cloud_.weight[rows[cut]] < half) sum += cloud_.weight[rows[cut++]];
    cut = std::max<std::size_t>(cut, 1);
    const auto middle = rows.begin() + static_cast<std::ptrdiff_t>(cut);
    divide({rows.begin(), middle}, parts / 2);
    divide({middle, rows.end()}, parts / 2);
  }

 private:
  Eigen::RowVectorXd mean(const std::vector<Index>& rows) const {
    return cloud_.weight(rows).transpose() * cloud_.point(rows, Eigen::all) / cloud_.weight(rows).sum();
  }

  Index widest(const std::vector<Index>& rows) const {
    const Rows centred = cloud_.point(rows, Eigen::all).rowwise() - mean(rows);
    Index out = 0;
    (centred.array().square().matrix().transpose() * cloud_.weight(rows)).maxCoeff(&out);
    return out;
  }

  void collect(const std::vector<Index>& rows) {
    entries_.emplace_back(law_, static_cast<Index>(points_.size()), cloud_.weight(rows).sum());
    points_.push_back(mean(rows));
  }

  const Cloud& cloud_;
  std::vector<Eigen::Triplet<double, Index>>& entries_;
  std::vector<Eigen::RowVectorXd>& points_;
  Index law_;
};

DiscreteLaws gathered(Index laws, const std::vector<Eigen::Triplet<double, Index>>& entries,
                      const std::vector<Eigen::RowVectorXd>& points, bool of_density, bool exact_constant) {
  Rows found(static_cast<Index>(points.size()), points.front().size());
  for (std::size_t k = 0; k < points.size(); ++k) found.row(static_cast<Index>(k)) = points[k];
  SparseRows weights(laws, found.rows());
  weights.setFromTriplets(entries.begin(), entries.end());
  return {std::make_shared<const Inputs>(std::move(found)), std::move(weights), of_density, exact_constant};
}

DiscreteLaws thinned(const DiscreteLaws& laws, Index most) {
  const Rows& support = laws.support->coordinates();
  std::vector<Eigen::Triplet<double, Index>> entries;
  std::vector<Eigen::RowVectorXd> points;
  for (Index i = 0; i < laws.weight.rows(); ++i) {
    std::vector<Index> used, all;
    std::vector<double> weight;
    for (SparseRows::InnerIterator it(laws.weight, i); it; ++it) {
      if (it.value() < 0.0) return laws;
      if (it.value() == 0.0) continue;
      all.push_back(static_cast<Index>(used.size()));
      used.push_back(it.col());
      weight.push_back(it.value());
    }
    const Cloud cloud{support(used, Eigen::all),
                      Eigen::Map<const Vector>(weight.data(), static_cast<Index>(weight.size()))};
    Parts(cloud, entries, points, i).divide(std::move(all), most);
  }
  return gathered(laws.weight.rows(), entries, points, laws.of_density, laws.exact_constant);
}

// A grid of few nodes in place of that of an axis law.
DiscreteLaws thinned(const AxisLaws& laws, Index most) {
  const Index n = laws.node.front().rows();
  const auto d = static_cast<Index>(laws.node.size());
  Index along = 2;
  while (std::pow(2 * along, d) <= static_cast<double>(most)) along *= 2;
  std::vector<Eigen::Triplet<double, Index>> entries;
  std::vector<Eigen::RowVectorXd> points;
  for (Index i = 0; i < n; ++i) {
    std::vector<std::pair<Eigen::RowVectorXd, double>> grid{{Eigen::RowVectorXd(d), 1.0}};
    for (Index c = 0; c < d; ++c) {
      const Rows& node = laws.node[static_cast<std::size_t>(c)];
      const Rows& weight = laws.weight[static_cast<std::size_t>(c)];
      std::vector<Index> used;
      for (Index k = 0; k < node.cols(); ++k)
        if (weight(i, k) > 0.0) used.push_back(k);
      const Cloud cloud{node.row(i).transpose(), weight.row(i).transpose()};
      std::vector<Eigen::Triplet<double, Index>> shares;
      std::vector<Eigen::RowVectorXd> places;
      Parts(cloud, shares, places, i).divide(std::move(used), along);
      std::vector<std::pair<Eigen::RowVectorXd, double>> wider;
      for (const auto& [point, share] : grid)
        for (std::size_t k = 0; k < places.size(); ++k) {
          wider.emplace_back(point, share * shares[k].value());
          wider.back().first[c] = places[k][0];
        }
      grid = std::move(wider);
    }
    for (const auto& [point, share] : grid) {
      entries.emplace_back(i, static_cast<Index>(points.size()), share);
      points.push_back(point);
    }
  }
  return gathered(n, entries, points, true, true);
}

struct PointsOf {
  double operator()(const DiscreteLaws& laws) const { return static_cast<double>(laws.weight.nonZeros()); }
  double operator()(const AxisLaws& laws) const {
    double grid = static_cast<double>(laws.node.front().rows());
    for (const Rows& node : laws.node) grid *= static_cast<double>(node.cols());
    return grid;
  }
  template <class Other>
  double operator()(const Other&) const {
    return std::numeric_limits<double>::quiet_NaN();
  }
};

struct Thin {
  Index most;
  Laws operator()(const DiscreteLaws& laws) const { return thinned(laws, most); }
  Laws operator()(const AxisLaws& laws) const { return thinned(laws, most); }
  template <class Other>
  Laws operator()(const Other& laws) const {
    return laws;
  }
};

}  // namespace

double points_per_law(const Laws& laws) {
  double sum = 0.0;
  for (const auto& part : laws.parts()) sum += std::visit(PointsOf{}, part.kind);
  return std::isnan(sum) ? 0.0 : sum / static_cast<double>(std::max<Index>(1, laws.size()));
}

Laws thinned(const Laws& laws, Index most) {
  if (points_per_law(laws) <= static_cast<double>(most)) return laws;
  Vector share(static_cast<Index>(laws.parts().size()));
  std::vector<Laws> parts;
  for (const auto& part : laws.parts()) {
    share[static_cast<Index>(parts.size())] = part.weight;
    parts.push_back(std::visit(Thin{most}, part.kind));
  }
  return Laws::mixture(share, parts);
}

}  // namespace iqbo::internal
