#include "iqbo/theory/max_information.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "iqbo/core/check.hpp"

namespace iqbo {
namespace {

constexpr double kPerSd = 6.0;  // cells of the z-grid per sd of the noise
constexpr double kReach = 5.0;  // sds of the noise beyond which its density counts as 0
constexpr double kMostSds = 2000.0;

// Which group and part each path belongs to: by the rank of its f*, so that every group has its share of every part.
struct Groups {
  std::vector<Index> group, part;
  Index count;
};

Groups grouped(const Vector& fstar, Index groups) {
  const Index paths = fstar.size();
  std::vector<Index> order(static_cast<std::size_t>(paths));
  std::iota(order.begin(), order.end(), Index{0});
  std::sort(order.begin(), order.end(), [&](Index i, Index j) { return fstar[i] < fstar[j]; });
  Groups out{std::vector<Index>(order.size()), std::vector<Index>(order.size()), groups};
  for (Index rank = 0; rank < paths; ++rank) {
    const auto s = static_cast<std::size_t>(order[static_cast<std::size_t>(rank)]);
    out.group[s] = rank * groups / paths;
    out.part[s] = rank % kParts;
  }
  return out;
}

struct Grid {
  double low, step;
  Index cells;
};

Grid grid_of(const Eigen::Ref<const Vector>& g, double sd) {
  const double low = g.minCoeff() - kReach * sd, high = g.maxCoeff() + kReach * sd, step = sd / kPerSd;
  return {low, step, static_cast<Index>(std::ceil((high - low) / step)) + 2};
}

// Each path shares its mass between the two nodes next to it, which adds step^2 / 6 to the variance on average: the noise gets less.
Matrix histogram(const Eigen::Ref<const Vector>& g, const Groups& groups, const Grid& grid) {
  Matrix out = Matrix::Zero(grid.cells, groups.count * kParts);
  for (Index s = 0; s < g.size(); ++s) {
    const auto at = static_cast<std::size_t>(s);
    const double place = (g[s] - grid.low) / grid.step;
    const auto cell = static_cast<Index>(place);
    const double share = place - static_cast<double>(cell);
    const Index column = groups.group[at] * kParts + groups.part[at];
    out(cell, column) += 1.0 - share;
    out(cell + 1, column) += share;
  }
  return out;
}

Matrix blurred(const Matrix& mass, double sd, double step) {
  const double var = sd * sd - step * step / 6.0;
  const auto reach = static_cast<Index>(kReach * sd / step);
  Vector tap(2 * reach + 1);
  for (Index i = -reach; i <= reach; ++i)
    tap[i + reach] = std::exp(-0.5 * std::pow(static_cast<double>(i) * step, 2) / var);
  tap /= tap.sum();
  Matrix out = Matrix::Zero(mass.rows(), mass.cols());
  for (Index i = -reach; i <= reach; ++i) {
    const Index rows = mass.rows() - std::abs(i);
    out.middleRows(std::max(Index{0}, i), rows) += tap[i + reach] * mass.middleRows(std::max(Index{0}, -i), rows);
  }
  return out;
}

// sum_b P(b) sum_z p(z | b) log(p(z | b) / p(z)), from counts: a column for each group.
double information_of(const Matrix& counts) {
  const Vector whole = counts.rowwise().sum();
  const double paths = whole.sum();
  double out = 0.0;
  for (Index b = 0; b < counts.cols(); ++b) {
    const double size = counts.col(b).sum();
    for (Index i = 0; i < counts.rows(); ++i)
      if (counts(i, b) > 0.0) out += counts(i, b) / paths * std::log(counts(i, b) * paths / (size * whole[i]));
  }
  return out;
}

struct Told {
  double nats, error;
};

Told told_by(const Eigen::Ref<const Vector>& g, const Groups& groups, double sd) {
  const Grid grid = grid_of(g, sd);
  const Matrix mass = blurred(histogram(g, groups, grid), sd, grid.step);
  Matrix all = Matrix::Zero(grid.cells, groups.count);
  for (Index b = 0; b < groups.count; ++b) all.col(b) = mass.middleCols(b * kParts, kParts).rowwise().sum();
  Vector without(kParts);
  for (Index k = 0; k < kParts; ++k) {
    Matrix rest = all;
    for (Index b = 0; b < groups.count; ++b) rest.col(b) -= mass.col(b * kParts + k);
    without[k] = information_of(rest);
  }
  constexpr auto kCount = static_cast<double>(kParts);
  const double mean = without.mean();
  return {kCount * information_of(all) - (kCount - 1.0) * mean,
          std::sqrt((kCount - 1.0) / kCount * (without.array() - mean).square().sum())};
}

}  // namespace

MaxInformation max_value_information(const Vector& fstar, const Matrix& g, const Vector& noise_var, Index groups) {
  require_finite(fstar, "fstar");
  require_columns(g.cols(), fstar.size(), "g");
  require_rows(noise_var.size(), g.rows(), "noise_var");
  require_positive(noise_var, "noise_var");
  if (groups < 2) refuse("groups", std::to_string(groups), "at least 2");
  if (fstar.size() < groups * 4 * kParts)
    refuse("fstar", std::to_string(fstar.size()) + " paths",
           "at least " + std::to_string(groups * 4 * kParts) + " for " + std::to_string(groups) + " groups");
  const Groups sorted = grouped(fstar, groups);
  MaxInformation out{Vector(g.rows()), Vector(g.rows())};
  for (Index j = 0; j < g.rows(); ++j) {
    const Vector values = g.row(j).transpose();
    require_finite(values, "g");
    const double sd = std::sqrt(noise_var[j]);
    if (values.maxCoeff() - values.minCoeff() > kMostSds * sd)
      refuse("noise_var", readable(noise_var[j]) + " for query " + std::to_string(j),
             "an sd of at least 1/2000 of the range of g");
    const Told found = told_by(values, sorted, sd);
    out.nats[j] = found.nats;
    out.error[j] = found.error;
  }
  return out;
}

}  // namespace iqbo
