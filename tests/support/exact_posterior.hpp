// The posterior in 50 decimal digits, with covariances in closed form: an oracle for data that are singular to double
// precision. Unit variance and mean 0. Weighted sums of f at points of any dimension, or on one coordinate windows
// [a - h, a + h], where h = 0 observes f itself.
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

// Covariances of functionals of f.
using ExactMatrix = std::vector<std::vector<Digits50>>;

ExactMatrix exact_covariances(const ExactPrior& prior, const std::vector<ExactWindow>& windows);

// Of sums_j weight_ij f(point_j), one for each row of `weight`. The lengthscale is that of every coordinate.
ExactMatrix exact_covariances(const ExactPrior& prior, const Rows& points, const Matrix& weight);

// A joint draw of the functionals: L eps, in the order given, rounded to double.
Vector exact_draw(const ExactMatrix& cov, const Vector& eps);

struct ExactMarginals {
  Vector mean;
  Vector var;
};

// Given z, with noise variances, of the first functionals: what is believed about the others. An observation that those
// before it determine (to 1e-40 of its variance) changes nothing.
ExactMarginals exact_posterior(const ExactMatrix& cov, const Vector& z, const Vector& noise_var);

}  // namespace iqbo::test
