// f is a function of inputs.
// error: (cannot convert|no viable conversion from).*Quer
#include "iqbo/posterior/belief.hpp"

double misuse(const iqbo::Belief& belief, const iqbo::Queries& a) {
#ifdef MUST_FAIL
  return belief.f(a).mean.sum();
#else
  return belief.g(a).mean.sum();
#endif
}
