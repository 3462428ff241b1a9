// Derivatives of a score against differences of it, as the installed contracts have them.
#pragma once

#include "iqbo/contracts/score_gradient.hpp"

namespace iqbo::test {

using contracts::expect_gradient;

}  // namespace iqbo::test
