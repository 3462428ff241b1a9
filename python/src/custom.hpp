// A score written in Python.
#pragma once

#include "calls.hpp"
#include "iqbo/policy/custom_score.hpp"

namespace iqbo::python {

struct OutlookObject {
  Vector nu, q, noise_var;
  Matrix c;
};
struct MaximaObject {
  Vector values;
  Inputs arguments;
  Vector mean, var;
};

// A function (outlook, samples) -> (n,), known by its __name__; logarithmic if its attribute "logarithmic" is true. Or
// a function of the samples alone that returns an Acquisition; or an Acquisition, known by the name of its class.
CustomScore custom_score(const py::object& given, std::string_view name);

}  // namespace iqbo::python
