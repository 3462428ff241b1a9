// What every query domain must satisfy, whoever wrote it.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "iqbo/domain/query_domain.hpp"

namespace iqbo::test {

inline void expect_all_inside(const QueryDomain& domain, const Queries& a) {
  ASSERT_FALSE(a.empty());
  ASSERT_EQ(a.dimension(), domain.dimension());
  for (Index i = 0; i < a.size(); ++i) EXPECT_TRUE(domain.contains(a.row(i))) << a.row(i);
}

inline void expect_points_and_prices(const QueryDomain& domain) {
  expect_all_inside(domain, domain.any());
  expect_all_inside(domain, domain.probes());
  expect_all_inside(domain, domain.overview(50));
  EXPECT_NO_THROW(QuerySet(domain.overview(50))) << "no query is shown twice";
  for (const std::uint64_t seed : {1U, 2U}) {
    Rng one(seed), again(seed);
    const Queries design = domain.initial_design(4, one);
    expect_all_inside(domain, design);
    EXPECT_LE(design.size(), 4);
    EXPECT_NO_THROW(QuerySet{design}) << "no query is asked twice";
    EXPECT_EQ(design.coordinates(), domain.initial_design(4, again).coordinates());
    EXPECT_EQ(domain.sample(8, one).coordinates(), domain.sample(8, again).coordinates());
    EXPECT_EQ(dimension(domain.as_targets(one)), domain.dimension());
  }
  const Vector cost = domain.cost(domain.probes());
  EXPECT_GT(cost.minCoeff(), 0.0);
  EXPECT_EQ(domain.cheapest(), cost.minCoeff());
  EXPECT_GE(domain.most_expensive(), domain.cheapest());
  const Vector noise_var = domain.noise_var(domain.probes(), 0.25);
  EXPECT_GE(noise_var.minCoeff(), 0.0);
  EXPECT_TRUE(domain.has_noise_var() || noise_var == Vector::Constant(noise_var.size(), 0.25));
  const Queries probes = domain.probes();
  EXPECT_EQ(domain.snapped(probes, 1e-9).coordinates(), probes.coordinates()) << "a query means itself";
}

// Candidates stay where they are; only candidates are allowed; what is selected twice is selected once.
inline void expect_candidates(const QueryDomain& domain) {
  for (const bool repeats : {true, false}) {
    const auto open = domain.open({.repeats = repeats});
    ASSERT_NE(open, nullptr);
    EXPECT_FALSE(open->exhausted().empty());
    Rng rng(7);
    for (int t = 0; t < 12; ++t) {
      const Candidates now = open->candidates(0.25);
      ASSERT_EQ(now.queries.size(), open->size());
      expect_all_inside(domain, now.queries);
      EXPECT_EQ(now.cost, domain.cost(now.queries));
      EXPECT_EQ(now.noise_var, domain.noise_var(now.queries, 0.25));
      EXPECT_EQ(open->slice(0, open->size()).coordinates(), now.queries.coordinates());
      for (Index i = 0; i < open->size(); ++i) EXPECT_EQ(open->find(now.queries.row(i)), i);
      std::vector<Index> allowed;
      for (Index i = 0; i < open->size(); ++i)
        if (now.allowed[static_cast<std::size_t>(i)]) allowed.push_back(i);
      if (allowed.empty()) break;
      const Index chosen = allowed[static_cast<std::size_t>(rng.below(static_cast<Index>(allowed.size())))];
      const auto before = open->clone();
      open->select(now.queries.row(chosen));
      EXPECT_EQ(before->candidates(0.25).allowed, now.allowed) << "a copy is a copy";
      const Candidates then = open->candidates(0.25);
      EXPECT_EQ(open->slice(0, now.queries.size()).coordinates(), now.queries.coordinates());
      EXPECT_TRUE(open->grows() || open->size() == now.queries.size());
      EXPECT_TRUE(repeats || !then.allowed[static_cast<std::size_t>(chosen)]) << "asked twice";
    }
    const auto size = open->size();
    open->select(Eigen::RowVectorXd::Constant(domain.dimension(), 1234.5));
    EXPECT_EQ(open->size(), size) << "what is not of the domain changes nothing";
  }
  const QueryScore any{[](const Queries& a, Rows*) { return Vector(Vector::Zero(a.size())); }, false};
  Rng rng(1);
  EXPECT_THROW(domain.search(any, {}, rng), std::logic_error);
}

// A round hill on one of the queries: no query of a grid is better than what the search finds.
inline void expect_search(const QueryDomain& domain) {
  EXPECT_EQ(domain.open({}), nullptr);
  Rng rng(3);
  const Queries sample = domain.sample(7, rng);
  for (Index i = 0; i < sample.size(); ++i) {
    const Eigen::RowVectorXd top = sample.row(i);
    const QueryScore hill{[&](const Queries& a, Rows* gradient) {
      const Rows off = a.coordinates().rowwise() - top;
      if (gradient != nullptr) *gradient = -2.0 * off;
      return Vector(-off.rowwise().squaredNorm());
    }};
    const BestQuery best = domain.search(hill, {}, rng);
    EXPECT_TRUE(domain.contains(best.point.row(0)));
    EXPECT_GE(best.score, hill.evaluate(domain.overview(400), nullptr).maxCoeff());
    EXPECT_NEAR(best.score, 0.0, 1e-6);
  }
}

inline void expect_query_domain(const QueryDomain& domain) {
  expect_points_and_prices(domain);
  EXPECT_EQ(domain.is_continuum(), domain.continuous_dimension() > 0);
  EXPECT_LE(domain.continuous_dimension(), domain.dimension());
  if (domain.is_continuum())
    expect_search(domain);
  else
    expect_candidates(domain);
}

}  // namespace iqbo::test
