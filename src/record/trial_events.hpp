// What an event does to the trial that it is about: the state of a trial is a fold over its events.
#pragma once

#include "iqbo/record/event.hpp"

namespace iqbo::internal {

inline void apply(const Taken& event, Trial& trial) {
  trial.worker = event.worker;
  ++trial.handouts;
}

inline void apply(const Told& event, Trial& trial) {
  trial.state = TrialState::kTold;
  trial.answer = event.answer;
  if (!event.worker.empty()) trial.worker = event.worker;
}

inline void apply(const Amended& event, Trial& trial) {
  trial.state = TrialState::kTold;
  trial.answer = event.after;
  trial.reason.clear();
  if (!event.worker.empty()) trial.worker = event.worker;
}

inline void apply(const Failed& event, Trial& trial) {
  trial.state = TrialState::kFailed;
  trial.reason = event.reason;
  if (!event.worker.empty()) trial.worker = event.worker;
}

}  // namespace iqbo::internal
