// Gradients of beliefs in where they are asked, against differences of what they say.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <memory>

#include "iqbo/conditional/bag.hpp"
#include "iqbo/conditional/sampled.hpp"
#include "iqbo/conditional/spread.hpp"
#include "iqbo/fit/ensemble.hpp"
#include "iqbo/kernel/stationary.hpp"
#include "iqbo/kernel/sum.hpp"
#include "iqbo/kernel/white.hpp"
#include "iqbo/posterior/plain_gp.hpp"
#include "support/errors.hpp"
#include "support/finite_difference.hpp"
#include "support/random.hpp"
#include "support/tolerance.hpp"

namespace iqbo {
namespace {

constexpr double kStep = 2e-3;

// Rows moved one at a time; phi is batched.
template <class PointSet>
void expect_gradient(const Rows& got, const PointSet& at, const std::function<Vector(const PointSet&)>& phi,
                     double tolerance = test::kFiniteDifference) {
  for (Index j = 0; j < at.size(); ++j) {
    const auto f = [&](const Vector& value) {
      Rows moved = at.coordinates();
      moved.row(j) = value;
      return phi(PointSet(moved))[j];
    };
    const Vector want = test::finite_difference(f, at.row(j), kStep);
    EXPECT_LT((got.row(j).transpose() - want).cwiseAbs().maxCoeff(),
              tolerance * std::max(1.0, want.cwiseAbs().maxCoeff()))
        << got.row(j) << "\n"
        << want.transpose();
  }
}

Vector weighed(const Marginals& marginals, const Marginals& weight) {
  Vector out = Vector::Zero(marginals.mean.size());
  if (weight.mean.size() > 0) out += weight.mean.cwiseProduct(marginals.mean);
  if (weight.var.size() > 0) out += weight.var.cwiseProduct(marginals.var);
  return out;
}

std::vector<Marginals> some_weights(Rng& rng, Index n) {
  return {{rng.normals(n), {}}, {{}, rng.normals(n)}, {rng.normals(n), rng.normals(n)}};
}

void expect_query_gradients(const QueryBelief& belief, const Queries& a, double tolerance = test::kFiniteDifference) {
  Rng rng(11);
  for (const Marginals& weight : some_weights(rng, a.size()))
    expect_gradient<Queries>(
        belief.g_pull_back(a, weight), a, [&](const Queries& moved) { return weighed(belief.g(moved), weight); },
        tolerance);
}

void expect_gradients(const Belief& belief, const Queries& a, const Inputs& x,
                      double tolerance = test::kFiniteDifference) {
  expect_query_gradients(belief, a, tolerance);
  Rng rng(12);
  for (const Marginals& weight : some_weights(rng, x.size()))
    expect_gradient<Inputs>(
        belief.f_pull_back(x, weight), x, [&](const Inputs& moved) { return weighed(belief.f(moved), weight); },
        tolerance);
  const Matrix fg = test::uniform_rows(rng, x.size(), a.size(), -1.0, 1.0);
  for (const Marginals& weight : {Marginals{}, Marginals{rng.normals(a.size()), rng.normals(a.size())}})
    expect_gradient<Queries>(
        belief.g_pull_back(a, weight, x, fg), a,
        [&](const Queries& moved) -> Vector {
          return weighed(belief.g(moved), weight) +
                 fg.cwiseProduct(belief.fg_cov(x, moved)).colwise().sum().transpose();
        },
        tolerance);
}

// a = (xi, delta), a location and a width; x on a line.
struct Setting {
  Queries asked, a;
  Inputs looked, x;
  Vector z, z_direct;

  explicit Setting(Rng& rng)
      : asked(test::uniform_rows(rng, 6, 2, 0.1, 0.9)),
        a(test::uniform_rows(rng, 3, 2, 0.1, 0.9)),
        looked(test::random_inputs(rng, 2, 1)),
        x(test::random_inputs(rng, 3, 1)),
        z(rng.normals(6)),
        z_direct(rng.normals(2)) {}

