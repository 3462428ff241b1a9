// What paired replications say about a claim.
//
//   d_s = A's value under seed s - B's           mean d +- t_{0.975, n-1} sd(d) / sqrt(n), Student's 95 % interval
//
// Of m intervals that shall hold together with 95 %, each has 1 - 0.05 / m (Bonferroni): whichever of them is looked at, and
// for whatever reason, it is as good as it says.
//
//   "A's is smaller"   holds            if the interval is below 0
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

// Of the mean of independent values; one value leaves it infinite. `among`: m above.
Interval mean_interval(const Vector& values, Index among = 1);
Interval paired_difference(const Vector& one, const Vector& other, Index among = 1);  // seeds in the same order

enum class Verdict { kHolds, kDoesNotHold, kUndecided };
std::string to_string(Verdict verdict);

Verdict is_smaller(const Interval& difference);

// Of a claim about several comparisons at once: it holds if all do, and fails with the first that does.
Verdict all_of(const std::vector<Verdict>& verdicts);

}  // namespace iqbo
