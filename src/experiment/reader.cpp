#include "iqbo/experiment/reader.hpp"

#include <cmath>

namespace iqbo {
namespace {

CurveRecord curve_record(const Regrets& regrets, const Entry& entry, Regret regret) {
  const Vector& grid = regrets.figure().grid;
  const Matrix& logs = regrets.logs(entry.problem, entry.policy, regret);
  CurveRecord out{entry.policy, {grid.begin(), grid.end()}, {}, {}, {}};
  for (Index j = 0; j < grid.size(); ++j) {
    const Interval interval = mean_interval(logs.col(j));
    out.mean.push_back(interval.mean);
    out.low.push_back(interval.low);
    out.high.push_back(interval.high);
  }
  return out;
}

}  // namespace

std::vector<PanelRecord> panel_records(const Regrets& regrets) {
  const Figure& figure = regrets.figure();
  std::vector<PanelRecord> out;
  for (const Panel& panel : figure.panels)
    for (const Regret regret : {Regret::kSimple, Regret::kInstant}) {
      const std::string what = to_string(regret) + " regret";
      const double floor = regret == Regret::kSimple ? panel.simple_floor : panel.instant_floor;
      PanelRecord record{panel.title + ", " + what,
                         figure.axis == Axis::kCost ? "cost" : "answers",
                         "log10 " + what,
                         figure.experiment.seeds,
                         {},
                         {}};
      if (std::isfinite(floor) && floor > 0.0) record.floor = std::log10(std::max(floor, panel.least));
      for (const Entry& entry : figure.experiment.entries)
        if (entry.problem == panel.problem) record.curves.push_back(curve_record(regrets, entry, regret));
      out.push_back(std::move(record));
    }
  return out;
}

std::vector<FindingRecord> finding_records(const Findings& findings) {
  std::vector<FindingRecord> out;
  for (const Finding& each : findings) {
    FindingRecord record{each.about, each.claim, each.measure, {}, to_string(each.verdict), each.remark, each.extra};
    if (const auto& d = each.corrected ? each.corrected : each.difference)
      record.difference = {d->mean, d->low, d->high, d->n};
    out.push_back(std::move(record));
  }
  return out;
}

}  // namespace iqbo
