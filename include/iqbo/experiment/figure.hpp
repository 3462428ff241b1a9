// Regret along paired runs, and what a figure of it is drawn from.
//
// Regrets span decades and the worst run dominates their means, so everything is computed from log10 max(regret,
// least): a curve is the geometric mean over seeds with its 95 % interval. least is kLeast of f's deviation.
#pragma once

#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "iqbo/experiment/compare.hpp"
#include "iqbo/experiment/experiment.hpp"

namespace iqbo {

enum class Regret { kSimple, kInstant };
enum class Axis { kAnswers, kCost };

std::string to_string(Regret regret);

// One problem of a figure.
struct Panel {
  static constexpr double kLeast = 0.001;

  std::string problem;  // as the table calls it
  std::string title;
  double least;
  // What no policy can undercut with the queries and inputs listed; NaN where it differs from seed to seed.
  double simple_floor = std::numeric_limits<double>::quiet_NaN();
  double instant_floor = std::numeric_limits<double>::quiet_NaN();
};

Panel panel_of(const Problem& problem, bool drawn = false);  // drawn: another for each seed

struct Figure {
  Experiment experiment;
  Axis axis = Axis::kAnswers;
  Vector grid = {};  // of answers, or of what has been spent
  std::vector<Panel> panels = {};
};

class Regrets {
 public:
  Regrets(const ResultTable& table, const Figure& figure);

  const Figure& figure() const { return figure_; }

  // log10 regret, seeds x grid, after `grid(j)` answers, or with at most that spent; if a run ended before, its last.
  const Matrix& logs(const std::string& problem, const std::string& policy, Regret regret) const;

  // Its mean over a part of the grid, per seed: low < grid <= high.
  Vector mean_log(const std::string& problem, const std::string& policy, Regret regret, double low, double high) const;

 private:
  Figure figure_;
  std::map<std::pair<std::string, std::string>, std::pair<Matrix, Matrix>> logs_;  // simple, instant
};

std::string curves_csv(const Regrets& regrets);  // problem, policy, regret, at, mean, low, high: in units of f
std::string panels_csv(const Figure& figure);    // problem, title, axis, the floors (empty: none)

}  // namespace iqbo
