// Names of enumerations that the bindings of several rooms use.
#pragma once

#include "iqbo/learned/learned.hpp"
#include "names.hpp"

namespace iqbo::python {

constexpr Names<LearnedKind, 6> kModels{{{LearnedKind::kShift, "shift"},
                                         {LearnedKind::kCme, "cme"},
                                         {LearnedKind::kNw, "nw"},
                                         {LearnedKind::kPlugIn, "plugin"},
                                         {LearnedKind::kAuto, "auto"},
                                         {LearnedKind::kStack, "stack"}}};

}  // namespace iqbo::python
