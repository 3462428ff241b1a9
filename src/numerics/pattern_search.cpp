#include "pattern_search.hpp"

#include <cmath>
#include <limits>

#include "iqbo/core/check.hpp"
#include "iqbo/core/stop.hpp"

namespace iqbo::internal {

Vector pattern_minimise(const std::function<double(const Vector&)>& score, const Vector& start,
                        const PatternSearch& options) {
  require_rows(options.lower.size(), start.size(), "lower");
  require_rows(options.upper.size(), start.size(), "upper");
  int evaluations = 0;
  const auto value = [&](const Vector& at) {
    stop_point();
    ++evaluations;
    const double found = score(at);
    return std::isnan(found) ? std::numeric_limits<double>::infinity() : found;
  };
  Vector best = start.cwiseMax(options.lower).cwiseMin(options.upper);
  double least = value(best);
  for (double step = options.first_step; step >= options.last_step; step *= 0.5) {
    bool improved = true;
    while (improved && evaluations < options.max_evaluations) {
      improved = false;
      for (Index c = 0; c < best.size(); ++c)
        for (const double move : {step, -step}) {
          Vector trial = best;
          trial[c] = std::min(std::max(best[c] + move, options.lower[c]), options.upper[c]);
          if (trial[c] == best[c] || evaluations >= options.max_evaluations) continue;
          const double found = value(trial);
          if (found < least) {
            least = found;
            best = trial;
            improved = true;
            break;
          }
        }
    }
  }
  return best;
}

}  // namespace iqbo::internal
