// An input handed to something that wants queries.
// error: invalid initialization.*Inputs|no matching function for call to 'ask'
#include "iqbo/core/points.hpp"

double ask(const iqbo::Queries& a) { return static_cast<double>(a.size()); }

double misuse() {
  const iqbo::Inputs x{{0.5}};
  const iqbo::Queries a{{0.5}};
#ifdef MUST_FAIL
  return ask(x);
#else
  return ask(a);
#endif
}
