// p(x|a) reweighted: p(x|a) E h'(eta(x)) / sum. Under it averages of eta are what averages of f = h(eta) say about it.
#pragma once

#include "iqbo/conditional/conditional.hpp"
#include "iqbo/numerics/link.hpp"
#include "iqbo/posterior/posterior.hpp"

namespace iqbo::internal {

class TiltedConditional final : public Conditional {
 public:
  // One tilt for each point of base.support().
  TiltedConditional(std::shared_ptr<const Conditional> base, Vector tilt);
  // Where p(x|a) has no such list: the tilt of any point follows from what is believed about eta.
  TiltedConditional(std::shared_ptr<const Conditional> base, std::shared_ptr<const Posterior> eta, Link link);

  std::shared_ptr<const Conditional> clone() const override { return std::make_shared<TiltedConditional>(*this); }
  Index input_dimension() const override { return base_->input_dimension(); }
  Index query_dimension() const override { return base_->query_dimension(); }
  Laws laws(const Queries& a) const override;
  const Inputs* support() const override { return base_->support(); }
  Gradients gradients() const override;

 private:
  std::shared_ptr<const Conditional> base_;
  Vector tilt_;
  std::shared_ptr<const Posterior> eta_;
  Link link_ = Link::kIdentity;
};

}  // namespace iqbo::internal
