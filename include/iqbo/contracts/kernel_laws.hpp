// The laws of kernel_contract.hpp that need no more than points: symmetry, gradients, parameters, refusals.
#pragma once

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "iqbo/contracts/errors.hpp"
#include "iqbo/contracts/finite_difference.hpp"
#include "iqbo/contracts/matrices.hpp"
#include "iqbo/contracts/tolerance.hpp"
#include "iqbo/core/rng.hpp"
#include "iqbo/kernel/kernel.hpp"

namespace iqbo::contracts {

using KernelPtr = std::shared_ptr<const Kernel>;

// A random cloud of points, then its first two again, and a point next to the third.
inline Inputs scattered(Rng& rng, Index n, Index d) {
  const Inputs cloud(3 * rng.uniforms(n, d));
  return cloud.joined(cloud.slice(0, 2)).joined(Inputs(cloud.slice(2, 1).coordinates().array() + 1e-9));
}

// In each coordinate the values 0, 1, ... plus `offset`, in random order and slightly perturbed: sets whose offsets
// differ by 1/2 are at least 0.3 apart in every coordinate, far from any kink of a kernel.
inline Inputs spread_out(Rng& rng, Index n, Index d, double offset) {
  Rows out = offset + 0.2 * (rng.uniforms(n, d).array() - 0.5);
  for (Index c = 0; c < d; ++c) {
    Vector order = Vector::LinSpaced(n, 0, static_cast<double>(n - 1));
    for (Index i = n - 1; i > 0; --i) std::swap(order[i], order[rng.below(i + 1)]);
    out.col(c) += order;
  }
  return Inputs(out);
}

// Calls `law` with the kernel as made and with random hyperparameters around those.
inline void for_random_parameters(const Kernel& made, const std::function<void(const Kernel&, Rng&)>& law) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Rng rng(seed);
    const Vector theta = made.log_parameters();
    const Vector moved = theta + (seed == 0 ? 0.0 : 0.4) * rng.normals(theta.size());
    law(*made.with_log_parameters(moved), rng);
  }
}

inline void expect_symmetric(const Kernel& kernel, Rng& rng) {
  const Inputs x = scattered(rng, 12, kernel.dimension());
  const Inputs y = scattered(rng, 7, kernel.dimension());
  const Matrix k = kernel.gram(x);
  EXPECT_LE(largest(k - k.transpose()), kRounding * largest(k));
  EXPECT_LE(largest(kernel.gram(x, y) - kernel.gram(y, x).transpose()), kRounding * largest(k));
  EXPECT_LE(largest(kernel.gram(x) - kernel.gram(x, x)), 0.0);
}

inline void expect_semi_definite(const Kernel& kernel, Rng& rng) {
  const Matrix k = kernel.gram(scattered(rng, 30, kernel.dimension()));
  const Vector eigenvalues = Eigen::SelfAdjointEigenSolver<Matrix>(k).eigenvalues();
  EXPECT_GE(eigenvalues.minCoeff(), -kRounding * eigenvalues.maxCoeff());
  EXPECT_GT(eigenvalues.maxCoeff(), 0.0);
}

inline void expect_diagonal_of_gram(const Kernel& kernel, Rng& rng) {
  const Inputs x = scattered(rng, 12, kernel.dimension());
  EXPECT_LE(largest(kernel.diagonal(x) - kernel.gram(x).diagonal()), kRounding * largest(kernel.diagonal(x)));
}

// No entry of a batch depends on its neighbours (beyond rounding, because vector units round differently).
inline void expect_entries_on_their_own(const Kernel& kernel, Rng& rng) {
  const Inputs x = scattered(rng, 6, kernel.dimension());
  const Matrix k = kernel.gram(x);
  for (Index i = 0; i < x.size(); ++i)
    for (Index j = 0; j < x.size(); ++j)
      EXPECT_NEAR(kernel.gram(x.slice(i, 1), x.slice(j, 1))(0, 0), k(i, j), kRounding * largest(k));
}

