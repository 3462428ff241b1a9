// The search for rare spots as part of a policy: when it is on, what it asks next and what it recommends.
//
// It is on where SpotSearch::kAuto says so, from kFirstFit answers on, while every answer is an average over a rectangle
// of the lattice (or f at a point of it) and the fitted background varies over more than the smallest window.
#pragma once

#include <memory>
#include <optional>

#include "answers.hpp"
#include "iqbo/policy/policy.hpp"
#include "spot/model.hpp"

namespace iqbo {

class PolicySpots {
 public:
  // Null where it is never on.
  static std::unique_ptr<PolicySpots> of(const Setting& setting, const PolicyOptions& options, std::uint64_t seed);

  // Takes the answers, which only ever grow; returns whether the search is on.
  bool update(const Answers& answers);

  struct Worth {
    Vector score;             // of each query, before costs
    double spot_probability;  // of one more
    std::size_t found;        // spots that are settled
  };
  // Pending queries count as answered by their means. Empty if one of the queries is no rectangle.
  std::optional<Worth> worth(const Queries& a, const Queries& pending);

  Recommendation best(Index paths, double error, Rng& rng);

 private:
  PolicySpots(const Setting& setting, SpotGrid grid, const SpotOptions& options, std::uint64_t seed);
  std::optional<SpotAnswer> answer(const Datum& datum);
  Vector noise_given(const Queries& a) const;

  Setting setting_;
  std::shared_ptr<SpotGrid> grid_;
  SpotModel model_;
  std::vector<SpotAnswer> answers_;
  std::size_t fitted_on_ = 0;
  bool possible_ = true;  // no answer was anything but a rectangle
};

}  // namespace iqbo
