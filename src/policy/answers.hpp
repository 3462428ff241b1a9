// The observations in order of arrival: each is an answer at a query, or a value of f.
//
// A policy works with variances, some of which it is given; an Observation (record/trial.hpp) has standard deviations,
// whose squares differ from those in the last bit.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <variant>
#include <vector>

#include "iqbo/likelihood/likelihood.hpp"
#include "iqbo/posterior/posterior.hpp"

namespace iqbo {

struct Datum {
  std::variant<Queries, Inputs> at;      // one row
  double z;                              // counts: their rate
  std::optional<double> noise_var = {};  // where that is known to differ from all others'
  double noise_share = 1.0;              // else: of the usual noise variance, 1 / replicates
  Count count = {};

  double noise(double usual) const { return noise_var.value_or(noise_share * usual); }
};

using Answers = std::vector<Datum>;

// Their sd.
inline double spread_of(const Answers& answers) {
  Vector z(static_cast<Index>(answers.size()));
  for (std::size_t i = 0; i < answers.size(); ++i) z[static_cast<Index>(i)] = answers[i].z;
  return std::sqrt((z.array() - z.mean()).square().mean());
}

// How many of them are at queries.
inline Index asked_in(const Answers& answers) {
  return std::count_if(answers.begin(), answers.end(),
                       [](const Datum& answer) { return std::holds_alternative<Queries>(answer.at); });
}

// The prior conditioned on answers [begin, end), one after the other, so that the result does not depend on where a
// caller splits the sequence. Every answer copies the factor: of many, those that a fit rests on are better taken at once.
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

// The same for the first `count`, at once where possible; the last bits differ.
inline Posterior condition_at_once(Posterior posterior, const Answers& answers, std::size_t count, double noise_var) {
  for (std::size_t end = 0; end < count;) {
    const std::size_t begin = end;
    while (end < count && answers[end].at.index() == answers[begin].at.index()) ++end;
    std::visit(
        [&](const auto& first) {
          using Point = std::decay_t<decltype(first)>;
          const auto n = static_cast<Index>(end - begin);
          Rows at(n, first.dimension());
          Vector z(n), noise(n);
          for (Index i = 0; i < n; ++i) {
            const Datum& answer = answers[begin + static_cast<std::size_t>(i)];
            at.row(i) = std::get<Point>(answer.at).row(0);
            z[i] = answer.z;
            noise[i] = answer.noise(noise_var);
          }
          posterior = posterior.condition(Point(std::move(at)), z, noise);
        },
        answers[begin].at);
  }
  return posterior;
}

}  // namespace iqbo
