#include "node_readings.hpp"

#include <algorithm>
#include <map>

#include "average/nodes.hpp"
#include "average/thinned.hpp"

namespace iqbo::internal {

namespace {

using Key = std::pair<bool, std::vector<double>>;

Key key_of(const CountedAnswer& answer) {
  return std::visit(
      [](const auto& at) {
        const auto row = at.row(0);
        return Key{std::is_same_v<std::decay_t<decltype(at)>, Inputs>, {row.begin(), row.end()}};
      },
      answer.at);
}

// Points by their coordinates, in order of appearance.
class NodeList {
 public:
  Index find(const Eigen::Ref<const Eigen::RowVectorXd>& point, Index support_row) {
    const auto [found, is_new] = rows_.try_emplace({point.begin(), point.end()}, static_cast<Index>(points_.size()));
    if (is_new) {
      points_.emplace_back(point);
      support_row_.push_back(support_row);
    }
    return found->second;
  }
  Rows coordinates(Index dimension) const {
    Rows out(static_cast<Index>(points_.size()), dimension);
    for (Index i = 0; i < out.rows(); ++i) out.row(i) = points_[static_cast<std::size_t>(i)];
    return out;
  }
  const std::vector<Index>& support_row() const { return support_row_; }

 private:
  std::map<std::vector<double>, Index> rows_;
  std::vector<Eigen::RowVectorXd> points_;
  std::vector<Index> support_row_;
};

}  // namespace

NodeReadings::NodeReadings(const Conditional& conditional, const std::vector<CountedAnswer>& answers,
                           const Likelihood& likelihood, Index most) {
  std::map<Key, std::size_t> first;
  for (const CountedAnswer& each : answers) {
    const auto [found, is_new] = first.try_emplace(key_of(each), asked.size());
    if (is_new || !likelihood.merges()) {
      asked.push_back(each);
      continue;
    }
    asked[found->second].count.y += each.count.y;
    asked[found->second].count.exposure += each.count.exposure;
  }
  for (const CountedAnswer& each : asked) readings.answers.push_back(each.count);
  collect(conditional, 0);
  if (points->size() <= most) return;
  constexpr Index kLeastPoints = 4;
  is_thinned = true;
  collect(conditional, std::max(kLeastPoints, most / static_cast<Index>(first.size())));
}

void NodeReadings::collect(const Conditional& conditional, Index points_per_law) {
  struct Entry {
    Index node;
    double weight;
  };
  NodeList list;
  std::vector<double> share;  // of the white part that is left at each node
  std::map<Key, std::vector<Entry>> laws;
  std::vector<Eigen::Triplet<double, Index>> weight;
  const auto add = [&](const Eigen::Ref<const Eigen::RowVectorXd>& point, Index support, double white) {
    const Index node = list.find(point, support);
    if (node == static_cast<Index>(share.size())) share.push_back(white);
    return node;
  };
  for (std::size_t i = 0; i < asked.size(); ++i) {
    auto& law = laws[key_of(asked[i])];
    if (law.empty()) {
      if (const auto* x = std::get_if<Inputs>(&asked[i].at)) {
        law.push_back({add(x->row(0), -1, 1.0), 1.0});
      } else {
        DiscreteLaws one = as_points(conditional.laws(std::get<Queries>(asked[i].at)));
        bool listed = conditional.support() != nullptr && one.support->size() == conditional.support()->size();
        double white = one.of_density ? 0.0 : 1.0;
        const Index count = one.weight.innerVector(0).nonZeros();
        if (points_per_law > 0 && count > points_per_law) {
          const double squares = one.weight.innerVector(0).squaredNorm();
          one = as_points(thinned(Laws(one), points_per_law));
          const auto left = static_cast<double>(one.weight.innerVector(0).nonZeros());
          if (left < static_cast<double>(count)) {
            white *= std::min(1.0, left * squares);
            listed = false;
          }
        }
        for (SparseRows::InnerIterator it(one.weight, 0); it; ++it)
          law.push_back({add(one.support->row(it.col()), listed ? it.col() : -1, white), it.value()});
      }
    }
    for (const auto& [node, value] : law) weight.emplace_back(static_cast<Index>(i), node, value);
  }
  points = std::make_shared<const Inputs>(list.coordinates(conditional.input_dimension()));
  white_share = Eigen::Map<const Vector>(share.data(), static_cast<Index>(share.size()));
  support_row = list.support_row();
  readings.weight.resize(static_cast<Index>(asked.size()), points->size());
  readings.weight.setFromTriplets(weight.begin(), weight.end());
}

Matrix NodeReadings::covariance(const Kernel& kernel) const {
  Matrix out = kernel.gram(*points);
  out.diagonal() -= white_variance(kernel) * (1.0 - white_share.array()).matrix();
  return out;
}

Vector NodeReadings::mean(const Mean& of, const Kernel& kernel, Link link) const {
  return of.at(*points) + white_variance(kernel) * mean_rise(link);
}

Vector NodeReadings::mean_rise(Link link) const {
  if (link != Link::kLog) return Vector::Zero(white_share.size());
  return 0.5 * (1.0 - white_share.array());
}

double white_variance(const Kernel& kernel) {
  double sum = 0.0;
  for (const KernelTerm& term : kernel.stationary_terms())
    if (term.kind == KernelTerm::Kind::kWhite) sum += term.variance;
  return sum;
}

}  // namespace iqbo::internal
