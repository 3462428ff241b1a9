// What answers are, by name.
#pragma once

#include "iqbo/likelihood/likelihood.hpp"
#include "objects.hpp"

namespace iqbo::python {

LikelihoodPtr likelihood_from(const py::object& answers, const char* what);  // "auto": counts of any dispersion
Link link_from(const py::object& link, const char* what);

void bind_likelihood(py::module_& m);

}  // namespace iqbo::python
