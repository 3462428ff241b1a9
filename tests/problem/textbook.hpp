// The problems once more, as textbooks print them: one point at a time, in long double, and defined everywhere.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "iqbo/problem/problem.hpp"
#include "iqbo/problem/registry.hpp"
#include "support/oracle.hpp"

namespace iqbo::test {

using Point = std::vector<Real>;
using Formula = std::function<Real(const Point&)>;

struct Textbook {
  std::string name;  // of problems that begin so
  Formula f;
  Real max;  // to the digits printed
  Real digits;
};

const std::vector<Textbook>& textbooks();

// A coordinate of a window: N(centre, sd^2), on the line or confined to [lower, upper].
struct NormalAxis {
  Real centre, sd, lower, upper;
  std::optional<Truncation> truncation = {};
  int panels = 8;

  // E h(X), by composite Gauss-Legendre over 11 deviations either way.
  Real average(const std::function<Real(const Real&)>& h) const;
};

// E f(X) for independent coordinates, one or two.
Real average(const Formula& f, const std::vector<NormalAxis>& axes);

}  // namespace iqbo::test
