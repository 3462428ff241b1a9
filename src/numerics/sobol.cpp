#include "sobol.hpp"

#include <boost/random/sobol.hpp>
#include <cmath>
#include <string>

#include "iqbo/core/check.hpp"

namespace iqbo::internal {

Rows sobol(Index points, Index dimension, Rng& rng) {
  constexpr Index kMostDimensions = 1000;
  if (points < 1) refuse("points", std::to_string(points), "at least 1");
  if (dimension < 1 || dimension > kMostDimensions)
    refuse("dimension", std::to_string(dimension), "1 to " + std::to_string(kMostDimensions));
  const Eigen::RowVectorXd shift = rng.uniforms(1, dimension);
  boost::random::sobol sequence(static_cast<std::size_t>(dimension));
  Rows out(points, dimension);
  for (Index i = 0; i < points; ++i)
    for (Index j = 0; j < dimension; ++j) {
      const double value = std::ldexp(static_cast<double>(sequence() >> 11U), -53) + shift[j];
      // A multiple of 2^-53 plus the shift may round to 1 itself; such a coordinate becomes the shift.
      const double wrapped = value - std::floor(value);
      out(i, j) = wrapped > 0.0 ? wrapped : shift[j];
    }
  return out;
}

}  // namespace iqbo::internal
