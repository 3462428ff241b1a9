// argmax m(x), and how sure of it one may be.
#pragma once

#include "model.hpp"

namespace iqbo {

Recommendation recommend(Model& model, Index paths, Rng& rng);

}  // namespace iqbo
