#include "simulated.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "average/nodes.hpp"
#include "policy/predictive_count.hpp"

namespace iqbo {

LinkedField::LinkedField(Field eta, Link link, std::shared_ptr<const Conditional> conditional, double least,
                         double most)
    : eta_(std::move(eta)), link_(link), conditional_(std::move(conditional)), least_(least), most_(most) {}

bool LinkedField::is_plain() const { return link_ == Link::kIdentity && std::isinf(least_) && std::isinf(most_); }

Vector LinkedField::rates(const Vector& eta) const {
  if (is_plain()) return eta;
  return apply(link_, eta).cwiseMax(least_).cwiseMin(most_);
}

Vector LinkedField::g(const Queries& a) const {
  if (is_plain()) return eta_.g(a);
  const DiscreteLaws laws = internal::as_points(conditional_->laws(a));
  return laws.weight * f(*laws.support);
}

double LinkedField::largest(const TargetSpace& x, Rng& rng) const {
  return rates(Vector::Constant(1, iqbo::largest(eta_, x, rng)))[0];
}

double SimulatedCounts::exposure(const Queries& one) const {
  const double given = known ? known(one)[0] : 0.0;
  return given > 0.0 ? given : usual;
}

Count SimulatedCounts::at(const Queries& one, double g, double u) const {
  const double among = exposure(one);
  const PredictiveCount count(*likelihood, among, g, 0.0);
  const double y = quantile({count}, Vector::Ones(1), u);
  return {likelihood->admits(Link::kLogit) ? std::min(y, among) : y, among};
}

}  // namespace iqbo
