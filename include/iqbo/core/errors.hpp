// What iqbo throws.
//
//   std::invalid_argument   the caller's mistake: names the argument, the row, what was found and what was expected
//   NumericalError          the input was legal, but the computation failed; the class says why and
//                           the text what to do
//
// Every function gives the strong guarantee: after a throw, nothing has changed.
#pragma once

#include <stdexcept>

#include "iqbo/core/matrix.hpp"

namespace iqbo {

class NumericalError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A covariance matrix could not be factored. Usual causes, likeliest first: a repeated query with noise_var = 0; a
// lengthscale far wider than the domain; a p(x|a) that hardly depends on a.
class NotPositiveDefinite : public NumericalError {
 public:
  NotPositiveDefinite(Index size, double jitter);
  Index size() const { return size_; }
  double jitter() const { return jitter_; }  // the largest amount that was tried

 private:
  Index size_;
  double jitter_;
};

}  // namespace iqbo