  Posterior posterior(const Kernel& kernel, const Conditional& conditional) const {
    return Posterior(kernel, conditional, LinearMean(0.3, Vector{{0.8}}))
        .condition(asked, z, 0.05)
        .condition(looked, z_direct, 0.02);
  }
};

const GaussianConditional kNormal(QueryMap::columns({0}), QueryMap::columns({1}));
const UniformConditional kBox(QueryMap::columns({0}), QueryMap::columns({1}));

std::vector<std::shared_ptr<const Kernel>> kernels() {
  const Vector l{{0.4}};
  return {Rbf(1.3, l).clone(), Matern12(1.3, l).clone(), Matern32(1.3, l).clone(), Matern52(1.3, l).clone(),
          Sum(Matern52(1.0, l), White(0.2, 1)).clone()};
}

TEST(BeliefGradient, PosteriorOfEveryKernelUnderWindows) {
  Rng rng(1);
  const Setting setting(rng);
  for (const auto& kernel : kernels())
    for (const Conditional* window : std::initializer_list<const Conditional*>{&kNormal, &kBox}) {
      const Posterior post = setting.posterior(*kernel, *window);
      EXPECT_EQ(post.gradients(), Gradients::kAnalytic);
      expect_gradients(post, setting.a, setting.x);
    }
}

TEST(BeliefGradient, PriorAlone) {
  Rng rng(2);
  const Setting setting(rng);
  expect_gradients(Posterior(Rbf(1.0, Vector{{0.4}}), kBox, LinearMean(0.3, Vector{{0.8}})), setting.a, setting.x);
}

TEST(BeliefGradient, WithADiscrepancy) {
  Rng rng(3);
  const Setting setting(rng);
  expect_gradients(setting.posterior(Rbf(1.3, Vector{{0.4}}), kNormal).with_discrepancy(Rbf(0.3, Vector{{0.5, 0.5}})),
                   setting.a, setting.x);
}

TEST(BeliefGradient, MeanOfTheUser) {
  Rng rng(4);
  const Setting setting(rng);
  const CallbackMean wave([](const Inputs& x) -> Vector { return (3.0 * x.coordinates().col(0)).array().sin(); });
  const Posterior post = setting.posterior(Rbf(1.0, Vector{{0.4}}), kNormal).with_prior(Rbf(1.0, Vector{{0.4}}), wave);
  EXPECT_EQ(post.gradients(), Gradients::kDifferences);
  expect_gradients(post, setting.a, setting.x, test::kDifferenced);
}

TEST(BeliefGradient, DifferencedConditional) {
  Rng rng(5);
  const Setting setting(rng);
  const auto rule = SampledConditional::rule(2, 1, [](const Queries& a) {
    std::vector<WeightedPoints> out;
    for (Index i = 0; i < a.size(); ++i)
      out.push_back(
          {Rows{{a.row(i)[0] - a.row(i)[1]}, {a.row(i)[0]}, {a.row(i)[0] + a.row(i)[1]}}, Vector{{0.25, 0.5, 0.25}}});
    return out;
  });
  const Posterior post = setting.posterior(Matern52(1.3, Vector{{0.4}}), rule);
  EXPECT_EQ(post.gradients(), Gradients::kDifferences);
  expect_gradients(post, setting.a, setting.x, test::kDifferenced);
}

// Bags have no gradient in a, but f has one in x.
TEST(BeliefGradient, BagsOnlyInX) {
  const BagConditional bags(Inputs({{0.1}, {0.4}, {0.8}}), {{0, 0, 1.0}, {0, 1, 1.0}, {1, 2, 1.0}});
  const Posterior post =
      Posterior(Matern32(1.0, Vector{{0.3}}), bags).condition(bags.queries(), Vector{{0.4, -1.0}}, 0.1);
  EXPECT_EQ(post.gradients(), Gradients::kNone);
  const Marginals weight{Vector{{1.0, -2.0}}, Vector{{0.5, 3.0}}};
  const Inputs x({{0.25}, {0.93}});
  expect_gradient<Inputs>(post.f_pull_back(x, weight), x,
                          [&](const Inputs& moved) { return weighed(post.f(moved), weight); });
  test::expect_refusal([&] { post.g_pull_back(bags.queries(), weight); }, {"conditional", "no gradient"});
}

TEST(BeliefGradient, PlainGp) {
  Rng rng(6);
  const Setting setting(rng);
  const iqbo::PlainGp gp =
      iqbo::PlainGp(Matern32(1.2, Vector{{0.4, 0.6}}), 0.5).condition(setting.asked, setting.z, 0.1);
  EXPECT_EQ(gp.gradients(), Gradients::kAnalytic);
  expect_query_gradients(gp, setting.a);
  test::expect_refusal([&] { gp.g_pull_back(Queries({{1.0}}), {}); }, {"a:", "1 columns", "2"});
}

TEST(BeliefGradient, Ensemble) {
  Rng rng(7);
  const Setting setting(rng);
  const iqbo::Ensemble both(
      {setting.posterior(Rbf(1.3, Vector{{0.3}}), kNormal), setting.posterior(Matern52(0.7, Vector{{0.8}}), kNormal)},
      Vector{{0.4, 0.6}});
  EXPECT_EQ(both.gradients(), Gradients::kAnalytic);
  expect_gradients(both, setting.a, setting.x);
}

TEST(BeliefGradient, AnySetting) {
  EXPECT_TRUE(rc::check("posterior under boxes and normals", [] {
    Rng rng(*rc::gen::arbitrary<std::uint64_t>());
    const Setting setting(rng);
    const auto all = kernels();
    const auto kernel = all[*rc::gen::inRange<std::size_t>(0, all.size())];
    const QueryMap width = QueryMap::columns({1});
    const SpreadConditional window(QueryMap::columns({0}), width, *rc::gen::arbitrary<bool>() ? width : QueryMap(0.2));
    const Posterior post = setting.posterior(*kernel, window);
    const Marginals weight{rng.normals(1), rng.normals(1)};
    const Queries a = setting.a.slice(0, 1);
    const Vector got = post.g_pull_back(a, weight).row(0);
    const auto f = [&](const Vector& value) { return weighed(post.g(Queries(Rows(value.transpose()))), weight)[0]; };
    const Vector want = test::finite_difference(f, a.row(0), kStep);
    RC_ASSERT((got - want).cwiseAbs().maxCoeff() < test::kFiniteDifference * std::max(1.0, want.cwiseAbs().maxCoeff()));
  }));
}

// More candidates than one chunk holds.
TEST(BeliefGradient, DoesNotDependOnTheBatch) {
  Rng rng(8);
  const Setting setting(rng);
  const Posterior post = setting.posterior(Rbf(1.3, Vector{{0.4}}), kNormal);
  const Queries many(test::uniform_rows(rng, 300, 2, 0.1, 0.9));
  const Marginals weight{rng.normals(300), rng.normals(300)};
  const Matrix fg = test::uniform_rows(rng, setting.x.size(), 300);
  const Rows all = post.g_pull_back(many, weight, setting.x, fg);
  for (const Index j : {0, 255, 256, 299}) {
    const Marginals own{weight.mean.segment(j, 1), weight.var.segment(j, 1)};
    const Rows one = post.g_pull_back(many.slice(j, 1), own, setting.x, fg.col(j));
    EXPECT_LT((one - all.row(j)).cwiseAbs().maxCoeff(), test::kConditioned);
  }
  EXPECT_EQ(post.g_pull_back(many.slice(0, 0), {}).rows(), 0);
}

TEST(BeliefGradient, RefusesWhatDoesNotFit) {
  Rng rng(9);
  const Setting setting(rng);
  const Posterior post = setting.posterior(Rbf(1.3, Vector{{0.4}}), kNormal);
  const iqbo::Ensemble ensemble({post}, Vector::Ones(1));
  for (const Belief* belief : std::initializer_list<const Belief*>{&post, &ensemble}) {
    test::expect_refusal(
        [&] {
          belief->g_pull_back(setting.a, {Vector::Ones(2), {}});
        },
        {"weight.mean", "2 rows", "3"});
    test::expect_refusal([&] { belief->f_pull_back(setting.x, {{}, Vector::Ones(2)}); }, {"weight.var", "2 rows", "3"});
    test::expect_refusal([&] { belief->f_pull_back(Inputs({{0.0, 1.0}}), {}); }, {"x", "2 columns", "1"});
    test::expect_refusal([&] { belief->g_pull_back(setting.a, {}, setting.x, Matrix::Ones(2, 3)); },
                         {"fg_weight", "2 rows", "3"});
    test::expect_refusal([&] { belief->g_pull_back(setting.a, {}, setting.x, Matrix::Ones(3, 2)); },
                         {"fg_weight", "2 columns", "3"});
  }
}

// A belief of the user's own has none until it says so.
struct Flat final : Belief {
  Marginals g(const Queries& a) const override { return {Vector::Zero(a.size()), Vector::Ones(a.size())}; }
  Matrix g_cov(const Queries& a, const Queries& b) const override { return Matrix::Zero(a.size(), b.size()); }
  Marginals f(const Inputs& x) const override { return {Vector::Zero(x.size()), Vector::Ones(x.size())}; }
  Matrix f_cov(const Inputs& x, const Inputs& y) const override { return Matrix::Zero(x.size(), y.size()); }
  Matrix fg_cov(const Inputs& x, const Queries& a) const override { return Matrix::Zero(x.size(), a.size()); }
};

TEST(BeliefGradient, NoneByDefault) {
  const Flat flat;
  const Queries a({{0.0}});
  const Inputs x({{0.0}});
  EXPECT_EQ(flat.gradients(), Gradients::kNone);
  test::expect_refusal([&] { flat.g_pull_back(a, {}); }, {"belief", "no gradients", "Posterior"});
  test::expect_refusal([&] { flat.f_pull_back(x, {}); }, {"belief", "no gradients"});
  test::expect_refusal([&] { flat.g_pull_back(a, {}, x, Matrix::Ones(1, 1)); }, {"belief", "no gradients"});
}

}  // namespace
}  // namespace iqbo
