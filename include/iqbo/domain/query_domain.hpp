// The query domain: what may be asked. A list, a box, a finite choice times a box, or a tree; or a kind of your own.
//
//   Setting{InputSet(pixels), QuerySet(districts), bags};                     each kind converts to a QueryDomainPtr
//   Setting{InputSet(pixels), ListedQueries{QuerySet(districts), cost, noise_var}, bags};
//   setting.queries = setting.queries->with({.cost = [](const Queries& a) -> Vector { ... }});
//
// A domain is immutable and shared. It tells what each query costs and how noisy its answer is, which queries may be
// asked after those that were, and how a score is maximised over it; policies know nothing else about it. Which inputs
// a query touches is decided by p(x|a), not here. To add a kind, derive from QueryDomain: HACKING.md.
#pragma once

#include <concepts>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "iqbo/core/rng.hpp"
#include "iqbo/search/search.hpp"
#include "iqbo/space/query_tree.hpp"
#include "iqbo/space/target_space.hpp"

namespace iqbo {

using QueryRow = Eigen::Ref<const Eigen::RowVectorXd>;

// What is known of queries besides their coordinates: functions of a batch, each of which may be left out.
struct QueryTraits {
  std::function<Vector(const Queries&)> cost = {};       // positive; scores are divided by it. All the same if left out
  std::function<Vector(const Queries&)> noise_var = {};  // of an answer, >= 0. The policy's noise if left out
  std::function<Queries(const Queries&)> finest = {};    // for mfmes: the query at the same location, finest resolution
};

// The finitely many queries to choose from, in a fixed order.
struct Candidates {
  Queries queries = {};
  std::vector<bool> allowed = {};  // to be asked now
  Vector cost = {};
  Vector noise_var = {};
};

// How answers change what may be asked next. Positions stay: the set only grows.
class OpenQueries {
 public:
  virtual ~OpenQueries() = default;
  virtual std::unique_ptr<OpenQueries> clone() const = 0;

  // This query was asked, or is pending. One that is not of the domain changes nothing.
  virtual void select(const QueryRow& query) = 0;

  virtual bool grows() const = 0;  // false: all queries of the domain are there from the start
  virtual Index size() const = 0;  // of those that have ever been open
  virtual Index most() const = 0;  // about how many there may be in the end
  virtual Queries slice(Index begin, Index count) const = 0;
  virtual std::optional<Index> find(const QueryRow& query) const = 0;

  // All of them; those without a noise variance of their own get `noise_var`.
  virtual Candidates candidates(double noise_var) const = 0;

  // Why nothing is left, if no candidate is allowed: a sentence for people.
  virtual std::string exhausted() const = 0;
};

struct OpenRules {
  bool repeats = true;       // whether a listed query, or the finest node of a tree, may be asked twice
  bool requery_leaf = true;  // Frontier's
  bool printed_tree = false;
};

class QueryDomain {
 public:
  virtual ~QueryDomain() = default;
  QueryDomain& operator=(const QueryDomain&) = delete;

  // The same queries; traits that are given replace the present ones. A tree refuses: it has its own.
  virtual std::shared_ptr<const QueryDomain> with(const QueryTraits& traits) const;

  virtual Index dimension() const = 0;

  // How many coordinates, the last ones, run through intervals. If 0, open() lists candidates; else search() is used.
  virtual Index continuous_dimension() const = 0;
  bool is_continuum() const { return continuous_dimension() > 0; }

  // --- one query ---

  virtual bool contains(const QueryRow& query) const = 0;                            // exactly
  virtual std::optional<Index> find(const QueryRow& /*query*/) const { return {}; }  // position, if they are listed
  virtual std::optional<Cell> cell(const QueryRow& /*query*/) const { return {}; }   // if they are cells of a tree

  // Replaces queries off by at most `share` of an axis by those that are meant, where the domain singles some out.
  virtual Queries snapped(const Queries& a, double /*share*/) const { return a; }

