// Do the study's own answers bear out what is believed?
//
// Each answer is compared with what the present assumptions predict of it from the answers before it:
//
//   e_i = (z_i - E[z_i | z_1 .. z_i-1]) / sd,     independent N(0, 1) if the model holds
//
//   spread   root mean square of e: above 1, intervals are too narrow; below, too wide
//   tails    1 / nu of the Student distribution that suits e: 0 if they are normal, 0.2 if outliers are common
//   drift    whether e rises or falls with time
//
// Forecasts of averages check the model of averages. How f varies within them they check only in part, so that an f that is
// expected to lie above every answer rests on the model alone; where tails are heavy that model is wrong in just this
// respect, and the interval is widened by
//
//   max(1, spread if that is significant) sqrt(1 + kReach tails x),    x = (mean - largest z) / sd(z), at least 0
//
// docs/trust.md says how this was chosen and what it achieves.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "iqbo/posterior/belief.hpp"

namespace iqbo {

struct Hindsight {
  Vector residual;      // e, those after the first kFirst answers
  double spread = 1.0;  // 1 if there are too few
  double tails = 0.0;
  bool narrow = false, wide = false;  // spread is above or below 1, beyond chance

  static constexpr Index kFirst = 4;   // answers that are predicted from too few others
  static constexpr Index kLeast = 12;  // residuals to judge by

  // z in the order of their arrival, and the predictions of them.
  Hindsight(const Vector& z, const Marginals& ahead);
  Hindsight() = default;

  double spread_factor() const { return narrow ? std::max(1.0, spread) : 1.0; }  // that intervals are to be widened by

  // For an interval of f about `mean`, in the units of z; never below 1. `is_fitted`: how f varies was fitted to the
  // answers; if it was given, heavy tails are the user's affair.
  double widening(double mean, const Vector& z, bool is_fitted) const;
  Vector widening(const Vector& mean, const Vector& z, bool is_fitted) const;

  bool is_surprised() const;  // whether one residual is larger than chance allows among so many

  // "answer 17 in order of arrival": the one that differs most from its forecast; "" if there are too few. `before`: how many
  // answers came before z.
  std::string most_surprising(std::size_t before) const;

  // Sentences for a user, each with what to do. f may be minimised, which a policy does not know: no sentence says "above" or "rising".
  std::vector<std::string> findings(double widened, std::size_t before) const;
};

// How many times as wide an interval is to be that rests on a fit to so many answers: two or three of them give the scale of f, and
// nothing else says how large it is, so that intervals are those of Student's law. 1 for more.
double few_factor(std::size_t answers);

// sum_i log N(z_i; what is predicted of it), without the first kFirst answers: which of two beliefs foresaw the answers better.
double log_score(const Vector& z, const Marginals& ahead);

// 1 / nu of a Student distribution fitted to residuals of unknown scale: its posterior mean under a prior that expects
// normal ones.
double tail_weight(const Vector& residual);

}  // namespace iqbo
