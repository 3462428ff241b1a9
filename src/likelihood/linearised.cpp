#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "latent_step.hpp"
#include "mixing.hpp"

namespace iqbo::internal {

Linearised linearised(const LatentProblem& problem) {
  constexpr double kNearTheMode = 0.5;
  constexpr double kTolerance = 1e-6;
  constexpr double kExact = 0.01;  // posterior sds: a third of the error that docs/counts.md states
  constexpr double kNear = 1.0;    // only then do steps say where the next ones lead
  const auto& [cov, mean, readings, likelihood, link] = problem;
  const Index n = mean.size(), t = readings.size();
  const LatentMode mode = find_mode(problem, {}, kNearTheMode);
  LatentPoint now(problem, mode.eta);
  std::optional<LatentUpdate> update(std::in_place, cov, now);
  Vector at(2 * n);  // mean and variance of eta
  at << mode.eta, cov.diagonal() - update->explained();

  Vector residual(t);
  Mixing mixing(2 * n);
  int steps = mode.steps;
  double share = 1.0;
  double last = std::numeric_limits<double>::infinity();
  bool settled = false;
  double off = 0.0;  // of the last step, in posterior sds
  while (true) {
    const LinkMoments expected = moments(link, at.head(n), at.tail(n));
    now = LatentPoint(problem, expected.mean, expected.slope);
    const Vector left = update->left_of_averages(now.jacobian);  // of the last step, which is this one in the end
    for (Index i = 0; i < t; ++i) {
      const double spread = link == Link::kLog ? std::max(0.0, left[i]) / (now.g[i] * now.g[i]) : 0.0;
      const auto stand_in = likelihood.working(readings.answers[static_cast<std::size_t>(i)], now.g[i], spread);
      residual[i] = stand_in.residual;
      now.variance[i] = stand_in.variance;
    }
    update.emplace(cov, now);
    if (settled || steps == kMostLatentSteps) break;
    ++steps;
    Vector image(2 * n);
    image << mean + update->cross * update->factor.solve(residual + now.jacobian * (at.head(n) - mean)),
        cov.diagonal() - update->explained();
    const double change = (image - at).cwiseAbs().maxCoeff();
    settled = change < kTolerance;
    const Eigen::ArrayXd var = image.tail(n).array().max(1e-12 * cov.diagonal().array());
    off = std::max(((image - at).head(n).array() / var.sqrt()).abs().maxCoeff(),
                   ((image - at).tail(n).array() / var).abs().maxCoeff());
    if (change > 0.9 * last) {
      mixing.forget();
      share = std::max(0.1, 0.5 * share);
    } else {
      share = std::min(1.0, 1.5 * share);
    }
    last = change;
    if (change < kNear && share == 1.0)
      at = mixing.next(at, image);
    else
      at += share * std::min(1.0, kLatentStride / std::max(change, 1e-300)) * (image - at);
    at.tail(n) = at.tail(n).cwiseMax(0.0).cwiseMin(cov.diagonal());
  }
  const Vector scale = readings.weight * now.slope;
  return {at.head(n),
          at.tail(n),
          now.f,
          now.slope,
          now.g,
          scale,
          (residual + now.jacobian * at.head(n)).cwiseQuotient(scale),
          now.variance.cwiseQuotient(scale.cwiseAbs2()),
          steps,
          settled || off < kExact};
}

}  // namespace iqbo::internal
