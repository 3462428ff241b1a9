// Tells a policy an observation that is in the user's units.
#pragma once

#include "iqbo/core/lists.hpp"
#include "ledger.hpp"
#include "model/study_model.hpp"

namespace iqbo {

inline void observe(const internal::StudyModel& model, const LoggedObservation& logged, Policy& policy) {
  const auto& [point, name, answer] = logged.observation;
  if (model.counts()) {
    const std::vector<Count> counts{model.policy_count(answer)};
    if (logged.is_value)
      policy.observe(Inputs(rows_of({point})), counts);
    else
      policy.observe(model.policy_query(rows_of({point})), counts);
    return;
  }
  AnswerNoise noise;
  if (answer.noise_sd) noise.var = *answer.noise_sd * *answer.noise_sd;
  noise.replicates = static_cast<double>(answer.replicates);
  const Vector z = model.policy_value(Vector(Vector::Constant(1, answer.value)));
  if (logged.is_value)
    policy.observe(Inputs(rows_of({point})), z, noise);
  else
    policy.observe(model.policy_query(rows_of({point})), z, noise);
}

}  // namespace iqbo
