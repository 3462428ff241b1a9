// Beliefs on lattices, whole and with holes, whose covariances come by lag: against dense linear algebra over all pairs of
// pixels.
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>

#include "iqbo/conditional/bag.hpp"
#include "iqbo/finite/finite_ensemble.hpp"
#include "iqbo/kernel/stationary.hpp"
#include "iqbo/kernel/sum.hpp"
#include "iqbo/kernel/white.hpp"

namespace iqbo {
namespace {

constexpr double kClose = 1e-9;  // of variances of about 1

// Pixels in a random order, without those of a disc in a corner; bags that are rectangles cut by it, of uneven weight, and
// single pixels.
struct Scene {
  Inputs x;
  std::shared_ptr<const BagConditional> bags;
  Matrix weight;  // bags x pixels

  Scene(Index rows, Index columns, bool holes, Rng& rng) {
    std::vector<std::pair<Index, Index>> cells;
    for (Index i = 0; i < rows; ++i)
      for (Index j = 0; j < columns; ++j)
        if (!holes || std::hypot(static_cast<double>(i), static_cast<double>(columns - j)) > 4.0)
          cells.emplace_back(i, j);
    for (std::size_t k = cells.size() - 1; k > 0; --k)
      std::swap(cells[k], cells[static_cast<std::size_t>(rng.below(static_cast<Index>(k) + 1))]);
    const auto n = static_cast<Index>(cells.size());
    Rows at(n, 2);
    for (Index k = 0; k < n; ++k)
      at.row(k) << 0.5 * static_cast<double>(cells[static_cast<std::size_t>(k)].first) + 3.0,
          2.0 * static_cast<double>(cells[static_cast<std::size_t>(k)].second) - 1.0;
    constexpr Index kBags = 13;
    weight = Matrix::Zero(kBags, n);
    for (Index bag = 0; bag < kBags; ++bag) {
      const auto [i, j] = cells[static_cast<std::size_t>(rng.below(n))];
      const Index height = bag % 4 == 0 ? 0 : rng.below(rows), width = bag % 4 == 0 ? 0 : rng.below(columns);
      for (Index k = 0; k < n; ++k) {
        const auto [r, c] = cells[static_cast<std::size_t>(k)];
        if (std::abs(r - i) <= height && std::abs(c - j) <= width)
          weight(bag, k) = bag % 3 == 2 ? 0.1 + rng.uniform() : 1.0;
      }
      weight.row(bag) /= weight.row(bag).sum();
    }
    x = Inputs(at);
    bags = std::make_shared<const BagConditional>(x, SparseRows(weight.sparseView()));
  }
  Queries a() const {
    return Queries::line(Vector::LinSpaced(weight.rows(), 0.0, static_cast<double>(weight.rows() - 1)));
  }
};

// f on the pixels and g on the bags as one vector, given rows of it with noise.
struct Oracle {
  Matrix cov;
  Vector mean;

