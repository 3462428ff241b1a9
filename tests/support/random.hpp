// Random settings for property tests, drawn from an Rng so that a failure is reproduced by its seed.
#pragma once

#include <cmath>

#include "iqbo/core/points.hpp"
#include "iqbo/core/rng.hpp"

namespace iqbo::test {

inline double log_uniform(Rng& rng, double lower, double upper) {
  return lower * std::pow(upper / lower, rng.uniform());
}

inline Rows uniform_rows(Rng& rng, Index n, Index d, double lower = 0.0, double upper = 1.0) {
  return (lower + (upper - lower) * rng.uniforms(n, d).array()).matrix();
}

inline Inputs random_inputs(Rng& rng, Index n, Index d) { return Inputs(uniform_rows(rng, n, d)); }
inline Queries random_queries(Rng& rng, Index n, Index d) { return Queries(uniform_rows(rng, n, d)); }

inline Vector random_vector(Rng& rng, Index n, double lower, double upper) {
  return uniform_rows(rng, n, 1, lower, upper).col(0);
}

}  // namespace iqbo::test
