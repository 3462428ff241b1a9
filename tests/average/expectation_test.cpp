// Laws that hold for every kind of law and kernel: symmetry, positive semi-definiteness, limits, gradients, cosines,
// means.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <memory>

#include "iqbo/average/expectation.hpp"
#include "iqbo/kernel/product.hpp"
#include "iqbo/kernel/stationary.hpp"
#include "iqbo/kernel/sum.hpp"
#include "iqbo/kernel/white.hpp"
#include "support/errors.hpp"
#include "support/finite_difference.hpp"
#include "support/oracle.hpp"
#include "support/random.hpp"
#include "support/tolerance.hpp"

namespace iqbo {
namespace {

using test::expect_refusal;

constexpr Index kDimension = 2;

std::vector<std::shared_ptr<const Kernel>> kernels() {
  const Vector l{{0.3, 0.5}};
  return {Rbf(1.4, l).clone(),
          Matern12(1.4, l).clone(),
          Matern32(1.4, l).clone(),
          Matern52(1.4, l).clone(),
          Product({{Rbf(1.2, Vector{{0.4}}), {1}}, {Matern32(0.7, Vector{{0.2}}), {0}}}).clone(),
          Sum(Rbf(1.0, l), White(0.3, kDimension)).clone(),
          Sum({Rbf(1.0, l).clone(), Matern12(0.2, 3.0 * l).clone()}).clone()};
}

// Windows of every sort: normal, box, both, neither, and two that coincide.
SpreadLaws random_spread(Rng& rng, Index n) {
  SpreadLaws laws{test::uniform_rows(rng, n, kDimension), test::uniform_rows(rng, n, kDimension, 0.0, 0.4),
                  test::uniform_rows(rng, n, kDimension, 0.0, 0.4)};
  for (Index i = 0; i < n; ++i) {
    if (i % 4 == 0 || i % 4 == 3) laws.sd.row(i).setZero();
    if (i % 4 == 1 || i % 4 == 3) laws.half_width.row(i).setZero();
  }
  laws.centre.row(n - 1) = laws.centre.row(3);
  return laws;
}

// Signed weights that do not sum to one, as learned embeddings have them; a third of the support unused.
DiscreteLaws random_discrete(Rng& rng, Index n) {
  const Index points = 12;
  SparseRows weight(n, points);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < points; ++j)
      if (j % 3 != 2 && rng.uniform() < 0.6) weight.insert(i, j) = rng.normal();
  weight.makeCompressed();
  return {std::make_shared<const Inputs>(test::random_inputs(rng, points, kDimension)), weight};
}

std::vector<Laws> all_kinds(Rng& rng) {
  return {test::random_inputs(rng, 5, kDimension), random_spread(rng, 8), random_discrete(rng, 6)};
}

// A kernel of the user's own, about which the library knows nothing.
class Cosine final : public Kernel {
 public:
  std::shared_ptr<const Kernel> clone() const override { return std::make_shared<Cosine>(*this); }
  Index dimension() const override { return kDimension; }
  std::vector<std::string> parameter_names() const override { return {}; }
  Vector log_parameters() const override { return {}; }
  std::shared_ptr<const Kernel> with_log_parameters(const Vector&) const override { return clone(); }
  Matrix evaluate(const Rows& x, const Rows& y) const override {
    return (x.col(0).replicate(1, y.rows()) - y.col(0).transpose().replicate(x.rows(), 1)).array().cos();
  }
  Vector evaluate_diagonal(const Rows& x) const override { return Vector::Ones(x.rows()); }
  Vector parameter_gradient(const Rows&, const Rows&, const Matrix&) const override { return {}; }
  Rows input_gradient(const Rows& x, const Rows&, const Matrix&) const override { return 0.0 * x; }
};

TEST(Expectation, IsSymmetricAndItsDiagonalIsItsDiagonal) {
  Rng rng(1);
  for (const auto& kernel : kernels())
    for (const Laws& left : all_kinds(rng)) {
      const Matrix k = expect(*kernel, left, left);
      EXPECT_LT((k - k.transpose()).cwiseAbs().maxCoeff(), test::kRounding);
      EXPECT_LT((k.diagonal() - expect_diagonal(*kernel, left)).cwiseAbs().maxCoeff(), 1e-11);
      for (const Laws& right : all_kinds(rng))
        EXPECT_LT((expect(*kernel, left, right) - expect(*kernel, right, left).transpose()).cwiseAbs().maxCoeff(),
                  test::kRounding);
    }
}

// Cov of f at points, under windows and under signed sums, all together, is a covariance matrix.
TEST(Expectation, JointCovarianceOfEverythingIsPositiveSemiDefinite) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Rng rng(seed);
    for (const auto& kernel : kernels()) {
      const auto laws = all_kinds(rng);
      Index n = 0;
      for (const auto& part : laws) n += part.size();
      Matrix joint(n, n);
      Index row = 0;
      for (const auto& left : laws) {
        Index column = 0;
        for (const auto& right : laws) {
          joint.block(row, column, left.size(), right.size()) = expect(*kernel, left, right);
          column += right.size();
        }
        row += left.size();
      }
      const Vector eigenvalues = Eigen::SelfAdjointEigenSolver<Matrix>(joint).eigenvalues();
      EXPECT_GT(eigenvalues.minCoeff(), -1e-10 * eigenvalues.maxCoeff()) << "seed " << seed;
    }
  }
}

