// Where p(x|a) was learned: are further logged pairs worth more than further answers?
#pragma once

#include <string>

#include "model.hpp"

namespace iqbo {

// A sentence without its full stop if they are (iqbo/policy/pairs_value.hpp); "" if not, or if p(x|a) is known, or answers have a
// link.
std::string pairs_advice(Model& model, Rng& rng);

}  // namespace iqbo
