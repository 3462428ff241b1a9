// Chances (policy/chances.hpp) from joint draws.
#pragma once

#include <vector>

#include "iqbo/policy/chances.hpp"
#include "model.hpp"

namespace iqbo {

// Counts what happens in joint draws, given batch by batch.
class ChanceTally {
 public:
  // `mean`: of each input. Refuses options that mean nothing.
  ChanceTally(Vector mean, const ChanceOptions& options);

  void add(const Matrix& draws);  // one per column; ties share a win
  Index count() const { return count_; }
  Chances result() const;  // all but `above`

 private:
  ChanceOptions options_;
  Vector mean_;
  Index leader_;
  Vector wins_[2];  // of even and of odd draws
  Vector among_;
  Index count_ = 0;
  double sum_ = 0.0, squares_ = 0.0;  // of regret
  std::vector<double> regrets_;
};

// Of the belief of this model, which knows of no spots. Deviations from the mean are so many times as large as it says
// (Policy::f_widening; none: once), in each row.
void add_draws(Model& model, const Inputs& x, Index draws, Rng& rng, ChanceTally& tally, const Vector& widening);
void add_draws(Model& model, const Queries& a, Index draws, Rng& rng, ChanceTally& tally, const Vector& widening);
Chances chances(Model& model, const Inputs& x, const ChanceOptions& options, Rng& rng, const Vector& widening);
Chances chances(Model& model, const Queries& a, const ChanceOptions& options, Rng& rng, const Vector& widening);

// P(f(x) > threshold), P(g(a) > threshold).
Vector above(Model& model, const Inputs& x, double threshold, const Vector& widening);
Vector above(Model& model, const Queries& a, double threshold, const Vector& widening);
Vector above(const Marginals& f, const Vector& widening, double threshold);  // of normal variables

struct ExpectedRegret {
  double value, error;
  double bound = std::numeric_limits<double>::quiet_NaN();  // certified_regret()
};
// Of recommending at.x, under a belief that is widened as `at` says. In a box by paths and their maxima: of the smooth part of
// f, if it has a white one.
ExpectedRegret expected_regret(Model& model, const Recommendation& at, Rng& rng);

// f* - f(at.x) in joint draws, at least so many, of a belief that is widened by this factor. On a list or in a box.
std::vector<double> drawn_regrets(Model& model, const Recommendation& at, double widened, Index draws, Rng& rng);
ExpectedRegret expected_regret(std::vector<double> regrets);

// The share of them that is at most the tolerance.
struct EstimatedShare {
  double value, error;
};
EstimatedShare within_tolerance(const std::vector<double>& regrets, double tolerance);

// The expected share of X that its mean puts on the right side of the threshold, as sure as intervals are; of a box, of points that
// stand for it.
double rightly_placed(Model& model, double threshold, Rng& rng);

void judge(const StopRule& rule, bool level_set, Stopping& out);  // adds whether the rule is met, and why

}  // namespace iqbo