  Oracle(const Kernel& kernel, const Scene& scene, double level) {
    const Index n = scene.x.size(), p = scene.weight.rows();
    Matrix all(n + p, n);
    all << Matrix::Identity(n, n), scene.weight;
    cov = all * kernel.gram(scene.x) * all.transpose();
    mean = Vector::Constant(n + p, level);
  }
  void observe(const std::vector<Index>& rows, const Vector& z, double noise_var) {
    Matrix s = cov(rows, rows);
    s.diagonal().array() += noise_var;
    const Matrix gain = s.fullPivLu().solve(cov(rows, Eigen::all)).transpose();
    mean += gain * (z - mean(rows));
    cov -= gain * Matrix(cov(rows, Eigen::all));
  }
};

std::vector<std::shared_ptr<const Kernel>> kernels() {
  const Vector l{{1.4, 5.0}};
  return {Stationary("rbf", 1.2, l).clone(), Stationary("matern12", 0.8, l).clone(),
          Stationary("matern52", 1.0, 0.3 * l).clone(),
          Sum({Stationary("matern32", 1.0, l).clone(), White(0.2, 2).clone()}).clone()};
}

void expect_same(const FiniteBelief& have, const Oracle& want) {
  const Index n = have.x().size(), p = have.a().size();
  EXPECT_LT((have.f().mean - want.mean.head(n)).cwiseAbs().maxCoeff(), kClose);
  EXPECT_LT((have.g().mean - want.mean.segment(n, p)).cwiseAbs().maxCoeff(), kClose);
  EXPECT_LT((have.f().var - want.cov.diagonal().head(n)).cwiseAbs().maxCoeff(), kClose);
  EXPECT_LT((have.g().var - want.cov.diagonal().segment(n, p)).cwiseAbs().maxCoeff(), kClose);
  const std::vector<Index> inputs{0, 17, n - 1}, queries{p - 1, 2};
  const Matrix of_f = want.cov(inputs, Eigen::seqN(0, n)), of_fg = want.cov(inputs, Eigen::seqN(n, p));
  EXPECT_LT((have.f_cov(inputs) - of_f).cwiseAbs().maxCoeff(), kClose);
  EXPECT_LT((have.fg_cov(inputs) - of_fg).cwiseAbs().maxCoeff(), kClose);
  const std::vector<Index> rows{n + p - 1, n + 2};
  EXPECT_LT((have.g_cov(queries) - Matrix(want.cov(rows, Eigen::seqN(n, p)))).cwiseAbs().maxCoeff(), kClose);
  EXPECT_LT((have.g_cov_among(queries) - Matrix(want.cov(rows, rows))).cwiseAbs().maxCoeff(), kClose);
}

TEST(BeliefByLag, IsThatOfAllPairsOfPixels) {
  Rng rng(6);
  for (const bool holes : {false, true})
    for (const auto& kernel : kernels()) {
      SCOPED_TRACE(kernel->description() + (holes ? " with holes" : ""));
      const Scene scene(11, 9, holes, rng);
      const Index n = scene.x.size();
      const Posterior prior(*kernel, *scene.bags, ConstantMean(0.7));
      FiniteBelief belief(prior, scene.x, scene.a(), {EngineKind::kDataSpace, 0.01});
      Oracle oracle(*kernel, scene, 0.7);
      expect_same(belief, oracle);
      const std::vector<Index> first{0, 3, 7, 3, 9, 11, 12, 5, 1};  // at once
      const Vector z = rng.normals(static_cast<Index>(first.size()));
      std::vector<Index> rows;
      Rows asked(z.size(), 1);
      for (Index i = 0; i < z.size(); ++i) {
        rows.push_back(n + first[static_cast<std::size_t>(i)]);
        asked(i, 0) = static_cast<double>(first[static_cast<std::size_t>(i)]);
      }
      belief.observe(Queries(asked), z, 0.01);
      oracle.observe(rows, z, 0.01);
      expect_same(belief, oracle);
      belief.observe(4, 0.3, 0.02);  // one by one
      oracle.observe({n + 4}, Vector{{0.3}}, 0.02);
      belief.observe(scene.x.slice(20, 1), Vector{{-0.4}}, 0.01);
      oracle.observe({20}, Vector{{-0.4}}, 0.01);
      expect_same(belief, oracle);
    }
}

TEST(BeliefByLag, GrowsLikeOneThatKnewAllQueries) {
  Rng rng(7);
  const Scene scene(10, 12, true, rng);
  for (const auto& kernel : kernels()) {
    const Posterior prior(*kernel, *scene.bags);
    FiniteBelief belief(prior, scene.x, scene.a().slice(0, 5), {EngineKind::kDataSpace, 0.01});
    Oracle oracle(*kernel, scene, 0.0);
    const Index n = scene.x.size();
    belief.observe(2, 0.5, 0.01);
    oracle.observe({n + 2}, Vector{{0.5}}, 0.01);
    belief.add(scene.a().slice(5, 4));
    belief.observe(7, -0.5, 0.01);
    oracle.observe({n + 7}, Vector{{-0.5}}, 0.01);
    belief.add(scene.a().slice(9, scene.a().size() - 9));
    expect_same(belief, oracle);
  }
}

// Laws over other points, as those that are learned from pairs, have no covariances by lag, and features are worth it at once.
TEST(BeliefByLag, IsNotChosenForLawsOffTheLattice) {
  Rng rng(9);
  const Scene scene(40, 30, false, rng);
  const Inputs logged(Rows(scene.x.coordinates().topRows(300) + 0.1 * rng.normals(600).reshaped(300, 2)));
  const Matrix weight = rng.uniforms(20, 300) / 300.0;
  const BagConditional clouds(logged, SparseRows(weight.sparseView()));
  const Stationary kernel("rbf", 1.0, Vector{{10.0, 30.0}});
  const FiniteBelief belief(Posterior(kernel, clouds), scene.x, clouds.queries(), {EngineKind::kAuto, 0.01});
  EXPECT_EQ(belief.engine(), EngineKind::kLowRank) << belief.description();
  const FiniteBelief bags(Posterior(kernel, *scene.bags), scene.x, scene.a(), {EngineKind::kAuto, 0.01});
  EXPECT_EQ(bags.engine(), EngineKind::kDataSpace) << bags.description();
}

// Many pixels and few answers: no features are looked for. Paths are exact all the same.
TEST(BeliefByLag, IsChosenOnALargeLattice) {
  Rng rng(8);
  const Scene scene(40, 30, true, rng);
  const Stationary kernel("matern32", 1.0, Vector{{3.0, 9.0}});
  FiniteBelief belief(Posterior(kernel, *scene.bags), scene.x, scene.a());
  EXPECT_EQ(belief.engine(), EngineKind::kDataSpace);
  EXPECT_NE(belief.description().find("on a lattice"), std::string::npos);
  Oracle oracle(kernel, scene, 0.0);
  const Index n = scene.x.size(), p = scene.a().size();
  for (Index i = 0; i < p; i += 2) {
    const double z = rng.normal();
    belief.observe(i, z, 0.05);
    oracle.observe({n + i}, Vector::Constant(1, z), 0.05);
  }
  expect_same(belief, oracle);
  constexpr Index kDraws = 4000;
  const auto [f, g] = belief.draw(kDraws, rng);
  const std::vector<Index> some{0, 100, 500, n - 1};
  Matrix off(static_cast<Index>(some.size()) + p, kDraws);
  off << f(some, Eigen::all).colwise() - oracle.mean(some), g.colwise() - oracle.mean.tail(p);
  std::vector<Index> rows = some;
  for (Index j = 0; j < p; ++j) rows.push_back(n + j);
  const Matrix cov = oracle.cov(rows, rows);
  const Matrix drawn = off * off.transpose() / static_cast<double>(kDraws);
  for (Index i = 0; i < cov.rows(); ++i)
    for (Index j = 0; j < cov.cols(); ++j) {
      const double sd = std::sqrt((cov(i, i) * cov(j, j) + cov(i, j) * cov(i, j)) / static_cast<double>(kDraws));
      EXPECT_LT(std::abs(drawn(i, j) - cov(i, j)), 5.0 * sd);
    }
}

// The members of an ensemble share laws, and their covariances are summed by the lags of one kernel.
TEST(BeliefByLag, MixesMembersAsAllPairsOfPixelsDo) {
  Rng rng(16);
  for (const bool holes : {false, true}) {
    const Scene scene(12, 10, holes, rng);
    const Index n = scene.x.size(), p = scene.weight.rows();
    const Vector weights{{0.4, 0.3, 0.2, 0.1}};
    FiniteOptions options{EngineKind::kDataSpace, 0.01};
    options.laws = shared_laws();
    std::vector<FiniteBelief> members;
    std::vector<Oracle> oracles;
    double level = -1.0;
    for (const auto& kernel : kernels()) {
      members.emplace_back(Posterior(*kernel, *scene.bags, ConstantMean(level)), scene.x, scene.a(), options);
      oracles.emplace_back(*kernel, scene, level);
      level += 0.7;
    }
    FiniteEnsemble all(members, weights);
    const Vector noise = Vector::Constant(4, 0.05);
    for (const auto& [query, z] : std::vector<std::pair<Index, double>>{{3, 1.0}, {7, -0.4}, {1, 0.2}}) {
      all.observe(query, z, noise);
      for (Oracle& each : oracles) each.observe({n + query}, Vector::Constant(1, z), 0.05);
    }
    Vector mean = Vector::Zero(n + p);
    for (std::size_t s = 0; s < oracles.size(); ++s) mean += weights[static_cast<Index>(s)] * oracles[s].mean;
    Matrix cov = Matrix::Zero(n + p, n + p);
    for (std::size_t s = 0; s < oracles.size(); ++s) {
      const Vector off = oracles[s].mean - mean;
      cov += weights[static_cast<Index>(s)] * (oracles[s].cov + off * off.transpose());
    }
    const std::vector<Index> inputs{n - 1, 4, 31};
    const Matrix want = cov(inputs, Eigen::seqN(n, p));
    EXPECT_LT((all.fg_cov(inputs) - want).cwiseAbs().maxCoeff(), kClose);
  }
}

// Counts how often the laws of many queries are computed.
class CountingBags final : public Conditional {
 public:
  explicit CountingBags(std::shared_ptr<const BagConditional> bags) : bags_(std::move(bags)) {}
  std::shared_ptr<const Conditional> clone() const override { return std::make_shared<CountingBags>(*this); }
  Index input_dimension() const override { return bags_->input_dimension(); }
  Index query_dimension() const override { return bags_->query_dimension(); }
  Laws laws(const Queries& a) const override {
    *count_ += a.size() > 1 ? 1 : 0;
    return bags_->laws(a);
  }
  Gradients gradients() const override { return Gradients::kNone; }
  const Inputs* support() const override { return bags_->support(); }
  int count() const { return *count_; }

