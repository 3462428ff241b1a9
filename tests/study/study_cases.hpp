// Studies to try, a survey that answers them, and what must not change.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "iqbo/core/rng.hpp"
#include "iqbo/record/json.hpp"
#include "iqbo/study/study.hpp"
#include "storage/places.hpp"
#include "support/spec_bundles.hpp"

namespace iqbo::test {

// A district's average of a bump around pixel (11, 4), and noise that depends on the trial alone.
inline double survey(const Trial& trial) {
  const double d = trial.query[0];
  Rng rng(9, {static_cast<std::uint64_t>(trial.number)});
  return 10.0 * std::exp(-0.02 * (d - 13.0) * (d - 13.0)) + 0.3 * rng.normal();
}

inline SpecBundle fitted_bundle() { return template_bundle("districts"); }
inline SpecBundle given_bundle() { return every_kind()[6].second; }  // bags, costs, budget 9

inline SpecBundle once_bundle() {
  return line_bundle(R"({"kind": "points", "points": "q.csv", "id": "q"})",
                     R"("conditional": {"kind": "bags", "bags": "bags.csv"},
                              "policy": {"name": "auto", "repeats": false}, )" +
                         kGivenPrior);
}

inline std::string trace(const Study& study) {
  std::string out;
  for (Trial trial : study.storage().trials()) {
    trial.worker.clear();
    trial.lease_until = 0;
    trial.handouts = 1;
    out += to_json(trial) + "\n";
  }
  return out;
}

inline void steps(Study& study, int count) {
  for (int t = 0; t < count; ++t)
    for (const Trial& trial : study.ask().trials) study.tell(trial.number, {survey(trial)});
}

class StudyIn : public testing::TestWithParam<const char*> {
 protected:
  Place place_{GetParam()};
};

}  // namespace iqbo::test
