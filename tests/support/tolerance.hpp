// Every tolerance that a test may use, with the reason for its size; some are those of the installed contracts. A test
// that needs another one adds it here.
#pragma once

#include "iqbo/contracts/tolerance.hpp"

namespace iqbo::test {

using contracts::kDifferenced;
using contracts::kFiniteDifference;
using contracts::kRounding;
using contracts::kScoreGradient;

// Like kRounding, for results that pass through a problem with a condition number of up to about 1e4.
inline constexpr double kConditioned = 1e-10;

// Solutions of systems of condition 1e13 with residuals in long double, 2^-64 = 5e-20, relative; includes the error of
// the oracle.
inline constexpr double kRefined = 1e-5;

// Zero except for the last powers of ten of a double: Eigen's exp ends at 5e-309 instead of 0.
inline constexpr double kVanished = 1e-290;

// A statistical test fails below this p-value: the chance that correct code meets an unlucky seed. Seeds are fixed, so
// a test that has passed keeps passing; samples are large enough for a real fault to be orders of magnitude below it.
inline constexpr double kFalseAlarm = 1e-4;

// Closed forms of averages under an RBF kernel, relative: what average/expectation.hpp promises.
inline constexpr double kClosedForm = 1e-10;

// Averages of Matern kernels, relative to the variance: what average/expectation.hpp promises.
inline constexpr double kMaternAverage = 1e-10;

// Predictions of the exact posterior for noise sd of at least 1e-3 of the amplitude, relative to the amplitude:
// rounding, amplified by residual / noise_var.
inline constexpr double kPosterior = 1e-9;

// The finite engine against the exact posterior, for the same noise and relative to the same: truncation of the
// features, 1e-14 of the variance, amplified by residual / noise_var; finite/finite.hpp promises it.
inline constexpr double kFinite = 1e-8;

// The same for noise sd of 1e-6 of the amplitude.
inline constexpr double kPosteriorLowNoise = 1e-5;

// Where the noise is less than the least that is assumed: variances, relative, and means, in sds. The errors of
// covariances over the least noise variance, 1e-11 over 1e-10 for windows under Matern 5/2 (posterior/least_noise.hpp).
// Seen in 288 settings of 41 observations: 0.019 and 0.007.
inline constexpr double kSingularVar = 0.1;
inline constexpr double kSingularMean = 0.1;

// Slope of the fitted objective at its maximum, in nats per unit of log theta, after the last Newton steps.
inline constexpr double kFitSlope = 1e-5;

// Fitted logarithms in two runs that differ only by rounding (units, order of the data): slope over curvature.
inline constexpr double kSameFit = 1e-5;

// Averages of test problems, relative to the deviation of f: what docs/problems.md promises.
inline constexpr double kProblemAverage = 1e-8;

}  // namespace iqbo::test
