// The policy of theorem 2 of [Zhang26] on a problem with resolutions: GP-UCB on f, windows by a schedule.
#pragma once

#include "iqbo/experiment/world.hpp"
#include "iqbo/problem/problem.hpp"

namespace iqbo {

// xi_t is the listed x with the largest m + sqrt(beta_t) sd, beta_t that of the concentration lemma at 0.1. The query is the
// location whose finest window lies nearest to xi_t, at delta_t of ResolutionSchedule::paper within the problem's range.
std::function<Queries(Policy&, Index t, double left)> scheduled_choice(const Problem& problem, double c);

}  // namespace iqbo
