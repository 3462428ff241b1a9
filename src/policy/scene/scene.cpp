#include "scene.hpp"

#include <algorithm>

#include "continuous_scene.hpp"
#include "finite_scene.hpp"

namespace iqbo {

std::unique_ptr<Scene> make_scene(Model& model, const Answers& answers, Candidates candidates, const Payable& payable,
                                  Fantasy& fantasy) {
  if (model.is_finite()) return std::make_unique<FiniteScene>(model, answers, std::move(candidates), fantasy);
  return std::make_unique<ContinuousScene>(model, std::move(candidates), payable);
}

FiniteEnsemble listed(const Ensemble& belief, const Inputs& x, const Queries& a) {
  std::vector<FiniteBelief> members;
  for (const Posterior& member : belief.members()) members.emplace_back(member, x, a);
  return {std::move(members), belief.weights()};
}

Vector sample_max_at(const Ensemble& belief, const Queries& a, Index count, Rng& rng) {
  const Inputs x(Rows::Zero(1, belief.members().front().kernel().dimension()));  // the engine needs an input
  return listed(belief, x, a).draw(count, rng).g.colwise().maxCoeff().transpose();
}

Vector paired_cov(const QueryBelief& belief, const Queries& a, const Queries& b) {
  require_rows(b.size(), a.size(), "finest");
  constexpr Index kAtOnce = 64;  // more than the diagonal is computed, in exchange for solves that are shared
  Vector out(a.size());
  for (Index begin = 0; begin < a.size(); begin += kAtOnce) {
    const Index count = std::min(kAtOnce, a.size() - begin);
    out.segment(begin, count) = belief.g_cov(a.slice(begin, count), b.slice(begin, count)).diagonal();
  }
  return out;
}

}  // namespace iqbo