 private:
  std::shared_ptr<const BagConditional> bags_;
  std::shared_ptr<int> count_ = std::make_shared<int>(0);
};

// Laws of many pixels cost more than anything else that members have in common.
TEST(BeliefByLag, ComputesLawsOnceForAllMembers) {
  Rng rng(36);
  const Scene scene(20, 20, false, rng);
  const CountingBags bags(scene.bags);
  FiniteOptions options{EngineKind::kDataSpace, 0.01};
  options.laws = shared_laws();
  std::vector<FiniteBelief> members;
  for (const auto& kernel : kernels())
    members.emplace_back(Posterior(*kernel, bags), scene.x, scene.a().slice(0, 6), options);
  EXPECT_EQ(bags.count(), 1);
  FiniteEnsemble all(members, Vector::Ones(4));
  all.add(scene.a().slice(6, 4));
  EXPECT_EQ(bags.count(), 2);
  ASSERT_TRUE(all.g(scene.a().slice(10, 3)));
  EXPECT_EQ(bags.count(), 3);
}

// What is kept about f on the pixels says what averages of it are that nobody listed.
TEST(BeliefByLag, KnowsQueriesThatAreNotListed) {
  Rng rng(26);
  for (const auto& kernel : kernels()) {
    SCOPED_TRACE(kernel->description());
    const Scene scene(11, 12, true, rng);
    const Index n = scene.x.size();
    const Posterior prior(*kernel, *scene.bags, ConstantMean(0.3));
    FiniteBelief belief(prior, scene.x, scene.a().slice(0, 5), {EngineKind::kDataSpace, 0.01});
    Oracle oracle(*kernel, scene, 0.3);
    belief.observe(2, 1.5, 0.02);
    oracle.observe({n + 2}, Vector::Constant(1, 1.5), 0.02);
    const auto others = belief.g(scene.a().slice(5, 8));
    ASSERT_TRUE(others);
    EXPECT_LT((others->mean - oracle.mean.segment(n + 5, 8)).cwiseAbs().maxCoeff(), kClose);
    EXPECT_LT((others->var - oracle.cov.diagonal().segment(n + 5, 8)).cwiseAbs().maxCoeff(), kClose);
    EXPECT_EQ(belief.a().size(), 5);
    EXPECT_FALSE(FiniteBelief(prior, scene.x, scene.a(), {EngineKind::kLowRank, 0.01}).g(scene.a().slice(0, 1)));
  }
}

}  // namespace
}  // namespace iqbo
