// CKG over the inputs that can win, against CKG over all inputs: never off by more than the bound that is stated.
#include "policy/scene/contenders.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "iqbo/acquisition/knowledge_gradient.hpp"
#include "iqbo/conditional/bag.hpp"
#include "iqbo/kernel/stationary.hpp"

namespace iqbo {
namespace {

constexpr Index kSide = 24, kBlocks = 6;

// Two members that disagree, on a lattice, after `answers` answers about blocks of cells.
FiniteEnsemble belief(const char* family, double lengthscale, Index answers, Rng& rng) {
  Rows x(kSide * kSide, 2);
  std::vector<BagRow> rows;
  for (Index i = 0; i < x.rows(); ++i) {
    const Index row = i / kSide, column = i % kSide;
    x.row(i) << static_cast<double>(row), static_cast<double>(column);
    rows.push_back({row * kBlocks / kSide * kBlocks + column * kBlocks / kSide, i, 1.0});
  }
  const BagConditional bags(Inputs(x), rows);
  const Queries a = Queries::line(Vector::LinSpaced(kBlocks * kBlocks, 0.0, kBlocks * kBlocks - 1.0));
  std::vector<FiniteBelief> members;
  for (const double scale : {1.0, 1.6})
    members.emplace_back(Posterior(Stationary(family, scale, Vector::Constant(2, scale * lengthscale)), bags),
                         Inputs(x), a);
  FiniteEnsemble out(std::move(members), Vector{{0.6, 0.4}});
  for (Index t = 0; t < answers; ++t) out.observe(rng.below(a.size()), 1.5 * rng.normal(), Vector{{0.01, 0.02}});
  return out;
}

Vector worth(const FiniteEnsemble& of, const std::vector<Index>& rows) {
  return knowledge_gradient(of.f().mean(rows), of.fg_cov(rows), of.g().var, Vector::Constant(of.a().size(), 0.015));
}

TEST(Contenders, LoseNoMoreThanIsStated) {
  Rng rng(5);
  std::vector<Index> all(kSide * kSide);
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<Index>(i);
  Index fewer = 0, blocks = 0;
  for (const char* family : {"rbf", "matern12", "matern32"})
    for (const double lengthscale : {2.0, 8.0, 20.0})
      for (const Index answers : {1, 12, 60})
        for (const Index most : {kMostContenders, Index{60}}) {
          SCOPED_TRACE(std::string(family) + ", " + std::to_string(lengthscale) + ", " + std::to_string(answers));
          const FiniteEnsemble now = belief(family, lengthscale, answers, rng);
          const Contenders found = contenders(now, most);
          EXPECT_LE(static_cast<Index>(found.rows.size()), most);
          EXPECT_LE(static_cast<Index>(found.rows.size()), found.able);
          const Vector exact = worth(now, all), have = worth(now, found.rows);
          EXPECT_LE((exact - have).maxCoeff(), found.lost + 1e-12);  // fewer lines are never worth more
          EXPECT_GE((exact - have).minCoeff(), -1e-12);
          fewer += found.able < static_cast<Index>(all.size()) ? 1 : 0;
          blocks += static_cast<Index>(found.rows.size()) < found.able ? 1 : 0;
          if (most == kMostContenders) {
            EXPECT_LT(found.lost, 1e-6);  // nothing but inputs that cannot win were left out
          }
        }
  EXPECT_GT(fewer, 5);
  EXPECT_GT(blocks, 5);
}

TEST(Contenders, SayWhatTheyLeaveOut) {
  Rng rng(6);
  const Contenders found = contenders(belief("matern32", 8.0, 20, rng), 40);
  EXPECT_NE(found.note().find("stand for all"), std::string::npos);
  EXPECT_NE(found.note().find("off by at most"), std::string::npos);
}

}  // namespace
}  // namespace iqbo
