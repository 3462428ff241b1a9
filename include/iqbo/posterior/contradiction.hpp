// Thrown by beliefs when observations whose noise is stated as (nearly) 0 contradict each other, or the model.
//
// It says which observation, what the others predict, and what to do. docs/theory/averages.md, "Noise 0", says when an
// observation counts as contradicting.
#pragma once

#include "iqbo/core/errors.hpp"
#include "iqbo/core/matrix.hpp"

namespace iqbo {

class Contradiction : public NumericalError {
 public:
  struct Observed {
    bool averaged;    // an answer to a query; else a value of f at an input
    Vector at;        // the query or the input
    double z;         // what was observed
    double expected;  // another answer to the same query, or what all other observations predict
    bool repeat;      // whether it is another answer to the same query (or another value at the same input)
    double noise_sd;  // the sd of the noise that was assumed, the least there is
  };

  explicit Contradiction(const Observed& observed);
  const Observed& observed() const { return observed_; }

 private:
  Observed observed_;
};

}  // namespace iqbo
