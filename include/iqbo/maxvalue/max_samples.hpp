// Samples of f* = max f, which entropy-based scores take as data.
//
// They come from joint posterior paths (each with the x* where it is largest), or from a Gumbel law fitted to the
// marginals of f as if these were independent ([Wang17]): cheap, a little too high, and without an x*.
//
// The maximum of f is never below an average of f, but a path's may be: learned weights can be negative, and a window
// may reach beyond X. So a path's f* is raised to the largest g of the same path, and Gumbel samples to the largest nu.
#pragma once

#include <vector>

#include "iqbo/core/points.hpp"
#include "iqbo/core/rng.hpp"
#include "iqbo/posterior/belief.hpp"

namespace iqbo {

struct MaxSamples {
  Vector values;                 // f*_s
  Inputs arguments = {};         // x*_s, one per row; empty for Gumbel
  std::vector<Index> rows = {};  // positions of x*_s in the list of inputs, if X is one
};

// Paths of f on the listed x, and of g on the queries that may be asked; one path per column of both.
MaxSamples max_of_paths(const Inputs& x, const Matrix& f, const Matrix& g);

// The law P(f* <= y) = prod_i Phi((y - mean_i) / sd_i), replaced by the Gumbel law with the same median and quartiles.
struct Gumbel {
  double location;
  double scale;  // 0 if nothing is uncertain

  explicit Gumbel(const Marginals& f);
  double quantile(double p) const;
};

// The larger of a Gumbel sample and `floor`, which is the largest nu(a).
MaxSamples gumbel_max(const Marginals& f, double floor, Index count, Rng& rng);

// E max_i f_i if they were independent, the target of EST; to 1e-8 of the largest sd if that is not far above the rest.
double expected_max(const Marginals& f);

}  // namespace iqbo
