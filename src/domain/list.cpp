// A list of queries: districts, sensors.
#include <algorithm>
#include <limits>
#include <numeric>
#include <set>
#include <utility>

#include "iqbo/core/check.hpp"
#include "iqbo/domain/query_domain.hpp"
#include "large_list.hpp"

namespace iqbo {

using namespace internal;

namespace {

class ListDomain final : public QueryDomain {
 public:
  explicit ListDomain(QuerySet list, QueryTraits traits = {}, const Rows& embedding = {})
      : QueryDomain(std::move(traits)), list_(std::make_shared<const QuerySet>(std::move(list))) {
    if (embedding.rows() > 0) require_rows(embedding.rows(), list_->size(), "embedding");
    if (is_large())
      embedding_ = std::make_shared<const Rows>(
          in_units_of_range(embedding.rows() > 0 ? embedding : list_->points().coordinates()));
  }

  const QuerySet& list() const { return *list_; }
  bool is_large() const { return list_->size() > LargeList::kSmall; }
  const std::shared_ptr<const Rows>& embedding() const { return embedding_; }
  Queries at(const std::vector<Index>& rows) const {
    return Queries(Rows(list_->points().coordinates()(rows, Eigen::all)));
  }

  Index dimension() const override { return list_->dimension(); }
  Index continuous_dimension() const override { return 0; }
  bool contains(const QueryRow& query) const override { return list_->find(query).has_value(); }
  std::optional<Index> find(const QueryRow& query) const override { return list_->find(query); }
  Queries snapped(const Queries& a, double share) const override { return list_->snapped(a, share); }

  Queries any() const override { return list_->points().slice(0, 1); }
  Queries probes() const override { return list_->points(); }
  Queries sample(Index count, Rng& /*rng*/) const override { return overview(count); }
  Queries overview(Index count) const override {
    return is_large() ? at(LargeList::spread(*embedding_, std::max(count, Index{1}))) : list_->points();
  }
  TargetSpace as_targets(Rng& rng) const override {
    return InputSet(Inputs(sample(LargeList::kFirst, rng).coordinates()));
  }

  // The list in a random order.
  Queries initial_design(Index count, Rng& rng) const override {
    std::vector<Index> order(static_cast<std::size_t>(list_->size()));
    std::iota(order.begin(), order.end(), Index{0});
    for (Index i = list_->size() - 1; i > 0; --i)
      std::swap(order[static_cast<std::size_t>(i)], order[static_cast<std::size_t>(rng.below(i + 1))]);
    order.resize(static_cast<std::size_t>(std::min(count, list_->size())));
    return at(order);
  }

  std::unique_ptr<OpenQueries> open(const OpenRules& rules) const override;

 private:
  std::shared_ptr<QueryDomain> clone() const override { return std::make_shared<ListDomain>(*this); }

  std::shared_ptr<const QuerySet> list_;
  std::shared_ptr<const Rows> embedding_;  // of a large list
};

class OpenList final : public OpenQueries {
 public:
  OpenList(const ListDomain& domain, bool repeats)
      : domain_(domain), repeats_(repeats), allowed_(static_cast<std::size_t>(domain.list().size()), true) {}

  std::unique_ptr<OpenQueries> clone() const override { return std::make_unique<OpenList>(*this); }
  void select(const QueryRow& query) override {
    if (repeats_) return;
    if (const auto position = find(query)) allowed_[static_cast<std::size_t>(*position)] = false;
  }

  bool grows() const override { return false; }
  Index size() const override { return domain_.list().size(); }
  Index most() const override { return size(); }
  Queries slice(Index begin, Index count) const override { return domain_.list().points().slice(begin, count); }
  std::optional<Index> find(const QueryRow& query) const override { return domain_.find(query); }
  Candidates candidates(double noise_var) const override {
    const Queries& all = domain_.list().points();
    return {all, allowed_, domain_.cost(all), domain_.noise_var(all, noise_var)};
  }
  std::string exhausted() const override { return "every query has been asked or is pending; none may be repeated"; }

 private:
  const ListDomain& domain_;
  bool repeats_;
  std::vector<bool> allowed_;
};

// Part of a large list; see large_list.hpp.
class OpenPart final : public OpenQueries {
 public:
  OpenPart(const ListDomain& domain, bool repeats) : domain_(domain), repeats_(repeats), part_(domain.embedding()) {}

  std::unique_ptr<OpenQueries> clone() const override { return std::make_unique<OpenPart>(*this); }
  void select(const QueryRow& query) override {
    const auto row = domain_.find(query);
    if (!row || !asked_.insert(*row).second) return;
    part_.open_around(*row);
  }

  bool grows() const override { return true; }
  Index size() const override { return static_cast<Index>(part_.opened().size()); }
  Index most() const override { return 2 * LargeList::kFirst; }
  Queries slice(Index begin, Index count) const override {
    const auto first = part_.opened().begin() + begin;
    return domain_.at({first, first + count});
  }
  std::optional<Index> find(const QueryRow& query) const override {
    const auto row = domain_.find(query);
    return row ? part_.position(*row) : std::nullopt;
  }
  Candidates candidates(double noise_var) const override {
    const Queries open = slice(0, size());
    Candidates out{open, {}, domain_.cost(open), domain_.noise_var(open, noise_var)};
    for (const Index row : part_.opened()) out.allowed.push_back(repeats_ || !asked_.contains(row));
    return out;
  }
  std::string exhausted() const override { return "every query that was compared has been asked or is pending"; }

 private:
  const ListDomain& domain_;
  bool repeats_;
  LargeList part_;
  std::set<Index> asked_;
};

std::unique_ptr<OpenQueries> ListDomain::open(const OpenRules& rules) const {
  if (is_large()) return std::make_unique<OpenPart>(*this, rules.repeats);
  return std::make_unique<OpenList>(*this, rules.repeats);
}

// Looks up the number listed for each query.
std::function<Vector(const Queries&)> beside(const QuerySet& list, const Vector& values, double unlisted) {
  if (values.size() == 0) return {};
  return [list, values, unlisted](const Queries& a) {
    Vector out = Vector::Constant(a.size(), unlisted);
    for (Index i = 0; i < a.size(); ++i)
      if (const auto position = list.find(a.row(i))) out[i] = values[*position];
    return out;
  };
}

QueryTraits traits_of(const ListedQueries& given) {
  if (given.cost.size() > 0) require_rows(given.cost.size(), given.queries.size(), "cost");
  if (given.noise_var.size() > 0) require_rows(given.noise_var.size(), given.queries.size(), "noise_var");
  require_positive(given.cost, "cost");
  require_non_negative(given.noise_var, "noise_var");
  return {beside(given.queries, given.cost, 0.0),
          beside(given.queries, given.noise_var, std::numeric_limits<double>::quiet_NaN())};
}

}  // namespace

QueryDomainPtr::QueryDomainPtr(QuerySet list) : domain_(std::make_shared<ListDomain>(std::move(list))) {}
QueryDomainPtr::QueryDomainPtr(const ListedQueries& list)
    : domain_(std::make_shared<ListDomain>(list.queries, traits_of(list), list.embedding)) {}

}  // namespace iqbo
