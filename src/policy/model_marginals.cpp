// What is believed at given inputs and queries: moments, and intervals by quantiles of the mixture.
#include <algorithm>
#include <limits>

#include "core/parallel.hpp"
#include "mixed_normal.hpp"
#include "model.hpp"

namespace iqbo {

using namespace internal;

namespace {

Band band_of(Link link, const std::vector<Marginals>& of, const Vector& weights, double probability) {
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
      out.low[i] = apply(link, all.quantile(0.5 - 0.5 * probability));
      out.high[i] = apply(link, all.quantile(0.5 + 0.5 * probability));
    }
  });
  return out;
}

}  // namespace

std::optional<std::vector<Index>> Model::positions(const Inputs& x) {
  constexpr Index kFew = 16;  // times as many
  const auto* list = std::get_if<InputSet>(&setting_.targets);
  if (list == nullptr || !is_finite() || kFew * x.size() < list->size()) return std::nullopt;
  std::vector<Index> out;
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

Band Model::within_range(Band out) const {
  if (!counts()) return out;
  out.low = out.low.cwiseMax(0.0).cwiseMin(most());
  out.high = out.high.cwiseMax(0.0).cwiseMin(most());
  return out;
}

Band Model::interval(const Inputs& x, double probability) {
  const auto [each, weights] = members(x);
  return within_range(band_of(link(), each, weights, probability));
}

Band Model::interval(const Queries& a, double probability) {
  if (is_linked()) return within_range(band_of(link(), behind_g(a), linked().weights(), probability));
  const auto [each, weights] = members(a);
  return band_of(link(), each, weights, probability);
}

}  // namespace iqbo
