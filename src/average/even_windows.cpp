#include "even_windows.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

#include "iqbo/core/stop.hpp"

namespace iqbo {
namespace {

constexpr Index kTerms = 12;       // Chebyshev polynomials on each piece
constexpr Index kLawBlock = 2048;  // left laws per block: their data fit into the processor's cache
using Basis = Eigen::Matrix<double, kTerms, 1>;

Basis chebyshev(double x) {
  Basis out;
  out[0] = 1.0;
  out[1] = x;
  for (Index k = 2; k < kTerms; ++k) out[k] = 2.0 * x * out[k - 1] - out[k - 2];
  return out;
}

// Interpolation nodes, and the points between them where interpolation is worst.
Vector nodes() {
  Vector out(kTerms);
  for (Index k = 0; k < kTerms; ++k) out[k] = std::cos(std::numbers::pi * (static_cast<double>(k) + 0.5) / kTerms);
  return out;
}
Vector checks() {
  Vector out(kTerms + 1);
  for (Index k = 0; k <= kTerms; ++k) out[k] = std::cos(std::numbers::pi * static_cast<double>(k) / kTerms);
  return out;
}

// The sum of kTerms columns, contiguous in memory, each times its term; kLane must divide the rows.
constexpr Index kLane = 4;
void add_terms(Index rows, const double* __restrict columns, const Basis& term, double* __restrict out) {
  for (Index r = 0; r < rows; r += kLane)
    for (Index lane = r; lane < r + kLane; ++lane) {
      double sum = 0.0;
      for (Index k = 0; k < kTerms; ++k) sum += term[k] * columns[k * rows + lane];
      out[lane] = sum;
    }
}

// From values at the nodes, one column each, to coefficients.
Matrix to_coefficients() {
  const Vector at = nodes();
  Matrix out(kTerms, kTerms);
  for (Index k = 0; k < kTerms; ++k) out.row(k) = chebyshev(at[k]).transpose() * (2.0 / kTerms);
  out.col(0) /= 2.0;
  return out;
}

Matrix basis_at(const Vector& places) {
  Matrix out(kTerms, places.size());
  for (Index k = 0; k < places.size(); ++k) out.col(k) = chebyshev(places[k]);
  return out;
}

// One law at 0, with the widths of the first of `laws`, which have a single coordinate.
SpreadLaws one_of(const SpreadLaws& laws) { return {Rows::Zero(1, 1), laws.sd.topRows(1), laws.half_width.topRows(1)}; }

SpreadLaws at_distances(const SpreadLaws& laws, const Vector& distance) {
  const Index n = distance.size();
  return {distance, Rows::Constant(n, 1, laws.sd(0, 0)), Rows::Constant(n, 1, laws.half_width(0, 0))};
}

SpreadLaws along(const SpreadLaws& laws, Index c) {
  return {laws.centre.col(c), laws.sd.col(c), laws.half_width.col(c)};
}

bool is_even(const Group& group, const SpreadLaws& laws) {
  for (Index g = 0; g < group.size(); ++g) {
    const Index c = group.column(g);
    if ((laws.sd.col(c).array() != laws.sd(0, c)).any()) return false;
    if ((laws.half_width.col(c).array() != laws.half_width(0, c)).any()) return false;
  }
  return true;
}

bool is_point(const Group& group, const SpreadLaws& laws) {
  for (Index g = 0; g < group.size(); ++g)
    if (laws.sd(0, group.column(g)) > 0.0 || laws.half_width(0, group.column(g)) > 0.0) return false;
  return true;
}

}  // namespace

EvenWindows::Axis::Axis(const Group& group, Index g, const SpreadLaws& left, const SpreadLaws& right, Index first)
    : left_(left.centre.col(0)), right_(right.centre.col(0)) {
  interpolate(group, g, left, right, first);
  sort(left.centre.col(0));
}

void EvenWindows::Axis::sort(const Array& left) {
  rank_.resize(static_cast<std::size_t>(left.size()));
  for (Index begin = 0; begin < left.size(); begin += kLawBlock) {
    std::vector<Index> order(static_cast<std::size_t>(std::min(kLawBlock, left.size() - begin)));
    std::iota(order.begin(), order.end(), begin);
    std::sort(order.begin(), order.end(), [&](Index a, Index b) { return left[a] < left[b]; });
    for (std::size_t p = 0; p < order.size(); ++p) {
      left_[begin + static_cast<Index>(p)] = left[order[p]];
      rank_[static_cast<std::size_t>(order[p])] = static_cast<Index>(p);
    }
  }
}

void EvenWindows::Axis::interpolate(const Group& group, Index g, const SpreadLaws& left, const SpreadLaws& right,
                                    Index first) {
  const Vector weight = group.weights().tail(group.weights().size() - first);
  const SpreadLaws other = one_of(right);
  const auto values = [&](double low, double high, const Vector& places) {
    const Vector distance = (0.5 * (low + high) + 0.5 * (high - low) * places.array()).matrix();
    const SpreadLaws some = at_distances(left, distance);
    PairColumns pairs(some, other);
    Matrix out(weight.size(), places.size());
    Array row(places.size());
    for (Index s = 0; s < weight.size(); ++s) {
      group.factor(g, pairs.column(0), first + s, row);
      out.row(s) = row;
    }
    return out;
  };
  const double farthest = std::max(left_.maxCoeff() - right_.minCoeff(), right_.maxCoeff() - left_.minCoeff());
  const double w = left.half_width(0, 0), v = right.half_width(0, 0);
  std::vector<double> cuts{0.0};
  for (const double edge : {std::abs(w - v), w + v})
    if (edge > cuts.back() && edge < farthest) cuts.push_back(edge);
  cuts.push_back(std::max(farthest, std::nextafter(cuts.back(), 1.0 + cuts.back())));

  const Vector at = nodes(), between = checks();
  const Matrix fit = to_coefficients(), basis = basis_at(between);
  constexpr std::size_t kMostPieces = 4000;
  std::vector<Matrix> found;
  std::vector<std::pair<double, double>> open;  // a stack: the next piece is the last
  for (std::size_t k = cuts.size() - 1; k > 0; --k) open.emplace_back(cuts[k - 1], cuts[k]);
  while (!open.empty() && fine_) {
    stop_point();
    const auto [low, high] = open.back();
    open.pop_back();
    const Matrix coefficient = values(low, high, at) * fit;
    const double error =
        ((coefficient * basis - values(low, high, between)).cwiseAbs().transpose() * weight).maxCoeff();
    const double middle = 0.5 * (low + high);
    if (error > kError && middle > low && middle < high) {
      open.emplace_back(middle, high);
      open.emplace_back(low, middle);
      fine_ = found.size() + open.size() <= kMostPieces;
      continue;
    }
    from_.push_back(low);
    found.push_back(coefficient);
  }
  from_.push_back(cuts.back());
  const Index rows = (weight.size() + kLane - 1) / kLane * kLane;
  coefficient_ = Matrix::Zero(rows, kTerms * static_cast<Index>(found.size()));
  for (std::size_t k = 0; k < found.size(); ++k) {
    coefficient_.block(0, kTerms * static_cast<Index>(k), weight.size(), kTerms) = found[k];
    inverse_.push_back(1.0 / (from_[k + 1] - from_[k]));
  }
}

void EvenWindows::Axis::look_at(Index begin, Index end, Index j) {
  factor_.resize(coefficient_.rows(), end - begin);
  const auto pieces = static_cast<Index>(from_.size()) - 1;
  const auto from = [&](Index piece) { return from_[static_cast<std::size_t>(piece)]; };
  Index piece = 0;
  for (Index p = begin; p < end; ++p) {
    const double distance = std::abs(left_[p] - right_[j]);
    if (p == begin) piece = std::upper_bound(from_.begin() + 1, from_.end() - 1, distance) - from_.begin() - 1;
    while (piece > 0 && distance < from(piece)) --piece;
    while (piece + 1 < pieces && distance >= from(piece + 1)) ++piece;
    const double x = (2.0 * distance - from(piece) - from(piece + 1)) * inverse_[static_cast<std::size_t>(piece)];
    add_terms(coefficient_.rows(), coefficient_.col(kTerms * piece).data(), chebyshev(x),
              factor_.col(p - begin).data());
  }
}

std::optional<EvenWindows> EvenWindows::of(const Group& group, const SpreadLaws& left, const SpreadLaws& right) {
  constexpr Index kFewPairs = 50000;  // tables cost as much as this many pairs
  const Index n = left.centre.rows(), m = right.centre.rows();
  if (group.weights().size() == 1 || n * m < kFewPairs || !is_even(group, left) || !is_even(group, right))
    return std::nullopt;
  if (is_point(group, left) && is_point(group, right)) return std::nullopt;
  const Index first = group.first_component(left, right);
  std::vector<Axis> axes;
  for (Index g = 0; g < group.size(); ++g) {
    const Index c = group.column(g);
    axes.emplace_back(group, g, along(left, c), along(right, c), first);
    if (!axes.back().is_fine()) return std::nullopt;
  }
  axes.front().weigh(group.weights().tail(group.weights().size() - first));
  return EvenWindows(std::move(axes), n);
}

Array EvenWindows::column(Index j) {
  Array out(lefts_);
  for (Index begin = 0; begin < lefts_; begin += kLawBlock) {
    const Index end = std::min(begin + kLawBlock, lefts_);
    for (Axis& axis : axes_) axis.look_at(begin, end, j);
    for (Index i = begin; i < end; ++i) {
      if (axes_.size() == 1) {
        out[i] = axes_[0].factors(i).sum();
      } else if (axes_.size() == 2) {
        out[i] = axes_[0].factors(i).dot(axes_[1].factors(i));
      } else {
        Array product = axes_[0].factors(i);
        for (std::size_t g = 1; g < axes_.size(); ++g) product *= axes_[g].factors(i).array();
        out[i] = product.sum();
      }
    }
  }
  return out;
}

}  // namespace iqbo