TEST(Expectation, OfDiscreteLawsIsTheDoubleSum) {
  Rng rng(3);
  const auto left = random_discrete(rng, 4);
  const auto right = random_discrete(rng, 5);
  const Matrix w = left.weight;
  const Matrix v = right.weight;
  for (const auto& kernel : kernels()) {
    const Matrix got = expect(*kernel, left, right);
    for (Index i = 0; i < 4; ++i)
      for (Index j = 0; j < 5; ++j) {
        double want = 0.0;
        for (Index p = 0; p < w.cols(); ++p)
          for (Index q = 0; q < v.cols(); ++q)
            want += w(i, p) * v(j, q) * kernel->gram(left.support->slice(p, 1), right.support->slice(q, 1))(0, 0);
        EXPECT_NEAR(got(i, j), want, 1e-12);
      }
  }
}

// The laws of one batch may share a support of any size; only points with weight are visited, in blocks.
TEST(Expectation, OfManyPointsGoesInBlocksAndAgrees) {
  Rng rng(4);
  const Index points = 3000;
  SparseRows weight(2, points);
  for (Index i = 0; i < 2; ++i)
    for (Index j = 0; j < points; ++j) weight.insert(i, j) = rng.uniform() / points;
  weight.makeCompressed();
  const DiscreteLaws laws{std::make_shared<const Inputs>(test::random_inputs(rng, points, kDimension)), weight};
  const Rbf kernel(1.0, Vector{{0.3, 0.5}});
  const Matrix want = Matrix(weight) * kernel.gram(*laws.support) * Matrix(weight).transpose();
  EXPECT_LT((expect(kernel, laws, laws) - want).cwiseAbs().maxCoeff(), test::kRounding);
  EXPECT_LT((expect_diagonal(kernel, laws) - want.diagonal()).cwiseAbs().maxCoeff(), test::kRounding);
}

TEST(Expectation, TendsToTheKernelAsWidthsVanish) {
  Rng rng(5);
  const Inputs x = test::random_inputs(rng, 6, kDimension);
  for (const auto& kernel : {Rbf(1.4, Vector{{0.3, 0.5}}).clone(), Matern52(1.4, Vector{{0.3, 0.5}}).clone()}) {
    const Matrix exact = kernel->gram(x);
    for (const double width : {1e-3, 1e-5, 1e-7}) {
      const Rows widths = Rows::Constant(6, kDimension, width);
      const Rows none = Rows::Zero(6, kDimension);
      // Both kernels are smooth enough that the error is quadratic in the width.
      const double bound = 100.0 * width * width + 1e-11;
      EXPECT_LT((expect(*kernel, SpreadLaws{x.coordinates(), widths, none}, x) - exact).cwiseAbs().maxCoeff(), bound);
      EXPECT_LT((expect(*kernel, SpreadLaws{x.coordinates(), none, widths}, x) - exact).cwiseAbs().maxCoeff(), bound);
    }
    const Rows none = Rows::Zero(6, kDimension);
    EXPECT_LT((expect(*kernel, SpreadLaws{x.coordinates(), none, none}, x) - exact).cwiseAbs().maxCoeff(),
              test::kRounding);
  }
}

TEST(Expectation, WhiteIsSeenByPointsAndBagsButNotByDensities) {
  const White white(2.0, 1);
  const Inputs x({{0.0}, {1.0}, {2.0}});
  SparseRows weight(2, 3);
  weight.insert(0, 0) = 0.5;
  weight.insert(0, 1) = 0.5;
  weight.insert(1, 1) = 0.25;
  weight.insert(1, 2) = 0.75;
  const DiscreteLaws bags{std::make_shared<const Inputs>(x), weight};
  const Matrix q = expect(white, bags, bags);
  EXPECT_DOUBLE_EQ(q(0, 0), 2.0 * 0.5);    // two pixels of weight 1/2
  EXPECT_DOUBLE_EQ(q(0, 1), 2.0 * 0.125);  // one in common
  const SpreadLaws box{Rows{{1.0}}, Rows{{0.0}}, Rows{{0.5}}};
  EXPECT_EQ(expect(white, box, x).cwiseAbs().maxCoeff(), 0.0);
  EXPECT_EQ(expect(white, box, box)(0, 0), 0.0);
  const SpreadLaws point{Rows{{1.0}}, Rows{{0.0}}, Rows{{0.0}}};
  EXPECT_EQ(expect(white, point, x)(0, 1), 2.0);
}

