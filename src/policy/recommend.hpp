// argmax m(x), and how certain it is.
#pragma once

#include "model.hpp"

namespace iqbo {

// The probability, by at most `paths` paths and to this standard error.
Recommendation recommend(Model& model, Index paths, double error, Rng& rng);

}  // namespace iqbo
