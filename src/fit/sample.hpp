// The observations as an evidence needs them: one row for each different query or input, whatever the repeats.
//
// Observations z_i of one and the same average, with noise variances v_i, tell as much about f as a single one: their
// mean weighted by 1 / v_i, with variance v = 1 / sum 1 / v_i. What is left, the spread within such a group, tells about
// the noise alone:
//
//   log p(z) = log p(means) - 1/2 sum_i ((z_i - mean)^2 / v_i + log v_i) + 1/2 sum_groups log v + constants
//
// so that 500 answers at one query cost what one does. All of this is exact.
#pragma once

#include <memory>
#include <vector>

#include "average/law_gram.hpp"
#include "likelihood/node_readings.hpp"
#include "posterior/observations.hpp"

namespace iqbo {

// What repeats say about the noise, v_i = factor * given_i: log p = -1/2 (quadratic / factor + count log factor + log_var).
struct WithinRepeats {
  double quadratic = 0.0;
  double count = 0.0;    // of observations beyond the first of each group
  double log_var = 0.0;  // with the 2 pi's
};

// Where answers are counts, or f = h(eta): how they read the rows, which are values of eta at nodes or, under the identity
// link, averages of f.
struct FitReadings {
  internal::Readings readings;
  LikelihoodPtr likelihood;
  Link link;
  Vector mean_rise = {};  // of the rows, per unit of the nugget
  Vector mean = {};       // prior mean of the rows where the coefficients of the mean are 0; filled by FitData
};

class FitSample {
 public:
  // noise: of each observation, up to a common factor. Exact observations (0) of one group count as their mean.
  FitSample(const Observations& observations, const Conditional& conditional, const Vector& noise);

  FitSample(const internal::NodeReadings& data, const Conditional& conditional, LikelihoodPtr likelihood, Link link);

  // Some of the rows, and at most so many points for each law; repeats stay as they are.
  FitSample chosen(const std::vector<Index>& rows, Index most_points) const;

  double points_per_row() const;              // of laws that are made of points; 0 for others
  bool is_quick(const Kernel& kernel) const;  // as LawGram says

  Index size() const { return residual.size(); }

  // The covariance of all rows under a kernel of f, and pull_back(weight), weight symmetric: its gradient.
  internal::LawGram::Under under(const Kernel& kernel, bool with_gradient) const;
  Matrix gram_of_queries(const Kernel& l) const;  // l at the queries; 0 for values of f
  Matrix mean_jacobian(const Mean& mean) const;
  Vector mean_of(const Mean& mean) const;

  Vector residual;  // z, or z minus something: one for each row
  Vector noise;     // likewise, up to the common factor
  WithinRepeats within;

  // Filled by FitData.
  Matrix white;        // covariance of a nugget of 1; empty: no nugget
  Matrix discrepancy;  // covariance of a discrepancy of variance 1; or empty
  Matrix mean_basis;   // H; columns centred and of unit spread, none for a fixed mean

  std::shared_ptr<FitReadings> linked;  // null: rows are Gaussian observations

 private:
  struct Part {
    Functionals functionals;
    std::vector<Index> rows;
    std::shared_ptr<const internal::LawGram> gram;
  };
  explicit FitSample(const Conditional& conditional) : conditional_(conditional) {}
  void set_parts(const Inputs& x, const std::vector<Index>& x_rows, const Queries& a, const std::vector<Index>& a_rows,
                 Index most_points);

  const Conditional& conditional_;
  std::vector<Part> parts_;  // values of f and averages; at least one of them
};

}  // namespace iqbo
