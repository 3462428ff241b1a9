// Averages of a stationary kernel over points of a lattice, whole or with holes.
//
//   k(x, y) is a function of the steps between two cells, so that it is tabulated once: T(row lag, column lag)
//
//   with points       c(x, a) = E k(x, X)      for all n points at once, or for some of them
//   with each other   q(a, b) = E k(X, Y)
//
// The sum of T over a run is a difference of two of its prefix sums along a row, that over two runs one of four second
// prefix sums, which are kept in extended precision: no result is off by more than 1e-13 of the variance. Two rectangles take
// as many of these as they have different row lags. A rectangle takes as
// long as two runs for all points, as its window moves from row to row, and four numbers of a table of areas for some of them
// (off by 1e-11 of the variance). Where a law has many rectangles, its averages with all points are a convolution on a torus
// of twice the extent, by FFT, two laws at a time: O(n log n), off by 1e-15 log n of the largest average.
#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "iqbo/kernel/kernel.hpp"
#include "lattice_laws.hpp"
#include "numerics/fft.hpp"

namespace iqbo::internal {

class LatticeKernel {
 public:
  // Needs is_stationary(kernel).
  LatticeKernel(const Kernel& kernel, std::shared_ptr<const LatticePoints> points);

  // A sum of kernels on the same points, each with its factor.
  explicit LatticeKernel(const std::vector<std::pair<double, const LatticeKernel*>>& terms);

  const LatticePoints& points() const { return *points_; }

  Matrix values(const std::vector<Index>& some) const;  // k(x_i, x_s), n x |some|
  Matrix with_all(const SparseRows& weight) const;      // c, n x laws
  Matrix with_some(const std::vector<Index>& some, const std::vector<LatticeBlocks>& laws) const;  // c, |some| x laws
  Matrix with_cells(const std::vector<LatticeCell>& some, const std::vector<LatticeBlocks>& laws) const;
  Matrix among(const std::vector<LatticeRuns>& left, const std::vector<LatticeRuns>& right) const;  // q
  Vector variances(const std::vector<LatticeRuns>& laws) const;                                     // q(a, a)

 private:
  struct Torus {
    std::unique_ptr<const Fft> fft;
    std::vector<double> spectrum;  // of T, over the number of cells
    std::vector<Index> position;   // of each point
    std::vector<bool> wanted;      // lines with points
  };
  const Torus& torus() const;  // made when it is first needed
  double torus_cells() const;
  void by_blocks(const LatticeBlocks& law, Matrix& sum, Eigen::Ref<Vector> out) const;  // sum: room for all cells
  void by_window(const LatticeBlock& block, Matrix& sum) const;
  void by_convolution(const SparseRows& weight, const std::vector<Index>& which, Matrix& out) const;
  double run_sum(Index lag, const LatticeBlock& x, const LatticeBlock& y) const;
  double sum(const LatticeBlocks& left, const LatticeBlocks& right) const;

  std::shared_ptr<const LatticePoints> points_;
  Matrix table_;              // column lag x row lag: T
  std::vector<bool> is_far_;  // row lags at which T is negligible
  Matrix prefix_;             // 2 columns + 1, x row lag: sums of T from the far left on
  mutable std::once_flag made_second_, made_torus_, made_areas_;
  mutable Matrix areas_;  // 2 columns + 1, x 2 rows + 1: sums of T from far left and far above on
  void make_areas() const;
  mutable Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic> second_;  // prefix sums of prefix sums
  void make_second() const;
  mutable Torus torus_;
};

}  // namespace iqbo::internal
