#include "iqbo/policy/scheduled_ucb.hpp"

#include <cmath>
#include <utility>

#include "iqbo/core/check.hpp"
#include "iqbo/search/search.hpp"
#include "iqbo/theory/bounds.hpp"
#include "search/argmax.hpp"

namespace iqbo {

using namespace internal;

ScheduledUcb::ScheduledUcb(const Posterior& prior, TargetSpace x, ResolutionSchedule schedule, double noise_var,
                           const ScheduledUcbOptions& options, std::uint64_t seed)
    : posterior_(prior),
      x_(std::move(x)),
      schedule_(std::move(schedule)),
      noise_var_(noise_var),
      options_(options),
      seed_(seed) {
  const Conditional& conditional = prior.conditional();
  require_columns(dimension(x_), conditional.input_dimension(), "targets");
  if (conditional.query_dimension() != dimension(x_) + 1)
    refuse("prior", "queries of " + std::to_string(conditional.query_dimension()) + " coordinates",
           std::to_string(dimension(x_) + 1) + ": a location and its resolution");
  require_non_negative(Vector(Vector::Constant(1, noise_var)), "noise_var");
  beta();  // refuses a delta that is no probability
}

double ScheduledUcb::beta() const {
  const Index t = size() + 1;
  if (options_.beta) {
    const double given = options_.beta(t);
    require_non_negative(Vector(Vector::Constant(1, given)), "beta");
    return given;
  }
  const auto* list = std::get_if<InputSet>(&x_);
  const double inputs = list != nullptr ? static_cast<double>(list->size())
                                        : std::pow(ScheduledUcbOptions::kPerAxis, static_cast<double>(dimension(x_)));
  return iqbo::beta(union_weight(t), inputs, options_.delta);
}

Inputs ScheduledUcb::largest(double sd_factor) const {
  Rng rng(seed_, {static_cast<std::uint64_t>(size()), sd_factor > 0.0 ? 1U : 0U});
  const InputScore score{[&](const Inputs& x, Rows* gradient) {
    const Marginals f = posterior_.f(x);
    const Vector sd = f.var.cwiseSqrt();
    if (gradient != nullptr) {
      // Where the sd is 0 the band has a kink; its gradient is taken as that of the mean.
      const Vector in_var = (sd.array() > 0.0).select(sd_factor / (2.0 * sd.array()), 0.0);
      *gradient = posterior_.f_pull_back(x, {Vector::Ones(x.size()), in_var});
    }
    return Vector(f.mean + sd_factor * sd);
  }};
  if (const auto* list = std::get_if<InputSet>(&x_))
    return list->points().slice(argmax(score.evaluate(list->points(), nullptr), rng), 1);
  return search(score, std::get<InputBox>(x_), Inputs(), rng).point;
}

Queries ScheduledUcb::suggest() const {
  const double delta = schedule_(size() + 1);
  Rows out(1, dimension(x_) + 1);
  out << largest(std::sqrt(beta())).coordinates(), delta;
  return Queries(std::move(out));
}

void ScheduledUcb::observe(const Queries& a, const Vector& z) { posterior_ = posterior_.condition(a, z, noise_var_); }

Inputs ScheduledUcb::best() const { return largest(0.0); }

}  // namespace iqbo
