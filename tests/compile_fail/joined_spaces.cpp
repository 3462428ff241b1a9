// Inputs and queries in one batch.
// error: (cannot convert|no viable conversion from).*Quer
#include "iqbo/core/points.hpp"

iqbo::Index misuse() {
  const iqbo::Inputs x{{0.5}};
  const iqbo::Queries a{{0.5}};
#ifdef MUST_FAIL
  return x.joined(a).size();
#else
  return x.joined(x).size() + a.size();
#endif
}
