// What a study says about f and about averages: the recommendation, predictions, chances, in the units of its user.
#include <algorithm>
#include <utility>

#include "core/activity.hpp"
#include "iqbo/core/check.hpp"
#include "iqbo/study/study.hpp"
#include "setup/counts.hpp"
#include "setup/snapshot_of.hpp"
#include "setup/study_setup.hpp"
#include "state.hpp"

namespace iqbo {

using namespace internal;

namespace {

constexpr double kStated = 0.95;  // of intervals

Prediction prediction(const StudySetup& setup, const Marginals& belief, const Vector& widening, const Band& band) {
  const Vector var = belief.var.cwiseProduct(widening.cwiseAbs2());
  Prediction out{setup.user_value(belief.mean), setup.user_sd(var), setup.user_value(band.low),
                 setup.user_value(band.high)};
  if (setup.sign() < 0) std::swap(out.low, out.high);
  return out;
}

}  // namespace

RecommendationRecord Study::best() {
  const Activity activity("looking for the best input");
  state_->read();
  return state_->predicting([&] { return state_->best(); });
}

Prediction Study::predict_f(const Rows& x) {
  const Activity activity("predicting");
  state_->read();
  const StudySetup& setup = state_->setup();
  require_columns(x.cols(), dimension(setup.setting().targets), "x");
  return state_->predicting([&] {
    Policy& policy = state_->policy();
    const Marginals belief = believed_f(policy, Inputs(x));
    const Vector widening = policy.f_widening(Inputs(x), belief);
    return prediction(setup, belief, widening, policy.f_interval(Inputs(x), kStated, widening));
  });
}

Vector Study::mean_f(const Rows& x) {
  const Activity activity("predicting");
  state_->read();
  const StudySetup& setup = state_->setup();
  require_columns(x.cols(), dimension(setup.setting().targets), "x");
  return state_->predicting([&] { return setup.user_value(internal::mean_f(state_->policy(), Inputs(x))); });
}

Prediction Study::predict_g(const Rows& a) {
  const Activity activity("predicting");
  state_->read();
  const StudySetup& setup = state_->setup();
  const Queries at = setup.policy_query(a);
  return state_->predicting([&] {
    Policy& policy = state_->policy();
    const Marginals belief = believed_g(policy, at);
    const Vector widening = policy.g_widening(belief);
    return prediction(setup, belief, widening, policy.g_interval(at, kStated, widening));
  });
}

CountForecast Study::predict_counts(const Rows& a, const Vector& exposure) {
  const Activity activity("predicting");
  if (!is_count(names().spec.answers))
    refuse("exposure", "given", R"(a study of counts, whose spec has "answers": "poisson" or another such family)");
  state_->read();
  const StudySetup& setup = state_->setup();
  const Queries at = setup.policy_query(a);
  CountForecast out = state_->predicting([&] { return state_->policy().predict_counts(at, exposure); });
  if (!counts_complements(setup.spec())) return out;
  const Vector high = out.exposure - out.low;
  out.mean = out.exposure - out.mean;
  out.low = out.exposure - out.high;
  out.high = high;
  return out;
}

namespace {

Chances in_user_units(const StudySetup& setup, Chances found) {
  found.mean = setup.user_value(found.mean);
  if (setup.sign() < 0) found.above = 1.0 - found.above.array();
  found.regret = setup.user_difference(found.regret);
  found.regret_error = setup.user_difference(found.regret_error);
  found.regret_bound = setup.user_difference(found.regret_bound);
  return found;
}

ChanceOptions in_policy_units(const StudySetup& setup, ChanceOptions options) {
  if (options.above) options.above = setup.policy_threshold(*options.above);
  return options;
}

}  // namespace

Chances Study::chances_f(const Rows& x, const ChanceOptions& options) {
  const Activity activity("drawing from the posterior");
  state_->read();
  const StudySetup& setup = state_->setup();
  require_columns(x.cols(), dimension(setup.setting().targets), "x");
  return state_->predicting(
      [&] { return in_user_units(setup, state_->policy().chances(Inputs(x), in_policy_units(setup, options))); });
}

Chances Study::chances_g(const Rows& a, const ChanceOptions& options) {
  const Activity activity("drawing from the posterior");
  state_->read();
  const StudySetup& setup = state_->setup();
  const Queries at = setup.policy_query(a);
  return state_->predicting(
      [&] { return in_user_units(setup, state_->policy().chances(at, in_policy_units(setup, options))); });
}

Stopping Study::stopping() {
  const Activity activity("judging whether enough is known");
  state_->read();
  return state_->predicting([&] { return state_->stopping(); });
}

}  // namespace iqbo
