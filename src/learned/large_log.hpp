// Learning from more pairs than the models for single pairs can take: all of them count, as a table of cells.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cell_models.hpp"
#include "held_out.hpp"
#include "numbers.hpp"
#include "query_folds.hpp"

namespace iqbo {

class LargeLog {
 public:
  // `x` and `a` must outlive this object.
  LargeLog(const Inputs& x, const Queries& a, const LearnedOptions& options);

  const std::shared_ptr<const internal::QueryEncoding>& encoding() const { return encoding_; }
  const PairCells& cells() const { return cells_; }
  const std::vector<std::string>& notes() const { return notes_; }
  Index size() const { return pairs_.x->size(); }

  // Chooses settings and, for kAuto and kStack, models. kAuto takes the one with the least score: with so many pairs a mixture
  // gains little, and its averages cost more.
  LearnedChoice learn(const TrialFunctions& functions) const;

  // A model, and the list of points that it puts its weight on (null if there is none).
  PointsModel trained(const LearnedChoice& choice, const TrialFunctions& functions) const;

 private:
  // One fold: what is known, and averages of trial functions that are to be predicted.
  struct Test {
    std::vector<Index> train = {};  // cells
    PairCells known = {};
    Queries a = Queries(Rows(0, 0));
    Vector size = {};
    Matrix wanted = {};
  };
  Test left_out_cells(Index fold, const Matrix& y) const;
  Test left_out_pairs(Index fold, const Matrix& y, const TrialFunctions& functions) const;
  HeldOut hold_out(const std::vector<LearnedKind>& kinds, const ModelSettings& settings,
                   const TrialFunctions& functions) const;
  double jackknife(const LearnedChoice& choice, const TrialFunctions& functions) const;
  PointsModel train_one(LearnedKind kind, const LearnedChoice& choice, const PairCells& cells,
                        const CellResiduals* residuals, bool in_mixture) const;

  LearnedOptions options_;
  std::shared_ptr<const internal::QueryEncoding> encoding_;
  std::vector<std::string> notes_;
  Vector x_sd_;
  BinnedPairs pairs_;
  PairCells cells_;
  bool repeats_;  // few queries that repeat: no others will be asked
};

Vector sd_of_columns(const Inputs& x, std::vector<std::string>& notes);  // notes say which columns are constant

}  // namespace iqbo