inline void expect_same_on_queries(const Kernel& kernel, Rng& rng) {
  const Inputs x = scattered(rng, 6, kernel.dimension());
  const Queries a(x.coordinates());
  EXPECT_EQ(kernel.gram(a), kernel.gram(x));
  EXPECT_EQ(kernel.diagonal(a), kernel.diagonal(x));
}

// x and y share points, where White has its mass and Matern 1/2 its kink in x (not in theta).
inline void expect_parameter_pull_back(const Kernel& kernel, Rng& rng) {
  const Inputs y = scattered(rng, 8, kernel.dimension());
  const Inputs x = scattered(rng, 5, kernel.dimension()).joined(y.slice(2, 4));
  const Matrix weight = random_weight(rng, x.size(), y.size());
  const auto weighted = [&](const Vector& theta) {
    return kernel.with_log_parameters(theta)->gram(x, y).cwiseProduct(weight).sum();
  };
  const Vector got = kernel.pull_back(x, y, weight);
  const Vector want = finite_difference(weighted, kernel.log_parameters());
  ASSERT_EQ(got.size(), want.size());
  const double scale = weight.cwiseAbs().sum() * largest(kernel.diagonal(x));
  EXPECT_LE(largest(got - want), kFiniteDifference * scale) << got.transpose() << "\n" << want.transpose();
}

inline void expect_input_pull_back(const Kernel& kernel, Rng& rng) {
  const Inputs x = spread_out(rng, 5, kernel.dimension(), 0.0);
  const Inputs y = spread_out(rng, 6, kernel.dimension(), 0.5);
  const Matrix weight = random_weight(rng, x.size(), y.size());
  const auto weighted = [&](const Vector& flat) {
    const Inputs moved(flat.reshaped<Eigen::RowMajor>(x.size(), x.dimension()));
    return kernel.gram(moved, y).cwiseProduct(weight).sum();
  };
  const Rows got = kernel.input_pull_back(x, y, weight);
  ASSERT_EQ(got.rows(), x.size());
  ASSERT_EQ(got.cols(), x.dimension());
  const Vector want = finite_difference(weighted, x.coordinates().reshaped<Eigen::RowMajor>(), 2e-3);
  const double scale = weight.cwiseAbs().sum() * largest(kernel.diagonal(x));
  EXPECT_LE(largest(got.reshaped<Eigen::RowMajor>() - want), kFiniteDifference * scale) << got;
}

// Where x_i = y_j there may be no derivative, but the gradients must be finite.
inline void expect_finite_gradients(const Kernel& kernel, Rng& rng) {
  const Inputs x = scattered(rng, 6, kernel.dimension());
  const Matrix ones = Matrix::Ones(x.size(), x.size());
  EXPECT_TRUE(kernel.pull_back(x, x, ones).allFinite());
  EXPECT_TRUE(kernel.input_pull_back(x, x, ones).allFinite());
}

inline void expect_named_parameters(const Kernel& kernel, Rng&) {
  const std::vector<std::string> names = kernel.parameter_names();
  EXPECT_EQ(static_cast<Index>(names.size()), kernel.log_parameters().size());
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size()) << "a name stands for two";
  for (const std::string& name : names) EXPECT_FALSE(name.empty());
}

inline void expect_parameter_round_trip(const Kernel& kernel, Rng& rng) {
  const Vector before = kernel.log_parameters();
  const Inputs x = scattered(rng, 6, kernel.dimension());
  const Matrix k = kernel.gram(x);
  const Vector theta = before + 0.3 * rng.normals(before.size());
  const KernelPtr moved = kernel.with_log_parameters(theta);
  EXPECT_LE(largest(moved->log_parameters() - theta), kRounding);
  EXPECT_EQ(moved->parameter_names(), kernel.parameter_names());
  EXPECT_EQ(moved->dimension(), kernel.dimension());
  EXPECT_LE(largest(moved->with_log_parameters(before)->gram(x) - k), kRounding * largest(k));
  EXPECT_EQ(kernel.log_parameters(), before) << "the original was changed";
}

inline void expect_equal_clone(const Kernel& kernel, Rng& rng) {
  const Inputs x = scattered(rng, 6, kernel.dimension());
  const KernelPtr clone = kernel.clone();
  EXPECT_EQ(clone->gram(x), kernel.gram(x));
  EXPECT_EQ(clone->log_parameters(), kernel.log_parameters());
  EXPECT_EQ(clone->parameter_names(), kernel.parameter_names());
}

