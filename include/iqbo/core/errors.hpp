// What iqbo throws.
//
//   std::invalid_argument   the caller's mistake: names the argument, the row, what was found and what was expected
//   NumericalError          the input was legal, the arithmetic could not go on; the class says why and
//                           the text what to do
//
// Every function gives the strong guarantee: after a throw, nothing has changed.
#pragma once

#include <stdexcept>

namespace iqbo {

class NumericalError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace iqbo
