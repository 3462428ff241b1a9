// Experiments and their tables, as runs and findings share them.
#pragma once

#include "iqbo/experiment/experiment.hpp"
#include "names.hpp"
#include "objects.hpp"

namespace iqbo::python {

constexpr Names<AskedAs, 3> kAsking{{{AskedAs::kList, "list"}, {AskedAs::kTree, "tree"}, {AskedAs::kLeaves, "leaves"}}};

struct TableObject {
  ResultTable value;
};

struct ExperimentObject {
  Experiment value;
  py::tuple reduced;  // (function, its arguments), which make an equal object
};

}  // namespace iqbo::python
