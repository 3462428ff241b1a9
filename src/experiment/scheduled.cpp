#include "scheduled.hpp"

#include <cmath>

#include "iqbo/core/check.hpp"
#include "iqbo/theory/bounds.hpp"
#include "iqbo/theory/schedule.hpp"

namespace iqbo {
namespace {

// Locations of the listed queries at the finest resolution, and the mean of X there.
struct FinestQueries {
  Rows query, centre;
};

FinestQueries finest_queries(const Problem& problem) {
  const Rows& all = problem.a().points().coordinates();
  const double finest = problem.resolutions().back();
  std::vector<Index> rows;
  for (Index i = 0; i < all.rows(); ++i)
    if (all(i, all.cols() - 1) == finest) rows.push_back(i);
  const Queries some{Rows(all(rows, Eigen::all))};
  Rng rng(1);
  Rows centre = Rows::Zero(some.size(), problem.x().dimension());
  constexpr int kDraws = 64;  // the windows are narrow: the mean of few draws tells which is nearest
  for (int draw = 0; draw < kDraws; ++draw) centre += problem.truth()->sample(some, rng).coordinates() / kDraws;
  return {some.coordinates(), std::move(centre)};
}

}  // namespace

std::function<Queries(Policy&, Index t, double left)> scheduled_choice(const Problem& problem, double c) {
  if (problem.resolutions().size() < 2 || problem.tree())
    refuse("policy", "scheduled-ucb on " + problem.name() + ", whose windows have no widths to choose",
           "a problem such as resolution-line or branin-multires-linear");
  const ResolutionSchedule schedule = ResolutionSchedule::paper(problem.x().dimension(), c)
                                          .within(problem.resolutions().back(), problem.resolutions().front());
  return [problem, schedule, finest = finest_queries(problem)](Policy& policy, Index t, double left) {
    constexpr double kDelta = 0.1;
    const Marginals f = policy.rates_f(problem.x().points());
    const double width = std::sqrt(beta(union_weight(t + 1), static_cast<double>(problem.x().size()), kDelta));
    Index best = 0, nearest = 0;
    (f.mean + width * f.var.cwiseSqrt()).maxCoeff(&best);
    (finest.centre.rowwise() - problem.x().points().row(best)).rowwise().squaredNorm().minCoeff(&nearest);
    Rows out = finest.query.row(nearest);
    out(0, out.cols() - 1) = schedule(t + 1);
    const Queries a(std::move(out));
    return problem.cost(a)[0] > left ? Queries() : a;
  };
}

}  // namespace iqbo
