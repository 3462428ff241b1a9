// What p(x|a) is asked about is a query.
// error: (cannot convert|no viable conversion from).*Input
#include "iqbo/conditional/conditional.hpp"

double misuse(const iqbo::Conditional& p, const iqbo::Mean& m, const iqbo::Inputs& x, const iqbo::Queries& a) {
#ifdef MUST_FAIL
  return p.nu(m, x).sum() + static_cast<double>(a.size());
#else
  return p.nu(m, a).sum() + static_cast<double>(x.size());
#endif
}
