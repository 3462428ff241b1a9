// Averages under SpreadLaws: see iqbo/conditional/expectation.hpp. Inputs enter as laws of zero width.
#pragma once

#include "iqbo/conditional/laws.hpp"
#include "iqbo/kernel/kernel.hpp"
#include "iqbo/kernel/mean.hpp"

namespace iqbo {

SpreadLaws without_width(const Inputs& x);

Matrix spread_expect(const Kernel& kernel, const SpreadLaws& left, const SpreadLaws& right);
Vector spread_expect_diagonal(const Kernel& kernel, const SpreadLaws& laws);
Vector spread_pull_back(const Kernel& kernel, const SpreadLaws& left, const SpreadLaws& right, const Matrix& weight);

Vector spread_expect(const Mean& mean, const SpreadLaws& laws);
Matrix spread_cosines(const SpreadLaws& laws, const Rows& frequency, const Vector& phase);

}  // namespace iqbo
