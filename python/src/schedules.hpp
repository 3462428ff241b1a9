// A schedule of resolutions, and the arguments it was made from.
#pragma once

#include "arrays.hpp"
#include "iqbo/theory/schedule.hpp"

namespace iqbo::python {

struct ScheduleObject {
  ResolutionSchedule value;
  py::tuple made;
};

}  // namespace iqbo::python
