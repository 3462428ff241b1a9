// Counts, as a user tells them and as a policy takes them.
//
//   the user's f          per events / exposure, minimised or maximised (minimised only if binomial)
//   the policy's f        events / exposure; where the user minimises, of what did not happen: N - y of N
#pragma once

#include <string>
#include <vector>

#include "iqbo/likelihood/likelihood.hpp"
#include "iqbo/record/spec_bundle.hpp"

namespace iqbo::internal {

LikelihoodPtr likelihood_of(const Spec& spec);  // null for Gaussian answers
std::vector<Link> links_of(const Spec& spec);   // none: to be chosen by evidence
bool counts_complements(const Spec& spec);      // whether the policy is told N - y

// Refuses a count without exposure, one that the family does not admit, and a value where a count is expected or the other way
// round. `where`: the trial, or the row of a table.
void require_counted(const Spec& spec, const Answer& answer, const std::string& where);

// The answer with its value, which is a rate in the user's units.
Answer with_rate(const Spec& spec, Answer answer);

}  // namespace iqbo::internal