TEST(Expectation, PullBackAgreesWithFiniteDifferences) {
  Rng rng(6);
  for (const auto& kernel : kernels())
    for (const Laws& left : all_kinds(rng))
      for (const Laws& right : all_kinds(rng)) {
        const Matrix weight = rng.normals(left.size() * right.size()).reshaped(left.size(), right.size());
        const auto objective = [&](const Vector& theta) {
          return (weight.array() * expect(*kernel->with_log_parameters(theta), left, right).array()).sum();
        };
        const Vector want = test::finite_difference(objective, kernel->log_parameters());
        const Vector got = expect_pull_back(*kernel, left, right, weight);
        ASSERT_EQ(got.size(), want.size());
        const double scale = std::max(1.0, want.cwiseAbs().maxCoeff());
        // The mixture behind Matern averages is right to 1e-11, so its differences at step 1e-2 are to about 1e-8.
        EXPECT_LT((got - want).cwiseAbs().maxCoeff(), 2e-8 * scale) << got.transpose() << "\n" << want.transpose();
      }
}

TEST(Expectation, OfCosinesUnderWindowsAgainstQuadrature) {
  const SpreadLaws laws{Rows{{0.4, -0.2}, {0.4, -0.2}}, Rows{{0.3, 0.1}, {0.0, 0.0}}, Rows{{0.0, 0.0}, {0.5, 0.2}}};
  const Rows frequency{{2.0, 0.0}, {0.0, -7.0}, {1.5, 3.0}};
  const Vector phase{{0.3, 1.0, -2.0}};
  const Matrix got = expect_cosines(laws, frequency, phase);
  for (Index r = 0; r < 3; ++r) {
    const auto angle = [&](test::Real u, test::Real v) {
      return frequency(r, 0) * (0.4L + u) + frequency(r, 1) * (-0.2L + v) + phase[r];
    };
    const auto normal = test::integrate(
        [&](test::Real u) {
          return std::exp(-u * u / 0.18L) *
                 test::integrate([&](test::Real v) { return std::exp(-v * v / 0.02L) * std::cos(angle(u, v)); }, -1.0L,
                                 1.0L, 10);
        },
        -3.0L, 3.0L, 10);
    EXPECT_NEAR(got(0, r), static_cast<double>(normal) / (2.0 * M_PI * 0.03), 1e-12);
    const auto box = test::integrate(
        [&](test::Real u) {
          return test::integrate([&](test::Real v) { return std::cos(angle(u, v)); }, -0.2L, 0.2L, 2);
        },
        -0.5L, 0.5L, 2);
    EXPECT_NEAR(got(1, r), static_cast<double>(box) / 0.4, 1e-12);
  }
}

TEST(Expectation, OfCosinesUnderPointsAndSums) {
  Rng rng(8);
  const auto laws = random_discrete(rng, 4);
  const Rows frequency = test::uniform_rows(rng, 5, kDimension, -3.0, 3.0);
  const Vector phase = test::random_vector(rng, 5, -3.0, 3.0);
  const Matrix at_points = expect_cosines(*laws.support, frequency, phase);
  EXPECT_NEAR(at_points(3, 2), std::cos(frequency.row(2).dot(laws.support->row(3)) + phase[2]), test::kRounding);
  EXPECT_LT((expect_cosines(laws, frequency, phase) - Matrix(laws.weight) * at_points).cwiseAbs().maxCoeff(),
            test::kRounding);
}

TEST(Expectation, OfMeans) {
  const SpreadLaws laws{Rows{{0.4, -0.2}, {1.0, 2.0}}, Rows{{0.3, 0.1}, {0.0, 0.2}}, Rows{{0.0, 0.6}, {0.0, 0.0}}};
  EXPECT_EQ(expect(ConstantMean(1.5), laws), Vector::Constant(2, 1.5));
  EXPECT_NEAR(expect(LinearMean(1.0, Vector{{2.0, -1.0}}), laws)[0], 1.0 + 0.8 + 0.2, test::kRounding);

  // E X^2 = centre^2 + sd^2 + half_width^2 / 3, E X^4 of a normal: facts about moments.
  const CallbackMean square([](const Inputs& x) -> Vector { return x.coordinates().col(1).array().square(); });
  EXPECT_NEAR(expect(square, laws)[0], 0.04 + 0.01 + 0.12, 1e-12);
  EXPECT_NEAR(expect(square, laws)[1], 4.0 + 0.04, 1e-12);
  const CallbackMean fourth([](const Inputs& x) -> Vector { return (x.coordinates().col(0).array() - 0.4).pow(4); });
  EXPECT_NEAR(expect(fourth, laws)[0], 3.0 * std::pow(0.3, 4), 1e-12);

  const SpreadLaws four{Rows::Zero(1, 4), Rows::Ones(1, 4), Rows::Zero(1, 4)};
  expect_refusal([&] { expect(square, four); }, {"mean", "three axes", "SampledConditional"});
}

