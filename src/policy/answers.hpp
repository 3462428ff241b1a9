// What has been seen, in order of arrival: one answer at a query, or one look at f, each.
#pragma once

#include <optional>
#include <variant>
#include <vector>

#include "iqbo/posterior/posterior.hpp"

namespace iqbo {

struct Answer {
  std::variant<Queries, Inputs> at;  // one row
  double z;
  std::optional<double> noise_var = {};  // where that is known to differ from all others'
  double noise_share = 1.0;              // else: of the usual noise variance, 1 / replicates

  double noise(double usual) const { return noise_var.value_or(noise_share * usual); }
};

using Answers = std::vector<Answer>;

// The prior conditioned on answers [begin, end), one after the other, so that the outcome does not depend on where a
// caller cut the sequence.
inline Posterior condition(Posterior posterior, const Answers& answers, std::size_t begin, std::size_t end,
                           double noise_var) {
  for (std::size_t i = begin; i < end; ++i)
    std::visit(
        [&](const auto& at) {
          posterior = posterior.condition(at, Vector::Constant(1, answers[i].z), answers[i].noise(noise_var));
        },
        answers[i].at);
  return posterior;
}

}  // namespace iqbo
