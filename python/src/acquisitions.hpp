// Samples of f* as scores take them.
#pragma once

#include "iqbo/maxvalue/max_samples.hpp"
#include "objects.hpp"

namespace iqbo::python {

struct MaxSamplesObject {
  Vector values;
  Inputs arguments;
  std::vector<Index> rows;
  Matrix paths;  // of f on the listed inputs, one a column; empty where there are none
};

}  // namespace iqbo::python
