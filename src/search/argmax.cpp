#include "argmax.hpp"

#include <cmath>
#include <string>

#include "iqbo/core/check.hpp"
#include "iqbo/core/errors.hpp"

namespace iqbo::internal {

Index argmax(const Vector& score, Rng& rng) {
  require_not_empty(score.size(), "score");
  Index best = 0;
  Index ties = 0;
  for (Index i = 0; i < score.size(); ++i) {
    if (std::isnan(score[i]))
      throw NumericalError("score: row " + std::to_string(i) + " is nan; a score must be a number or -infinity");
    if (score[i] < score[best]) continue;
    ties = score[i] > score[best] ? 1 : ties + 1;
    if (rng.below(ties) == 0) best = i;  // the n-th of equals replaces those before it with probability 1/n
  }
  return best;
}

}  // namespace iqbo::internal
