// g is a function of queries.
// error: (cannot convert|no viable conversion from).*Input
#include "iqbo/posterior/belief.hpp"

double misuse(const iqbo::Belief& belief, const iqbo::Inputs& x) {
#ifdef MUST_FAIL
  return belief.g(x).mean.sum();
#else
  return belief.f(x).mean.sum();
#endif
}
