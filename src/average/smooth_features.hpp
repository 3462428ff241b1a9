// A smooth kernel on a box as a scalar product of a few hundred features, and their averages under laws of many points:
//
//   k(x, y) = phi(x) . phi(y) + error,   |error| <= kError * variance       so   E k(X, Y) = E phi(X) . E phi(Y)
//
// For two batches of laws with P and R points in all, that takes P + R evaluations of phi instead of P R of k.
//
// An RBF is a product over axes. Along an axis of half-width h it is replaced by a polynomial of degree N - 1 in each
// argument, the interpolant at N Chebyshev points, whose error is at most
//
//   4 exp((h b / l)^2 / 2) rho^(1 - N) / (rho - 1),   b = (rho - 1 / rho) / 2,   for every rho > 1   [Trefethen13, thm 8.2]
//
// N is the least for which this bound, with the factor that the second argument costs, suffices. A root of the N x N
// matrix at the nodes gives the features of an axis; of their products over the axes those are kept that matter.
#pragma once

#include <optional>
#include <vector>

#include "iqbo/average/laws.hpp"
#include "iqbo/kernel/kernel.hpp"

namespace iqbo::internal {

// The least number of Chebyshev points that interpolates exp(-(x - y)^2 / 2), |x| and |y| <= h, with at most this error; at
// most `most` + 1.
Index smooth_nodes(double h, double error, Index most);

Vector chebyshev_points(Index count);  // of the first kind, on [-1, 1]

// F with F F' = k, a correlation matrix, and as few columns as rounding allows.
Matrix correlation_root(Matrix k);

// 1 / lengthscale^2 along each of d axes, if the term is a product of RBFs, else empty; 0 where it does not vary.
std::optional<Vector> rbf_precision(const KernelTerm& term, Index d);

// Polynomials that represent exp(-(x - y)^2 / (2 l^2)) for x and y in [lower, upper].
class SmoothAxis {
 public:
  static constexpr Index kMostNodes = 128;

  // Empty if more than kMostNodes nodes would be needed.
  static std::optional<SmoothAxis> of(double lower, double upper, double lengthscale);

  Index nodes() const { return on_nodes_.rows(); }
  Index size() const { return on_nodes_.cols(); }
  const Vector& most() const { return most_; }  // |feature|, anywhere on the axis; descending

  Matrix interpolate(const Eigen::Ref<const Vector>& x) const;  // one row per x, one column per node
  const Matrix& on_nodes() const { return on_nodes_; }          // one row per node, one column per feature
  Matrix at(const Eigen::Ref<const Vector>& x) const { return interpolate(x) * on_nodes_; }

 private:
  SmoothAxis() = default;

  double middle_ = 0.0, per_half_ = 0.0;
  Matrix on_nodes_;
  Vector most_;
};

class SmoothFeatures {
 public:
  static constexpr double kError = 2e-14;

  // For all points of these laws. Empty unless the kernel is a sum of products of RBFs, all laws are points or discrete,
  // and at most `most` features suffice.
  static std::optional<SmoothFeatures> of(const Kernel& kernel, const std::vector<const Laws*>& laws, Index most);

  Index size() const;
  Matrix average(const Laws& laws) const;  // n x size()
  double cost(const Laws& laws) const;     // of average(), in kernel values that could be computed in that time

 private:
  // One product of RBFs. Its features are products of one feature of every axis: all axes but the last give a prefix,
  // and prefix r is combined with the first count[r] features of the last axis, which are the largest.
  struct Term {
    double sd;
    std::vector<Index> column = {};  // of each axis
    std::vector<SmoothAxis> axes = {};
    std::vector<std::vector<Index>> prefix = {};
    std::vector<Index> count = {};
    Index size = 0;  // the sum of count

    void combine(std::vector<Index>& chosen, double most);  // sets prefix, count and size
    Matrix prefixes(const Rows& points) const;
    Matrix first_factor(const Rows& points) const;
    void add(const Eigen::Ref<const Matrix>& first_factor, const Eigen::Ref<const Matrix>& last,
             const Eigen::Ref<const Vector>& weight, Eigen::Ref<Vector> sum) const;
  };
  static std::optional<Term> term_of(const KernelTerm& term, const Vector& lower, const Vector& upper);

  void add(double share, const DiscreteLaws& laws, Matrix& sum) const;  // law by law
  Matrix at(const Rows& points) const;

  std::vector<Term> terms_;
};

// E k(X_i, Y_j) by features, where that takes much less time than the sum over all pairs of points; else empty.
std::optional<Matrix> smooth_expect(const Kernel& kernel, const Laws& left, const Laws& right);
std::optional<Vector> smooth_expect_diagonal(const Kernel& kernel, const Laws& laws);

}  // namespace iqbo::internal
