// What is left out: regions of queries, or, where queries repeat, some pairs of each.
#include "learned/query_folds.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "iqbo/core/rng.hpp"

namespace iqbo {
namespace {

LoggedPairs pairs_of(const Rows& x, const Rows& a) {
  const Queries queries(a);
  return {std::make_shared<const Inputs>(x), queries,
          std::make_shared<const internal::QueryEncoding>(queries, std::vector<Index>{}), Vector::Ones(x.cols())};
}

TEST(QueryFolds, LeaveOutRegions) {
  Rng rng(1);
  const Rows a = rng.uniforms(240, 1);
  const auto fold = query_folds(pairs_of(rng.uniforms(240, 1), a), 5);
  // Along the line, neighbours are in the same fold but at the ends of about 60 cells; at random 4 of 5 would differ.
  std::vector<Index> order(240);
  std::iota(order.begin(), order.end(), Index{0});
  std::sort(order.begin(), order.end(), [&](Index i, Index j) { return a(i, 0) < a(j, 0); });
  int changes = 0;
  for (std::size_t i = 1; i < order.size(); ++i)
    changes += fold[static_cast<std::size_t>(order[i])] != fold[static_cast<std::size_t>(order[i - 1])] ? 1 : 0;
  EXPECT_LE(changes, 59);
  EXPECT_GE(changes, 30);
  for (Index k = 0; k < 5; ++k) EXPECT_GT(std::count(fold.begin(), fold.end(), k), 240 / 20) << k;
}

TEST(QueryFolds, DivideThePairsOfQueriesThatRepeat) {
  Rng rng(2);
  Rows a(120, 1);
  for (Index i = 0; i < 120; ++i) a(i, 0) = static_cast<double>(rng.below(8));
  const auto fold = query_folds(pairs_of(rng.uniforms(120, 2), a), 5);
  for (Index query = 0; query < 8; ++query) {
    std::vector<Index> count(5, 0);
    for (Index i = 0; i < 120; ++i)
      if (a(i, 0) == static_cast<double>(query)) ++count[static_cast<std::size_t>(fold[static_cast<std::size_t>(i)])];
    EXPECT_LE(*std::max_element(count.begin(), count.end()) - *std::min_element(count.begin(), count.end()), 1);
  }
}

TEST(QueryFolds, DoNotDependOnTheOrderOfThePairs) {
  Rng rng(3);
  for (const bool repeats : {false, true}) {
    const Rows x = rng.uniforms(100, 2);
    Rows a = rng.uniforms(100, 2);
    if (repeats) a = (4.0 * a.array()).floor();
    const auto fold = query_folds(pairs_of(x, a), 5);
    const auto reversed = query_folds(pairs_of(x.colwise().reverse(), a.colwise().reverse()), 5);
    for (std::size_t i = 0; i < 100; ++i) EXPECT_EQ(fold[i], reversed[99 - i]) << i;
  }
}

}  // namespace
}  // namespace iqbo
