// A query kept as an input.
// error: (conversion from|no viable conversion from).*Quer
#include "iqbo/core/points.hpp"

iqbo::Index misuse() {
  const iqbo::Queries a{{0.5}};
#ifdef MUST_FAIL
  const iqbo::Inputs x = a;
#else
  const iqbo::Queries x = a;
#endif
  return x.size();
}
