#include "continuous_scene.hpp"

#include <algorithm>
#include <cmath>

#include "candidates.hpp"
#include "iqbo/maxvalue/paths.hpp"
#include "spread_points.hpp"

namespace iqbo {
namespace {

// Enough to see every bump of a posterior mean in two or three dimensions; a maximum is then climbed to.
constexpr Index kStandIns = 512;
constexpr Index kQueriesForPaths = 128;  // where a path's g may not exceed its f*

}  // namespace

ContinuousScene::ContinuousScene(Model& model, std::vector<bool> allowed)
    : setting_(model.setting()),
      noise_var_(model.noise_var()),
      allowed_(std::move(allowed)),
      posterior_(model.posterior()) {
  notes_.emplace_back("exact posterior");
}

Inputs ContinuousScene::some_inputs(Index count, Rng& rng) const {
  if (const auto* list = std::get_if<InputSet>(&setting_.x)) return list->points();
  return spread_points(std::get<InputBox>(setting_.x), count, rng);
}

Queries ContinuousScene::some_queries(Index count, Rng& rng) const {
  if (const auto* list = std::get_if<QuerySet>(&setting_.a)) return list->points();
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

Vector ContinuousScene::sample_max_at(const Queries& a, Index count, Rng& rng) const {
  const Inputs x = some_inputs(1, rng).slice(0, 1);  // an engine wants one
  return FiniteBelief(posterior_, x, a).draw(count, rng).g.colwise().maxCoeff().transpose();
}

Vector ContinuousScene::sample_g_max(Index count, Rng& rng) {
  return sample_max_at(some_queries(kStandIns, rng), count, rng);
}

Vector ContinuousScene::sample_finest_max(Index count, Rng& rng) {
  return sample_max_at(setting_.finest(some_queries(kStandIns, rng)), count, rng);
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
  return {std::move(nu), std::move(q), Vector::Constant(a.size(), noise_var_)};
}

Chosen ContinuousScene::best(const QueryScore& score, Rng& rng) const {
  if (const auto* list = std::get_if<QuerySet>(&setting_.a)) {
    const Vector all = score.evaluate(list->points(), nullptr);
    const Index row = best_row(all, allowed_, rng);
    return {list->points().slice(row, 1), row, all[row]};
  }
  const BestQuery found = std::holds_alternative<QueryBox>(setting_.a)
                              ? search(score, std::get<QueryBox>(setting_.a), Queries(), rng)
                              : search(score, std::get<MixedQueries>(setting_.a), Queries(), rng);
  return {found.point, -1, found.score};
}

Chosen ContinuousScene::best(const Acquisition& score, const Places& references, Rng& rng) {
  const Inputs& x = references.x;
  const QueryScore on_queries{[&](const Queries& a, Rows* gradient) {
                                const Matrix c = x.empty() ? Matrix(0, a.size()) : posterior_.fg_cov(x, a);
                                if (gradient == nullptr)
                                  return per_cost(score.score(outlook(a), c), score.logarithmic(), setting_, a);
                                OutlookGradient weight;
                                Vector value = score.score(outlook(a), c, &weight);
                                *gradient = x.empty() ? posterior_.g_pull_back(a, {weight.nu, weight.q})
                                                      : posterior_.g_pull_back(a, {weight.nu, weight.q}, x, weight.c);
                                return value;
                              },
                              score.has_gradient() && !setting_.cost && posterior_.gradients() != Gradients::kNone};
  return best(on_queries, rng);
}

Chosen ContinuousScene::best(const Mfmes& score, Rng& rng) {
  const QueryScore on_queries{[&](const Queries& a, Rows* /*gradient*/) {
                                const Queries finest = setting_.finest(a);
                                require_rows(finest.size(), a.size(), "finest");
                                Vector cov(a.size());
                                for (Index i = 0; i < a.size(); ++i)
                                  cov[i] = posterior_.g_cov(a.slice(i, 1), finest.slice(i, 1))(0, 0);
                                return per_cost(score.score(outlook(a), outlook(finest), cov), true, setting_, a);
                              },
                              false};
  return best(on_queries, rng);
}

Chosen ContinuousScene::random(Rng& rng) {
  if (std::holds_alternative<QuerySet>(setting_.a))
    return best({[&](const Queries& a, Rows*) { return rng.normals(a.size()); }, false}, rng);
  return {some_queries(1, rng).slice(0, 1), -1, 0.0};
}

void ContinuousScene::fantasise(const Queries& a) {
  for (Index i = 0; i < a.size(); ++i) {
    const Queries one = a.slice(i, 1);
    posterior_ = posterior_.condition(one, posterior_.g(one).mean, noise_var_);
  }
}

}  // namespace iqbo
