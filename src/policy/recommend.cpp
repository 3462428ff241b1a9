#include "recommend.hpp"

#include <cmath>
#include <limits>

#include "finite/race.hpp"
#include "iqbo/maxvalue/paths.hpp"
#include "iqbo/search/search.hpp"
#include "search/argmax.hpp"

namespace iqbo {

using namespace internal;

namespace {

constexpr double kNormal975 = 1.959963984540054;
constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
constexpr double kToleranceShare = 0.05;  // of the prior sd of f

Recommendation described(const Inputs& x, double mean, double var) {
  const double sd = std::sqrt(std::max(var, 0.0));
  return {x, {}, mean, sd, mean - kNormal975 * sd, mean + kNormal975 * sd, kUnknown, 0.0, {}, kUnknown};
}

// How exactly the probability is wanted.
struct Wanted {
  Index paths;  // at most
  double error;
};

// Only inputs that can win are given to an engine. It needs a query too, of which nothing is used.
FiniteBelief::WinProbability win_probability(Model& model, const Inputs& x, const Marginals& f, Index row,
                                             const Wanted& wanted, Rng& rng) {
  const Posterior& posterior = model.posterior();
  const Vector cov = posterior.f_cov(x, x.slice(row, 1));
  const Inputs rivals(Rows(x.coordinates()(rivals_of(row, f, cov), Eigen::all)));
  const FiniteBelief belief(posterior, rivals, model.setting().queries->any());
  return belief.win_probability(0, wanted.error, wanted.paths, rng);
}

Recommendation on_list(Model& model, const InputSet& x, const Wanted& wanted, Rng& rng) {
  const bool finite = model.is_finite();
  const Marginals f = finite ? model.finite().f() : model.posterior().f(x.points());
  const Index row = argmax(f.mean, rng);
  Recommendation out = described(x.points().slice(row, 1), f.mean[row], f.var[row]);
  out.row = row;
  if (wanted.paths == 0) return out;
  const auto found = finite ? model.finite().win_probability(row, wanted.error, wanted.paths, rng)
                            : win_probability(model, x.points(), f, row, wanted, rng);
  out.probability = found.value;
  out.probability_error = found.error;
  return out;
}

// P(f* - f(x) <= tolerance), by paths over the box. Most paths that exceed f(x) + tolerance somewhere do so at one of
// the points from which a search would start; only the others have to be maximised.
void add_probability(const Posterior& posterior, const InputBox& box, const Wanted& wanted, Recommendation& out,
                     Rng& rng) {
  constexpr Index kDraws = 100;
  const Paths paths(posterior, Queries(), kDraws, rng);
  const Vector enough = paths.f(out.x).row(0).transpose().array() + out.tolerance;
  const PathMaxima maxima(paths, box, out.x, rng);
  Tally tally{.draws = kDraws};
  for (Index s = 0; s < kDraws; ++s) {
    if (maxima.at_points()[s] > enough[s]) continue;
    ++tally.ahead;
    if (tally.continued == wanted.paths || (tally.continued > 0 && tally.error() <= wanted.error)) continue;
    ++tally.continued;
    if (maxima.search(s).value <= enough[s]) tally.wins += 1.0;
  }
  out.probability = tally.value();
  out.probability_error = tally.error();
  out.notes.emplace_back("probability (of the smooth part of f, if it has a white one) that f* - f(x) is at most " +
                         readable(out.tolerance) + ", from " + std::to_string(kDraws) + " paths");
}

Recommendation in_box(Model& model, const InputBox& box, const Wanted& wanted, Rng& rng) {
  const Posterior& posterior = model.posterior();
  const InputScore mean{[&](const Inputs& x, Rows* gradient) {
    if (gradient != nullptr) *gradient = posterior.f_pull_back(x, {Vector::Ones(x.size()), Vector()});
    return posterior.f(x).mean;
  }};
  SearchOptions options;
  options.points = 1024;
  const BestInput best = search(mean, box, Inputs(), rng, options);
  const Marginals f = posterior.f(best.point);
  Recommendation out = described(best.point, f.mean[0], f.var[0]);
  out.tolerance = kToleranceShare * std::sqrt(model.amplitude_var());
  if (wanted.paths > 0) add_probability(posterior, box, wanted, out, rng);
  return out;
}

}  // namespace

Recommendation recommend(Model& model, Index paths, double error, Rng& rng) {
  const Wanted wanted{paths, error};
  const auto* list = std::get_if<InputSet>(&model.setting().targets);
  Recommendation out = list != nullptr ? on_list(model, *list, wanted, rng)
                                       : in_box(model, std::get<InputBox>(model.setting().targets), wanted, rng);
  if (model.setting().kernel == nullptr && model.fit() == nullptr && !model.hyperparameters())
    out.notes.emplace_back("fewer than two answers: nothing could be fitted, the interval is that of a unit prior");
  return out;
}

}  // namespace iqbo
