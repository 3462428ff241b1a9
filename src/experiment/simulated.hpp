// A simulated campaign's truth and its answers: f = h(eta) with eta drawn from a GP, measured or counted.
#pragma once

#include <functional>
#include <memory>

#include "field.hpp"
#include "iqbo/likelihood/likelihood.hpp"

namespace iqbo {

class LinkedField {
 public:
  // Under the identity f is kept between `least` and `most`.
  LinkedField(Field eta, Link link, std::shared_ptr<const Conditional> conditional, double least, double most);

  Vector f(const Inputs& x) const { return rates(eta_.f(x)); }
  Vector g(const Queries& a) const;  // exact where f = eta, else by the nodes of the laws
  double largest(const TargetSpace& x, Rng& rng) const;

 private:
  bool is_plain() const;
  Vector rates(const Vector& eta) const;

  Field eta_;
  Link link_;
  std::shared_ptr<const Conditional> conditional_;
  double least_, most_;
};

// How answers are made where they are counts.
struct SimulatedCounts {
  LikelihoodPtr likelihood;
  std::function<Vector(const Queries&)> known;  // exposures, as the setting gives them
  double usual;                                 // where it gives none

  double exposure(const Queries& one) const;
  Count at(const Queries& one, double g, double u) const;  // the u-quantile of what may be counted
};

}  // namespace iqbo
