// A problem, and what it was made of.
#pragma once

#include "arrays.hpp"
#include "iqbo/problem/problem.hpp"

namespace iqbo::python {

struct ProblemObject {
  Problem value;
  py::tuple args;
};

}  // namespace iqbo::python
