// Which policy `auto` takes, and why. The rule and the study it rests on are in docs/policies.md.
#pragma once

#include <string>

#include "model.hpp"

namespace iqbo {

struct AutoChoice {
  PolicyKind kind;
  std::string why;  // a plain sentence
};

AutoChoice auto_choice(Model& model, const Answers& answers);

}  // namespace iqbo
