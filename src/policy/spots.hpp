// The search for rare spots as part of a policy: when it is on, what it asks next and what it recommends.
//
// It is on where SpotSearch::kAuto says so, from kFewestAnswers answers on, while every answer is an average over a rectangle
// of the lattice or over a window (or f at a point), the fitted background varies over more than the smallest window, and the stationary
// belief has not foreseen the answers clearly better, as it does where f varies faster along one axis. Unless spots have
// foreseen them clearly better, the interval at the recommendation is what either belief admits: answers that a rough f and a
// smooth one with spots explain equally well say little about single cells.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "answers.hpp"
#include "chances.hpp"
#include "hindsight.hpp"
#include "iqbo/policy/policy.hpp"
#include "model.hpp"
#include "spot/model.hpp"
#include "spot/reach.hpp"

namespace iqbo {

class PolicySpots {
 public:
  // Null where it is never on.
  static std::unique_ptr<PolicySpots> of(const Setting& setting, const PolicyOptions& options, std::uint64_t seed);

  // A sentence that says which spots the budget could find; empty without a budget, or if no size of window can cover most
  // of X.
  std::string foreseen(const PolicyOptions& options);

  // Takes the answers, which only ever grow; returns whether the search could be on.
  bool update(const Answers& answers);

  // By how many nats spots explain the answers better than the stationary belief `model`, when spots were last fitted: each
  // answer given those before it, but with the spots where they are known to be by now.
  double lead(Model& model) { return compared(model).lead; }
  static constexpr double kBehind = -8.0;  // the search is off below

  // Whether the stationary belief does not count: the lead exceeds what knowing the places afterwards accounts for. Never on a
  // field with a skewed distribution: there every place where f is high looks like a spot, and the lead grows with the number
  // of answers.
  bool is_clear(Model& model);
  static constexpr double kClear = 6.0;
  static constexpr double kClearInDoubt = 12.0,
                          kWideRange = 10.0;  // where answers are positive and differ by so many times

  // Whether answers say so: none is far below 0, and a quarter of them is below the largest divided by kSkewed.
  static bool is_skewed(Vector z);
  static constexpr double kSkewed = 6.0;

  struct Worth {
    Vector score;             // of each query, before costs
    double spot_probability;  // of one more
    std::size_t found;        // spots that are settled
  };
  // Pending queries count as answered by their means. Empty if one of the queries is no rectangle.
  std::optional<Worth> worth(const Queries& a, const Queries& pending);

  // The rows of which something is believed: inputs on the lattice, queries that are rectangles.
  std::vector<Index> known(const Inputs& x);
  std::vector<Index> known(const Queries& a);

  // What is believed of f and of g, spots included. Empty where known() does not have all rows.
  std::optional<Marginals> marginals(const Inputs& x);
  std::optional<Vector> mean(const Inputs& x);
  std::optional<Marginals> marginals(const Queries& a);

  // Joint draws of f or of g, spots included: at most `most`, and fewer in a large scene. False, and nothing is drawn, where
  // marginals() is empty.
  bool draw(const Inputs& x, Index most, Rng& rng, const std::function<void(const Vector&)>& take);
  bool draw(const Queries& a, Index most, Rng& rng, const std::function<void(const Vector&)>& take);

  Recommendation best(Index paths, double error, Rng& rng);
  double widening() { return hindsight().spread_factor(); }  // of every interval, as earlier forecasts were off
  ExpectedRegret regret(Rng& rng);  // of recommending what best() does: by its draws, if it made some

 private:
  PolicySpots(const Setting& setting, SpotGrid grid, const SpotOptions& options, std::uint64_t seed);
  std::optional<SpotAnswer> answer(const Datum& datum);
  static Marginals ahead(const SpotBelief& belief);
  const SpotBelief& stated();
  const Hindsight& hindsight();
  struct Comparison {
    double lead, hindsight;
  };
  const Comparison& compared(Model& model);
  Vector z(std::size_t count) const;
  Vector noise_given(const Queries& a) const;
  std::vector<WindowSize> sizes(const Queries& a);
  Index most_paths() const;
  int axes() const { return grid_->points(1).size() > 1 ? 2 : 1; }

  Setting setting_;
  std::uint64_t seed_;
  std::shared_ptr<SpotGrid> grid_;
  SpotModel model_;
  std::vector<SpotAnswer> answers_;
  std::size_t fitted_on_ = 0;
  std::optional<std::pair<std::array<std::size_t, 2>, Comparison>>
      compared_;                                            // answers that both beliefs were fitted to
  std::optional<std::pair<std::size_t, SpotField>> field_;  // after so many answers
  std::optional<SpotBelief> stated_;
  std::array<Index, 3> stated_after_{};                         // answers, and rows of the grid's axes
  std::optional<std::pair<std::size_t, Hindsight>> hindsight_;  // after so many answers
  std::optional<std::pair<std::size_t, ExpectedRegret>> regret_;
  bool possible_ = true;  // no answer was anything but a rectangle
};

}  // namespace iqbo
