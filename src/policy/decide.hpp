// One decision: a score built from samples of the scene, and the query it likes best.
#pragma once

#include "iqbo/policy/policy.hpp"
#include "policy/scene/scene.hpp"

namespace iqbo {

// Not kAuto; options.kind is not looked at. `q_floor`: below this variance a query has nothing to tell.
Chosen decide(PolicyKind kind, const PolicyOptions& options, Scene& scene, double q_floor, Rng& rng);

}  // namespace iqbo
