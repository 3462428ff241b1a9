// "None, or one more spot": a Gaussian bump of unknown place, width and height on a known background, exactly.
//
//   f = background + A exp(-|x - p|^2 / (2 u^2)),   A half-normal of scale a,   p on a lattice, u of a few widths
//
// Each (p, u) is a hypothesis h of prior probability P_h; together they have 1/2, "none" has the other half. With
// S = L L' the covariance of the answers without the spot, g_h its average in each query per unit of height:
//
//   q = |L^-1 g_h|^2,   c = (L^-1 g_h)' L^-1 z,   v = 1 / (1/a^2 + q),   m = v c        A | z, h ~ N(m, v) cut to A > 0
//   log p(z | h) / p(z | none) = log(v / a^2) / 2 + m^2 / (2 v) + log(2 Phi(m / sqrt v))
#pragma once

#include <array>
#include <vector>

#include "background.hpp"

namespace iqbo {

struct Spot {
  std::array<double, 2> at{};  // in units of the smallest window
  double width = 1.0;

  double distance(const std::array<double, 2>& other) const { return std::hypot(at[0] - other[0], at[1] - other[1]); }
};

class SpotHypotheses {
 public:
  static constexpr double kSpot = 0.5;  // prior probability that there is one more

  // All of X, at three widths.
  static SpotHypotheses everywhere(const SpotGrid& grid);

  // The same with those close to hypothesis `leader` replaced by a finer lattice, which has their prior mass. Those that
  // stay come first; kept() are their numbers here.
  SpotHypotheses refined(std::size_t leader) const;
  const std::vector<Index>& kept() const { return kept_; }

  static double places(const SpotGrid& grid);  // how many different ones everywhere() has

  std::size_t size() const { return spots_.size(); }
  const Spot& operator[](std::size_t h) const { return spots_[h]; }
  const Vector& prior() const { return prior_; }  // sums to kSpot

  Matrix averages(const std::vector<GridQuery>& a, std::size_t first = 0) const;  // g_h(a), |a| x (size - first)
  Matrix field(const Vector& weight) const;       // sum_h weight_h exp(-|x - p_h|^2 / (2 u_h^2)) on the grid
  Matrix squares(const Vector& weight) const;     // the same of squared bumps
  Matrix half_field(const Vector& weight) const;  // field(weight) = half_field(weight) along_rows()'
  const Matrix& along_rows() const { return bump_[1]; }
  Vector values(const GridCell& cell) const;  // of each bump there
  GridCell cell(std::size_t h) const;         // nearest to its place

 private:
  explicit SpotHypotheses(const SpotGrid& grid) : grid_(&grid) {}
  void tabulate();
  Matrix summed(const Vector& weight) const;  // of spots with the same columns

  const SpotGrid* grid_;
  std::vector<Spot> spots_;
  Vector prior_;
  std::vector<Index> kept_;                   // in what this was refined from
  std::array<std::vector<Index>, 2> column_;  // of each spot in the tables
  std::array<Matrix, 2> bump_, average_;      // points x columns, rows x columns
};

// What one background says about the hypotheses.
struct SpotPosterior {
  Vector m, v;         // of the height, before it is cut
  Vector probability;  // of each; none has the rest
  double none = 1.0;
  Matrix white;                                                 // L^-1 g_h, t x size
  Vector height;                                                // E[A | h, z]
  Vector square() const { return v + m.cwiseProduct(height); }  // E[A^2 | h, z]
  Vector log_factor;                                            // log p(z | h) / p(z | none)

  // `coarse`: the same for what `hypotheses` was refined from, if it was.
  SpotPosterior(const SpotBackground& background, const SpotHypotheses& hypotheses, const SpotData& data, double scale,
                const SpotPosterior* coarse = nullptr);
};

// E[A | A > need] and P(A > need | A > 0), A ~ N(m, v).
struct Tail {
  double probability, mean;
};
Tail tail_above(double m, double v, double need);

// A draw from N(m, v) cut to A > 0.
double positive_draw(double m, double v, Rng& rng);

}  // namespace iqbo
