// Gradients without calculus, as the installed contracts have them.
#pragma once

#include "iqbo/contracts/finite_difference.hpp"

namespace iqbo::test {

using contracts::finite_difference;

}  // namespace iqbo::test