TEST(Expectation, ConstantPartOfAMeanPassesThroughSignedWeights) {
  Rng rng(9);
  const auto laws = random_discrete(rng, 5);
  EXPECT_EQ(expect(ConstantMean(2.5), laws), Vector::Constant(5, 2.5));
  const Vector linear = expect(LinearMean(2.5, Vector{{1.0, -3.0}}), laws);
  const Vector want = Matrix(laws.weight) * laws.support->coordinates() * Vector{{1.0, -3.0}};
  EXPECT_LT((linear - (want.array() + 2.5).matrix()).cwiseAbs().maxCoeff(), test::kRounding);
}

TEST(Expectation, ConstantPartOfAMeanMayBeAveragedLiterally) {
  Rng rng(9);
  auto laws = random_discrete(rng, 5);
  const auto exact = laws;
  laws.exact_constant = false;
  const Vector want = 2.5 * Matrix(laws.weight).rowwise().sum();
  EXPECT_LT((expect(ConstantMean(2.5), laws) - want).cwiseAbs().maxCoeff(), test::kRounding);
  EXPECT_LT((expect(ConstantMean(2.5), Laws(laws).slice(3, 2)) - want.tail(2)).cwiseAbs().maxCoeff(), test::kRounding);
  expect_refusal([&] { Laws(laws).joined(exact); }, {"laws", "constant part"});
}

TEST(Expectation, JacobianOfMeansAgreesWithFiniteDifferences) {
  Rng rng(10);
  const LinearMean mean(0.7, Vector{{1.0, -3.0}});
  auto kinds = all_kinds(rng);
  auto literal = random_discrete(rng, 5);
  literal.exact_constant = false;
  kinds.emplace_back(literal);
  for (const Laws& laws : kinds) {
    const Matrix got = expect_jacobian(mean, laws);
    for (Index i = 0; i < laws.size(); ++i) {
      const auto value = [&](const Vector& beta) { return expect(*mean.with_parameters(beta), laws)[i]; };
      EXPECT_LT((got.row(i).transpose() - test::finite_difference(value, mean.parameters())).cwiseAbs().maxCoeff(),
                10.0 * test::kFiniteDifference);
    }
  }
}

TEST(Expectation, OfAUserKernelNeedsAFiniteSupport) {
  Rng rng(11);
  const Cosine kernel;
  const auto discrete = random_discrete(rng, 3);
  const Matrix want = Matrix(discrete.weight) * kernel.gram(*discrete.support) * Matrix(discrete.weight).transpose();
  EXPECT_LT((expect(kernel, discrete, discrete) - want).cwiseAbs().maxCoeff(), test::kRounding);
  expect_refusal([&] { expect(kernel, random_spread(rng, 4), discrete); }, {"kernel", "SampledConditional"});
}

TEST(Expectation, RefusesWhatDoesNotFit) {
  Rng rng(12);
  const Rbf line(1.0, Vector{{1.0}});
  const Laws plane = test::random_inputs(rng, 3, 2);
  expect_refusal([&] { expect(line, plane, plane); }, {"2 columns", "expected 1"});
  const Rbf kernel(1.0, Vector{{1.0, 1.0}});
  expect_refusal([&] { expect_pull_back(kernel, plane, plane, Matrix::Ones(3, 2)); }, {"weight", "2 columns", "3"});
  expect_refusal([&] { expect_cosines(plane, Rows::Ones(2, 3), Vector::Ones(2)); }, {"frequency", "3 columns", "2"});
  expect_refusal([&] { expect_cosines(plane, Rows::Ones(2, 2), Vector::Ones(3)); }, {"phase", "3 rows", "2"});
  expect_refusal([&] { Laws(SpreadLaws{Rows{{0.0}}, Rows{{-0.1}}, Rows{{0.0}}}); }, {"sd", "row 0", "-0.1", ">= 0"});
  expect_refusal(
      [&] {
        Laws(SpreadLaws{Rows{{0.0}}, Rows{{0.1}}, Rows{{0.0, 1.0}}});
      },
      {"half_width", "2 columns", "1"});
  expect_refusal([&] { Laws(DiscreteLaws{nullptr, SparseRows(1, 1)}); }, {"support"});
  expect_refusal(
      [&] {
        Laws(Inputs({{0.0}})).joined(SpreadLaws{Rows{{0.0}}, Rows{{0.1}}, Rows{{0.0}}});
      },
      {"laws", "kind"});
}

}  // namespace
}  // namespace iqbo
