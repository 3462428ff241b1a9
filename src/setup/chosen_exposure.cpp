#include "chosen_exposure.hpp"

namespace iqbo::internal {
namespace {

class WhateverExposure final : public Conditional {
 public:
  explicit WhateverExposure(std::shared_ptr<const Conditional> inner) : inner_(std::move(inner)) {}

  std::shared_ptr<const Conditional> clone() const override { return std::make_shared<WhateverExposure>(*this); }
  Index input_dimension() const override { return inner_->input_dimension(); }
  Index query_dimension() const override { return inner_->query_dimension() + 1; }
  Laws laws(const Queries& a) const override { return inner_->laws(located(a)); }
  const Inputs* support() const override { return inner_->support(); }
  Gradients gradients() const override { return Gradients::kNone; }
  Matrix average(const Queries& a, const Matrix& values) const override { return inner_->average(located(a), values); }

 private:
  static Queries located(const Queries& a) { return Queries(Rows(a.coordinates().leftCols(a.dimension() - 1))); }

  std::shared_ptr<const Conditional> inner_;
};

}  // namespace

QueryDomainPtr listed_with_exposures(const SpecData& data) {
  const ExposureSpec& s = *data.spec.queries.exposure;
  const auto choices = static_cast<Index>(s.choices.size());
  const Rows& at = data.queries.coordinates;
  Rows all(at.rows() * choices, at.cols() + 1);
  Vector cost(all.rows());
  for (Index row = 0; row < all.rows(); ++row) {
    const double exposure = s.choices[static_cast<std::size_t>(row % choices)];
    all.row(row).head(at.cols()) = at.row(row / choices);
    all(row, at.cols()) = exposure;
    cost[row] = data.cost[row / choices] + s.cost * exposure;
  }
  return ListedQueries{QuerySet(Queries(std::move(all))), cost, Vector()};
}

std::shared_ptr<const Conditional> whatever_exposure(const Conditional& conditional) {
  return std::make_shared<WhateverExposure>(conditional.clone());
}

}  // namespace iqbo::internal
