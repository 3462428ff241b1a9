// An interval that one may look at after every value, and stop when it says enough: a confidence sequence.
//
//   mean +- t_n sd / sqrt(n),   t_n^2 = (n - 1) (K - 1) / (1 - r K),   r = c / (n + c),   K = (1 / (alpha^2 r))^(1/n)
//
// For normal values of unknown mean and variance, all of these intervals, n = 2, 3, ..., contain the mean with probability
// 1 - alpha at least. They are where the Bayes factor sqrt(r) ((1 + x) / (1 + r x))^(n/2), x = t^2 / (n - 1), of a mean that is
// normal in units of the sd, with variance 1 / c, against the mean in question stays below 1 / alpha: a martingale that starts at 1,
// which reaches 1 / alpha with probability alpha at most (Ville's inequality) [Lai76, Wang24]. Nothing needs to be decided beforehand:
// neither when one looks, nor how often, nor how many values there will be. Where r K >= 1, n is too small and the interval is infinite.
//
// c = 10 makes them narrowest between 50 and 200 values: t is 3.1 at n = 100 and 3.2 at n = 400, where a single look has 2.0.
// Values that are not normal: tests/experiment/anytime_test.cpp.
#pragma once

#include "iqbo/experiment/compare.hpp"

namespace iqbo {

// alpha = 0.05 / among, so that `among` such intervals hold jointly with 95 %.
Interval anytime_interval(const Vector& values, Index among = 1);

}  // namespace iqbo
