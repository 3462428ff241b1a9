// What is asked before there is anything to go by.
#pragma once

#include "iqbo/core/rng.hpp"
#include "iqbo/policy/policy.hpp"

namespace iqbo {

// The same for every policy: a random order of a list; points spread over a continuum; a tree from the top.
Queries initial_design(const AskSpace& a, Index count, Rng rng);

}  // namespace iqbo
