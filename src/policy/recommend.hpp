// argmax m(x), and how certain it is.
#pragma once

#include "model.hpp"

namespace iqbo {

// The probability, by at most `paths` paths and to this standard error.
Recommendation recommend(Model& model, Index paths, double error, Rng& rng);

// Extends the interval at a listed input, stated by another belief, to what this one admits there as well.
void admit(Model& model, Recommendation& out);

}  // namespace iqbo
