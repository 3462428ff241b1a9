// Which policy `auto` chooses, and why:
//
//   f is rough                  ckg    a white or Matern 1/2 part carries most of the variance: x*_s says little
//   early, t < 10 + 10 dim(X)   cjes   where is the maximum? nats about f at sampled maximisers
//   later                       ckg    the best mean is nearly found: by how much can it still rise?
//
// where "early" lasts twice as long when what was learned about p(x|a) departs from the answers by more than a tenth of
// their spread (the fitted discrepancy): the location of the maximum is then less certain than the means say. The
// evidence for this rule is in docs/policies.md.
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
