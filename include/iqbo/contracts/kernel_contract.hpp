// What every Kernel must do. To run it on a kernel of your own, link iqbo::iqbo and GoogleTest and write
//
//   #include <iqbo/contracts/kernel_contract.hpp>
//
//   struct MakeMine {
//     static std::shared_ptr<const iqbo::Kernel> make() { return std::make_shared<Mine>(...); }
//   };
//   using MineCases = ::testing::Types<MakeMine>;
//   namespace iqbo::contracts {
//   INSTANTIATE_TYPED_TEST_SUITE_P(Mine, KernelContract, MineCases);
//   }
//
// Hyperparameters should be of order 1; each test also tries random ones around them, on points a few units apart. If a
// kernel says what it is made of (Kernel::stationary_terms), its averages under windows are also tested, along one axis
// by brute force, and its spectrum is compared with it.
#pragma once

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <numbers>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "iqbo/average/expectation.hpp"
#include "iqbo/contracts/errors.hpp"
#include "iqbo/contracts/finite_difference.hpp"
#include "iqbo/contracts/matrices.hpp"
#include "iqbo/contracts/tolerance.hpp"
#include "iqbo/kernel/kernel.hpp"
#include "iqbo/kernel/spectral.hpp"
#include "iqbo/kernel/stationary_part.hpp"
#include "iqbo/numerics/gauss_rule.hpp"

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

// --- what a kernel says it is made of ---

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

template <class Maker>
class KernelContract : public ::testing::Test {
 protected:
  static void check(const std::function<void(const Kernel&, Rng&)>& law) {
    const KernelPtr kernel = Maker::make();
    for_random_parameters(*kernel, law);
  }
};

TYPED_TEST_SUITE_P(KernelContract);

TYPED_TEST_P(KernelContract, GramIsSymmetric) { this->check(expect_symmetric); }
TYPED_TEST_P(KernelContract, GramIsSemiDefinite) { this->check(expect_semi_definite); }
TYPED_TEST_P(KernelContract, DiagonalIsThatOfGram) { this->check(expect_diagonal_of_gram); }
TYPED_TEST_P(KernelContract, EntriesDoNotDependOnTheBatch) { this->check(expect_entries_on_their_own); }
TYPED_TEST_P(KernelContract, QueriesAreTreatedAsInputs) { this->check(expect_same_on_queries); }
TYPED_TEST_P(KernelContract, PullBackIsTheDerivative) { this->check(expect_parameter_pull_back); }
TYPED_TEST_P(KernelContract, InputPullBackIsTheDerivative) { this->check(expect_input_pull_back); }
TYPED_TEST_P(KernelContract, GradientsAreFiniteAtCoincidentPoints) { this->check(expect_finite_gradients); }
TYPED_TEST_P(KernelContract, EveryParameterHasItsName) { this->check(expect_named_parameters); }
TYPED_TEST_P(KernelContract, ParametersGoRoundTrip) { this->check(expect_parameter_round_trip); }
TYPED_TEST_P(KernelContract, CloneIsEqual) { this->check(expect_equal_clone); }
TYPED_TEST_P(KernelContract, TakesEmptyBatches) { this->check(expect_empty_batches); }
TYPED_TEST_P(KernelContract, RefusesWrongSizes) { this->check(expect_refusals); }
TYPED_TEST_P(KernelContract, RefusesBadParameters) { this->check(expect_parameter_refusals); }
TYPED_TEST_P(KernelContract, TermsAddUpToIt) { this->check(expect_terms_that_add_up); }
TYPED_TEST_P(KernelContract, AveragesAlongAnAxisAreIntegrals) { this->check(expect_averages_along_axes); }
TYPED_TEST_P(KernelContract, OnlyTheWidthsTogetherMatter) { this->check(expect_averages_of_sums); }
TYPED_TEST_P(KernelContract, RulesAlongAxesAreTheirGrid) { this->check(expect_averages_of_grids); }
TYPED_TEST_P(KernelContract, PullBackOfAveragesIsTheDerivative) { this->check(expect_average_pull_back); }
TYPED_TEST_P(KernelContract, WithoutAveragesSaysWhatToUse) { this->check(expect_averages_or_refusal); }
TYPED_TEST_P(KernelContract, SpectrumAddsUpToIt) { this->check(expect_spectrum); }

REGISTER_TYPED_TEST_SUITE_P(KernelContract, GramIsSymmetric, GramIsSemiDefinite, DiagonalIsThatOfGram,
                            EntriesDoNotDependOnTheBatch, QueriesAreTreatedAsInputs, PullBackIsTheDerivative,
                            InputPullBackIsTheDerivative, GradientsAreFiniteAtCoincidentPoints,
                            EveryParameterHasItsName, ParametersGoRoundTrip, CloneIsEqual, TakesEmptyBatches,
                            RefusesWrongSizes, RefusesBadParameters, TermsAddUpToIt, AveragesAlongAnAxisAreIntegrals,
                            OnlyTheWidthsTogetherMatter, RulesAlongAxesAreTheirGrid, PullBackOfAveragesIsTheDerivative,
                            WithoutAveragesSaysWhatToUse, SpectrumAddsUpToIt);

}  // namespace iqbo::contracts
