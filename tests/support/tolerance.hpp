// Every tolerance a test may use, with the reason for its size; some are those of the installed contracts. A test that needs
// another adds it here.
#pragma once

#include "iqbo/contracts/tolerance.hpp"

namespace iqbo::test {

using contracts::kDifferenced;
using contracts::kFiniteDifference;
using contracts::kRounding;
using contracts::kScoreGradient;

// As kRounding, where a problem of condition number up to about 1e4 stands between the rounding and the answer.
inline constexpr double kConditioned = 1e-10;

// Solutions of systems of condition 1e13 with residuals in long double, 2^-64 = 5e-20, relative; the oracle's share
// included.
inline constexpr double kRefined = 1e-5;

// Zero but for the last powers of ten a double has: Eigen's exp ends at 5e-309 instead of 0.
inline constexpr double kVanished = 1e-290;

// A statistical test fails below this p-value: the chance that correct code meets an unlucky seed. Seeds are fixed, so
// what has passed goes on passing; the samples are large enough for a real fault to be orders of magnitude below.
inline constexpr double kFalseAlarm = 1e-4;

// Closed forms of averages under an RBF kernel, relative: what average/expectation.hpp promises.
inline constexpr double kClosedForm = 1e-10;

// Averages of Matern kernels, relative to the variance: what average/expectation.hpp promises.
inline constexpr double kMaternAverage = 1e-10;

// Answers of the exact posterior for noise sd of at least 1e-3 of the amplitude, relative to it: rounding, amplified by
// residual / noise_var.
inline constexpr double kPosterior = 1e-9;

// The finite engine against the exact posterior, for the same noise and relative to the same: truncation of the
// features, 1e-14 of the variance, amplified by residual / noise_var; what finite/finite.hpp promises.
inline constexpr double kFinite = 1e-8;

// The same for noise sd of 1e-6 of the amplitude.
inline constexpr double kPosteriorLowNoise = 1e-5;

// Slope of the fitted objective at its maximum, in nats per unit of log theta: what the last Newton steps leave.
inline constexpr double kFitSlope = 1e-5;

// Fitted logarithms of two runs that differ in rounding alone (units, order of the data): slope over curvature.
inline constexpr double kSameFit = 1e-5;

// Averages of test problems, relative to the deviation of f: what docs/problems.md promises.
inline constexpr double kProblemAverage = 1e-8;

}  // namespace iqbo::test
