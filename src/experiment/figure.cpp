#include "iqbo/experiment/figure.hpp"

#include <algorithm>
#include <cmath>

#include "iqbo/core/check.hpp"
#include "iqbo/record/csv.hpp"

namespace iqbo {
namespace {

using Curve = std::pair<std::string, std::string>;

const Panel& panel(const Figure& figure, const std::string& problem) {
  const auto found = std::find_if(figure.panels.begin(), figure.panels.end(),
                                  [&](const Panel& each) { return each.problem == problem; });
  if (found == figure.panels.end()) refuse("problem", '"' + problem + '"', "one of the figure's panels");
  return *found;
}

double position(const ResultRow& row, Axis axis) {
  return axis == Axis::kCost ? row.cost : static_cast<double>(row.t + 1);
}

// Evaluates the rows of one run on the grid.
void fill(const std::vector<const ResultRow*>& rows, const Figure& figure, double least, Index seed,
          std::pair<Matrix, Matrix>& out) {
  constexpr double kRounding = 1e-9;
  std::size_t at = 0;
  for (Index j = 0; j < figure.grid.size(); ++j) {
    while (at + 1 < rows.size() && position(*rows[at + 1], figure.axis) <= figure.grid[j] + kRounding) ++at;
    out.first(seed, j) = std::log10(std::max(rows[at]->simple_regret, least));
    out.second(seed, j) = std::log10(std::max(rows[at]->instant_regret, least));
  }
}

std::string floor_cell(double floor) { return std::isfinite(floor) && floor > 0.0 ? csv_number(floor) : ""; }

}  // namespace

std::string to_string(Regret regret) { return regret == Regret::kSimple ? "simple" : "instant"; }

Panel panel_of(const Problem& problem, bool drawn) {
  Panel out{problem.name(), problem.title(), Panel::kLeast * problem.unit()};
  if (drawn) return out;
  out.simple_floor = problem.listed_simple_floor();
  out.instant_floor = problem.listed_instant_floor();
  return out;
}

Regrets::Regrets(const ResultTable& table, const Figure& figure) : figure_(figure) {
  std::map<Curve, std::map<std::uint64_t, std::vector<const ResultRow*>>> runs;
  for (const ResultRow& row : table) runs[{row.problem, row.policy}][row.seed].push_back(&row);
  for (const auto& [curve, seeds] : runs) {
    const auto n = static_cast<Index>(seeds.size());
    auto& out = logs_[curve] = {Matrix(n, figure.grid.size()), Matrix(n, figure.grid.size())};
    Index seed = 0;
    for (const auto& [number, rows] : seeds) fill(rows, figure, panel(figure, curve.first).least, seed++, out);
  }
}

const Matrix& Regrets::logs(const std::string& problem, const std::string& policy, Regret regret) const {
  const auto found = logs_.find({problem, policy});
  if (found == logs_.end()) refuse("policy", policy + " on " + problem, "one of the table");
  return regret == Regret::kSimple ? found->second.first : found->second.second;
}

Vector Regrets::mean_log(const std::string& problem, const std::string& policy, Regret regret, double low,
                         double high) const {
  const Matrix& all = logs(problem, policy, regret);
  Vector sum = Vector::Zero(all.rows());
  Index count = 0;
  for (Index j = 0; j < figure_.grid.size(); ++j)
    if (figure_.grid[j] > low && figure_.grid[j] <= high) {
      sum += all.col(j);
      ++count;
    }
  if (count == 0) refuse("low, high", readable(low) + ", " + readable(high), "a part of the grid");
  return sum / static_cast<double>(count);
}

std::string curves_csv(const Regrets& regrets) {
  const Figure& figure = regrets.figure();
  std::string out = csv_line({"problem", "policy", "regret", "at", "mean", "low", "high"});
  const auto cell = [](double log) { return std::isfinite(log) ? csv_number(std::pow(10.0, log)) : std::string(); };
  for (const Entry& entry : figure.experiment.entries)
    for (const Regret regret : {Regret::kSimple, Regret::kInstant}) {
      const Matrix& logs = regrets.logs(entry.problem, entry.policy, regret);
      for (Index j = 0; j < figure.grid.size(); ++j) {
        const Interval interval = mean_interval(logs.col(j));
        out += csv_line({entry.problem, entry.policy, to_string(regret), csv_number(figure.grid[j]),
                         cell(interval.mean), cell(interval.low), cell(interval.high)});
      }
    }
  return out;
}

std::string panels_csv(const Figure& figure) {
  std::string out = csv_line({"problem", "title", "axis", "seeds", "simple_floor", "instant_floor"});
  for (const Panel& each : figure.panels)
    out += csv_line({each.problem, each.title, figure.axis == Axis::kCost ? "cost" : "answers",
                     std::to_string(figure.experiment.seeds), floor_cell(each.simple_floor),
                     floor_cell(each.instant_floor)});
  return out;
}

}  // namespace iqbo
