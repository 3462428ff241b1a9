// One decision: a score built from samples of the scene, and the query that maximises it.
#pragma once

#include "iqbo/policy/policy.hpp"
#include "policy/scene/scene.hpp"

namespace iqbo {

// `kind` is not kAuto; options.policy is ignored. `q_floor`: below this variance a query has nothing to tell.
Chosen decide(PolicyKind kind, const PolicyOptions& options, Scene& scene, double q_floor, Rng& rng);

}  // namespace iqbo
