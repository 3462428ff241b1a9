// A box: every point of it may be asked.
#include <algorithm>
#include <cmath>
#include <utility>

#include "boxes.hpp"
#include "search/spread_points.hpp"

namespace iqbo {
namespace {

class BoxDomain final : public QueryDomain {
 public:
  explicit BoxDomain(QueryBox box) : box_(std::move(box)) {}

  Index dimension() const override { return box_.dimension(); }
  Index continuous_dimension() const override { return box_.dimension(); }
  bool contains(const QueryRow& query) const override { return box_.contains(query); }

  Queries any() const override { return Queries(Rows(box_.lower().transpose())); }
  Queries probes() const override { return probes_of(box_); }
  Queries sample(Index count, Rng& rng) const override { return spread_points(box_, count, rng); }
  Queries overview(Index count) const override { return grid_of(box_, count); }
  TargetSpace as_targets(Rng& /*rng*/) const override { return InputBox(box_.lower(), box_.upper()); }

  BestQuery search(const QueryScore& score, const Queries& also, Rng& rng) const override {
    return iqbo::search(score, box_, also, rng);
  }

 private:
  std::shared_ptr<QueryDomain> clone() const override { return std::make_shared<BoxDomain>(*this); }

  QueryBox box_;
};

}  // namespace

Queries probes_of(const QueryBox& box) {
  constexpr Index kInside = 64;
  Rng rng(1);
  Queries out = spread_points(box, kInside, rng);
  if (box.dimension() > 6) return out;  // corners alone would be too many
  return box.grid(std::vector<Index>(static_cast<std::size_t>(box.dimension()), 2)).joined(out);
}

Queries grid_of(const QueryBox& box, Index count) {
  const double side = std::pow(static_cast<double>(count), 1.0 / static_cast<double>(box.dimension()));
  return box.grid(
      std::vector<Index>(static_cast<std::size_t>(box.dimension()), std::max<Index>(2, static_cast<Index>(side))));
}

QueryDomainPtr::QueryDomainPtr(QueryBox box) : domain_(std::make_shared<BoxDomain>(std::move(box))) {}

}  // namespace iqbo
