// A mixture on lists against the mixture of exact posteriors, computed apart.
#include "iqbo/finite/finite_ensemble.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "iqbo/conditional/spread.hpp"
#include "iqbo/kernel/stationary.hpp"
#include "support/errors.hpp"
#include "support/tolerance.hpp"

namespace iqbo {
namespace {

const Inputs kX(Rows(Vector::LinSpaced(15, 0.0, 1.0)));
const Queries kA(Rows(Vector::LinSpaced(11, 0.0, 1.0)));
const Vector kWeights{{0.5, 0.3, 0.2}};
const Vector kNoise{{0.05, 0.02, 0.1}};

std::vector<Posterior> priors() {
  const GaussianConditional window(QueryMap::identity(1), 0.08);
  return {Posterior(Rbf(1.0, Vector{{0.2}}), window),
          Posterior(Matern32(2.0, Vector{{0.1}}), window, ConstantMean(1.0)),
          Posterior(Matern12(0.5, Vector{{0.4}}), window, ConstantMean(-0.5))};
}

FiniteEnsemble listed(const std::vector<Posterior>& posteriors, const Vector& weights = kWeights) {
  std::vector<FiniteBelief> members;
  for (const Posterior& each : posteriors) members.emplace_back(each, kX, kA);
  return {std::move(members), weights};
}

// By the definition: E of the conditional moments, plus the covariance of the conditional means.
struct Mixed {
  Vector f_mean, f_var, g_mean, g_var;
  Matrix fg_cov;

