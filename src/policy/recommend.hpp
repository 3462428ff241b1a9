// argmax m(x), and how certain it is.
#pragma once

#include "model.hpp"

namespace iqbo {

// The probability, by at most `paths` paths and to this standard error.
Recommendation recommend(Model& model, Index paths, double error, Rng& rng);

// Extends the intervals of f at an input and of f*, stated by another belief, to what this one admits as well, and lowers the
// probability to its own, which is estimated by so many draws (0: it stays).
void admit(Model& model, Index draws, Recommendation& out, Rng& rng);

// How many times as wide as the model says these intervals are: of f where it has these means.
Vector admitted_widening(Model& model, const Vector& mean);

// See Policy.
Vector f_widening(Model& model, const Inputs& x, const Marginals& f);
Vector g_widening(Model& model, const Marginals& g);

}  // namespace iqbo
