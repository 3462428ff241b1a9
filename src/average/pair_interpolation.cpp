#include "pair_interpolation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <utility>

namespace iqbo::internal {
namespace {

constexpr Index kNodes = 14;          // on each piece, and polynomials
constexpr Index kDegree = 15;         // of products of polynomials along two axes; higher ones are left out
constexpr Index kPairsPerNode = 2;    // at least, for interpolation to pay
constexpr double kSmoothPiece = 2.0;  // sds of a pair of Gaussian windows that one piece may span
constexpr double kGrowth = 0.6;       // of the distance: how long the pieces far away are

constexpr Index kLanes = 8;  // pairs at a time
using Lanes = Eigen::Array<double, kLanes, 1>;

double node(Index k) { return std::cos(std::numbers::pi * (static_cast<double>(k) + 0.5) / kNodes); }

// From values at the nodes to coefficients of Chebyshev polynomials.
const Matrix& to_coefficients() {
  static const Matrix out = [] {
    Matrix made(kNodes, kNodes);
    for (Index k = 0; k < kNodes; ++k)
      for (Index i = 0; i < kNodes; ++i)
        made(k, i) = (k == 0 ? 1.0 : 2.0) / kNodes * std::cos(static_cast<double>(k) * std::acos(node(i)));
    return made;
  }();
  return out;
}

void chebyshev(const Lanes& x, Lanes* out) {
  out[0].setOnes();
  out[1] = x;
  for (Index k = 2; k < kNodes; ++k) out[k] = 2.0 * x * out[k - 1] - out[k - 2];
}

// How many polynomials of the second axis go with number k of the first.
Index second_terms(Index k, Index columns) { return std::min(columns, kDegree + 1 - k); }

// |prod (x - node)|, which the error is proportional to.
double between_nodes(double x) {
  double out = 1.0;
  for (Index k = 0; k < kNodes; ++k) out *= 2.0 * (x - node(k));
  return std::abs(out);
}

struct Widths {
  double var, narrow, wide;
  auto operator<=>(const Widths&) const = default;
};

Widths widths(const LawPairs& pairs, Index i, Index c) {
  return {pairs.var(i, c), std::min(pairs.w(i, c), pairs.v(i, c)), std::max(pairs.w(i, c), pairs.v(i, c))};
}

// Where pieces begin and end, from 0 to beyond `farthest`. The edges of boxes are such places.
std::vector<double> pieces(const Widths& of, double farthest) {
  const double sd = std::sqrt(of.var);
  const double edge = of.wide + of.narrow;
  std::vector<double> out{0.0};
  const auto fill = [&](double end, double length) {
    while (end - out.back() > 1e-12 * end) out.push_back(std::min(end, out.back() + length));
  };
  if (edge > 0.0) {
    const double most = sd > 0.0 ? std::max(kSmoothPiece * sd, 0.25 * edge) : edge;
    if (of.wide > of.narrow) fill(of.wide - of.narrow, most);
    fill(edge, most);
    fill(2.0 * edge, most);
  } else {
    fill(2.0 * kSmoothPiece * sd, kSmoothPiece * sd);
  }
  while (out.back() <= farthest) out.push_back(out.back() * (1.0 + kGrowth));
  return out;
}

struct PieceOffset {
  Index piece;
  double x;  // on [-1, 1]
};

PieceOffset piece_at(const std::vector<double>& from, double distance) {
  const auto next = std::upper_bound(from.begin() + 1, from.end() - 1, distance);
  const Index piece = next - from.begin() - 1;
  const double low = from[static_cast<std::size_t>(piece)], high = *next;
  return {piece, (2.0 * distance - low - high) / (high - low)};
}

void set_even(LawPairs& pairs) {
  for (Index c = 0; c < pairs.delta.cols(); ++c) {
    pairs.boxed.push_back((pairs.w.col(c) > 0.0).any() || (pairs.v.col(c) > 0.0).any());
    pairs.even.push_back((pairs.var.col(c) == pairs.var(0, c)).all());
  }
}

}  // namespace

std::optional<PairInterpolation> PairInterpolation::of(const LawPairs& pairs) {
  const Index d = pairs.delta.cols(), n = pairs.size();
  if (d > 2 || n < 4 * kNodes || !((pairs.var + pairs.w + pairs.v) > 0.0).all()) return std::nullopt;

  // Which pairs have which widths, and on which pieces they lie.
  using Both = std::array<Widths, 2>;  // along the axes; the second is zero if there is but one
  std::map<Both, std::vector<std::int32_t>> found;
  for (Index i = 0; i < n; ++i)
    found[{widths(pairs, i, 0), d == 2 ? widths(pairs, i, 1) : Widths{}}].push_back(static_cast<std::int32_t>(i));
  PairInterpolation out;
  out.pairs_ = n;
  std::vector<std::array<std::vector<double>, 2>> from;  // by combination of widths
  Index nodes = 0;
  for (const auto& [both, members] : found) {
    from.push_back({});
    std::array<Index, 2> count{1, 1};
    for (Index c = 0; c < d; ++c) {
      const auto side = static_cast<std::size_t>(c);
      from.back()[side] = pieces(both[side], pairs.delta.col(c).abs().maxCoeff());
      count[side] = kNodes * (static_cast<Index>(from.back()[side].size()) - 1);
    }
    out.grids_.push_back({nodes, count[0], count[1]});
    nodes += count[0] * count[1];
    if (kPairsPerNode * nodes > n) return std::nullopt;
  }

  const Columns zero = Columns::Zero(nodes, d);
  out.nodes_ = {zero, zero, zero, zero, {}, {}};
  std::size_t combination = 0;
  for (const auto& [both, members] : found) {
    const PairGrid& grid = out.grids_[combination];
    const auto& begins = from[combination++];
    for (Index c = 0; c < d; ++c) {
      const auto side = static_cast<std::size_t>(c);
      for (Index k = 0; k < grid.columns * grid.rows; ++k) {
        const Index along = c == 0 ? k % grid.columns : k / grid.columns;
        const auto piece = static_cast<std::size_t>(along / kNodes);
        const double low = begins[side][piece], high = begins[side][piece + 1];
        out.nodes_.delta(grid.begin + k, c) = 0.5 * (low + high) + 0.5 * (high - low) * node(along % kNodes);
        out.nodes_.var(grid.begin + k, c) = both[side].var;
        out.nodes_.w(grid.begin + k, c) = both[side].narrow;
        out.nodes_.v(grid.begin + k, c) = both[side].wide;
      }
    }
    std::map<std::array<Index, 2>, std::vector<std::pair<std::int32_t, std::array<double, 2>>>> cells;
    for (const std::int32_t i : members) {
      std::array<Index, 2> piece{0, 0};
      std::array<double, 2> x{0.0, 0.0};
      for (Index c = 0; c < d; ++c) {
        const auto side = static_cast<std::size_t>(c);
        const PieceOffset at = piece_at(begins[side], std::abs(pairs.delta(i, c)));
        piece[side] = at.piece;
        x[side] = at.x;
      }
      cells[piece].emplace_back(i, x);
    }
    for (const auto& [piece, inside] : cells) {
      const auto count = static_cast<Index>(inside.size());
      Cell cell{{},
                Matrix::Zero((count + kLanes - 1) / kLanes * kLanes, 2),
                grid.begin + kNodes * (piece[0] + grid.columns * piece[1]),
                grid.columns};
      double most = -1.0;
      std::int32_t worst = 0;
      for (Index i = 0; i < count; ++i) {
        const auto& [pair, x] = inside[static_cast<std::size_t>(i)];
        cell.pairs.push_back(pair);
        cell.x.row(i) << x[0], x[1];
        const double off = between_nodes(x[0]) * (d == 2 ? between_nodes(x[1]) : 1.0);
        if (off <= most) continue;
        most = off;
        worst = pair;
      }
      out.checked_.push_back(worst);
      out.cells_.push_back(std::move(cell));
    }
  }
  // A rough kernel is roughest at the least distances.
  Index nearest = 0;
  pairs.delta.square().rowwise().sum().minCoeff(&nearest);
  out.checked_.push_back(nearest);
  set_even(out.nodes_);
  out.checks_ = {pairs.delta(out.checked_, Eigen::all),
                 pairs.var(out.checked_, Eigen::all),
                 pairs.w(out.checked_, Eigen::all),
                 pairs.v(out.checked_, Eigen::all),
                 {},
                 {}};
  set_even(out.checks_);
  return out;
}

Matrix PairInterpolation::at_cell(const Array& at_nodes, const Cell& cell) const {
  const Index rows = nodes_.delta.cols() == 2 ? kNodes : 1;
  Matrix out(kNodes, rows);
  for (Index l = 0; l < rows; ++l) out.col(l) = at_nodes.segment(cell.begin + cell.stride * l, kNodes);
  return out;
}

// Clenshaw's recurrence along the first axis, over the coefficients at a place along the second.
Array PairInterpolation::values(const Array& at_nodes) const {
  Array out(pairs_);
  std::array<Lanes, kNodes> basis;
  for (const Cell& cell : cells_) {
    Matrix coefficient = to_coefficients() * at_cell(at_nodes, cell);
    if (coefficient.cols() > 1) coefficient *= to_coefficients().transpose();
    const auto count = static_cast<Index>(cell.pairs.size());
    for (Index begin = 0; begin < count; begin += kLanes) {
      const Lanes x = cell.x.col(0).segment<kLanes>(begin).array();
      chebyshev(cell.x.col(1).segment<kLanes>(begin).array(), basis.data());
      Lanes last = Lanes::Zero(), before = Lanes::Zero();
      for (Index k = kNodes - 1; k >= 0; --k) {
        Lanes sum = Lanes::Constant(coefficient(k, 0));
        const Index terms = second_terms(k, coefficient.cols());
        for (Index l = 1; l < terms; ++l) sum += coefficient(k, l) * basis[static_cast<std::size_t>(l)];
        sum += (k > 0 ? 2.0 : 1.0) * x * last - before;
        before = last;
        last = sum;
      }
      for (Index i = 0; i < std::min(kLanes, count - begin); ++i)
        out[cell.pairs[static_cast<std::size_t>(begin + i)]] = last[i];
    }
  }
  return out;
}

Array PairInterpolation::totals(const Array& of_pairs) const {
  Array out = Array::Zero(nodes_.size());
  std::array<Lanes, kNodes> first, second;
  const Index rows = nodes_.delta.cols() == 2 ? kNodes : 1;
  std::vector<Lanes> sum(static_cast<std::size_t>(kNodes * rows));
  for (const Cell& cell : cells_) {
    std::fill(sum.begin(), sum.end(), Lanes::Zero());
    const auto count = static_cast<Index>(cell.pairs.size());
    for (Index begin = 0; begin < count; begin += kLanes) {
      Lanes weight = Lanes::Zero();
      for (Index i = 0; i < std::min(kLanes, count - begin); ++i)
        weight[i] = of_pairs[cell.pairs[static_cast<std::size_t>(begin + i)]];
      chebyshev(cell.x.col(0).segment<kLanes>(begin).array(), first.data());
      chebyshev(cell.x.col(1).segment<kLanes>(begin).array(), second.data());
      for (Index k = 0; k < kNodes; ++k) {
        const Lanes weighted = weight * first[static_cast<std::size_t>(k)];
        Lanes* to = sum.data() + k * rows;
        const Index terms = second_terms(k, rows);
        for (Index l = 0; l < terms; ++l) to[l] += weighted * second[static_cast<std::size_t>(l)];
      }
    }
    Matrix of_coefficient(kNodes, rows);
    for (Index k = 0; k < kNodes; ++k)
      for (Index l = 0; l < rows; ++l) of_coefficient(k, l) = sum[static_cast<std::size_t>(k * rows + l)].sum();
    Matrix total = to_coefficients().transpose() * of_coefficient;
    if (rows > 1) total *= to_coefficients();
    for (Index l = 0; l < rows; ++l) out.segment(cell.begin + cell.stride * l, kNodes) = total.col(l).array();
  }
  return out;
}

double PairInterpolation::error(const Array& interpolated, const Array& at_checks) const {
  double out = 0.0;
  for (std::size_t i = 0; i < checked_.size(); ++i)
    out = std::max(out, std::abs(interpolated[checked_[i]] - at_checks[static_cast<Index>(i)]));
  return out;
}

}  // namespace iqbo::internal
