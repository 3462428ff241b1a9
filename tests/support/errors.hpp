// Checks of the text of an error, from the installed contracts.
#pragma once

#include "iqbo/contracts/errors.hpp"

namespace iqbo::test {

using contracts::expect_error;
using contracts::expect_refusal;

}  // namespace iqbo::test
