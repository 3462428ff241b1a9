// A covariance between an input and a query is c(x, a), which knows p(x|a); a kernel alone does not.
// error: no matching (member )?function for call to .*gram
#include "iqbo/kernel/kernel.hpp"

iqbo::Index misuse(const iqbo::Kernel& k, const iqbo::Inputs& x, const iqbo::Queries& a) {
#ifdef MUST_FAIL
  return k.gram(x, a).size();
#else
  return k.gram(x, x).size() + k.gram(a, a).size();
#endif
}
