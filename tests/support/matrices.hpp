// Matrices at random, and how far two of them are apart.
#pragma once

#include "iqbo/contracts/matrices.hpp"

namespace iqbo::test {

using contracts::largest;
using contracts::random_weight;

}  // namespace iqbo::test