  // --- a batch of queries: the traits ---

  bool has_cost() const { return static_cast<bool>(traits_.cost); }
  bool has_noise_var() const { return static_cast<bool>(traits_.noise_var); }
  bool has_finest() const { return static_cast<bool>(traits_.finest); }

  // 1 if there are no costs; 0 for a query that is not in the list of costs or the tree: it was paid for elsewhere.
  Vector cost(const Queries& a) const;
  Vector noise_var(const Queries& a, double otherwise = std::numeric_limits<double>::quiet_NaN()) const;
  Queries finest(const Queries& a) const;

  // The mean of the noise variances, and the range of the costs, over probes(). The noise only if has_noise_var().
  double usual_noise_var() const;
  double cheapest() const { return cost(probes()).minCoeff(); }
  virtual double most_expensive() const { return cost(probes()).maxCoeff(); }

  // --- some queries ---

  virtual Queries any() const = 0;     // one, always the same
  virtual Queries probes() const = 0;  // where costs are compared: all of a list, corners of a box and points inside

  // Queries that stand for the domain where only a list will do: all of a list; of a tree, the finest level.
  virtual Queries sample(Index count, Rng& rng) const = 0;

  // Queries to draw it with: a list; about `count` grid points, for each choice; the levels of at most `count` cells.
  virtual Queries overview(Index count) const = 0;

  virtual Queries initial_design(Index count, Rng& rng) const { return sample(count, rng); }
  virtual TargetSpace as_targets(Rng& rng) const = 0;  // the queries as inputs of a plain GP on (a, z)
  virtual Queries levels() const { return {}; }        // one for each level, where a level is a width of window

  // --- choosing ---

  // The result refers to the domain. Null for a continuum.
  virtual std::unique_ptr<OpenQueries> open(const OpenRules& /*rules*/) const { return nullptr; }

  // The best query of a continuum; `also` are further queries to start from.
  virtual BestQuery search(const QueryScore& score, const Queries& also, Rng& rng) const;

 protected:
  explicit QueryDomain(QueryTraits traits = {}) : traits_(std::move(traits)) {}
  QueryDomain(const QueryDomain&) = default;
  virtual std::shared_ptr<QueryDomain> clone() const = 0;

 private:
  QueryTraits traits_;
};

// A list whose queries have costs and noises of their own: one number each. Empty: all the same.
struct ListedQueries {
  QuerySet queries;
  Vector cost = {};       // positive
  Vector noise_var = {};  // of an answer, >= 0

  // Points that are near each other for queries that are alike, one row each: the middle and the extent of a bag. Of more
  // than 16,384 queries, those that are spread over these points are compared, and those near a query that was asked.
  // Empty: the coordinates of the queries.
  Rows embedding = {};
};

// Never null; conversions are implicit, so that a setting reads as what it is.
class QueryDomainPtr {
 public:
  QueryDomainPtr(QuerySet list);                              // NOLINT(google-explicit-constructor)
  QueryDomainPtr(const ListedQueries& list);                  // NOLINT(google-explicit-constructor)
  QueryDomainPtr(QueryBox box);                               // NOLINT(google-explicit-constructor)
  QueryDomainPtr(MixedQueries mixed);                         // NOLINT(google-explicit-constructor)
  QueryDomainPtr(QueryTree tree);                             // NOLINT(google-explicit-constructor)
  QueryDomainPtr(std::shared_ptr<const QueryDomain> domain);  // NOLINT(google-explicit-constructor)
  template <std::derived_from<QueryDomain> Kind>
  QueryDomainPtr(std::shared_ptr<Kind> domain)  // NOLINT(google-explicit-constructor)
      : QueryDomainPtr(std::shared_ptr<const QueryDomain>(std::move(domain))) {}

  const QueryDomain& operator*() const { return *domain_; }
  const QueryDomain* operator->() const { return domain_.get(); }

 private:
  std::shared_ptr<const QueryDomain> domain_;
};

}  // namespace iqbo