  explicit Mixed(const std::vector<Posterior>& members, const Queries& a = kA) {
    const Index n = kX.size(), p = a.size();
    Matrix second = Matrix::Zero(n, p);
    f_mean = Vector::Zero(n), g_mean = Vector::Zero(p);
    Vector f_square = Vector::Zero(n), g_square = Vector::Zero(p);
    for (std::size_t s = 0; s < members.size(); ++s) {
      const double w = kWeights[static_cast<Index>(s)];
      const Marginals f = members[s].f(kX), g = members[s].g(a);
      f_mean += w * f.mean, g_mean += w * g.mean;
      f_square += w * (f.var + f.mean.cwiseAbs2());
      g_square += w * (g.var + g.mean.cwiseAbs2());
      second += w * (members[s].fg_cov(kX, a) + f.mean * g.mean.transpose());
    }
    f_var = f_square - f_mean.cwiseAbs2();
    g_var = g_square - g_mean.cwiseAbs2();
    fg_cov = second - f_mean * g_mean.transpose();
  }
};

void expect_same(FiniteEnsemble& have, const Mixed& want) {
  constexpr double kEngines = 1e-7;  // what the finite engines promise
  EXPECT_LT((have.f().mean - want.f_mean).cwiseAbs().maxCoeff(), kEngines);
  EXPECT_LT((have.f().var - want.f_var).cwiseAbs().maxCoeff(), kEngines);
  EXPECT_LT((have.g().mean - want.g_mean).cwiseAbs().maxCoeff(), kEngines);
  EXPECT_LT((have.g().var - want.g_var).cwiseAbs().maxCoeff(), kEngines);
  EXPECT_LT((have.fg_cov() - want.fg_cov).cwiseAbs().maxCoeff(), kEngines);
  EXPECT_LT((have.fg_cov({2, 9}) - want.fg_cov({2, 9}, Eigen::all)).cwiseAbs().maxCoeff(), kEngines);
  EXPECT_NEAR(have.g_cov({3})(0, 3), want.g_var[3], kEngines);
}

TEST(FiniteEnsemble, IsTheMixtureOfExactPosteriors) {
  std::vector<Posterior> exact = priors();
  FiniteEnsemble finite = listed(exact);
  expect_same(finite, Mixed(exact));
  for (const auto& [row, z] : {std::pair<Index, double>{4, 1.2}, {7, -0.3}, {4, 1.1}}) {
    finite.observe(row, z, kNoise);
    for (std::size_t s = 0; s < exact.size(); ++s)
      exact[s] = exact[s].condition(kA.slice(row, 1), Vector{{z}}, kNoise[static_cast<Index>(s)]);
    expect_same(finite, Mixed(exact));
  }
}

// One covariance is kept for all members: through every kind of change, and where members change their engine.
TEST(FiniteEnsemble, KeepsTheCovarianceThroughEveryChange) {
  std::vector<Posterior> exact = priors();
  FiniteEnsemble finite = listed(exact);
  finite.fg_cov();
  const auto same = [&](const auto& at, const Vector& z, const Vector& noise_var) {
    finite.observe(at, z, noise_var);
    for (std::size_t s = 0; s < exact.size(); ++s)
      exact[s] = exact[s].condition(at, z, noise_var[static_cast<Index>(s)]);
    expect_same(finite, Mixed(exact, finite.a()));
  };
  same(Queries{{0.333}}, Vector{{0.4}}, kNoise);                         // not listed
  same(Inputs{{0.5}}, Vector{{2.0}}, kNoise);                            // f itself
  same(Queries{{0.1}, {0.9}, {0.5}}, Vector{{0.1, -1.0, 0.7}}, kNoise);  // several at once
  const Queries more{{0.05}, {0.444}};
  finite.add(more);
  ASSERT_EQ(finite.a().size(), kA.size() + more.size());
  expect_same(finite, Mixed(exact, finite.a()));
  same(more.slice(1, 1), Vector{{0.3}}, kNoise);
  same(kA.slice(2, 1), Vector{{0.2}}, Vector{{0.05, 1e-9, 0.1}});  // too little noise for features
  same(kA.slice(3, 1), Vector{{0.4}}, kNoise);
}

// What is kept along the steps is what would be computed now.
TEST(FiniteEnsemble, KeptAndComputedCovariancesAgree) {
  FiniteEnsemble kept = listed(priors()), computed = kept;
  kept.fg_cov();
  for (Index t = 0; t < 30; ++t) {
    const double z = std::sin(static_cast<double>(3 * t));
    kept.observe(5 * t % 11, z, kNoise);
    computed.observe(5 * t % 11, z, kNoise);
  }
  kept.expect(Index{6}, kNoise);
  computed.expect(Index{6}, kNoise);
  EXPECT_LT((kept.fg_cov() - computed.fg_cov()).cwiseAbs().maxCoeff(), test::kConditioned);
}

// The second member assumes no noise, so that two different answers to one query rule it out.
TEST(FiniteEnsemble, LeavesOutAMemberThatIsContradicted) {
  const Vector noise{{0.05, 0.0, 0.1}}, none = Vector::Zero(3);
  FiniteEnsemble all = listed(priors());
  FiniteEnsemble others = listed({priors()[0], priors()[2]}, Vector{{0.5, 0.2}});
  all.fg_cov();
  for (const double z : {1.0, 1.5, 0.7}) {
    all.observe(Index{4}, z, noise);
    others.observe(Index{4}, z, Vector{{0.05, 0.1}});
  }
  EXPECT_EQ(all.weights()[1], 0.0);
  EXPECT_DOUBLE_EQ(all.weights()[0], 0.5 / 0.7);
  all.add(Queries{{0.123}});
  others.add(Queries{{0.123}});
  EXPECT_LT((all.f().mean - others.f().mean).norm(), test::kConditioned);
  EXPECT_LT((all.g().var - others.g().var).norm(), test::kConditioned);
  EXPECT_LT((all.fg_cov() - others.fg_cov()).norm(), test::kConditioned);
  EXPECT_LT((all.g_cov({3}) - others.g_cov({3})).norm(), test::kConditioned);
  Rng rng(1), same(1);
  EXPECT_EQ(all.draw(7, rng).f, others.draw(7, same).f);
  EXPECT_EQ(all.win_probability(2, 0.1, 10, rng).value, others.win_probability(2, 0.1, 10, same).value);

  FiniteEnsemble exact = listed(priors());
  exact.observe(Index{4}, 1.0, none);
  const FiniteEnsemble before = exact;
  test::expect_error<Contradiction>([&] { exact.observe(Index{4}, 2.0, none); }, {"two answers at query (0.4)"});
  EXPECT_EQ(exact.weights(), before.weights());
  EXPECT_EQ(exact.f().mean, before.f().mean);
}

TEST(FiniteEnsemble, WhatIsExpectedIsWhatAllMembersAreTold) {
  FiniteEnsemble finite = listed(priors());
  finite.observe(Index{4}, 1.2, kNoise);
  const Marginals before = finite.g();
  FiniteEnsemble copy = finite;
  copy.expect(Index{8}, kNoise);
  EXPECT_LT(copy.g().var[8], before.var[8]);
  // Told by hand: the mean of all, which no member here finds more than two sds away.
  FiniteEnsemble told = finite;
  told.observe(Index{8}, before.mean[8], kNoise);
  EXPECT_LT((copy.f().mean - told.f().mean).cwiseAbs().maxCoeff(), test::kConditioned);
  EXPECT_LT((copy.f().var - told.f().var).cwiseAbs().maxCoeff(), test::kConditioned);
  const auto disagreement = [](const FiniteEnsemble& some) {
    double out = 0.0;
    for (const FiniteBelief& each : some.members()) out = std::max(out, std::abs(each.g().mean[8] - some.g().mean[8]));
    return out;
  };
  EXPECT_LT(disagreement(copy), 0.5 * disagreement(finite));
  // An unlisted query likewise.
  const Queries unlisted{{0.777}};
  Marginals each{Vector(3), Vector(3)};
  for (Index s = 0; s < 3; ++s) {
    const Marginals g =
        priors()[static_cast<std::size_t>(s)].condition(kA.slice(4, 1), Vector{{1.2}}, kNoise[s]).g(unlisted);
    each.mean[s] = g.mean[0];
    each.var[s] = g.var[0];
  }
  copy = finite;
  copy.expect(unlisted, each, kNoise);
  finite.observe(unlisted, Vector::Constant(1, kWeights.dot(each.mean) / kWeights.sum()), kNoise);
  EXPECT_LT((copy.f().mean - finite.f().mean).cwiseAbs().maxCoeff(), 1e-7);
}

TEST(FiniteEnsemble, WhatIsExpectedMovesNoMeanOfASingleMember) {
  FiniteEnsemble finite({listed(priors()).members().front()}, Vector::Ones(1));
  finite.observe(Index{4}, 1.2, kNoise.head(1));
  const Marginals before = finite.f();
  finite.expect(Index{8}, kNoise.head(1));
  EXPECT_LT((finite.f().mean - before.mean).cwiseAbs().maxCoeff(), test::kConditioned);
  EXPECT_TRUE((finite.f().var.array() <= before.var.array() + test::kConditioned).all());
}

// A member that is certain of another value is not told what contradicts it.
TEST(FiniteEnsemble, NoMemberIsToldWhatItRulesOut) {
  const Vector z = agreed_answer({Vector{{0.0, 1.0}}, Vector{{0.0, 4.0}}}, Vector{{0.01, 0.01}}, Vector{{1.0, 1.0}});
  EXPECT_NEAR(z[0], 0.2, 1e-15);
  EXPECT_NEAR(z[1], 0.5, 1e-15);
}

TEST(FiniteEnsemble, DrawsAndWinsAreThoseOfTheMembers) {
  std::vector<Posterior> exact = priors();
  for (auto& each : exact) each = each.condition(kA.slice(4, 1), Vector{{1.5}}, 0.01);
  const FiniteEnsemble finite = listed(exact);
  Rng rng(5);
  constexpr Index kDraws = 20000;
  const auto [f, g] = finite.draw(kDraws, rng);
  EXPECT_LT((f.rowwise().mean() - finite.f().mean).cwiseAbs().maxCoeff(), 0.05);
  const Vector var = (f.colwise() - f.rowwise().mean()).rowwise().squaredNorm() / kDraws;
  EXPECT_LT((var - finite.f().var).cwiseAbs().maxCoeff(), 0.12);
  Index wins = 0;
  for (Index i = 0; i < kDraws; ++i) {
    Index top = 0;
    f.col(i).maxCoeff(&top);
    wins += top == 6;
  }
  const auto stated = finite.win_probability(6, 0.01, 400, rng);
  EXPECT_NEAR(stated.value, static_cast<double>(wins) / kDraws, 4.0 * std::hypot(stated.error, 0.004));
}

TEST(FiniteEnsemble, SharesAddUp) {
  EXPECT_EQ(shares_of(16, kWeights), (std::vector<Index>{8, 5, 3}));
  EXPECT_EQ(shares_of(1, Vector{{0.25, 0.25, 0.25, 0.25}}), (std::vector<Index>{0, 1, 0, 0}));
  for (Index count = 1; count < 40; ++count) {
    Index sum = 0;
    for (const Index share : shares_of(count, Vector{{0.1, 0.7, 0.15, 0.05}})) sum += share;
    EXPECT_EQ(sum, count);
  }
}

TEST(FiniteEnsemble, OneMemberIsPassedOn) {
  const Posterior one = priors()[0];
  const FiniteBelief alone(one, kX, kA);
  FiniteEnsemble finite = listed({one}, Vector{{3.0}});
  EXPECT_EQ(finite.f().mean, alone.f().mean);
  Rng rng(1), same(1);
  EXPECT_EQ(finite.draw(3, rng).f, alone.draw(3, same).f);
  EXPECT_EQ(finite.description(), alone.description());
}

TEST(FiniteEnsemble, RefusesBadArguments) {
  test::expect_refusal([] { FiniteEnsemble({}, Vector()); }, {"members"});
  test::expect_refusal([] { listed(priors(), Vector{{0.5, 0.5}}); }, {"weights", "2 rows", "3"});
  test::expect_refusal([] { listed(priors(), Vector{{0.5, -0.5, 1.0}}); }, {"weights", "row 1", "-0.5"});
  test::expect_refusal([] { listed(priors(), Vector::Zero(3)); }, {"weights", "sum to 0"});
}

}  // namespace
}  // namespace iqbo
