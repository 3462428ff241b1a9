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

// Where a search got, and what it learned about the curvature there: (-Hessian)^-1.
struct FitClimb {
  FitPoint best;
  Matrix inverse_curvature;
};

// A guess of it, from priors and the number of observations.
Matrix usual_inverse_curvature(const FitObjective& objective);

// That of another fit, by its intervals; a guess for what they do not tell.
Matrix inverse_curvature_of(const FitObjective& objective, const Hyperparameters& fitted);

// The best point reached from `start` with at most `budget` evaluations; stops where a step promises less than
// `tolerance` nats.
FitClimb climb(const FitObjective& objective, const Vector& start, const Matrix& inverse_curvature, int budget,
               double tolerance);

// Laplace's approximation N(theta, cov) to p(theta | z), after a last Newton step or two. Where the data say nothing a
// parameter keeps its prior's spread. Spends p + 4 evaluations for p parameters.
struct Laplace {
  FitPoint mode;
  Matrix cov;
};
Laplace laplace(const FitObjective& objective, const FitPoint& found);

}  // namespace iqbo
