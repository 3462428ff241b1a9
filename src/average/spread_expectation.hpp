// Averages under SpreadLaws: see average/expectation.hpp. Inputs enter as laws of zero width.
#pragma once

#include <functional>

#include "iqbo/average/average_sum.hpp"
#include "iqbo/average/laws.hpp"
#include "iqbo/kernel/kernel.hpp"

namespace iqbo {

SpreadLaws without_width(const Inputs& x);

Matrix spread_expect(const Kernel& kernel, const SpreadLaws& left, const SpreadLaws& right);
Vector spread_expect_diagonal(const Kernel& kernel, const SpreadLaws& laws);
Vector spread_pull_back(const Kernel& kernel, const SpreadLaws& left, const SpreadLaws& right, const Matrix& weight);

// sum_i weight_ij d expect(k, left, right)(i,j) and weight_j d expect_diagonal(k, laws)[j], in law j on the right.
SpreadGradient spread_law_pull_back(const Kernel& kernel, const SpreadLaws& left, const SpreadLaws& right,
                                    const Matrix& weight, bool in_half_width);
SpreadGradient spread_diagonal_pull_back(const Kernel& kernel, const SpreadLaws& laws, const Vector& weight,
                                         bool in_half_width);

// Row i: the average of `values`, a function of a batch of inputs that returns `columns` columns, under law i, by
// tensor Gauss rules of kMeanNodes nodes along at most three axes.
Matrix spread_average(const SpreadLaws& laws, Index columns, const std::function<Matrix(const Inputs&)>& values);
Matrix spread_cosines(const SpreadLaws& laws, const Rows& frequency, const Vector& phase);

}  // namespace iqbo
