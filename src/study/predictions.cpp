// What a study says about f and about averages: the recommendation, predictions, chances, in the units of its user.
#include <utility>

#include "core/activity.hpp"
#include "iqbo/core/check.hpp"
#include "iqbo/study/study.hpp"
#include "model/counts.hpp"
#include "model/snapshot_of.hpp"
#include "model/study_model.hpp"
#include "state.hpp"

namespace iqbo {

using namespace internal;

namespace {

Prediction prediction(const StudyModel& model, const Marginals& belief, const Band& band) {
  Prediction out{model.user_value(belief.mean), model.user_sd(belief.var), model.user_value(band.low),
                 model.user_value(band.high)};
  if (model.sign() < 0) std::swap(out.low, out.high);
  return out;
}

// Where f = h(eta), or is never negative, an interval is more than a mean and its sd.
bool has_range(const StudyModel& model, Policy& policy) { return model.counts() || policy.link() != Link::kIdentity; }

Band normal_band(const Marginals& belief) {
  constexpr double kNormal975 = 1.959963984540054;
  const Vector half = kNormal975 * belief.var.cwiseMax(0.0).cwiseSqrt();
  return {belief.mean - half, belief.mean + half};
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
  const StudyModel& model = state_->model();
  require_columns(x.cols(), dimension(model.setting().targets), "x");
  return state_->predicting([&] {
    const Marginals belief = believed_f(model, state_->policy(), Inputs(x));
    const bool ranged = has_range(model, state_->policy());
    return prediction(model, belief, ranged ? state_->policy().f_interval(Inputs(x)) : normal_band(belief));
  });
}

Prediction Study::predict_g(const Rows& a) {
  const Activity activity("predicting");
  state_->read();
  const StudyModel& model = state_->model();
  const Queries at = model.policy_query(a);
  return state_->predicting([&] {
    const Marginals belief = believed_g(model, state_->policy(), at);
    const bool ranged = has_range(model, state_->policy());
    return prediction(model, belief, ranged ? state_->policy().g_interval(at) : normal_band(belief));
  });
}

CountForecast Study::predict_counts(const Rows& a, const Vector& exposure) {
  const Activity activity("predicting");
  if (!is_count(names().spec.answers))
    refuse("exposure", "given", R"(a study of counts, whose spec has "answers": "poisson" or another such family)");
  state_->read();
  const StudyModel& model = state_->model();
  const Queries at = model.policy_query(a);
  CountForecast out = state_->predicting([&] { return state_->policy().predict_counts(at, exposure); });
  if (!counts_complements(model.spec())) return out;
  const Vector high = out.exposure - out.low;
  out.mean = out.exposure - out.mean;
  out.low = out.exposure - out.high;
  out.high = high;
  return out;
}

namespace {

Chances in_user_units(const StudyModel& model, Chances found) {
  found.mean = model.user_value(found.mean);
  if (model.sign() < 0) found.above = 1.0 - found.above.array();
  found.regret = model.user_difference(found.regret);
  found.regret_error = model.user_difference(found.regret_error);
  found.regret_bound = model.user_difference(found.regret_bound);
  return found;
}

ChanceOptions in_policy_units(const StudyModel& model, ChanceOptions options) {
  if (options.above) options.above = model.policy_threshold(*options.above);
  return options;
}

}  // namespace

Chances Study::chances_f(const Rows& x, const ChanceOptions& options) {
  const Activity activity("drawing from what is believed");
  state_->read();
  const StudyModel& model = state_->model();
  require_columns(x.cols(), dimension(model.setting().targets), "x");
  return state_->predicting(
      [&] { return in_user_units(model, state_->policy().chances(Inputs(x), in_policy_units(model, options))); });
}

Chances Study::chances_g(const Rows& a, const ChanceOptions& options) {
  const Activity activity("drawing from what is believed");
  state_->read();
  const StudyModel& model = state_->model();
  const Queries at = model.policy_query(a);
  return state_->predicting(
      [&] { return in_user_units(model, state_->policy().chances(at, in_policy_units(model, options))); });
}

Stopping Study::stopping() {
  const Activity activity("judging whether enough is known");
  state_->read();
  return state_->predicting([&] { return state_->stopping(); });
}

}  // namespace iqbo
