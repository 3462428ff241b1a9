#include "finite_scene.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "candidates.hpp"

namespace iqbo {

FiniteScene::FiniteScene(Model& model, const Answers& answers, std::vector<bool> allowed)
    : model_(model), setting_(model.setting()), a_(std::get<QuerySet>(setting_.a)), allowed_(std::move(allowed)) {
  for (const auto& answer : answers)
    if (const auto* a = std::get_if<Queries>(&answer.at))
      if (const auto row = a_.find(a->row(0))) asked_.push_back(*row);
  notes_.push_back(belief().description());
}

FiniteBelief& FiniteScene::belief() { return fantasy_ ? *fantasy_ : model_.finite(); }

MaxSamples FiniteScene::sample_max(Index count, Rng& rng) {
  const auto [f, g] = belief().draw(count, rng);
  return max_of_paths(belief().x(), f, g);
}

Vector FiniteScene::sample_g_max(Index count, Rng& rng) {
  return belief().draw(count, rng).g.colwise().maxCoeff().transpose();
}

Vector FiniteScene::sample_finest_max(Index count, Rng& rng) {
  const std::vector<Index> finest = a_.positions(setting_.finest(a_.points()), "finest");
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
  for (const Index row : asked_) best = std::max(best, nu[row]);
  return std::isfinite(best) ? best : nu.maxCoeff();
}

Outlook FiniteScene::outlook() {
  const auto& [nu, q] = belief().g();
  return {nu, q, Vector::Constant(nu.size(), model_.noise_var())};
}

Chosen FiniteScene::choose(const Vector& score, bool logarithmic, Rng& rng) const {
  const Vector worth = per_cost(score, logarithmic, setting_, a_.points());
  const Index row = best_row(worth, allowed_, rng);
  return {a_.points().slice(row, 1), row, worth[row]};
}

Chosen FiniteScene::best(const Acquisition& score, const Places& references, Rng& rng) {
  if (references.rows.empty()) return choose(score.score(outlook(), Matrix(0, a_.size())), score.logarithmic(), rng);
  // All of X: the covariances are kept, not copied.
  if (references.all) return choose(score.score(outlook(), belief().fg_cov()), score.logarithmic(), rng);
  return choose(score.score(outlook(), belief().fg_cov(references.rows)), score.logarithmic(), rng);
}

Chosen FiniteScene::best(const Mfmes& score, Rng& rng) {
  const std::vector<Index> finest = a_.positions(setting_.finest(a_.points()), "finest");
  const Outlook all = outlook();
  const Outlook partner{all.nu(finest), all.q(finest), all.noise_var};
  // Each distinct partner once.
  std::vector<Index> distinct = finest;
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  const Matrix rows = belief().g_cov(distinct);
  Vector cov(a_.size());
  for (Index j = 0; j < a_.size(); ++j) {
    const auto at = std::lower_bound(distinct.begin(), distinct.end(), finest[static_cast<std::size_t>(j)]);
    cov[j] = rows(at - distinct.begin(), j);
  }
  return choose(score.score(all, partner, cov), true, rng);
}

Chosen FiniteScene::random(Rng& rng) {
  const std::vector<Index> rows = allowed_rows(a_.size(), allowed_);
  const Index row = rows[static_cast<std::size_t>(rng.below(static_cast<Index>(rows.size())))];
  return {a_.points().slice(row, 1), row, 0.0};
}

void FiniteScene::fantasise(const Queries& a) {
  if (!fantasy_) fantasy_.emplace(model_.finite());
  for (Index i = 0; i < a.size(); ++i)
    if (const auto row = a_.find(a.row(i)))
      fantasy_->observe(*row, fantasy_->g().mean[*row], model_.noise_var());
    else
      fantasy_->observe(a.slice(i, 1), model_.posterior().g(a.slice(i, 1)).mean, model_.noise_var());
}

}  // namespace iqbo
