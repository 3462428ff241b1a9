#include "lag_shares.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "iqbo/core/stop.hpp"

namespace iqbo::internal {
namespace {

// The weight of every lag of one pair of laws.
class Correlation {
 public:
  Correlation(const LatticePoints& points, const LagNodes& leading, const LagNodes& last)
      : points_(points),
        leading_(leading),
        last_(last),
        slot_(static_cast<std::size_t>(points.rows()), -1),
        nodes_(Matrix::Zero(last.size(), leading.size())),
        touched_(static_cast<std::size_t>(leading.size()), false) {}

  // Calls take(leading node, last node, share) for all that have weight.
  template <class Take>
  void of(const LatticeRuns& left, const LatticeRuns& right, const Take& take) {
    const auto [least, most] = range(left, right);
    differences(left, right, least, most - least + 1);
    Index begin = last_.size(), end = 0;
    Vector along(last_.size());
    for (std::size_t s = 0; s < lags_.size(); ++s) {
      Index first = last_.size(), beyond = 0;
      along.setZero();
      double slope = 0.0, value = 0.0;
      for (Index v = least; v <= most; ++v) {
        slope += differences_(v - least, static_cast<Index>(s));
        value += slope;
        const Index lag = std::abs(v);
        if (lag >= points_.columns()) continue;  // beyond the last trapezoid: 0
        const Vector& weight = last_.weights(lag);
        along.segment(last_.first(lag), weight.size()) += value * weight;
        first = std::min(first, last_.first(lag));
        beyond = std::max(beyond, last_.first(lag) + weight.size());
      }
      const Vector& weight = leading_.weights(lags_[s]);
      for (Index i = 0; i < weight.size(); ++i) {
        const Index node = leading_.first(lags_[s]) + i;
        touched_[static_cast<std::size_t>(node)] = true;
        nodes_.col(node).segment(first, beyond - first) += weight[i] * along.segment(first, beyond - first);
      }
      begin = std::min(begin, first);
      end = std::max(end, beyond);
      slot_[static_cast<std::size_t>(lags_[s])] = -1;
    }
    lags_.clear();
    for (Index node = 0; node < leading_.size(); ++node) {
      if (!touched_[static_cast<std::size_t>(node)]) continue;
      for (Index i = begin; i < end; ++i)
        if (nodes_(i, node) != 0.0) take(node, i, std::exchange(nodes_(i, node), 0.0));
      touched_[static_cast<std::size_t>(node)] = false;
    }
  }

 private:
  // The column lags, with the one after each trapezoid, at which its second difference ends.
  static std::pair<Index, Index> range(const LatticeRuns& left, const LatticeRuns& right) {
    const auto extent = [](const LatticeRuns& runs) {
      std::pair out(runs.front().begin, runs.front().end);
      for (const LatticeRun& run : runs) out = {std::min(out.first, run.begin), std::max(out.second, run.end)};
      return out;
    };
    const auto [x_begin, x_end] = extent(left);
    const auto [y_begin, y_end] = extent(right);
    return {x_begin + 1 - y_end, x_end + 1 - y_begin};
  }

  void differences(const LatticeRuns& left, const LatticeRuns& right, Index least, Index width) {
    for (const LatticeRun& x : left)
      for (const LatticeRun& y : right) {
        Index& slot = slot_[static_cast<std::size_t>(points_.lag(x.row, y.row))];
        if (slot < 0) {
          slot = static_cast<Index>(lags_.size());
          lags_.push_back(points_.lag(x.row, y.row));
        }
      }
    const auto count = static_cast<Index>(lags_.size());
    if (differences_.rows() != width || differences_.cols() < count) differences_.resize(width, count);
    differences_.leftCols(count).setZero();
    for (const LatticeRun& x : left)
      for (const LatticeRun& y : right) {
        double* at = &differences_(0, slot_[static_cast<std::size_t>(points_.lag(x.row, y.row))]) - least;
        const double weight = x.weight * y.weight;
        at[x.begin + 1 - y.end] += weight;
        at[x.begin + 1 - y.begin] -= weight;
        at[x.end + 1 - y.end] -= weight;
        at[x.end + 1 - y.begin] += weight;
      }
  }

