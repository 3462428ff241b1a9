#include "thinned.hpp"

#include <algorithm>
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
  Rows found(static_cast<Index>(points.size()), support.cols());
  for (std::size_t k = 0; k < points.size(); ++k) found.row(static_cast<Index>(k)) = points[k];
  SparseRows weights(laws.weight.rows(), found.rows());
  weights.setFromTriplets(entries.begin(), entries.end());
  return {std::make_shared<const Inputs>(std::move(found)), std::move(weights), laws.of_density, laws.exact_constant};
}

}  // namespace

double points_per_law(const Laws& laws) {
  double sum = 0.0;
  for (const auto& part : laws.parts()) {
    const auto* discrete = std::get_if<DiscreteLaws>(&part.kind);
    if (discrete == nullptr) return 0.0;
    sum += static_cast<double>(discrete->weight.nonZeros());
  }
  return sum / static_cast<double>(std::max<Index>(1, laws.size()));
}

Laws thinned(const Laws& laws, Index most) {
  if (points_per_law(laws) <= static_cast<double>(most)) return laws;
  Vector share(static_cast<Index>(laws.parts().size()));
  std::vector<Laws> parts;
  for (const auto& part : laws.parts()) {
    share[static_cast<Index>(parts.size())] = part.weight;
    parts.emplace_back(thinned(std::get<DiscreteLaws>(part.kind), most));
  }
  return Laws::mixture(share, parts);
}

}  // namespace iqbo::internal
