// Random matrices, and the largest entry of one, from the installed contracts.
#pragma once

#include "iqbo/contracts/matrices.hpp"

namespace iqbo::test {

using contracts::largest;
using contracts::random_weight;

}  // namespace iqbo::test
