// Sines and cosines of many numbers at once, in a fraction of the time of one after the other.
//
//   x = k pi/2 + r,  k an integer,  |r| <= pi/4 (a little more by rounding):  sin r and cos r by their Taylor series
//
// pi/2 is subtracted in three parts, so that r is exact to 1e-16 for |x| <= kReach; larger numbers go to the standard
// library. Errors are below 3e-16, absolute, which is what a sum of thousands of cosines needs. There is no branch
// in the loop, so that compilers use the vector instructions of the machine.
#pragma once

#include "iqbo/core/matrix.hpp"

namespace iqbo::internal {

struct SinCos {
  Matrix sin;
  Matrix cos;
};

// Any finite numbers.
SinCos sin_cos(const Matrix& x);

}  // namespace iqbo::internal
