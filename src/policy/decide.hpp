// One decision: a score built from samples of the scene, and the query it likes best.
#pragma once

#include "scene.hpp"

namespace iqbo {

// Not kAuto. `q_floor`: below this variance a query has nothing to tell.
Chosen decide(PolicyKind kind, Scene& scene, Index samples, double q_floor, Rng& rng);

}  // namespace iqbo
