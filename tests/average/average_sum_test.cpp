// Gradients of averages in laws and in queries, against differences of the averages.
#include "iqbo/average/average_sum.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "iqbo/conditional/bag.hpp"
#include "iqbo/conditional/sampled.hpp"
#include "iqbo/conditional/truncated.hpp"
#include "iqbo/kernel/product.hpp"
#include "iqbo/kernel/sum.hpp"
#include "iqbo/kernel/white.hpp"
#include "iqbo/learned/learned.hpp"
#include "support/errors.hpp"
#include "support/finite_difference.hpp"
#include "support/random.hpp"
#include "support/tolerance.hpp"

namespace iqbo {
namespace {

using test::expect_refusal;

constexpr Index kDimension = 2;
constexpr double kStep = 2e-3;  // windows are 0.05 wide and wider

const ConstantMean kZero(0.0);

std::vector<std::shared_ptr<const Kernel>> kernels() {
  const Vector l{{0.3, 0.5}};
  return {Rbf(1.4, l).clone(),
          Matern12(1.4, l).clone(),
          Matern32(1.4, l).clone(),
          Matern52(1.4, l).clone(),
          Product({{Rbf(1.2, Vector{{0.4}}), {1}}, {Matern32(0.7, Vector{{0.2}}), {0}}}).clone(),
          Sum(Rbf(1.0, l), White(0.3, kDimension)).clone()};
}

// In turn: a box, a normal, both, a point.
SpreadLaws random_spread(Rng& rng, Index n) {
  SpreadLaws laws{test::uniform_rows(rng, n, kDimension), test::uniform_rows(rng, n, kDimension, 0.05, 0.4),
                  test::uniform_rows(rng, n, kDimension, 0.05, 0.4)};
  for (Index i = 0; i < n; ++i) {
    if (i % 4 == 0 || i % 4 == 3) laws.sd.row(i).setZero();
    if (i % 4 == 1 || i % 4 == 3) laws.half_width.row(i).setZero();
  }
  return laws;
}

DiscreteLaws random_discrete(Rng& rng, Index n) {
  SparseRows weight(n, 5);
  for (Index i = 0; i < n; ++i)
    for (Index j = i % 2; j < 5; j += 2) weight.insert(i, j) = rng.normal();
  weight.makeCompressed();
  return {std::make_shared<const Inputs>(test::random_inputs(rng, 5, kDimension)), weight};
}

std::vector<Laws> all_kinds(Rng& rng) {
  const Laws points = test::random_inputs(rng, 3, kDimension);
  const Laws spread = random_spread(rng, 3);
  return {points, random_spread(rng, 4), random_discrete(rng, 3), Laws::mixture(Vector{{0.3, 0.7}}, {points, spread})};
}

Matrix random_matrix(Rng& rng, Index rows, Index columns) { return test::uniform_rows(rng, rows, columns, -1.0, 1.0); }

void expect_close(const Vector& got, const Vector& want, double tolerance) {
  EXPECT_LT((got - want).cwiseAbs().maxCoeff(), tolerance * std::max(1.0, want.cwiseAbs().maxCoeff()))
      << got.transpose() << "\n"
      << want.transpose();
}

// Differences of sum.at() in all parameters of all laws; a zero width is not moved.
void expect_law_gradient(const AverageSum& sum, const SpreadLaws& laws, double tolerance = test::kFiniteDifference) {
  const SpreadGradient got = sum.gradient(laws);
  const auto check = [&](Rows SpreadLaws::*which, const Rows& gradient, bool zero_stays) {
    for (Index j = 0; j < laws.centre.rows(); ++j) {
      if (zero_stays && (laws.*which).row(j).isZero(0.0)) {
        EXPECT_TRUE(gradient.row(j).isZero(0.0));
        continue;
      }
      const auto f = [&](const Vector& value) {
        SpreadLaws moved = laws;
        (moved.*which).row(j) = value;
        return sum.at(moved)[j];
      };
      expect_close(gradient.row(j), test::finite_difference(f, (laws.*which).row(j), kStep), tolerance);
    }
  };
  check(&SpreadLaws::centre, got.centre, false);
  check(&SpreadLaws::sd, got.sd, true);
  check(&SpreadLaws::half_width, got.half_width, true);
}

TEST(AverageSum, GradientInSpreadLawsForEveryKernelAndKind) {
  Rng rng(1);
  for (const auto& kernel : kernels())
    for (const Laws& left : all_kinds(rng)) {
      const SpreadLaws laws = random_spread(rng, 4);
      expect_law_gradient({*kernel, kZero, {}, {}, {{left, random_matrix(rng, left.size(), 4)}}}, laws);
    }
}

TEST(AverageSum, GradientAgainstAxisLaws) {
  Rng rng(9);
  const Laws left = AxisLaws{{test::uniform_rows(rng, 2, 3), test::uniform_rows(rng, 2, 2)},
                             {Rows{{0.2, 0.5, 0.3}, {1.0, 0.0, 0.0}}, Rows{{0.4, 0.6}, {0.1, 0.9}}}};
  const Rbf kernel(1.0, Vector{{0.3, 0.5}});
  const AverageSum sum{kernel, kZero, {}, {}, {{left, random_matrix(rng, 2, 4)}}};
  expect_law_gradient(sum, random_spread(rng, 4));
  const Inputs x = test::random_inputs(rng, 4, kDimension);
  EXPECT_LT((sum.gradient(x) - sum.gradient(SpreadLaws{x.coordinates(), Rows::Zero(4, 2), Rows::Zero(4, 2)}).centre)
                .cwiseAbs()
                .maxCoeff(),
            test::kRounding);
}

TEST(AverageSum, GradientOfTheDiagonalInSpreadLaws) {
  Rng rng(2);
  for (const auto& kernel : kernels())
    expect_law_gradient({*kernel, kZero, {}, rng.normals(4), {}}, random_spread(rng, 4));
}

TEST(AverageSum, GradientInInputsForEveryKernelAndKind) {
  Rng rng(3);
  for (const auto& kernel : kernels())
    for (const Laws& left : all_kinds(rng)) {
      const Inputs x = test::random_inputs(rng, 3, kDimension);
      const AverageSum sum{*kernel, kZero, {}, rng.normals(3), {{left, random_matrix(rng, left.size(), 3)}}};
      const Rows got = sum.gradient(x);
      for (Index j = 0; j < x.size(); ++j) {
        const auto f = [&](const Vector& value) {
          Rows moved = x.coordinates();
          moved.row(j) = value;
          return sum.at(Inputs(moved))[j];
        };
        expect_close(got.row(j), test::finite_difference(f, x.row(j), kStep), test::kFiniteDifference);
      }
    }
}

TEST(AverageSum, GradientOfMeans) {
  Rng rng(4);
  const Rbf kernel(1.0, Vector{{1.0, 1.0}});
  const CallbackMean wave([](const Inputs& x) -> Vector {
    return (2.0 * x.coordinates().col(0)).array().sin() * x.coordinates().col(1).array().exp();
  });
  for (const std::shared_ptr<const Mean>& mean :
       {ConstantMean(2.0).clone(), LinearMean(1.0, Vector{{0.5, -3.0}}).clone(), wave.clone()}) {
    SpreadLaws laws = random_spread(rng, 4);
    laws.sd.row(2).setZero();  // three axes with a width at most
    const AverageSum sum{kernel, *mean, rng.normals(4), {}, {}};
    const double tolerance = mean->is_affine() ? test::kFiniteDifference : test::kDifferenced;
    expect_law_gradient(sum, laws, tolerance);
    const auto f = [&](const Vector& x) { return sum.at(Inputs(x.reshaped<Eigen::RowMajor>(4, 2)))[1]; };
    const Vector want = test::finite_difference(f, laws.centre.reshaped<Eigen::RowMajor>());
    expect_close(sum.gradient(Inputs(laws.centre)).row(1), want.segment(2, 2), tolerance);
  }
}

// k(x, y) = x.y: its diagonal varies, unlike that of the kernels above.
class Dot final : public Kernel {
 public:
  std::shared_ptr<const Kernel> clone() const override { return std::make_shared<Dot>(*this); }
  Index dimension() const override { return kDimension; }
  std::vector<std::string> parameter_names() const override { return {}; }
  Vector log_parameters() const override { return {}; }
  std::shared_ptr<const Kernel> with_log_parameters(const Vector&) const override { return clone(); }
  Matrix evaluate(const Rows& x, const Rows& y) const override { return x * y.transpose(); }
  Vector evaluate_diagonal(const Rows& x) const override { return x.rowwise().squaredNorm(); }
  Vector parameter_gradient(const Rows&, const Rows&, const Matrix&) const override { return {}; }
  Rows input_gradient(const Rows&, const Rows& y, const Matrix& weight) const override { return weight * y; }
};

TEST(AverageSum, DiagonalOfAKernelThatVaries) {
  const Inputs x({{1.0, 2.0}, {-3.0, 0.5}});
  const Dot kernel;
  EXPECT_EQ((AverageSum{kernel, kZero, {}, Vector{{1.0, 10.0}}, {}}.gradient(x)), (Rows{{2.0, 4.0}, {-60.0, 10.0}}));
}

// Matern 1/2 has no derivative where points coincide, and contributes nothing there; nor does White anywhere.
TEST(AverageSum, CoincidingPoints) {
  const Inputs here({{0.3, 0.7}});
  const SpreadLaws law{here.coordinates(), Rows::Zero(1, 2), Rows::Zero(1, 2)};
  for (const auto& kernel : kernels()) {
    const AverageSum sum{*kernel, kZero, {}, Vector::Ones(1), {{here, Matrix::Ones(1, 1)}}};
    EXPECT_TRUE(sum.gradient(here).isZero(0.0));
    const SpreadGradient got = sum.gradient(law);
    for (const Rows* part : {&got.centre, &got.sd, &got.half_width}) EXPECT_TRUE(part->isZero(0.0));
  }
}

// So far that nothing is left: no NaN out of 0 times infinity.
TEST(AverageSum, FarApart) {
  const Inputs far({{1e200, 0.0}});
  for (const auto& kernel : kernels())
    for (const double width : {0.0, 0.1}) {
      const SpreadLaws law{Rows::Zero(1, 2), Rows::Constant(1, 2, width), Rows::Constant(1, 2, width)};
      const SpreadGradient got = AverageSum{*kernel, kZero, {}, {}, {{far, Matrix::Ones(1, 1)}}}.gradient(law);
      for (const Rows* part : {&got.centre, &got.sd, &got.half_width})
        EXPECT_LT(part->cwiseAbs().maxCoeff(), test::kVanished);
    }
}

// Every sort of conditional: d sum.at(laws(a)) / da.
void expect_query_gradient(const Conditional& conditional, const Queries& a, double tolerance,
                           const std::shared_ptr<const Kernel>& kernel = kernels().front()) {
  Rng rng(5);
  const LinearMean mean(1.0, Vector{{0.5, -3.0}});
  const Laws seen = random_spread(rng, 4);
  const AverageSum sum{
      *kernel, mean, rng.normals(a.size()), rng.normals(a.size()), {{seen, random_matrix(rng, seen.size(), a.size())}}};
  const Rows got = conditional.pull_back(a, sum);
  for (Index j = 0; j < a.size(); ++j) {
    const auto f = [&](const Vector& value) {
      Rows moved = a.coordinates();
      moved.row(j) = value;
      return sum.at(conditional.laws(Queries(moved)))[j];
    };
    expect_close(got.row(j), test::finite_difference(f, a.row(j), kStep), tolerance);
  }
}

QueryMap bent() {
  return QueryMap::function(2, 2, [](const Queries& a) -> Rows {
    Rows out(a.size(), 2);
    out << a.coordinates().col(0).array().square(), (a.coordinates().col(0).array() * a.coordinates().col(1).array());
    return out;
  });
}

QueryMap bent_with_jacobian() {
  return QueryMap::function(
      2, 2, [](const Queries& a) { return bent()(a); },
      [](const Queries& a) {
        std::vector<Matrix> out;
        for (Index i = 0; i < a.size(); ++i)
          out.push_back(Matrix{{2.0 * a.row(i)[0], 0.0}, {a.row(i)[1], a.row(i)[0]}});
        return out;
      });
}

TEST(ConditionalGradient, ThroughEveryMap) {
  Rng rng(6);
  const Queries a(test::uniform_rows(rng, 4, 3, 0.1, 0.9));
  const QueryMap delta = QueryMap::columns({2});
  const QueryMap affine = QueryMap::affine(Matrix{{1.0, 0.5}, {-0.3, 2.0}}, Vector{{0.1, -0.2}});
  for (const auto& mu : {QueryMap::columns({1, 0}), QueryMap::columns({1, 1}), affine, bent_with_jacobian()}) {
    const SpreadConditional both(mu, delta, delta);
    for (const SpreadConditional& window :
         {SpreadConditional(GaussianConditional(mu, delta)), SpreadConditional(UniformConditional(mu, delta)), both}) {
      EXPECT_EQ(window.gradients(), Gradients::kAnalytic);
      expect_query_gradient(window, a, test::kFiniteDifference);
    }
  }
  for (const auto& kernel : kernels())
    expect_query_gradient(SpreadConditional(QueryMap::columns({0, 1}), 0.1, delta), a, test::kFiniteDifference, kernel);
  const GaussianConditional differenced(bent(), delta);
  EXPECT_EQ(differenced.gradients(), Gradients::kDifferences);
  expect_query_gradient(differenced, a, test::kDifferenced);
}

TEST(ConditionalGradient, ByDifferences) {
  Rng rng(7);
  const Queries a(test::uniform_rows(rng, 3, 2, 0.2, 0.8));
  const auto rule = SampledConditional::rule(2, 2, [](const Queries& batch) {
    std::vector<WeightedPoints> out;
    for (Index i = 0; i < batch.size(); ++i) {
      const Rows at = batch.coordinates().row(i);
      Rows points(2, 2);
      points << at, at.array().square();
      out.push_back({points, Vector{{1.0, 0.5 + at(0, 0)}}});
    }
    return out;
  });
  EXPECT_EQ(rule.gradients(), Gradients::kDifferences);
  expect_query_gradient(rule, a, test::kDifferenced);
  const TruncatedConditional cut(GaussianConditional(QueryMap::identity(2), 0.3),
                                 InputBox(Vector{{0.0, 0.0}}, Vector{{1.0, 1.0}}), Truncation::kClip);
  expect_query_gradient(cut, a, test::kDifferenced);
}

// Learned models move only the columns that are numbers: a code has no neighbours.
TEST(ConditionalGradient, OfLearnedModels) {
  Rng rng(8);
  const Index n = 60;
  Rows a(n, 2);
  a << 10.0 * test::uniform_rows(rng, n, 1), (rng.uniforms(n, 1).array() < 0.5).cast<double>();
  Rows x(n, kDimension);
  x << 0.1 * a.col(0) + 0.3 * a.col(1) + 0.1 * rng.normals(n), 0.2 * rng.normals(n);
  const Rbf kernel(1.4, Vector{{0.3, 0.5}});
  const AverageSum sum{kernel, kZero, {}, {}, {{random_spread(rng, 4), random_matrix(rng, 4, 2)}}};
  const Queries at({{4.0, 0.0}, {6.5, 1.0}});
  for (const auto kind : {LearnedKind::kShift, LearnedKind::kCme, LearnedKind::kNw, LearnedKind::kPlugIn}) {
    LearnedOptions options;
    options.model = kind;
    options.categories = {1};
    const LearnedConditional learned(Inputs(x), Queries(a), options);
    EXPECT_EQ(learned.gradients(), Gradients::kDifferences);
    const Rows got = learned.pull_back(at, sum);
    EXPECT_TRUE(got.col(1).isZero(0.0));
    for (Index j = 0; j < at.size(); ++j) {
      const auto f = [&](const Vector& value) {
        Rows moved = at.coordinates();
        moved(j, 0) = value[0];
        return sum.at(learned.laws(Queries(moved)))[j];
      };
      expect_close(got.row(j).head(1), test::finite_difference(f, at.row(j).head(1), 1e-2), test::kDifferenced);
    }
  }
}

TEST(ConditionalGradient, NoneWhereQueriesHaveNoNeighbours) {
  const Rbf kernel(1.0, Vector{{1.0, 1.0}});
  const AverageSum sum{kernel, kZero, Vector::Ones(1), {}, {}};
  const BagConditional bags(Inputs({{0.0, 0.0}, {1.0, 1.0}}), {{0, 0, 1.0}, {0, 1, 1.0}});
  EXPECT_EQ(bags.gradients(), Gradients::kNone);
  expect_refusal([&] { bags.pull_back(Queries({{0.0}}), sum); }, {"conditional", "no gradient", "window"});
  const auto sampler = SampledConditional::sampler(
      1, 2, [](const Queries&, Index n, Rng& rng) -> Rows { return rng.uniforms(n, 2); }, 3, 1);
  EXPECT_EQ(sampler.gradients(), Gradients::kNone);
  expect_refusal([&] { sampler.pull_back(Queries({{0.0}}), sum); }, {"conditional", "draws of their own"});
}

TEST(ConditionalGradient, RefusesWhatDoesNotFit) {
  const Rbf kernel(1.0, Vector{{1.0, 1.0}});
  const GaussianConditional window(QueryMap::identity(2), 0.1);
  const Queries a({{0.0, 0.0}});
  expect_refusal(
      [&] {
        window.pull_back(a, {kernel, kZero, Vector::Ones(2), {}, {}});
      },
      {"weight of the mean", "2 rows", "1"});
  expect_refusal(
      [&] {
        window.pull_back(a, {kernel, kZero, {}, Vector::Ones(3), {}});
      },
      {"weight of the variance", "3 rows", "1"});
  const Laws one = Inputs({{0.0, 0.0}});
  expect_refusal(
      [&] {
        window.pull_back(a, {kernel, kZero, {}, {}, {{one, Matrix::Ones(2, 1)}}});
      },
      {"weight", "2 rows", "1"});
  expect_refusal(
      [&] {
        window.pull_back(a, {kernel, kZero, {}, {}, {{one, Matrix::Ones(1, 2)}}});
      },
      {"weight", "2 columns", "1"});
  const auto wrong = QueryMap::function(
      2, 2, [](const Queries& q) -> Rows { return q.coordinates(); },
      [](const Queries& q) { return std::vector<Matrix>(static_cast<std::size_t>(q.size()), Matrix::Ones(2, 3)); });
  expect_refusal([&] { wrong.pull_back(a, Rows::Ones(1, 2)); }, {"jacobian of a", "3 columns", "2"});
  expect_refusal([&] { wrong.pull_back(a, Rows::Ones(1, 3)); }, {"weight", "3 columns", "2"});
  expect_refusal([&] { wrong.pull_back(a, Rows::Ones(2, 2)); }, {"weight", "2 rows", "1"});
}

}  // namespace
}  // namespace iqbo
