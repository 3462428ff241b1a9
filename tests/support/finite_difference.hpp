// Gradients without calculus, from the installed contracts.
#pragma once

#include "iqbo/contracts/finite_difference.hpp"

namespace iqbo::test {

using contracts::finite_difference;

}  // namespace iqbo::test
