#include "finite_scene.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "contenders.hpp"
#include "iqbo/core/check.hpp"

namespace iqbo {

FiniteScene::FiniteScene(Model& model, const Answers& answers, Candidates candidates, Fantasy& fantasy)
    : model_(model),
      domain_(*model.setting().queries),
      grows_(model.open().grows()),
      answers_(answers),
      candidates_(std::move(candidates)),
      fantasy_(fantasy) {}

FiniteEnsemble& FiniteScene::belief() { return pending_.empty() ? model_.finite() : *fantasy_.belief; }

// Includes pending queries, answered by their means.
Ensemble FiniteScene::exact() {
  Ensemble out = model_.belief();
  for (Index i = 0; i < pending_.size(); ++i) {
    const Queries one = pending_.slice(i, 1);
    out = out.expecting(one, model_.member_noise_var(one));
  }
  return out;
}

MaxSamples FiniteScene::sample_max(Index count, Rng& rng) {
  drew_ = true;
  const auto [f, g] = belief().draw(count, rng);
  return max_of_paths(belief().x(), f, g);
}

Vector FiniteScene::sample_g_max(Index count, Rng& rng) {
  constexpr Index kStandIns = 512;
  if (grows_) return sample_max_at(exact(), domain_.sample(kStandIns, rng), count, rng);
  drew_ = true;
  return belief().draw(count, rng).g.colwise().maxCoeff().transpose();
}

Vector FiniteScene::sample_finest_max(Index count, Rng& rng) {
  if (grows_) return sample_g_max(count, rng);
  const std::vector<Index> finest = finest_rows();
  drew_ = true;
  const Matrix g = belief().draw(count, rng).g;
  return g(finest, Eigen::all).colwise().maxCoeff().transpose();
}

std::vector<Index> FiniteScene::finest_rows() {
  const Queries finest = domain_.finest(candidates_.queries);
  std::vector<Index> out;
  for (Index i = 0; i < finest.size(); ++i) {
    const auto row = model_.open().find(finest.row(i));
    if (!row)
      refuse("finest", "row " + std::to_string(i) + " is not in the set",
             "one of its " + std::to_string(candidates_.queries.size()) + " points, exactly");
    out.push_back(*row);
  }
  return out;
}

Marginals FiniteScene::f_all(Rng& /*rng*/) { return belief().f(); }
Marginals FiniteScene::g_all(Rng& /*rng*/) { return rates_ ? model_.rates_g(belief().a()) : belief().g(); }

Marginals FiniteScene::f(const ScenePoints& at) {
  const Marginals& all = belief().f();
  return {all.mean(at.rows), all.var(at.rows)};
}

ScenePoints FiniteScene::points(const Inputs& x) const {
  if (x.empty()) return {};
  return {x, std::get<InputSet>(model_.setting().targets).positions(x, "references")};
}

ScenePoints FiniteScene::knowledge_points(Index /*samples*/, Rng& rng) {
  if (model_.keeps_covariances() || belief().x().size() <= kMostContenders) return everywhere(rng);
  Contenders found = contenders(belief());
  notes_.push_back(found.note());
  return {Inputs(Rows(belief().x().coordinates()(found.rows, Eigen::all))), std::move(found.rows)};
}

ScenePoints FiniteScene::everywhere(Rng& /*rng*/) {
  std::vector<Index> rows(static_cast<std::size_t>(belief().x().size()));
  std::iota(rows.begin(), rows.end(), Index{0});
  return {belief().x(), std::move(rows), true};
}

double FiniteScene::incumbent() {
  const Vector nu = rates_ ? model_.rates_g(belief().a()).mean : belief().g().mean;
  double best = -std::numeric_limits<double>::infinity();
  for (const auto& answer : answers_)
    if (const auto* a = std::get_if<Queries>(&answer.at))
      if (const auto row = model_.open().find(a->row(0))) best = std::max(best, nu[*row]);
  return std::isfinite(best) ? best : nu.maxCoeff();
}

Outlook FiniteScene::outlook() {
  if (rates_) {
    auto [nu, q] = model_.rates_g(candidates_.queries);
    // What is pending has taken its share of the variance, of eta as of g.
    const Vector left = belief().g().var.cwiseQuotient(model_.finite().g().var.cwiseMax(1e-300));
    return {nu, q.cwiseProduct(left), model_.rate_noise_var(candidates_.queries)};
  }
  const auto& [nu, q] = belief().g();
  return {nu, q, candidates_.noise_var};
}

// First among the notes: how the belief was computed, and how paths were drawn if any were.
Chosen FiniteScene::choose(const Vector& score, bool logarithmic, Rng& rng) {
  notes_.insert(notes_.begin(), belief().description(drew_));
  scores_ = {candidates_.queries, per_cost(score, logarithmic, candidates_.cost), logarithmic};
  const Vector& worth = scores_.score;
  const Index row = best_row(worth, candidates_, rng);
  return {candidates_.queries.slice(row, 1), row, worth[row]};
}

Chosen FiniteScene::best(const Acquisition& score, const ScenePoints& references, Rng& rng) {
  if (references.rows.empty())
    return choose(score.score(outlook(), Matrix(0, candidates_.queries.size())), score.logarithmic(), rng);
  // All of X: the covariances are kept, not copied.
  if (references.all && model_.keeps_covariances())
    return choose(score.score(outlook(), belief().fg_cov()), score.logarithmic(), rng);
  return choose(score.score(outlook(), belief().fg_cov(references.rows)), score.logarithmic(), rng);
}

Chosen FiniteScene::best(const Mfmes& score, Rng& rng) {
  const Outlook all = outlook();
  if (grows_) {
    const Ensemble belief = exact();
    const Queries finest = domain_.finest(candidates_.queries);
    const Marginals g = belief.g(finest);
    const Vector cov = paired_cov(belief, candidates_.queries, finest);
    return choose(score.score(all, {g.mean, g.var, all.noise_var}, cov), true, rng);
  }
  const std::vector<Index> finest = finest_rows();
  const Outlook partner{all.nu(finest), all.q(finest), all.noise_var};
  // Computes each distinct partner once.
  std::vector<Index> distinct = finest;
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  const Matrix rows = belief().g_cov(distinct);
  Vector cov(all.size());
  for (Index j = 0; j < all.size(); ++j) {
    const auto at = std::lower_bound(distinct.begin(), distinct.end(), finest[static_cast<std::size_t>(j)]);
    cov[j] = rows(at - distinct.begin(), j);
  }
  return choose(score.score(all, partner, cov), true, rng);
}

Chosen FiniteScene::random(Rng& rng) {
  notes_.insert(notes_.begin(), belief().description(drew_));
  const std::vector<Index> rows = allowed_rows(candidates_);
  const Index row = rows[static_cast<std::size_t>(rng.below(static_cast<Index>(rows.size())))];
  return {candidates_.queries.slice(row, 1), row, 0.0};
}

void FiniteScene::fantasise(const Queries& a) {
  auto& [belief, done] = fantasy_;
  // On a tree the opened nodes differ from choice to choice, and the order in which they are added shows in last bits.
  const bool goes_on = belief && !grows_ && done.size() <= a.size() && done == a.slice(0, done.size());
  if (!goes_on) {
    belief.emplace(model_.finite());
    done = {};
  }
  const Index known = belief->a().size();
  belief->add(candidates_.queries.slice(known, candidates_.queries.size() - known));  // what they open in a tree
  pending_ = done;
  for (Index i = done.size(); i < a.size(); ++i) {
    const Queries one = a.slice(i, 1);
    const Vector noise_var = model_.member_noise_var(one);
    if (const auto row = model_.open().find(one.row(0))) {
      belief->expect(*row, noise_var);
    } else {
      const Ensemble now = exact();
      belief->expect(one, now.each(one), noise_var);
    }
    pending_ = pending_.joined(one);
  }
  done = pending_;
}

}  // namespace iqbo
