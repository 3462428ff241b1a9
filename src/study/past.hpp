// What was believed before: one policy is told the answers once more, with the fits that were used then.
//
// There are frames after 1, 2, ..., 10 answers and then after each refit (2/5 more each time). Where X lists more than
// 1,310 inputs there is every second of them, every third, ..., the first ones being left out first; on a large scene none.
// Results are kept, because the past does not change.
#pragma once

#include <map>
#include <vector>

#include "iqbo/record/history.hpp"
#include "ledger.hpp"
#include "setup/snapshot_of.hpp"

namespace iqbo {

class Past {
 public:
  // `model` must outlive this.
  explicit Past(const internal::StudySetup& setup);

  // Continues to the end of `answers`, which only ever grow. `fits`: one for each of Policy::fit_sizes(), if any.
  void go_on(const std::vector<LoggedObservation>& answers, const std::map<std::int64_t, Hyperparameters>& fits,
             const internal::ShownPoints& shown);

  const std::map<std::int64_t, FrameRecord>& frames() const { return frames_; }  // by answers; without `trial`
  const std::vector<double>& expected() const { return expected_; }              // of each answer; NaN: no prediction
  const std::vector<double>& expected_sd() const { return expected_sd_; }        // noise included

 private:
  FrameRecord look(const internal::ShownPoints& shown);

  const internal::StudySetup* setup_;
  Policy policy_;
  std::map<std::int64_t, FrameRecord> frames_;
  std::vector<double> expected_;
  std::vector<double> expected_sd_;
};

}  // namespace iqbo
