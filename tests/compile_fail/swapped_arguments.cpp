// c(x, a) is not c(a, x).
// error: (cannot convert|no viable conversion from).*Quer
#include "iqbo/conditional/conditional.hpp"

double misuse(const iqbo::Conditional& p, const iqbo::Kernel& k, const iqbo::Inputs& x, const iqbo::Queries& a) {
#ifdef MUST_FAIL
  return p.c(k, a, x).sum();
#else
  return p.c(k, x, a).sum();
#endif
}
