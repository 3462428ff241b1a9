// Lists of more queries than are compared at once.
#include "domain/large_list.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "contract.hpp"
#include "iqbo/domain/query_domain.hpp"

namespace iqbo {
namespace {

using internal::LargeList;

// side x side queries on the unit square.
QuerySet square(Index side) {
  Rows a(side * side, 2);
  for (Index i = 0; i < a.rows(); ++i)
    a.row(i) << static_cast<double>(i / side) / static_cast<double>(side - 1),
        static_cast<double>(i % side) / static_cast<double>(side - 1);
  return QuerySet(Queries(a));
}

TEST(LargeList, KeepsTheContractOfDomains) {
  const QueryDomainPtr domain = square(140);
  test::expect_points_and_prices(*domain);
  test::expect_candidates(*domain);
}

TEST(LargeList, ComparesAllOfAShorterList) {
  const QueryDomainPtr domain = square(128);
  EXPECT_EQ(domain->open({})->size(), 128 * 128);
  EXPECT_FALSE(domain->open({})->grows());
}

// No query is farther from one that is compared than two cells of the grid that 4,096 make.
TEST(LargeList, IsSpreadOverAllQueries) {
  const QuerySet all = square(300);
  const QueryDomainPtr domain(all);
  const auto open = domain->open({});
  EXPECT_TRUE(open->grows());
  EXPECT_GT(open->size(), LargeList::kFirst / 2);
  EXPECT_LE(open->size(), LargeList::kFirst);
  const Rows some = open->slice(0, open->size()).coordinates();
  for (Index i = 0; i < all.size(); i += 97)
    EXPECT_LT((some.rowwise() - all.points().row(i)).rowwise().norm().minCoeff(), 2.0 / 64.0);
}

// The neighbours of a query that was asked are compared from then on; what has been opened stays where it is.
TEST(LargeList, OpensNeighbours) {
  const QuerySet all = square(300);
  const QueryDomainPtr domain(all);
  const auto open = domain->open({});
  const Rows before = open->slice(0, open->size()).coordinates();
  const Index row = 150 * 300 + 151;
  open->select(all.points().row(row));
  EXPECT_GE(open->size(), before.rows() + LargeList::kNeighbours / 2);
  EXPECT_EQ(open->slice(0, before.rows()).coordinates(), before);
  for (const Index step : {-300, -1, 0, 1, 300, 301}) EXPECT_TRUE(open->find(all.points().row(row + step)).has_value());
  const Index size = open->size();
  open->select(all.points().row(row));  // again
  EXPECT_EQ(open->size(), size);
}

// Queries that are names only are near each other where their bags are.
TEST(LargeList, GoesByTheEmbedding) {
  constexpr Index kCount = 20000;
  Rows embedding(kCount, 2);
  Rng rng(3);
  for (Index i = 0; i < kCount; ++i) embedding.row(i) << rng.uniform(), 100.0 * rng.uniform();
  const QuerySet names(Queries::line(Vector::LinSpaced(kCount, 0.0, kCount - 1.0)));
  const QueryDomainPtr domain = ListedQueries{names, {}, {}, embedding};
  const auto open = domain->open({});
  open->select(Eigen::RowVectorXd::Constant(1, 777.0));
  Rows scaled = embedding;
  scaled.col(1) /= 100.0;
  std::vector<std::pair<double, Index>> order;
  for (Index i = 0; i < kCount; ++i) order.emplace_back((scaled.row(i) - scaled.row(777)).squaredNorm(), i);
  std::sort(order.begin(), order.end());
  for (std::size_t k = 0; k < 30; ++k)
    EXPECT_TRUE(open->find(Eigen::RowVectorXd::Constant(1, static_cast<double>(order[k].second))).has_value()) << k;
}

// Points on a line, in a corner, or all the same.
TEST(LargeList, IsSpreadOverOddEmbeddings) {
  Rows line(50000, 3);
  for (Index i = 0; i < line.rows(); ++i) {
    const double at = static_cast<double>(i) / static_cast<double>(line.rows() - 1);
    line.row(i) << at, 1.0 - at, 0.0;
  }
  const auto on_line = LargeList::spread(line, 1000);
  EXPECT_GT(on_line.size(), 500U);
  EXPECT_LE(on_line.size(), 1000U);
  EXPECT_EQ(std::set<Index>(on_line.begin(), on_line.end()).size(), on_line.size());
  EXPECT_EQ(LargeList::spread(Rows::Zero(50000, 2), 1000).size(), 1000U);
}

}  // namespace
}  // namespace iqbo
