// What is believed at given inputs and queries: moments, and intervals by quantiles of the mixture.
#include <algorithm>
#include <limits>
#include <numeric>

#include "core/parallel.hpp"
#include "mixed_normal.hpp"
#include "model.hpp"

namespace iqbo {

using namespace internal;

namespace {

// Quantiles of the mixture, widened around its mean, or where f = h(eta) around the median of eta, on the scale of eta.
Band band_of(Link link, bool about_median, const std::vector<Marginals>& of, const Vector& weights, double probability,
             const Vector& widening) {
  constexpr Index kBlock = 4096;
  const Index n = of.front().mean.size();
  Band out{Vector(n), Vector(n)};
  in_parallel((n + kBlock - 1) / kBlock, [&](Index block) {
    MixedNormal all{Vector(weights.size()), Vector(weights.size()), weights};
    for (Index i = block * kBlock; i < std::min(n, (block + 1) * kBlock); ++i) {
      for (Index s = 0; s < weights.size(); ++s) {
        all.mean[s] = of[static_cast<std::size_t>(s)].mean[i];
        all.sd[s] = std::sqrt(std::max(of[static_cast<std::size_t>(s)].var[i], 0.0));
      }
      double low = all.quantile(0.5 - 0.5 * probability), high = all.quantile(0.5 + 0.5 * probability);
      if (widening.size() > 0 && widening[i] != 1.0) {
        const double middle = all.middle(about_median);
        low = middle - widening[i] * (middle - low);
        high = middle + widening[i] * (high - middle);
      }
      out.low[i] = apply(link, low);
      out.high[i] = apply(link, high);
    }
  });
  return out;
}

}  // namespace

std::optional<std::vector<Index>> Model::positions(const Inputs& x, Index few) {
  const auto* list = std::get_if<InputSet>(&setting_.targets);
  if (list == nullptr || !is_finite() || few * x.size() < list->size()) return std::nullopt;
  std::vector<Index> out;
  if (x == list->points()) {
    out.resize(static_cast<std::size_t>(x.size()));
    std::iota(out.begin(), out.end(), Index{0});
    return out;
  }
  for (Index i = 0; i < x.size(); ++i) {
    const auto row = list->find(x.row(i));
    if (!row) return std::nullopt;
    out.push_back(*row);
  }
  return out;
}

// Of a large list, as of a tree, finite() knows a part, in an order of its own.
std::optional<std::vector<Index>> Model::positions(const Queries& a) {
  const Queries& known = finite().a();
  std::vector<Index> out;
  for (Index i = 0; i < a.size(); ++i) {
    const auto row = setting_.queries->find(a.row(i));
    if (!row || *row >= known.size() || known.row(*row) != a.row(i)) return std::nullopt;
    out.push_back(*row);
  }
  return out;
}

Model::Members Model::members(const Inputs& x) {
  std::vector<Marginals> each;
  if (const auto rows = positions(x)) {
    const FiniteEnsemble& all = finite();
    for (const FiniteBelief& one : all.members()) each.push_back({one.f().mean(*rows), one.f().var(*rows)});
    return {each, all.weights()};
  }
  const Ensemble& all = belief();
  for (const Posterior& one : all.members()) each.push_back(one.f(x));
  return {each, all.weights()};
}

Model::Members Model::members(const Queries& a) {
  std::vector<Marginals> each;
  if (is_finite()) {
    const FiniteEnsemble& all = finite();
    const auto rows = positions(a);
    for (const FiniteBelief& one : all.members()) {
      std::optional<Marginals> g = rows ? Marginals{one.g().mean(*rows), one.g().var(*rows)} : one.g(a);
      if (!g) break;
      each.push_back(*std::move(g));
    }
    if (each.size() == all.members().size()) return {each, all.weights()};
    each.clear();
  }
  const Ensemble& all = belief();
  for (const Posterior& one : all.members()) each.push_back(one.g(a));
  return {each, all.weights()};
}

Marginals Model::marginals(const Inputs& x) {
  const auto [each, weights] = members(x);
  return mixture(each, weights);
}

Marginals Model::marginals(const Queries& a) {
  const auto [each, weights] = members(a);
  return mixture(each, weights);
}

double Model::most() const {
  return counts() && setting_.likelihood->admits(Link::kLogit) ? 1.0 : std::numeric_limits<double>::infinity();
}

Vector Model::within_range(const Vector& rates) const {
  return counts() ? Vector(rates.cwiseMax(0.0).cwiseMin(most())) : rates;
}

Band Model::interval(const Inputs& x, double probability, const Vector& widening) {
  const auto [each, weights] = members(x);
  const Band out = band_of(link(), is_linked(), each, weights, probability, widening);
  return {within_range(out.low), within_range(out.high)};
}

Band Model::interval(const Queries& a, double probability, const Vector& widening) {
  const auto [each, weights] = is_linked() ? Members{behind_g(a), linked().weights()} : members(a);
  const Band out = band_of(link(), is_linked(), each, weights, probability, widening);
  return {within_range(out.low), within_range(out.high)};
}

}  // namespace iqbo
