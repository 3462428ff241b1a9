#include "stand_ins.hpp"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "average/lattice_laws.hpp"
#include "iqbo/core/stop.hpp"
#include "iqbo/finite/finite_ensemble.hpp"
#include "iqbo/kernel/kernel.hpp"
#include "numerics/pivoted_cholesky.hpp"

namespace iqbo {

using namespace internal;

namespace {

constexpr Index kLargeScene = 2048;  // inputs: whole paths over fewer cost little
constexpr Index kMostBlocks = 400;
constexpr double kStandInRoot = 1e-10;  // of the largest variance: what a factor of a covariance leaves out

double white_var(const Kernel& kernel) {
  double out = 0.0;
  for (const KernelTerm& term : kernel.stationary_terms())
    if (term.kind == KernelTerm::Kind::kWhite) out += term.variance;
  return out;
}

Index blocks(const Lattice& lattice, Index side) {
  Index out = 1;
  for (const Index cells : lattice.cells) out *= (cells + side - 1) / side;
  return out;
}

// The prior sd of the smooth part between the middle of a block and a corner.
double half_a_block_apart(const Kernel& kernel, const Lattice& lattice, Index side) {
  const auto d = static_cast<Index>(lattice.cells.size());
  Rows ends = Rows::Zero(2, d);
  for (Index c = 0; c < d; ++c)
    if (lattice.cells[static_cast<std::size_t>(c)] > 1)
      ends(1, c) = 0.5 * static_cast<double>(side) * lattice.spacing[c];
  const Matrix k = kernel.evaluate(ends, ends);
  return std::sqrt(std::max(0.0, k(0, 0) + k(1, 1) - 2.0 * (white_var(kernel) + k(0, 1))));
}

// Squared cells between a point and the middle of its block.
double off_middle(const LatticePoints& points, Index point, Index side) {
  const Lattice& lattice = points.lattice();
  double out = 0.0;
  for (Index c = 0; c < lattice.cell.cols(); ++c) {
    const Index cell = lattice.cell(point, c), first = cell / side * side;
    const Index last = std::min(first + side, lattice.cells[static_cast<std::size_t>(c)]) - 1;
    out += std::pow(static_cast<double>(cell) - 0.5 * static_cast<double>(first + last), 2);
  }
  return out;
}

Index block_number(const LatticePoints& points, Index point, Index side) {
  const Lattice& lattice = points.lattice();
  Index out = 0;
  for (Index c = 0; c < lattice.cell.cols(); ++c)
    out = out * (lattice.cells[static_cast<std::size_t>(c)] / side + 1) + lattice.cell(point, c) / side;
  return out;
}

// The largest of so many independent standard normal numbers.
double largest_of(Index count, Rng& rng) {
  const double above = -std::expm1(std::log(rng.uniform()) / static_cast<double>(count));
  constexpr double kLeast = std::numeric_limits<double>::min();
  return quantile(complement(boost::math::normal(), std::clamp(above, kLeast, 1.0 - 1e-16)));
}

}  // namespace

std::optional<StandIns> StandIns::of(const Ensemble& belief, const Inputs& x, double limit) {
  if (x.size() <= kLargeScene) return std::nullopt;
  const auto points = LatticePoints::of(x);
  if (points == nullptr) return std::nullopt;
  Index side = 2;
  while (blocks(points->lattice(), side) > kMostBlocks) ++side;
  StandIns out(x);
  for (std::size_t s = 0; s < belief.members().size(); ++s) {
    if (belief.weights()[static_cast<Index>(s)] == 0.0) continue;
    const Kernel& kernel = belief.members()[s].kernel();
    if (!is_stationary(kernel)) return std::nullopt;
    out.apart_ = std::max(out.apart_, half_a_block_apart(kernel, points->lattice(), side));
  }
  if (!(out.apart_ <= limit)) return std::nullopt;
  std::unordered_map<Index, std::size_t> known;
  for (Index i = 0; i < x.size(); ++i) {
    const auto [at, is_new] = known.try_emplace(block_number(*points, i, side), out.rows_.size());
    if (is_new) {
      out.rows_.push_back(i);
      out.next_.push_back(i);
      out.count_.push_back(1);
      continue;
    }
    ++out.count_[at->second];
    Index &row = out.rows_[at->second], &next = out.next_[at->second];
    const double off = off_middle(*points, i, side);
    if (off < off_middle(*points, row, side)) {
      next = row;
      row = i;
    } else if (next == row || off < off_middle(*points, next, side)) {
      next = i;
    }
  }
  return out;
}

// x_row comes last. Where it is the one that stands for its block, the next one stands for the others.
std::vector<double> StandIns::regrets(const Ensemble& belief, Index row, double widened, Index draws, Rng& rng) const {
  std::vector<Index> at, count;
  for (std::size_t b = 0; b < rows_.size(); ++b) {
    const bool own = rows_[b] == row;
    if (own && count_[b] == 1) continue;
    at.push_back(own ? next_[b] : rows_[b]);
    count.push_back(own ? count_[b] - 1 : count_[b]);
  }
  const auto last = static_cast<Index>(at.size());
  at.push_back(row);
  const Inputs here(Rows(x_->coordinates()(at, Eigen::all)));
  const std::vector<Index> shares = shares_of(draws, belief.weights());
  std::vector<double> out;
  for (std::size_t s = 0; s < shares.size(); ++s) {
    if (shares[s] == 0) continue;
    stop_point();
    const Posterior& member = belief.members()[s];
    const double white = white_var(member.kernel()), white_sd = std::sqrt(white);
    const Vector mean = member.f(here).mean;
    Matrix k = member.f_cov(here);
    k.diagonal().head(last) = (k.diagonal().head(last).array() - white).max(0.0);
    const double most = k.diagonal().maxCoeff();
    if (!(most > 0.0)) {
      out.insert(out.end(), static_cast<std::size_t>(shares[s]), mean.maxCoeff() - mean[last]);
      continue;
    }
    const Matrix root = pivoted_cholesky(DenseCovariance(k), kStandInRoot * most, last + 1, last + 1).factor;
    const Matrix off = root * rng.normals(root.cols() * shares[s]).reshaped(root.cols(), shares[s]);
    for (Index j = 0; j < shares[s]; ++j) {
      const double f = mean[last] + widened * off(last, j);
      double largest = f;
      for (Index i = 0; i < last; ++i) {
        const double w = white > 0.0 ? white_sd * largest_of(count[static_cast<std::size_t>(i)], rng) : 0.0;
        largest = std::max(largest, mean[i] + widened * (off(i, j) + w));
      }
      out.push_back(largest - f);
    }
  }
  return out;
}

}  // namespace iqbo
