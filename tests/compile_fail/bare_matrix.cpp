// A bare matrix does not say which space it lives in.
// error: invalid initialization.*Rows|no matching function for call to 'ask'
#include "iqbo/core/points.hpp"

double ask(const iqbo::Queries& a) { return static_cast<double>(a.size()); }

double misuse() {
  const iqbo::Rows rows = iqbo::Rows::Zero(2, 1);
#ifdef MUST_FAIL
  return ask(rows);
#else
  return ask(iqbo::Queries(rows));
#endif
}
