// A problem, and the arguments it was made from.
#pragma once

#include "arrays.hpp"
#include "iqbo/problem/problem.hpp"

namespace iqbo::python {

struct ProblemObject {
  Problem value;
  py::tuple args;
};

}  // namespace iqbo::python
