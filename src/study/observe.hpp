// What was answered, in the user's terms, told to a policy.
#pragma once

#include "ledger.hpp"
#include "model/study_model.hpp"
#include "rows.hpp"

namespace iqbo {

inline void observe(const internal::StudyModel& model, const Ledger::Answer& answer, Policy& policy) {
  AnswerNoise noise;
  if (answer.outcome.noise_sd) noise.var = *answer.outcome.noise_sd * *answer.outcome.noise_sd;
  noise.replicates = static_cast<double>(answer.outcome.replicates);
  const Vector z = model.policy_value(Vector(Vector::Constant(1, answer.outcome.value)));
  if (answer.is_value)
    policy.observe(Inputs(rows_of({answer.point})), z, noise);
  else
    policy.observe(model.policy_query(rows_of({answer.point})), z, noise);
}

}  // namespace iqbo
