// What paired replications say about a claim.
//
//   d_s = A's value under seed s - B's           mean d +- t_{0.975, n-1} sd(d) / sqrt(n), Student's 95 % interval
//
// For m intervals to hold jointly with 95 %, each has coverage 1 - 0.05 / m (Bonferroni): any of them may then be
// picked, for whatever reason, and still be trusted.
//
//   "A's is smaller"   equal            if the interval lies within +-`equal`, a difference that does not matter
//                      holds            else, if it is below 0
//                      does not hold    if no part of it is: the opposite, or no difference at all
//                      undecided        otherwise
#pragma once

#include <string>
#include <vector>

#include "iqbo/core/matrix.hpp"

namespace iqbo {

struct Interval {
  double mean = 0.0;
  double low = 0.0;
  double high = 0.0;
  Index n = 0;
};

// The interval of the mean of independent values; of one value it is infinite. `among`: m above.
Interval mean_interval(const Vector& values, Index among = 1);
Interval paired_difference(const Vector& one, const Vector& other, Index among = 1);  // seeds in the same order

enum class Verdict { kEqual, kHolds, kDoesNotHold, kUndecided };
std::string to_string(Verdict verdict);

Verdict is_smaller(const Interval& difference, double equal = 0.0);  // 0: nothing counts as equal

// Of a claim about several comparisons at once: it fails with the first that does, and is undecided with the first that is; else
// it is equal with the first that is, and holds if all do.
Verdict all_of(const std::vector<Verdict>& verdicts);

}  // namespace iqbo
