// The tolerances of the contracts, with the reason for their size.
#pragma once

namespace iqbo::contracts {

// A few dozen double operations that do not cancel, relative to the size of the numbers that enter: 2^-52 is 2.2e-16.
inline constexpr double kRounding = 1e-13;

// What finite_difference.hpp reaches, relative to max(1, |gradient|), on functions whose values and derivatives are of
// order 1 over its step: rounding, 1e-16 / step, adds a few 1e-14; the truncation, step^6, at most a few 1e-11.
inline constexpr double kFiniteDifference = 1e-9;

// Derivatives that the library takes by differences (Kernel's own gradients, QueryMap::kDifferenceStep), relative to
// max(1, |gradient|), for functions that vary over lengths of a tenth and more: step^2 / 6 times a third derivative of
// up to 1e3 is 6e-9, rounding, 1e-16 / step, a hundredth of that.
inline constexpr double kDifferenced = 1e-7;

// Averages of kernels under windows, relative to the variance: what average/expectation.hpp promises.
inline constexpr double kAverage = 1e-10;

// Gradients of scores against differences, relative to the largest: logarithms of tails have slopes that grow like the
// margin gamma, so that a step of a hundredth of a deviation is a step of gamma / 100 in the exponent.
inline constexpr double kScoreGradient = 1e-6;

// 2048 frequencies against the kernel, relative to the variance; Matern 1/2, with its heavy tail, is the worst.
inline constexpr double kSpectrum = 0.1;

}  // namespace iqbo::contracts
