// What the text of an error must say, as the installed contracts have it.
#pragma once

#include "iqbo/contracts/errors.hpp"

namespace iqbo::test {

using contracts::expect_error;
using contracts::expect_refusal;

}  // namespace iqbo::test
