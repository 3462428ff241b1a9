// Derivatives of a score against its finite differences, from the installed contracts.
#pragma once

#include "iqbo/contracts/score_gradient.hpp"

namespace iqbo::test {

using contracts::expect_gradient;

}  // namespace iqbo::test