inline void expect_empty_batches(const Kernel& kernel, Rng& rng) {
  const Inputs none(Rows(0, kernel.dimension()));
  const Inputs x = scattered(rng, 4, kernel.dimension());
  const Index n = x.size();
  EXPECT_EQ(kernel.gram(none).size(), 0);
  EXPECT_EQ(kernel.gram(none, x).cols(), n);
  EXPECT_EQ(kernel.gram(x, none).rows(), n);
  EXPECT_EQ(kernel.diagonal(none).size(), 0);
  EXPECT_TRUE(kernel.pull_back(x, none, Matrix(n, 0)).isZero(0.0));
  EXPECT_EQ(kernel.pull_back(x, none, Matrix(n, 0)).size(), kernel.log_parameters().size());
  EXPECT_EQ(kernel.input_pull_back(none, x, Matrix(0, n)).rows(), 0);
  EXPECT_TRUE(kernel.input_pull_back(x, none, Matrix(n, 0)).isZero(0.0));
}

inline void expect_refusals(const Kernel& kernel, Rng& rng) {
  const Index d = kernel.dimension();
  const std::string expected = "expected " + std::to_string(d);
  const Inputs x = scattered(rng, 4, d);
  const Inputs wide = scattered(rng, 4, d + 1);
  const Index n = x.size();
  const Matrix weight = Matrix::Ones(n, n);
  const std::string found = std::to_string(d + 1) + " columns";
  expect_refusal([&] { kernel.gram(wide, x); }, {"x: " + found, expected});
  expect_refusal([&] { kernel.gram(x, wide); }, {found, expected});
  expect_refusal([&] { kernel.gram(Queries(wide.coordinates())); }, {"a: " + found, expected});
  expect_refusal([&] { kernel.diagonal(wide); }, {"x: " + found, expected});
  expect_refusal([&] { kernel.pull_back(wide, x, weight); }, {found, expected});
  expect_refusal([&] { kernel.input_pull_back(x, wide, weight); }, {found, expected});
  const std::string rows = "expected " + std::to_string(n);
  expect_refusal([&] { kernel.pull_back(x, x, Matrix::Ones(n + 1, n)); }, {"weight", "rows", rows});
  expect_refusal([&] { kernel.pull_back(x, x, Matrix::Ones(n, n - 1)); }, {"weight", "columns", rows});
  expect_refusal([&] { kernel.input_pull_back(x, x, Matrix::Ones(n - 1, n)); }, {"weight", "rows", rows});
  expect_refusal([&] { kernel.input_pull_back(x, x, Matrix::Ones(n, n + 1)); }, {"weight", "columns", rows});
}

inline void expect_parameter_refusals(const Kernel& kernel, Rng&) {
  const Vector theta = kernel.log_parameters();
  const Index p = theta.size();
  const std::string count = "expected " + std::to_string(p);
  expect_refusal([&] { (void)kernel.with_log_parameters(Vector::Zero(p + 1)); }, {"theta", "rows", count});
  expect_refusal([&] { (void)kernel.with_log_parameters(Vector()); }, {"theta: 0 rows", count});
  for (Index i = 0; i < p; ++i) {
    const std::string row = "row " + std::to_string(i);
    const auto with = [&](double value) {
      Vector bad = theta;
      bad[i] = value;
      return bad;
    };
    expect_refusal([&] { (void)kernel.with_log_parameters(with(std::nan(""))); }, {"theta", row, "nan", "finite"});
    expect_refusal([&] { (void)kernel.with_log_parameters(with(-std::numeric_limits<double>::infinity())); },
                   {"theta", row, "-inf", "finite"});
    expect_refusal([&] { (void)kernel.with_log_parameters(with(1000)); }, {"theta", row, "expected"});   // overflows
    expect_refusal([&] { (void)kernel.with_log_parameters(with(-1000)); }, {"theta", row, "expected"});  // is zero
  }
  EXPECT_EQ(kernel.log_parameters(), theta);
}

}  // namespace iqbo::contracts
