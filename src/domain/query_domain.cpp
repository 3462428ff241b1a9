#include "iqbo/domain/query_domain.hpp"

#include <cmath>
#include <stdexcept>
#include <utility>

#include "iqbo/core/check.hpp"

namespace iqbo {
namespace {

using PerQuery = std::function<Vector(const Queries&)>;

// The results of a user's function are checked like the user's arguments.
template <class Require>
PerQuery checked(PerQuery function, const char* name, Require require) {
  return [function = std::move(function), name, require](const Queries& a) {
    Vector out = function(a);
    require_rows(out.size(), a.size(), name);
    require(out, name);
    return out;
  };
}

}  // namespace

std::shared_ptr<const QueryDomain> QueryDomain::with(const QueryTraits& traits) const {
  const auto out = clone();
  if (traits.cost)
    out->traits_.cost =
        checked(traits.cost, "cost", [](const Vector& v, const char* name) { require_positive(v, name); });
  if (traits.noise_var)
    out->traits_.noise_var = checked(traits.noise_var, "noise_var",
                                     [](const Vector& v, const char* name) { require_non_negative(v, name); });
  if (traits.finest) out->traits_.finest = traits.finest;
  return out;
}

Vector QueryDomain::cost(const Queries& a) const {
  return has_cost() ? traits_.cost(a) : Vector(Vector::Ones(a.size()));
}

Vector QueryDomain::noise_var(const Queries& a, double otherwise) const {
  if (!has_noise_var()) return Vector::Constant(a.size(), otherwise);
  Vector out = traits_.noise_var(a);
  for (double& each : out)
    if (std::isnan(each)) each = otherwise;
  return out;
}

Queries QueryDomain::finest(const Queries& a) const {
  if (!has_finest()) throw std::logic_error("a query domain without finest queries was asked for them");
  return traits_.finest(a);
}

double QueryDomain::usual_noise_var() const { return noise_var(probes()).mean(); }

BestQuery QueryDomain::search(const QueryScore& /*score*/, const Queries& /*also*/, Rng& /*rng*/) const {
  throw std::logic_error("a query domain with candidates is not searched");
}

QueryDomainPtr::QueryDomainPtr(std::shared_ptr<const QueryDomain> domain) : domain_(std::move(domain)) {
  if (domain_ == nullptr) refuse("a", "none", "a query domain");
}

}  // namespace iqbo
