#include "pairs.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "iqbo/core/rng.hpp"
#include "iqbo/kernel/stationary.hpp"

namespace iqbo {
namespace {

constexpr Index kMedianPairs = 400;

double median_distance(const Rows& x) {
  std::vector<double> distances;
  for (Index i = 0; i < x.rows(); ++i)
    for (Index j = 0; j < i; ++j) distances.push_back((x.row(i) - x.row(j)).norm());
  const auto middle = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 2);
  std::nth_element(distances.begin(), middle, distances.end());
  if (*middle > 0.0) return *middle;
  const double largest = *std::max_element(distances.begin(), distances.end());  // most x coincide
  return largest > 0.0 ? largest : 1.0;
}

}  // namespace

LoggedPairs LoggedPairs::subset(const std::vector<Index>& rows) const {
  return {std::make_shared<const Inputs>(Rows(x().coordinates()(rows, Eigen::all))),
          Queries(a.coordinates()(rows, Eigen::all)), encoding, x_sd};
}

Matrix similarity(const Matrix& a, const Matrix& b) {
  Matrix out(a.rows(), b.rows());
  for (Index j = 0; j < b.rows(); ++j) {
    auto column = out.col(j).array();
    column.setZero();
    for (Index c = 0; c < a.cols(); ++c) column += (a.col(c).array() - b(j, c)).square();
    column = (-0.5 * column).exp();
  }
  return out;
}

Sum kappa(const LoggedPairs& pairs) {
  const double median = median_distance(pairs.subset(some_rows(pairs.size(), kMedianPairs)).scaled_x());
  Sum::Terms terms;
  for (const double factor : {2.0, 1.0, 0.5, 0.25, 0.125})
    terms.push_back(Rbf(0.2, factor * median * pairs.x_sd).clone());
  return Sum(std::move(terms));
}

std::vector<Index> some_rows(Index size, Index count) {
  std::vector<Index> rows(static_cast<std::size_t>(size));
  std::iota(rows.begin(), rows.end(), Index{0});
  if (size <= count) return rows;
  Rng rng(20260, {static_cast<std::uint64_t>(size)});
  for (Index i = 0; i < count; ++i)
    std::swap(rows[static_cast<std::size_t>(i)], rows[static_cast<std::size_t>(i + rng.below(size - i))]);
  rows.resize(static_cast<std::size_t>(count));
  std::sort(rows.begin(), rows.end());
  return rows;
}

}  // namespace iqbo
