// The background of rare spots: a Gaussian field of two scales on a grid, with the spots that were found.
//
//   f = beta + long + short + spots,     long, short ~ GP(0, var exp(-|x - y|^2 / (2 l^2))),     z = averages of f + noise
//
// Every part of the covariance is a product over the axes: the two scales, the constant beta (sd 5 s), a spot that was
// found (a bump of unknown height), and the 5 x 5 smaller bumps that let its shape differ. In units of the smallest window
// and of s, the sd of the answers, the logarithms of the hyperparameters have normal priors:
//
//   parameter   median                       sd
//   l_long      side t^(-1/4)                1.5
//   var_long    2 s^2                        1.5
//   l_short     1/2                          0.5     and l_short < l_long / 1.4
//   var_short   0.1 var_long                 1.5
//   noise_var   0.01 s^2                     2.5     unless it is known
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "grid.hpp"
#include "iqbo/core/rng.hpp"
#include "numerics/cholesky.hpp"

namespace iqbo {

// Logarithms.
struct SpotTheta {
  enum Which { kLongScale, kLongVar, kShortScale, kShortVar, kNoise, kCount };
  Eigen::Array<double, kCount, 1> log = Eigen::Array<double, kCount, 1>::Zero();

  double value(Which which) const { return std::exp(log[which]); }
};

struct SpotPrior {
  SpotTheta median;
  Eigen::Array<double, SpotTheta::kCount, 1> sd;
  std::optional<double> noise_var = {};  // known

  // s: sd of the answers; t: how many.
  static SpotPrior of(const SpotGrid& grid, double s, Index t, std::optional<double> noise_var);
  double log_density(const SpotTheta& theta) const;  // up to a constant; -infinity where l_short is too long
};

// Answers, as the background sees them.
struct SpotData {
  std::vector<GridQuery> query;
  Vector z;
  Vector noise_share;  // of the usual noise variance
  Vector noise_given;  // NaN: the usual one times its share
  double s = 1.0;      // sd of z, positive

  Index size() const { return z.size(); }
  Vector noise(double usual) const;
};

// The rows of each axis that the queries of answers have, each once.
class SpotRows {
 public:
  explicit SpotRows(const SpotData& data);

  Index count(std::size_t axis) const { return static_cast<Index>(rows_[axis].size()); }
  const std::vector<Index>& rows(std::size_t axis) const { return rows_[axis]; }
  Index place(std::size_t axis, Index answer) const { return place_[axis][static_cast<std::size_t>(answer)]; }
  Matrix of(std::size_t axis, const Matrix& all) const { return all(rows_[axis], Eigen::all); }

 private:
  std::array<std::vector<Index>, 2> rows_;   // ascending
  std::array<std::vector<Index>, 2> place_;  // of each answer among them
};

// A part of the covariance that is a product over the axes: var R0 R0' R1 R1' on the grid, or of a lengthscale.
struct SpotTerm {
  double var = 1.0;
  std::array<Matrix, 2> xt, tt;    // points x rows, rows x rows of each axis
  std::array<Vector, 2> diagonal;  // points
  std::array<Matrix, 2> root;      // R: points x rank; of a lengthscale empty
  std::array<Matrix, 2> averaged;  // R averaged by each row
  std::array<Vector, 2> largest;   // |xt| of each row: a bump is not seen far away
  double lengthscale = 0.0;
};
using SpotTerms = std::vector<std::shared_ptr<const SpotTerm>>;

// var rho(x, y), rho an RBF.
std::shared_ptr<const SpotTerm> scale_term(const SpotGrid& grid, double lengthscale, double var);

// A bump of unknown height of sd `sd`; the sum of 5 x 5 independent ones at distances of `step`; beta.
std::shared_ptr<const SpotTerm> bump_term(const SpotGrid& grid, const std::array<double, 2>& at, double width,
                                          double sd);
std::shared_ptr<const SpotTerm> bumps_term(const SpotGrid& grid, const std::array<double, 2>& at, double step,
                                           double width, double sd);
std::shared_ptr<const SpotTerm> constant_term(const SpotGrid& grid, const SpotData& data);

class SpotBackground {
 public:
  // `more`: the constant and the spots.
  SpotBackground(const SpotGrid& grid, const SpotTheta& theta, const SpotData& data, SpotTerms more);

  bool valid() const { return valid_; }  // S could be factored
  double log_evidence() const;
  const SpotTheta& theta() const { return theta_; }
  const SpotTerms& terms() const { return terms_; }
  double noise_var() const { return theta_.value(SpotTheta::kNoise); }
  const internal::Cholesky& factor() const { return factor_; }
  const Vector& white() const { return white_; }  // L^-1 z

  // Prior covariances with the observations, t x |a| or t x |x|; of inputs and queries, |x| x |a|; prior variances.
  Matrix cov(const std::vector<GridQuery>& a) const;
  Matrix cov(const std::vector<GridCell>& x) const { return cross(x, data_.query).transpose(); }
  Matrix cross(const std::vector<GridCell>& x, const std::vector<GridQuery>& a) const;
  Vector var(const std::vector<GridQuery>& a) const;
  Vector var(const std::vector<GridCell>& x) const;

  Matrix field(const Vector& alpha) const;  // k(., observations) alpha, on the grid
  Matrix mean() const;                      // alpha = S^-1 z
  const SpotGrid& grid() const { return grid_; }
  const SpotData& data() const { return data_; }

 private:
  const SpotGrid& grid_;
  SpotTheta theta_;
  const SpotData& data_;
  SpotTerms terms_;
  internal::Cholesky factor_;
  bool valid_ = false;
  Vector white_;
};

// Joint draws of f on the grid, by Matheron's rule.
class SpotPaths {
 public:
  explicit SpotPaths(const SpotBackground& background);
  Matrix draw(const Vector& z, Rng& rng) const;  // given other values of the answers

 private:
  const SpotBackground& background_;
  SpotRows used_;
  std::vector<std::array<Matrix, 2>> roots_;
  std::vector<std::array<Matrix, 2>> averaged_;  // of the roots, by the rows of answers
};

// So many Metropolis moves of theta; `more` as above.
SpotTheta moved(SpotTheta theta, const SpotGrid& grid, const SpotPrior& prior, const SpotData& data,
                const SpotTerms& more, int moves, Rng& rng);

}  // namespace iqbo
