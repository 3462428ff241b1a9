#include "continuous_scene.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "iqbo/maxvalue/paths.hpp"
#include "search/spread_points.hpp"

namespace iqbo {
namespace {

// Enough to find every bump of a posterior mean in two or three dimensions; a local search then finds its maximum.
constexpr Index kStandIns = 512;
constexpr Index kQueriesForPaths = 128;  // where a path's g may not exceed its f*

// Evenly spaced rows, starting at a random one.
Queries some_of(const Queries& all, Index count, Rng& rng) {
  if (all.size() <= count) return all;
  const Index first = rng.below(all.size());
  std::vector<Index> rows;
  for (Index i = 0; i < count; ++i) rows.push_back((first + i * all.size() / count) % all.size());
  return Queries(Rows(all.coordinates()(rows, Eigen::all)));
}

}  // namespace

ContinuousScene::ContinuousScene(Model& model, Candidates candidates, Payable payable)
    : model_(model),
      x_(model.setting().targets),
      domain_(*model.setting().queries),
      candidates_(std::move(candidates)),
      payable_(std::move(payable)),
      belief_(model.belief()) {
  notes_.emplace_back("exact posterior");
  if (!model.grows()) return;
  // Keep only what may be asked now: candidates of a growing domain are not referred to by position.
  const std::vector<Index> rows = allowed_rows(candidates_);
  candidates_ = {Queries(Rows(candidates_.queries.coordinates()(rows, Eigen::all))),
                 std::vector<bool>(rows.size(), true), Vector(candidates_.cost(rows)),
                 Vector(candidates_.noise_var(rows))};
}

Inputs ContinuousScene::some_inputs(Index count, Rng& rng) const {
  if (const auto* list = std::get_if<InputSet>(&x_)) return list->points();
  return spread_points(std::get<InputBox>(x_), count, rng);
}

Queries ContinuousScene::some_queries(Index count, Rng& rng) const {
  if (domain_.is_continuum()) return domain_.sample(count, rng);
  return model_.grows() ? some_of(candidates_.queries, count, rng) : candidates_.queries;
}

MaxSamples ContinuousScene::sample_max(Index count, Rng& rng) {
  const Queries a = some_queries(kQueriesForPaths, rng);
  if (const auto* list = std::get_if<InputSet>(&x_)) {
    const auto [f, g] = listed(belief_, list->points(), a).draw(count, rng);
    return max_of_paths(list->points(), f, g);
  }
  const std::vector<Index> shares = shares_of(count, belief_.weights());
  MaxSamples out{Vector(count), {}, {}};
  for (std::size_t s = 0; s < shares.size(); ++s) {
    if (shares[s] == 0) continue;
    const Paths paths(belief_.members()[s], a, shares[s], rng);
    const MaxSamples some = max_of_paths(paths, std::get<InputBox>(x_), Inputs(), rng);
    out.values.segment(out.arguments.size(), shares[s]) = some.values;
    out.arguments = out.arguments.joined(some.arguments);
  }
  return out;
}

Vector ContinuousScene::sample_g_max(Index count, Rng& rng) {
  return sample_max_at(belief_, domain_.sample(kStandIns, rng), count, rng);
}

Vector ContinuousScene::sample_finest_max(Index count, Rng& rng) {
  if (model_.grows()) return sample_g_max(count, rng);  // the sample is of the finest level
  return sample_max_at(belief_, domain_.finest(domain_.sample(kStandIns, rng)), count, rng);
}

Marginals ContinuousScene::f_all(Rng& rng) { return belief_.f(some_inputs(kStandIns, rng)); }
Marginals ContinuousScene::g_all(Rng& rng) {
  const Queries a = some_queries(kStandIns, rng);
  return rates_ ? model_.rates_g(a) : belief_.g(a);
}
Marginals ContinuousScene::f(const ScenePoints& at) { return belief_.f(at.x); }

ScenePoints ContinuousScene::knowledge_points(Index samples, Rng& rng) {
  if (const auto* list = std::get_if<InputSet>(&x_)) {
    // Only inputs that may still win: their line m + b Z, |b| <= sd of f, meets that of the best mean for some |Z| < 6.
    const Marginals all = belief_.f(list->points());
    Index top = 0;
    const double best = all.mean.maxCoeff(&top);
    const double reach = 6.0 * std::sqrt(all.var[top]);
    std::vector<Index> rows;
    for (Index i = 0; i < all.mean.size(); ++i)
      if (i == top || all.mean[i] + 6.0 * std::sqrt(all.var[i]) > best - reach) rows.push_back(i);
    return {Inputs(Rows(list->points().coordinates()(rows, Eigen::all))), {}};
  }
  const auto& box = std::get<InputBox>(x_);
  constexpr Index kSpread = 128;
  Inputs candidates = sample_max(samples, rng).arguments.joined(spread_points(box, kSpread, rng));
  const InputScore mean{[&](const Inputs& x, Rows* gradient) {
    if (gradient != nullptr) *gradient = belief_.f_pull_back(x, {Vector::Ones(x.size()), Vector()});
    return belief_.f(x).mean;
  }};
  notes_.emplace_back("knowledge gradient over a finite set of inputs: the best mean, " + std::to_string(samples) +
                      " path maximisers and " + std::to_string(kSpread) + " Sobol points; an approximation");
  return {candidates.joined(search(mean, box, Inputs(), rng).point), {}};
}

ScenePoints ContinuousScene::everywhere(Rng& rng) { return {some_inputs(kStandIns, rng), {}}; }

double ContinuousScene::incumbent() {
  Index counted = 0;
  belief_.weights().maxCoeff(&counted);  // one with weight 0 has no answers
  const Queries& asked = belief_.members()[static_cast<std::size_t>(counted)].queries();
  if (rates_ && !asked.empty()) return model_.rates_g(asked).mean.maxCoeff();
  return asked.empty() ? model_.prior().mean().constant_part() : belief_.g(asked).mean.maxCoeff();
}

Outlook ContinuousScene::outlook(const Queries& a) const {
  if (rates_) {
    auto [g, var] = model_.rates_g(a);
    return {std::move(g), std::move(var), model_.rate_noise_var(a)};
  }
  return outlook(a, belief_.g(a));
}

// Candidates are scored all at once; the noise of their finest partners is not used.
Outlook ContinuousScene::outlook(const Queries& a, Marginals g) const {
  return {std::move(g.mean), std::move(g.var), domain_.is_continuum() ? model_.noise_var(a) : candidates_.noise_var};
}

Vector ContinuousScene::cost(const Queries& a) const {
  return domain_.is_continuum() ? domain_.cost(a) : candidates_.cost;
}

Chosen ContinuousScene::best(const QueryScore& score, bool logarithmic, Rng& rng) {
  scores_.logarithmic = logarithmic;
  if (!domain_.is_continuum()) {
    scores_ = {candidates_.queries, score.evaluate(candidates_.queries, nullptr), logarithmic};
    const Vector& all = scores_.score;
    const Index row = best_row(all, candidates_, rng);
    return {candidates_.queries.slice(row, 1), row, all[row]};
  }
  const QueryScore within = payable_.purse ? affordable(score) : score;
  const BestQuery found = domain_.search(within, payable_.some, rng);
  if (!scores_.at.empty()) scores_.score = within.evaluate(scores_.at, nullptr);
  if (payable_.purse && std::isinf(found.score)) return {any_affordable(rng), -1, found.score};  // no score is finite
  return {found.point, -1, found.score};
}

QueryScore ContinuousScene::affordable(const QueryScore& score) const {
  return {[&score, this](const Queries& a, Rows* gradient) {
            Vector out = score.evaluate(a, gradient);
            const Vector cost = domain_.cost(a);
            for (Index i = 0; i < a.size(); ++i)
              if (!payable_.purse->affords(cost[i])) out[i] = -std::numeric_limits<double>::infinity();
            return out;
          },
          score.has_gradient};
}

// A random affordable query: of points all over the domain or, if none of them is affordable, of those known to be.
Queries ContinuousScene::any_affordable(Rng& rng) const {
  const Queries all = some_queries(kStandIns, rng);
  const Vector cost = domain_.cost(all);
  for (Index i = 0; i < all.size(); ++i)
    if (payable_.purse->affords(cost[i])) return all.slice(i, 1);
  return payable_.some.slice(rng.below(payable_.some.size()), 1);
}

Chosen ContinuousScene::best(const Acquisition& score, const ScenePoints& references, Rng& rng) {
  std::optional<Ensemble::References> x;  // prepared: a search compares hundreds of queries with them, one by one
  if (!references.x.empty()) x = belief_.references(references.x);
  const QueryScore on_queries{[&](const Queries& a, Rows* gradient) {
                                Matrix c(0, a.size());
                                Outlook seen;
                                if (x && !rates_) {
                                  Posterior::Outlook both = belief_.outlook(*x, a);
                                  c = std::move(both.fg_cov);
                                  seen = outlook(a, std::move(both.g));
                                } else {
                                  if (x) c = belief_.outlook(*x, a).fg_cov;
                                  seen = outlook(a);
                                }
                                if (gradient == nullptr)
                                  return per_cost(score.score(seen, c), score.logarithmic(), cost(a));
                                OutlookGradient weight;
                                Vector value = score.score(seen, c, &weight);
                                *gradient = x ? belief_.g_pull_back(a, {weight.nu, weight.q}, *x, weight.c)
                                              : belief_.g_pull_back(a, {weight.nu, weight.q});
                                return value;
                              },
                              score.has_gradient() && !model_.is_linked() && !domain_.has_cost() &&
                                  !domain_.has_noise_var() && belief_.gradients() != Gradients::kNone};
  return best(on_queries, score.logarithmic(), rng);
}

Chosen ContinuousScene::best(const Mfmes& score, Rng& rng) {
  const QueryScore on_queries{[&](const Queries& a, Rows* /*gradient*/) {
                                const Queries finest = domain_.finest(a);
                                const Vector cov = paired_cov(belief_, a, finest);
                                return per_cost(score.score(outlook(a), outlook(finest), cov), true, cost(a));
                              },
                              false};
  return best(on_queries, true, rng);
}

Chosen ContinuousScene::random(Rng& rng) {
  if (!domain_.is_continuum())
    return best({[&](const Queries& a, Rows*) { return rng.normals(a.size()); }, false}, false, rng);
  return {payable_.purse ? any_affordable(rng) : some_queries(1, rng).slice(0, 1), -1, 0.0};
}

void ContinuousScene::fantasise(const Queries& a) {
  for (Index i = 0; i < a.size(); ++i) {
    const Queries one = a.slice(i, 1);
    belief_ = belief_.expecting(one, model_.member_noise_var(one));
  }
}

}  // namespace iqbo
