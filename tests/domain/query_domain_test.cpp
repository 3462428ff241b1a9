#include "iqbo/domain/query_domain.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "contract.hpp"
#include "support/errors.hpp"

namespace iqbo {
namespace {

const QuerySet& districts() {
  static const QuerySet list(Queries{{0.0, 1.0}, {2.0, 3.0}, {0.5, 0.5}, {9.0, 9.0}, {4.0, 4.0}});
  return list;
}
QueryBox field() { return {Vector{{-1.0, 10.0}}, Vector{{1.0, 14.0}}}; }
QueryTree tree(Index l_max = 3) {
  TreeOptions options;
  options.l_max = l_max;
  return QueryTree(field(), options);
}
// One lonely point, whose cell is not divided further, and a crowd.
QueryTree households() {
  TreeOptions options;
  options.l_max = 4;
  options.noise_var = Vector{{0.1, 0.2, 0.3, 0.4, 0.5}};
  return QueryTree(Inputs{{0.0, 0.0}, {0.1, 0.0}, {0.2, 0.1}, {0.3, 0.3}, {0.05, 0.2}, {1.0, 1.0}}, options);
}

TEST(QueryDomain, EveryKindKeepsTheContract) {
  const auto cost = [](const Queries& a) { return Vector(1.0 + a.coordinates().col(0).array().square()); };
  const std::vector<QueryDomainPtr> all{districts(),
                                        ListedQueries{districts(), Vector{{1.0, 2.0, 3.0, 4.0, 5.0}}},
                                        ListedQueries{districts(), {}, Vector{{1.0, 0.0, 3.0, 4.0, 5.0}}},
                                        field(),
                                        MixedQueries(districts(), field()),
                                        tree(),
                                        households(),
                                        QueryDomainPtr(districts())->with({.cost = cost}),
                                        QueryDomainPtr(field())->with({.cost = cost, .noise_var = cost}),
                                        QueryDomainPtr(MixedQueries(districts(), field()))->with({.cost = cost})};
  for (std::size_t i = 0; i < all.size(); ++i) {
    SCOPED_TRACE(i);
    test::expect_query_domain(*all[i]);
  }
}

TEST(QueryDomain, KnowsWhichQueriesAreItsOwn) {
  const auto inside = [](const QueryDomainPtr& domain, const Eigen::RowVectorXd& query) {
    return domain->contains(query);
  };
  EXPECT_TRUE(inside(districts(), Eigen::RowVector2d(9.0, 9.0)));
  EXPECT_FALSE(inside(districts(), Eigen::RowVector2d(9.0, 4.0)));
  EXPECT_EQ(QueryDomainPtr(districts())->find(Eigen::RowVector2d(9.0, 9.0)), 3);
  EXPECT_TRUE(inside(field(), Eigen::RowVector2d(1.0, 14.0)));
  EXPECT_FALSE(inside(field(), Eigen::RowVector2d(1.0, 14.1)));
  const QueryDomainPtr mixed = MixedQueries(QuerySet(Queries{{1.0}, {7.0}}), field());
  EXPECT_TRUE(inside(mixed, Eigen::RowVector3d(7.0, 0.0, 12.0)));
  EXPECT_FALSE(inside(mixed, Eigen::RowVector3d(6.0, 0.0, 12.0)));
  EXPECT_FALSE(inside(mixed, Eigen::RowVector3d(7.0, 0.0, 9.0)));
  const QueryDomainPtr cells = tree();
  EXPECT_TRUE(inside(cells, Eigen::RowVector3d(0.0, 12.0, 1.0)));
  EXPECT_FALSE(inside(cells, Eigen::RowVector3d(0.0, 12.0, 0.5))) << "the root's centre at another resolution";
  EXPECT_EQ(cells->cell(Eigen::RowVector3d(0.5, 13.0, 0.5))->half_width, (Vector{{0.5, 1.0}}));
  EXPECT_FALSE(cells->cell(Eigen::RowVector3d(0.5, 13.1, 0.5)));
}

TEST(QueryDomain, RoundedNumbersMeanTheQueriesTheyWere) {
  const auto snapped = [](const QueryDomainPtr& domain, const Eigen::RowVectorXd& query) {
    return Eigen::RowVectorXd(domain->snapped(Queries(Rows(query)), 1e-9).row(0));
  };
  EXPECT_EQ(snapped(districts(), Eigen::RowVector2d(0.5 + 1e-10, 0.5)), Eigen::RowVector2d(0.5, 0.5));
  EXPECT_EQ(snapped(districts(), Eigen::RowVector2d(0.51, 0.5)), Eigen::RowVector2d(0.51, 0.5));
  EXPECT_EQ(snapped(tree(), Eigen::RowVector3d(0.5, 13.0 - 1e-10, 0.5 + 1e-12)), Eigen::RowVector3d(0.5, 13.0, 0.5));
  const QueryDomainPtr mixed = MixedQueries(QuerySet(Queries{{1.0}, {7.0}}), field());
  EXPECT_EQ(snapped(mixed, Eigen::RowVector3d(7.0 - 1e-10, 0.123, 12.0)), Eigen::RowVector3d(7.0, 0.123, 12.0));
}

TEST(QueryDomain, ListedQueriesHaveTheirOwnCostAndNoise) {
  const QueryDomainPtr listed = ListedQueries{districts(), Vector{{1, 2, 3, 4, 5}}, Vector{{0.1, 0.2, 0.3, 0.4, 0.5}}};
  const Queries a{{9.0, 9.0}, {7.0, 7.0}, {0.0, 1.0}};
  EXPECT_EQ(listed->cost(a), (Vector{{4.0, 0.0, 1.0}})) << "what is not listed was paid for elsewhere";
  EXPECT_EQ(listed->noise_var(a, 9.0), (Vector{{0.4, 9.0, 0.1}}));
  EXPECT_TRUE(std::isnan(listed->noise_var(a)[1]));
  EXPECT_DOUBLE_EQ(listed->usual_noise_var(), 0.3);
  EXPECT_EQ(listed->cheapest(), 1.0);
  EXPECT_EQ(listed->most_expensive(), 5.0);
}

TEST(QueryDomain, TraitsThatAreNotGivenStay) {
  const QueryDomainPtr listed = ListedQueries{districts(), Vector{{1, 2, 3, 4, 5}}};
  const QueryDomainPtr both = listed->with({.finest = [](const Queries& a) { return a; }});
  EXPECT_FALSE(listed->has_finest()) << "a domain never changes";
  EXPECT_TRUE(both->has_finest());
  EXPECT_EQ(both->most_expensive(), 5.0);
  EXPECT_THROW(listed->finest(districts().points()), std::logic_error);
}

TEST(QueryDomain, ATreeKnowsItsPricesAndNoises) {
  const QueryDomainPtr cells = households();
  EXPECT_EQ(cells->cheapest(), 0.5);
  EXPECT_EQ(cells->most_expensive(), 2.5);
  EXPECT_EQ(cells->usual_noise_var(), 0.1) << "that of the root";
  EXPECT_TRUE(cells->levels().empty()) << "cells of points have no windows";
  EXPECT_EQ(QueryDomainPtr(tree(2))->levels().coordinates().col(2), (Vector{{1.0, 0.5, 1.0 / 3.0}}));
}

// The corners are among the probes, so a cost that rises along an axis is least there.
TEST(QueryDomain, FindsTheCheapestCorner) {
  const QueryDomainPtr box = QueryDomainPtr(field())->with({.cost = [](const Queries& a) {
    return Vector(20.0 + a.coordinates().col(0).array() - a.coordinates().col(1).array());
  }});
  EXPECT_EQ(box->cheapest(), 20.0 - 1.0 - 14.0);
  EXPECT_EQ(box->most_expensive(), 20.0 + 1.0 - 10.0);
}

TEST(QueryDomain, NamesWhatIsWrong) {
  const auto make = [](const ListedQueries& listed) { QueryDomainPtr{listed}; };
  test::expect_refusal([&] { make({districts(), Vector{{1.0, 2.0}}}); }, {"cost: 2 rows, expected 5"});
  test::expect_refusal([&] { make({districts(), Vector{{1, 2, 0, 4, 5}}}); }, {"cost: row 2 is 0"});
  test::expect_refusal([&] { make({districts(), {}, Vector{{1.0}}}); }, {"noise_var: 1 rows, expected 5"});
  test::expect_refusal([&] { make({districts(), {}, Vector{{1, 2, -3, 4, 5}}}); }, {"noise_var: row 2 is -3"});
  test::expect_refusal([] { QueryDomainPtr(std::shared_ptr<const QueryDomain>()); },
                       {"a: none, expected a query domain"});
  const auto wrong = [](const Queries&) { return Vector(Vector::Constant(1, -1.0)); };
  const QueryDomainPtr box = QueryDomainPtr(field())->with({.cost = wrong, .noise_var = wrong});
  test::expect_refusal([&] { box->cost(box->any()); }, {"cost: row 0 is -1"});
  test::expect_refusal([&] { box->noise_var(box->any()); }, {"noise_var: row 0 is -1"});
  test::expect_refusal([&] { box->cost(box->probes()); }, {"cost: 1 rows, expected 68"});
}

}  // namespace
}  // namespace iqbo
