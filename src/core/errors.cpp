#include "iqbo/core/errors.hpp"

#include <sstream>
#include <string>

namespace iqbo {
namespace {

std::string diagnosis(Index size, double jitter) {
  std::ostringstream text;
  text.precision(3);  // 1e-06, not 9.999999999999997e-07
  text << "covariance of " << size << " observations is not positive definite at jitter " << jitter
       << "; raise noise_var or remove repeated queries";
  return text.str();
}

}  // namespace

NotPositiveDefinite::NotPositiveDefinite(Index size, double jitter)
    : NumericalError(diagnosis(size, jitter)), size_(size), jitter_(jitter) {}

}  // namespace iqbo
