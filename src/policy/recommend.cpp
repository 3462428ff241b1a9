#include "recommend.hpp"

#include <cmath>
#include <limits>

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
  return {x, {}, mean, sd, mean - kNormal975 * sd, mean + kNormal975 * sd, kUnknown, 0.0, {}};
}

// The share of joint paths whose maximum is at `row`; a path with k tied maxima counts 1 / k.
double share_of_maxima(const Matrix& f, Index row) {
  double out = 0.0;
  for (Index s = 0; s < f.cols(); ++s) {
    const double top = f.col(s).maxCoeff();
    if (f(row, s) == top) out += 1.0 / static_cast<double>((f.col(s).array() == top).count());
  }
  return out / static_cast<double>(f.cols());
}

Recommendation on_list(Model& model, const InputSet& x, Index paths, Rng& rng) {
  if (model.is_finite()) {
    const FiniteBelief& belief = model.finite();
    const Index row = argmax(belief.f().mean, rng);
    Recommendation out = described(x.points().slice(row, 1), belief.f().mean[row], belief.f().var[row]);
    out.row = row;
    if (paths > 0) out.probability = share_of_maxima(belief.draw(paths, rng).f, row);
    return out;
  }
  const Posterior& posterior = model.posterior();
  const Marginals f = posterior.f(x.points());
  const Index row = argmax(f.mean, rng);
  Recommendation out = described(x.points().slice(row, 1), f.mean[row], f.var[row]);
  out.row = row;
  if (paths == 0) return out;
  const Queries any = model.setting().queries->any();  // the engine needs a query; only the paths of f are used
  out.probability = share_of_maxima(FiniteBelief(posterior, x.points(), any).draw(paths, rng).f, row);
  return out;
}

Recommendation in_box(Model& model, const InputBox& box, Index paths, Rng& rng) {
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

  if (paths == 0) return out;
  constexpr Index kPaths = 100;  // each must be maximised
  const Paths drawn(posterior, Queries(), std::min(paths, kPaths), rng);
  const Vector here = drawn.f(best.point).row(0).transpose();
  const MaxSamples top = max_of_paths(drawn, box, best.point, rng);
  out.probability = ((top.values - here).array() <= out.tolerance).cast<double>().mean();
  out.notes.emplace_back("probability (of the smooth part of f, if it has a white one) that f* - f(x) is at most " +
                         readable(out.tolerance) + ", from " + std::to_string(drawn.size()) + " paths");
  return out;
}

}  // namespace

Recommendation recommend(Model& model, Index paths, Rng& rng) {
  const auto* list = std::get_if<InputSet>(&model.setting().targets);
  Recommendation out = list != nullptr ? on_list(model, *list, paths, rng)
                                       : in_box(model, std::get<InputBox>(model.setting().targets), paths, rng);
  if (model.setting().kernel == nullptr && model.fit() == nullptr && !model.hyperparameters())
    out.notes.emplace_back("fewer than two answers: nothing could be fitted, the interval is that of a unit prior");
  return out;
}

}  // namespace iqbo
