// A finite choice times a box.
#include <utility>

#include "boxes.hpp"
#include "search/spread_points.hpp"

namespace iqbo {
namespace {

class MixedDomain final : public QueryDomain {
 public:
  explicit MixedDomain(MixedQueries mixed) : mixed_(std::move(mixed)) {}

  Index dimension() const override { return mixed_.dimension(); }
  Index continuous_dimension() const override { return mixed_.box().dimension(); }
  bool contains(const QueryRow& query) const override {
    return mixed_.choices().find(query.head(chosen())) && mixed_.box().contains(query.tail(continuous_dimension()));
  }
  Queries snapped(const Queries& a, double share) const override {
    Rows out = a.coordinates();
    out.leftCols(chosen()) = mixed_.choices().snapped(Queries(Rows(out.leftCols(chosen()))), share).coordinates();
    return Queries(std::move(out));
  }

  Queries any() const override { return mixed_.with_choice(0, Queries(Rows(mixed_.box().lower().transpose()))); }
  Queries probes() const override {
    const Queries in_box = probes_of(mixed_.box());
    Queries out;
    for (Index c = 0; c < mixed_.choices().size(); ++c) out = out.joined(mixed_.with_choice(c, in_box));
    return out;
  }

  // The choices in turn, starting at a random one, each with the next point of the box.
  Queries sample(Index count, Rng& rng) const override {
    const Queries in_box = spread_points(mixed_.box(), count, rng);
    const Index choices = mixed_.choices().size();
    const Index first = rng.below(choices);
    Rows out(count, dimension());
    for (Index i = 0; i < count; ++i) out.row(i) = mixed_.with_choice((first + i) % choices, in_box.slice(i, 1)).row(0);
    return Queries(std::move(out));
  }

  // The choice varies fastest.
  Queries overview(Index count) const override {
    const Queries in_box = grid_of(mixed_.box(), count);
    const Index choices = mixed_.choices().size();
    Rows out(in_box.size() * choices, dimension());
    for (Index c = 0; c < choices; ++c)
      out(Eigen::seqN(c, in_box.size(), choices), Eigen::all) = mixed_.with_choice(c, in_box).coordinates();
    return Queries(std::move(out));
  }

  TargetSpace as_targets(Rng& rng) const override {
    constexpr Index kPointsPerChoice = 256;
    Queries out;
    for (Index c = 0; c < mixed_.choices().size(); ++c)
      out = out.joined(mixed_.with_choice(c, spread_points(mixed_.box(), kPointsPerChoice, rng)));
    return InputSet(Inputs(out.coordinates()));
  }

  BestQuery search(const QueryScore& score, const Queries& also, Rng& rng) const override {
    return iqbo::search(score, mixed_, also, rng);
  }

 private:
  std::shared_ptr<QueryDomain> clone() const override { return std::make_shared<MixedDomain>(*this); }
  Index chosen() const { return mixed_.choices().dimension(); }

  MixedQueries mixed_;
};

}  // namespace

QueryDomainPtr::QueryDomainPtr(MixedQueries mixed) : domain_(std::make_shared<MixedDomain>(std::move(mixed))) {}

}  // namespace iqbo
