// Arguments of scores: samples of f*, and beliefs about g as arrays.
#pragma once

#include "iqbo/acquisition/acquisition.hpp"
#include "iqbo/maxvalue/max_samples.hpp"
#include "objects.hpp"

namespace iqbo::python {

struct AcquisitionObject {
  std::shared_ptr<const Acquisition> value;
  py::tuple args;
};

struct MaxSamplesObject {
  Vector values;
  Inputs arguments;
  std::vector<Index> rows;
  Matrix paths;  // of f on the listed inputs, one per column; empty if there are none
};

inline Outlook outlook_from(const ArrayLike& nu, const ArrayLike& q, const ArrayLike& noise_var) {
  Vector mean = vector(nu, "nu");
  Vector var = vector(q, "q", mean.size());
  Vector noise = vector_or_number(noise_var, "noise_var", mean.size());
  return {std::move(mean), std::move(var), std::move(noise)};
}

}  // namespace iqbo::python
