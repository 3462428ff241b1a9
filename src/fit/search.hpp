// Where the objective is largest: a grid for the starts, gradients from there, and how certain the result is.
#pragma once

#include <cstdint>

#include "objective.hpp"

namespace iqbo {

struct FitPoint {
  Vector theta;
  double log_posterior;
};

// Points to start from, best first, at most `count` and at least one, no two of the same lengthscale and tau. Spends at
// most `budget` evaluations.
std::vector<FitPoint> grid_starts(const FitObjective& objective, int count, int budget);

// The best point reached from `start` with at most `budget` evaluations.
FitPoint climb(const FitObjective& objective, const Vector& start, int budget, double tolerance);

// Laplace's approximation N(theta, cov) to p(theta | z), after a last Newton step or two. Where the data say nothing a
// parameter keeps its prior's spread. Spends 2 p + 3 evaluations for p parameters.
struct Laplace {
  FitPoint mode;
  Matrix cov;
};
Laplace laplace(const FitObjective& objective, const FitPoint& found);

}  // namespace iqbo
