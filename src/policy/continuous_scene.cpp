#include "continuous_scene.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "candidates.hpp"
#include "iqbo/maxvalue/paths.hpp"
#include "spread_points.hpp"

namespace iqbo {

using namespace internal;

namespace {

// Enough to see every bump of a posterior mean in two or three dimensions; a maximum is then climbed to.
constexpr Index kStandIns = 512;
constexpr Index kQueriesForPaths = 128;  // where a path's g may not exceed its f*

// Every so many-th, from a random one on.
Queries some_of(const Queries& all, Index count, Rng& rng) {
  if (all.size() <= count) return all;
  const Index first = rng.below(all.size());
  std::vector<Index> rows;
  for (Index i = 0; i < count; ++i) rows.push_back((first + i * all.size() / count) % all.size());
  return Queries(Rows(all.coordinates()(rows, Eigen::all)));
}

}  // namespace

ContinuousScene::ContinuousScene(Model& model, Candidates candidates)
    : model_(model), setting_(model.setting()), candidates_(std::move(candidates)), posterior_(model.posterior()) {
  notes_.emplace_back("exact posterior");
  if (!std::holds_alternative<QueryTree>(setting_.a)) return;
  // Of a tree only what may be asked: nobody counts its rows.
  const std::vector<Index> rows = allowed_rows(candidates_.points.size(), candidates_.allowed);
  candidates_.points = Queries(Rows(candidates_.points.coordinates()(rows, Eigen::all)));
  candidates_.cost = Vector(candidates_.cost(rows));
  candidates_.noise_var = Vector(candidates_.noise_var(rows));
  candidates_.allowed.clear();
}

Inputs ContinuousScene::some_inputs(Index count, Rng& rng) const {
  if (const auto* list = std::get_if<InputSet>(&setting_.x)) return list->points();
  return spread_points(std::get<InputBox>(setting_.x), count, rng);
}

Queries ContinuousScene::some_queries(Index count, Rng& rng) const {
  if (std::holds_alternative<QuerySet>(setting_.a)) return candidates_.points;
  if (std::holds_alternative<QueryTree>(setting_.a)) return some_of(candidates_.points, count, rng);
  if (const auto* box = std::get_if<QueryBox>(&setting_.a)) return spread_points(*box, count, rng);
  return spread_points(std::get<MixedQueries>(setting_.a), count, rng);
}

MaxSamples ContinuousScene::sample_max(Index count, Rng& rng) {
  const Queries a = some_queries(kQueriesForPaths, rng);
  if (const auto* list = std::get_if<InputSet>(&setting_.x)) {
    FiniteBelief belief(posterior_, list->points(), a);
    const auto [f, g] = belief.draw(count, rng);
    return max_of_paths(list->points(), f, g);
  }
  const Paths paths(posterior_, a, count, rng);
  return max_of_paths(paths, std::get<InputBox>(setting_.x), Inputs(), rng);
}

Vector ContinuousScene::sample_g_max(Index count, Rng& rng) {
  if (const auto* tree = std::get_if<QueryTree>(&setting_.a))
    return sample_max_at(posterior_, finest_level(*tree, kStandIns, rng), count, rng);
  return sample_max_at(posterior_, some_queries(kStandIns, rng), count, rng);
}

Vector ContinuousScene::sample_finest_max(Index count, Rng& rng) {
  if (std::holds_alternative<QueryTree>(setting_.a)) return sample_g_max(count, rng);
  return sample_max_at(posterior_, setting_.finest(some_queries(kStandIns, rng)), count, rng);
}

Marginals ContinuousScene::f_all(Rng& rng) { return posterior_.f(some_inputs(kStandIns, rng)); }
Marginals ContinuousScene::g_all(Rng& rng) { return posterior_.g(some_queries(kStandIns, rng)); }
Marginals ContinuousScene::f(const Places& at) { return posterior_.f(at.x); }

Places ContinuousScene::knowledge_places(Index samples, Rng& rng) {
  if (const auto* list = std::get_if<InputSet>(&setting_.x)) {
    // Only inputs that may still win: a line m + b Z rises above the best mean for |Z| < 6, as |b| <= sd of f.
    const Marginals all = posterior_.f(list->points());
    Index top = 0;
    const double best = all.mean.maxCoeff(&top);
    const double reach = 6.0 * std::sqrt(all.var[top]);
    std::vector<Index> rows;
    for (Index i = 0; i < all.mean.size(); ++i)
      if (i == top || all.mean[i] + 6.0 * std::sqrt(all.var[i]) > best - reach) rows.push_back(i);
    return {Inputs(Rows(list->points().coordinates()(rows, Eigen::all))), {}};
  }
  const auto& box = std::get<InputBox>(setting_.x);
  constexpr Index kSpread = 128;
  Inputs places = sample_max(samples, rng).arguments.joined(spread_points(box, kSpread, rng));
  const InputScore mean{[&](const Inputs& x, Rows* gradient) {
    if (gradient != nullptr) *gradient = posterior_.f_pull_back(x, {Vector::Ones(x.size()), Vector()});
    return posterior_.f(x).mean;
  }};
  notes_.emplace_back("knowledge gradient over a finite set of inputs: the best mean, " + std::to_string(samples) +
                      " path maximisers and " + std::to_string(kSpread) + " Sobol points; an approximation");
  return {places.joined(search(mean, box, Inputs(), rng).point), {}};
}

double ContinuousScene::incumbent() {
  const Queries& asked = posterior_.queries();
  return asked.empty() ? posterior_.mean().constant_part() : posterior_.g(asked).mean.maxCoeff();
}

Outlook ContinuousScene::outlook(const Queries& a) const {
  auto [nu, q] = posterior_.g(a);
  // A tree is only ever asked about all its candidates, or about their finest partners, whose noise is not looked at.
  if (candidates_.noise_var.size() > 0) return {std::move(nu), std::move(q), candidates_.noise_var};
  return {std::move(nu), std::move(q), Vector::Constant(a.size(), model_.noise_var())};
}

Vector ContinuousScene::cost(const Queries& a) const {
  return candidates_.points.empty() ? cost_of(setting_, a) : candidates_.cost;
}

Chosen ContinuousScene::best(const QueryScore& score, bool logarithmic, Rng& rng) {
  scores_.logarithmic = logarithmic;
  if (!candidates_.points.empty()) {
    scores_ = {candidates_.points, score.evaluate(candidates_.points, nullptr), logarithmic};
    const Vector& all = scores_.score;
    const Index row = best_row(all, candidates_.allowed, rng);
    return {candidates_.points.slice(row, 1), row, all[row]};
  }
  const QueryScore within = candidates_.purse ? payable(score) : score;
  const BestQuery found = std::holds_alternative<QueryBox>(setting_.a)
                              ? search(within, std::get<QueryBox>(setting_.a), candidates_.payable, rng)
                              : search(within, std::get<MixedQueries>(setting_.a), candidates_.payable, rng);
  if (!scores_.at.empty()) scores_.score = within.evaluate(scores_.at, nullptr);
  if (candidates_.purse && std::isinf(found.score)) return {some_payable(rng), -1, found.score};  // nothing is worth it
  return {found.point, -1, found.score};
}

QueryScore ContinuousScene::payable(const QueryScore& score) const {
  return {[&score, this](const Queries& a, Rows* gradient) {
            Vector out = score.evaluate(a, gradient);
            const Vector price = price_of(setting_, a);
            for (Index i = 0; i < a.size(); ++i)
              if (!candidates_.purse->affords(price[i])) out[i] = -std::numeric_limits<double>::infinity();
            return out;
          },
          score.has_gradient};
}

// One at random: of points all over A, or if none of them can be paid for, of those that are known to be.
Queries ContinuousScene::some_payable(Rng& rng) const {
  const Queries all = some_queries(kStandIns, rng);
  const Vector price = price_of(setting_, all);
  for (Index i = 0; i < all.size(); ++i)
    if (candidates_.purse->affords(price[i])) return all.slice(i, 1);
  return candidates_.payable.slice(rng.below(candidates_.payable.size()), 1);
}

Chosen ContinuousScene::best(const Acquisition& score, const Places& references, Rng& rng) {
  const Inputs& x = references.x;
  const QueryScore on_queries{[&](const Queries& a, Rows* gradient) {
                                const Matrix c = x.empty() ? Matrix(0, a.size()) : posterior_.fg_cov(x, a);
                                if (gradient == nullptr)
                                  return per_cost(score.score(outlook(a), c), score.logarithmic(), cost(a));
                                OutlookGradient weight;
                                Vector value = score.score(outlook(a), c, &weight);
                                *gradient = x.empty() ? posterior_.g_pull_back(a, {weight.nu, weight.q})
                                                      : posterior_.g_pull_back(a, {weight.nu, weight.q}, x, weight.c);
                                return value;
                              },
                              score.has_gradient() && !setting_.cost && posterior_.gradients() != Gradients::kNone};
  return best(on_queries, score.logarithmic(), rng);
}

Chosen ContinuousScene::best(const Mfmes& score, Rng& rng) {
  const QueryScore on_queries{[&](const Queries& a, Rows* /*gradient*/) {
                                const Queries finest = model_.finest(a);
                                const Vector cov = paired_cov(posterior_, a, finest);
                                return per_cost(score.score(outlook(a), outlook(finest), cov), true, cost(a));
                              },
                              false};
  return best(on_queries, true, rng);
}

Chosen ContinuousScene::random(Rng& rng) {
  if (!candidates_.points.empty())
    return best({[&](const Queries& a, Rows*) { return rng.normals(a.size()); }, false}, false, rng);
  return {candidates_.purse ? some_payable(rng) : some_queries(1, rng).slice(0, 1), -1, 0.0};
}

void ContinuousScene::fantasise(const Queries& a) {
  for (Index i = 0; i < a.size(); ++i) {
    const Queries one = a.slice(i, 1);
    posterior_ = posterior_.condition(one, posterior_.g(one).mean, model_.noise_var(one));
  }
}

}  // namespace iqbo
