#include "finite_scene.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "candidates.hpp"

namespace iqbo {

FiniteScene::FiniteScene(Model& model, const Answers& answers, Candidates candidates)
    : model_(model),
      setting_(model.setting()),
      tree_(std::get_if<QueryTree>(&setting_.a)),
      answers_(answers),
      candidates_(std::move(candidates)) {
  notes_.push_back(belief().description());
}

FiniteBelief& FiniteScene::belief() { return fantasy_ ? *fantasy_ : model_.finite(); }

// What is pending included, at its mean.
Posterior FiniteScene::exact() {
  Posterior out = model_.posterior();
  for (Index i = 0; i < pending_.size(); ++i) {
    const Queries one = pending_.slice(i, 1);
    out = out.condition(one, out.g(one).mean, model_.noise_var(one));
  }
  return out;
}

MaxSamples FiniteScene::sample_max(Index count, Rng& rng) {
  const auto [f, g] = belief().draw(count, rng);
  return max_of_paths(belief().x(), f, g);
}

Vector FiniteScene::sample_g_max(Index count, Rng& rng) {
  constexpr Index kStandIns = 512;
  if (tree_ != nullptr) return sample_max_at(exact(), finest_level(*tree_, kStandIns, rng), count, rng);
  return belief().draw(count, rng).g.colwise().maxCoeff().transpose();
}

Vector FiniteScene::sample_finest_max(Index count, Rng& rng) {
  if (tree_ != nullptr) return sample_g_max(count, rng);
  const QuerySet& list = std::get<QuerySet>(setting_.a);
  const std::vector<Index> finest = list.positions(setting_.finest(list.points()), "finest");
  const Matrix g = belief().draw(count, rng).g;
  return g(finest, Eigen::all).colwise().maxCoeff().transpose();
}

Marginals FiniteScene::f_all(Rng& /*rng*/) { return belief().f(); }
Marginals FiniteScene::g_all(Rng& /*rng*/) { return belief().g(); }

Marginals FiniteScene::f(const Places& at) {
  const Marginals& all = belief().f();
  return {all.mean(at.rows), all.var(at.rows)};
}

Places FiniteScene::knowledge_places(Index /*samples*/, Rng& /*rng*/) {
  std::vector<Index> rows(static_cast<std::size_t>(belief().x().size()));
  std::iota(rows.begin(), rows.end(), Index{0});
  return {belief().x(), std::move(rows), true};
}

double FiniteScene::incumbent() {
  const Vector& nu = belief().g().mean;
  double best = -std::numeric_limits<double>::infinity();
  for (const auto& answer : answers_)
    if (const auto* a = std::get_if<Queries>(&answer.at))
      if (const auto row = model_.find(*a)) best = std::max(best, nu[*row]);
  return std::isfinite(best) ? best : nu.maxCoeff();
}

Outlook FiniteScene::outlook() {
  const auto& [nu, q] = belief().g();
  if (candidates_.noise_var.size() > 0) return {nu, q, candidates_.noise_var};
  return {nu, q, Vector::Constant(nu.size(), model_.noise_var())};
}

Chosen FiniteScene::choose(const Vector& score, bool logarithmic, Rng& rng) {
  scores_ = {candidates_.points, per_cost(score, logarithmic, candidates_.cost), logarithmic};
  const Vector& worth = scores_.score;
  const Index row = best_row(worth, candidates_.allowed, rng);
  return {candidates_.points.slice(row, 1), row, worth[row]};
}

Chosen FiniteScene::best(const Acquisition& score, const Places& references, Rng& rng) {
  if (references.rows.empty())
    return choose(score.score(outlook(), Matrix(0, candidates_.points.size())), score.logarithmic(), rng);
  // All of X: the covariances are kept, not copied.
  if (references.all) return choose(score.score(outlook(), belief().fg_cov()), score.logarithmic(), rng);
  return choose(score.score(outlook(), belief().fg_cov(references.rows)), score.logarithmic(), rng);
}

Chosen FiniteScene::best(const Mfmes& score, Rng& rng) {
  const Outlook all = outlook();
  if (tree_ != nullptr) {
    const Posterior posterior = exact();
    const Queries finest = model_.finest(candidates_.points);
    const Marginals g = posterior.g(finest);
    const Vector cov = paired_cov(posterior, candidates_.points, finest);
    return choose(score.score(all, {g.mean, g.var, all.noise_var}, cov), true, rng);
  }
  const QuerySet& list = std::get<QuerySet>(setting_.a);
  const std::vector<Index> finest = list.positions(setting_.finest(list.points()), "finest");
  const Outlook partner{all.nu(finest), all.q(finest), all.noise_var};
  // Each distinct partner once.
  std::vector<Index> distinct = finest;
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  const Matrix rows = belief().g_cov(distinct);
  Vector cov(list.size());
  for (Index j = 0; j < list.size(); ++j) {
    const auto at = std::lower_bound(distinct.begin(), distinct.end(), finest[static_cast<std::size_t>(j)]);
    cov[j] = rows(at - distinct.begin(), j);
  }
  return choose(score.score(all, partner, cov), true, rng);
}

Chosen FiniteScene::random(Rng& rng) {
  const std::vector<Index> rows = allowed_rows(candidates_.points.size(), candidates_.allowed);
  const Index row = rows[static_cast<std::size_t>(rng.below(static_cast<Index>(rows.size())))];
  return {candidates_.points.slice(row, 1), row, 0.0};
}

void FiniteScene::fantasise(const Queries& a) {
  if (!fantasy_) fantasy_.emplace(model_.finite());
  const Index known = fantasy_->a().size();
  fantasy_->add(candidates_.points.slice(known, candidates_.points.size() - known));  // what they open in a tree
  for (Index i = 0; i < a.size(); ++i) {
    const Queries one = a.slice(i, 1);
    if (const auto row = model_.find(one))
      fantasy_->observe(*row, fantasy_->g().mean[*row], model_.noise_var(one)[0]);
    else
      fantasy_->observe(one, exact().g(one).mean, model_.noise_var(one));
    pending_ = pending_.joined(one);
  }
}

}  // namespace iqbo
