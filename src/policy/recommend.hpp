// argmax m(x), and how certain it is.
#pragma once

#include "model.hpp"

namespace iqbo {

Recommendation recommend(Model& model, Index paths, Rng& rng);

}  // namespace iqbo
