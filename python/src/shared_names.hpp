// Enumerations that several rooms' bindings name.
#pragma once

#include "iqbo/kernel/stationary.hpp"
#include "iqbo/learned/learned.hpp"
#include "names.hpp"

namespace iqbo::python {

constexpr Names<LearnedKind, 6> kModels{{{LearnedKind::kShift, "shift"},
                                         {LearnedKind::kCme, "cme"},
                                         {LearnedKind::kNw, "nw"},
                                         {LearnedKind::kPlugIn, "plugin"},
                                         {LearnedKind::kAuto, "auto"},
                                         {LearnedKind::kStack, "stack"}}};

using Family = Stationary::Family;
constexpr Names<Family, 4> kFamilies{{{Family::kRbf, "rbf"},
                                      {Family::kMatern12, "matern12"},
                                      {Family::kMatern32, "matern32"},
                                      {Family::kMatern52, "matern52"}}};

}  // namespace iqbo::python
