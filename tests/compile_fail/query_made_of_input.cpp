// Not even an explicit conversion: going from one space to the other is the conditional model's work.
// error: no matching (function|conversion).*Inputs
#include "iqbo/core/points.hpp"

iqbo::Index misuse() {
  const iqbo::Inputs x{{0.5}};
#ifdef MUST_FAIL
  return iqbo::Queries(x).size();
#else
  return iqbo::Queries(x.coordinates()).size();
#endif
}
