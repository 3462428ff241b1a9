// The posterior in 50 decimal digits, with covariances in closed form: an oracle for data that are singular to double
// precision. One coordinate, unit variance and mean 0; windows [a - h, a + h], where h = 0 observes f itself.
//
// With u = |x - y| sqrt(2 nu) / lengthscale, I(u) the integral of the correlation from 0 to u and J that of I,
//
//   Cov(f(x), g(a)) = (I(x - a + h) - I(x - a - h)) / 2h,
//   Cov(g(a), g(b)) = (J(a - b + h + h') - J(a - b + h - h') - J(a - b - h + h') + J(a - b - h - h')) / 4 h h',
//
// I odd and J even. In double these differences cancel; with 50 digits there are enough left.
#pragma once

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <vector>

#include "iqbo/core/matrix.hpp"

namespace iqbo::test {

using Digits50 = boost::multiprecision::cpp_bin_float_50;

enum class ExactFamily { kRbf, kMatern12, kMatern32, kMatern52 };

struct ExactPrior {
  ExactFamily family;
  double lengthscale;
};

// A functional of f: its average over at - half_width .. at + half_width.
struct ExactWindow {
  double at;
  double half_width;
};

Digits50 exact_covariance(const ExactPrior& prior, const ExactWindow& left, const ExactWindow& right);

// A joint draw of the functionals: L eps, in the order given, rounded to double.
Vector exact_draw(const ExactPrior& prior, const std::vector<ExactWindow>& windows, const Vector& eps);

struct ExactMarginals {
  Vector mean;
  Vector var;
};

// Given z with noise variances, what is believed about `targets`. An observation that the others determine (to 1e-40 of
// its variance) changes nothing.
ExactMarginals exact_posterior(const ExactPrior& prior, const std::vector<ExactWindow>& observed, const Vector& z,
                               const Vector& noise_var, const std::vector<ExactWindow>& targets);

}  // namespace iqbo::test