  const LatticePoints& points_;
  const LagNodes &leading_, &last_;
  std::vector<Index> slot_;  // of each row lag in differences_
  std::vector<Index> lags_;  // of each slot
  Matrix differences_;       // second ones: column lag x slot
  Matrix nodes_;             // last x leading
  std::vector<bool> touched_;
};

// The distances that have weight, numbered in order of appearance, with their coordinates.
class Numbers {
 public:
  Numbers(const LatticePoints& points, const LagNodes& leading, const LagNodes& last)
      : points_(points),
        leading_(leading),
        last_(last),
        number_(static_cast<std::size_t>(leading.size() * last.size()), -1) {}

  int of(Index leading, Index last) {
    Index& at = number_[static_cast<std::size_t>(leading * last_.size() + last)];
    if (at < 0) {
      at = static_cast<Index>(used_.size());
      used_.emplace_back(leading, last);
    }
    return static_cast<int>(at);
  }

  Rows distances() const {
    const Vector& spacing = points_.lattice().spacing;
    const Index d = spacing.size();
    Rows out(static_cast<Index>(used_.size()), d);
    for (Index k = 0; k < out.rows(); ++k) {
      const auto& [leading, last] = used_[static_cast<std::size_t>(k)];
      if (d == 2)
        out(k, 0) = leading_.at(leading) * spacing[0];
      else
        out.row(k).head(d - 1) = points_.leading_distance(leading).transpose();
      out(k, d - 1) = last_.at(last) * spacing[d - 1];
    }
    return out;
  }

 private:
  const LatticePoints& points_;
  const LagNodes &leading_, &last_;
  std::vector<Index> number_;
  std::vector<std::pair<Index, Index>> used_;
};

}  // namespace

double LagShares::work(const std::vector<LatticeRuns>& laws) {
  double sum = 0.0, squares = 0.0;
  for (const LatticeRuns& law : laws) {
    const auto count = static_cast<double>(law.size());
    sum += count;
    squares += count * count;
  }
  return 0.5 * (sum * sum + squares);
}

namespace {

// Bags of few pixels have few lags, fewer than the nodes between which far ones are divided.
bool takes_all_lags(const LatticePoints& points, const std::vector<LatticeRuns>& laws, Index most) {
  constexpr Index kSmallLattice = Index{1} << 14;
  if (points.rows() * points.columns() > kSmallLattice) return false;
  double runs = 0.0, cells = 0.0;
  for (const LatticeRuns& law : laws)
    for (const LatticeRun& run : law) {
      runs += 1.0;
      cells += static_cast<double>(run.end - run.begin);
    }
  // Two runs have as many lags as both have cells, less one.
  return 0.5 * (2.0 * runs * cells - runs * runs) < static_cast<double>(most / 2);
}

}  // namespace

// In three or more dimensions only the last axis has nodes; the lags of all others are taken one by one.
std::optional<LagShares> LagShares::of(const LatticePoints& points, const std::vector<LatticeRuns>& laws, Index order,
                                       Index most) {
  const bool plane = points.lattice().spacing.size() == 2;
  if (takes_all_lags(points, laws, most)) order = std::max(points.rows(), points.columns());
  const LagNodes leading(points.rows(), plane ? order : points.rows()), last(points.columns(), order);
  Correlation correlation(points, leading, last);
  Numbers numbers(points, leading, last);
  std::vector<double> value;
  std::vector<int> column, begin{0};
  std::vector<std::pair<int, double>> row;
  for (std::size_t j = 0; j < laws.size(); ++j) {
    stop_point();
    for (std::size_t i = j; i < laws.size(); ++i) {
      row.clear();
      if (!laws[i].empty() && !laws[j].empty())
        correlation.of(laws[i], laws[j], [&](Index node, Index along, double share) {
          row.emplace_back(numbers.of(node, along), share);
        });
      std::sort(row.begin(), row.end());  // as a sparse matrix needs it
      for (const auto& [at, share] : row) {
        column.push_back(at);
        value.push_back(share);
      }
      begin.push_back(static_cast<int>(value.size()));
    }
    if (static_cast<Index>(value.size()) > most) return std::nullopt;
  }
  LagShares out{numbers.distances(), {}, leading.size() == points.rows() && last.size() == points.columns()};
  out.share = Eigen::Map<const decltype(out.share)>(static_cast<Index>(begin.size()) - 1, out.distance.rows(),
                                                    static_cast<Index>(value.size()), begin.data(), column.data(),
                                                    value.data());
  return out;
}

}  // namespace iqbo::internal
