// The laws of kernel_contract.hpp for what a kernel says it is made of: terms, averages under windows, spectrum.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <utility>
#include <vector>

#include "iqbo/average/expectation.hpp"
#include "iqbo/contracts/errors.hpp"
#include "iqbo/contracts/finite_difference.hpp"
#include "iqbo/contracts/kernel_laws.hpp"
#include "iqbo/contracts/matrices.hpp"
#include "iqbo/contracts/tolerance.hpp"
#include "iqbo/kernel/kernel.hpp"
#include "iqbo/kernel/spectral.hpp"
#include "iqbo/kernel/stationary_part.hpp"
#include "iqbo/numerics/gauss_rule.hpp"

namespace iqbo::contracts {

// The terms sum to the kernel, and their parameters are those of the kernel.
inline void expect_terms_that_add_up(const Kernel& kernel, Rng& rng) {
  if (!is_stationary(kernel)) return;
  const Inputs x = scattered(rng, 6, kernel.dimension());
  const Inputs y = x.slice(0, 4);
  Matrix sum = Matrix::Zero(x.size(), y.size());
  std::vector<double> theta;
  for (const KernelTerm& term : kernel.stationary_terms()) {
    Matrix own = Matrix::Constant(x.size(), y.size(), term.variance);
    theta.push_back(std::log(term.variance));
    for (const auto& [part, columns] : term.factors) {
      const auto of = [&columns = columns](const Inputs& points) -> Rows {
        return points.coordinates()(Eigen::all, columns);
      };
      own.array() *= part->evaluate(of(x), of(y), 1.0).array();
      for (const double value : part->parameters()) theta.push_back(std::log(value));
    }
    for (Index i = 0; i < x.size() && term.kind == KernelTerm::Kind::kWhite; ++i)
      for (Index j = 0; j < y.size(); ++j)
        if (x.row(i) != y.row(j)) own(i, j) = 0.0;
    sum += own;
  }
  EXPECT_LE(largest(sum - kernel.gram(x, y)), kRounding * largest(kernel.diagonal(x)));
  const Vector want = kernel.log_parameters();
  ASSERT_EQ(static_cast<Index>(theta.size()), want.size());
  EXPECT_LE(largest(Eigen::Map<const Vector>(theta.data(), want.size()) - want), kRounding);
}

inline bool averages_under_windows(const Kernel& kernel) {
  if (!is_stationary(kernel)) return false;
  for (const KernelTerm& term : kernel.stationary_terms())
    for (const auto& [part, columns] : term.factors)
      if (part->mixture() == nullptr && (part->by_axes() == nullptr || !part->by_axes()->has_series())) return false;
  return true;
}

// The mean of h(t) over t = centre + sd N + half_width U, where one of the widths is 0, by Gauss rules on pieces that
// end at `kink`, where h may not be smooth, and are short near it.
inline double brute_average(const std::function<Vector(const Vector&)>& h, double centre, double sd, double half_width,
                            double kink) {
  const Rule& rule = gauss_legendre(20);
  const double reach = sd > 0.0 ? 10.0 * sd : half_width;
  std::vector<double> cuts;
  for (int i = -40; i <= 40; ++i) cuts.push_back(centre + i * reach / 40.0);
  for (const double away : {0.0, 0.05, 0.2, 0.5, 1.0, 2.0, 4.0, 8.0})
    for (const double cut : {kink - away, kink + away})
      if (std::abs(cut - centre) < reach) cuts.push_back(cut);
  std::sort(cuts.begin(), cuts.end());
  double sum = 0.0;
  for (std::size_t k = 0; k + 1 < cuts.size(); ++k) {
    const double half = 0.5 * (cuts[k + 1] - cuts[k]);
    const Vector t = (cuts[k] + half + half * rule.node.array()).matrix();
    const Vector density =
        sd > 0.0
            ? Vector((-0.5 * ((t.array() - centre) / sd).square()).exp() / (sd * std::sqrt(2.0 * std::numbers::pi)))
            : Vector::Constant(t.size(), 0.5 / half_width);
    sum += 2.0 * half * rule.weight.cwiseProduct(density).dot(h(t));
  }
  return sum;
}

// Windows along one coordinate (narrow, about one lengthscale wide, and wide), exact in the others, against points.
inline void expect_averages_along_axes(const Kernel& kernel, Rng& rng) {
  if (!averages_under_windows(kernel)) return;
  const Index d = kernel.dimension();
  const Inputs centre = spread_out(rng, 2, d, 0.0);
  const Inputs y = spread_out(rng, 3, d, 0.5);
  for (Index c = 0; c < d; ++c)
    for (const auto& [sd, half_width] : {std::pair{0.01, 0.0}, {0.7, 0.0}, {6.0, 0.0}, {0.0, 0.1}, {0.0, 4.0}}) {
      SpreadLaws laws{centre.coordinates(), Rows::Zero(2, d), Rows::Zero(2, d)};
      laws.sd.col(c).setConstant(sd);
      laws.half_width.col(c).setConstant(half_width);
      const Matrix got = expect(kernel, laws, y);
      for (Index i = 0; i < centre.size(); ++i)
        for (Index j = 0; j < y.size(); ++j) {
          const auto along = [&](const Vector& t) -> Vector {
            Rows x = centre.coordinates().row(i).replicate(t.size(), 1);
            x.col(c) = t;
            return kernel.evaluate(x, y.slice(j, 1).coordinates());
          };
          const double want = brute_average(along, centre.row(i)[c], sd, half_width, y.row(j)[c]);
          EXPECT_NEAR(got(i, j), want, kAverage * largest(kernel.diagonal(y)))
              << "column " << c << ", sd " << sd << ", half-width " << half_width;
        }
    }
}

// Windows of every kind along all coordinates; the last one is a point.
inline SpreadLaws some_windows(Rng& rng, Index d) {
  SpreadLaws out{spread_out(rng, 5, d, 0.0).coordinates(), rng.uniforms(5, d), rng.uniforms(5, d)};
  for (const Index i : {0, 4}) out.sd.row(i).setZero();
  for (const Index i : {1, 4}) out.half_width.row(i).setZero();
  return out;
}

// X + sd N against Y is the same as X against Y + sd N: only the combined width matters.
inline void expect_averages_of_sums(const Kernel& kernel, Rng& rng) {
  if (!averages_under_windows(kernel)) return;
  const Index d = kernel.dimension();
  const SpreadLaws left = some_windows(rng, d);
  SpreadLaws right = some_windows(rng, d);
  right.centre.array() += 0.5;
  right.half_width.setZero();
  SpreadLaws wider = left, points = right;
  points.sd.setZero();
  const Matrix got = expect(kernel, left, right);
  for (Index j = 0; j < got.cols(); ++j) {
    wider.sd = (left.sd.array().square().rowwise() + right.sd.row(j).array().square()).sqrt();
    const Matrix want = expect(kernel, wider, points);
    EXPECT_LE(largest(got.col(j) - want.col(j)), kAverage * largest(kernel.diagonal(Inputs(right.centre))));
  }
}

// Rules along each axis represent the grid that they span.
inline void expect_averages_of_grids(const Kernel& kernel, Rng& rng) {
  const auto terms = kernel.stationary_terms();
  const Index d = kernel.dimension();
  if (d > 3 ||
      std::any_of(terms.begin(), terms.end(), [](const auto& t) { return t.kind == KernelTerm::Kind::kWhite; }))
    return;
  constexpr Index kNodes = 3;
  AxisLaws rules;
  Rows grid(1, 0);
  Vector weight = Vector::Ones(1);
  for (Index c = 0; c < d; ++c) {
    rules.node.emplace_back(3.0 * rng.uniforms(1, kNodes));
    rules.weight.emplace_back(Rows::Constant(1, kNodes, 1.0 / kNodes));
    Rows wider(grid.rows() * kNodes, c + 1);
    for (Index r = 0; r < wider.rows(); ++r) wider.row(r) << grid.row(r / kNodes), rules.node.back()(0, r % kNodes);
    grid = wider;
    weight = Vector::Constant(grid.rows(), 1.0 / static_cast<double>(grid.rows()));
  }
  const Inputs y = scattered(rng, 3, d);
  const double scale = largest(kernel.diagonal(y));
  const Matrix want = weight.transpose() * kernel.evaluate(grid, y.coordinates());
  EXPECT_LE(largest(expect(kernel, rules, y) - want), kAverage * scale);
  EXPECT_NEAR(expect_diagonal(kernel, rules)[0], weight.dot(kernel.evaluate(grid, grid) * weight), kAverage * scale);
  const Matrix ones = random_weight(rng, 1, y.size());
  const Vector slope = expect_pull_back(kernel, rules, y, ones);
  const Vector by_grid = kernel.parameter_gradient(grid, y.coordinates(), weight * ones);
  EXPECT_LE(largest(slope - by_grid), kFiniteDifference * scale * ones.cwiseAbs().sum());
}

inline void expect_average_pull_back(const Kernel& kernel, Rng& rng) {
  if (!averages_under_windows(kernel)) return;
  const SpreadLaws left = some_windows(rng, kernel.dimension());
  const Matrix weight = random_weight(rng, 5, 5);
  const auto weighted = [&](const Vector& theta) {
    return expect(*kernel.with_log_parameters(theta), left, left).cwiseProduct(weight).sum();
  };
  const Vector want = finite_difference(weighted, kernel.log_parameters());
  const double scale = weight.cwiseAbs().sum() * largest(kernel.diagonal(Inputs(left.centre)));
  EXPECT_LE(largest(expect_pull_back(kernel, left, left, weight) - want), kFiniteDifference * scale);
}

// Without a known average, the error message says what to use instead.
inline void expect_averages_or_refusal(const Kernel& kernel, Rng& rng) {
  if (averages_under_windows(kernel)) return;
  const SpreadLaws laws = some_windows(rng, kernel.dimension());
  expect_refusal([&] { expect(kernel, laws, laws); }, {"kernel", "no known average", "SampledConditional"});
}

inline void expect_spectrum(const Kernel& kernel, Rng& rng) {
  if (!has_spectrum(kernel)) return;
  const auto [frequency, amplitude, nugget] = spectral_features(kernel, 2048, rng);
  const Inputs x = spread_out(rng, 6, kernel.dimension(), 0.0);
  const Inputs y = spread_out(rng, 6, kernel.dimension(), 0.5);
  const Matrix exact = kernel.gram(x, y);
  EXPECT_NEAR(amplitude.squaredNorm() + nugget, kernel.diagonal(x)[0], kRounding * kernel.diagonal(x)[0]);
  for (Index i = 0; i < x.size(); ++i)
    for (Index j = 0; j < y.size(); ++j) {
      const Vector angle = frequency * (x.row(i) - y.row(j)).transpose();
      EXPECT_NEAR((amplitude.array().square() * angle.array().cos()).sum(), exact(i, j),
                  kSpectrum * kernel.diagonal(x)[0]);
    }
}

}  // namespace iqbo::contracts
