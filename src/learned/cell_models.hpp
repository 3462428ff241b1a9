// The models of models.hpp, trained on a table of cells (pair_cells.hpp) instead of single pairs. n_k is the size of cell k.
//
//   mean     mu^(a) = L(a, .) (L + ridge diag(1/n))^-1 x       x_k the mean of cell k, L with an intercept
//   cme      weights on the bins: L(a, .) (L + ridge diag(1/n))^-1 h
//   nw       sum_k w_k(a) h_k,   w_k(a) proportional to n_k (exp(-|(a - a_k) / b|^2 / 2) + 1e-12)
//   shift    residuals of every pair from mu^, which is linear within a cell, in shift_points clusters; the law of the cluster
//            given a by weights as those of nw
//   plugin   N(mu^(a), sum_k w_k(a) (mean squared residual of cell k))
//
// If all cells had one pair, these would be the formulas for pairs. The ridge belongs to a pair, so it does not depend on how
// many pairs there are. Clusters of residuals lie at the mean of their members; as that takes away the spread within clusters,
// they are moved apart until their variance along each coordinate is that of the residuals.
#pragma once

#include <memory>
#include <optional>

#include "models.hpp"
#include "pair_cells.hpp"

namespace iqbo {

class CellMean {
 public:
  CellMean(const PairCells& cells, const RidgeSettings& settings);
  Rows operator()(const Queries& a) const;

  // mu^ at the cells, and its slopes there: row k has d columns for each encoded coordinate (at scale 1).
  struct Linear {
    Rows value;
    Rows slope;
  };
  Linear at_cells() const;

 private:
  std::shared_ptr<const internal::QueryEncoding> encoding_;
  Vector scale_;
  Vector unit_;    // encoded coordinates at scale 1 / those at scale_
  Matrix logged_;  // encoded
  Rows weight_;
};

// What the pairs of each cell deviate from the mean.
struct CellResiduals {
  Rows centre;   // clusters x d
  Matrix share;  // cells x clusters
  Rows square;   // cells x d: mean squared residual
  Matrix waves;  // cells x cosines: mean of cosines of residuals, by which bandwidths are chosen
};
CellResiduals residuals_of(const BinnedPairs& pairs, const PairCells& cells, const CellMean& mean,
                           const TrialFunctions& functions, Index clusters, const LeftOut& left_out = {});

// What settings are chosen on. Where queries repeat, no others will be asked: `coarse` has one half of the pairs of each, `others` the other
// half, which is predicted. Else each cell of `coarse` (few) or `fine` (those that are trained on) is left out in turn.
struct ChoiceTables {
  BinnedPairs pairs;  // behind `coarse`
  PairCells coarse;
  std::optional<PairCells> others;
  const PairCells& fine;
};
ModelSettings choose_cell_settings(const ChoiceTables& tables, const std::vector<LearnedKind>& kinds,
                                   const TrialFunctions& functions, Index shift_points);

// `residuals` are needed for kShift and kPlugIn; their rows must be those of `cells`.
std::unique_ptr<const LearnedModel> train_cells(LearnedKind kind, const PairCells& cells, const ModelSettings& settings,
                                                const InputDomain& domain, const CellResiduals* residuals);

}  // namespace iqbo
