// Tells a policy an observation that is in the user's units.
#pragma once

#include "iqbo/core/lists.hpp"
#include "ledger.hpp"
#include "setup/study_setup.hpp"

namespace iqbo {

inline void observe(const internal::StudySetup& setup, const LoggedObservation& logged, Policy& policy) {
  const auto& [point, name, answer] = logged.observation;
  if (setup.counts()) {
    const std::vector<Count> counts{setup.policy_count(answer)};
    if (logged.is_value)
      policy.observe(Inputs(rows_of({point})), counts);
    else
      policy.observe(setup.policy_query(rows_of({point})), counts);
    return;
  }
  AnswerNoise noise;
  if (answer.noise_sd) noise.var = *answer.noise_sd * *answer.noise_sd;
  noise.replicates = static_cast<double>(answer.replicates);
  const Vector z = setup.policy_value(Vector(Vector::Constant(1, answer.value)));
  if (logged.is_value)
    policy.observe(Inputs(rows_of({point})), z, noise);
  else
    policy.observe(setup.policy_query(rows_of({point})), z, noise);
}

}  // namespace iqbo
