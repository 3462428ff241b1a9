#include "iqbo/experiment/finding.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "iqbo/core/check.hpp"

namespace iqbo {
namespace {

std::string fixed(double value, const char* format) {
  char text[32];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

std::string shown(const Interval& interval) {
  if (!std::isfinite(interval.low)) return fixed(interval.mean, "%+.3f") + " (one seed)";
  return fixed(interval.mean, "%+.3f") + " [" + fixed(interval.low, "%+.3f") + ", " + fixed(interval.high, "%+.3f") +
         "]";
}

std::string listed(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out.append(out.empty() ? "" : ", ").append(name);
  return out;
}

std::string span(const Comparison& comparison, const Figure& figure) {
  const std::string unit = figure.axis == Axis::kCost ? "cost" : "t";
  std::vector<double> inside;
  for (const double at : figure.grid)
    if (at > comparison.low && at <= comparison.high) inside.push_back(at);
  if (inside.size() == 1) return unit + " = " + readable(inside[0]);
  return inside.empty() ? "" : unit + " = " + readable(inside.front()) + " to " + readable(inside.back());
}

// Whether the claim depends more on `one` than on `other`.
bool decides_more(const Interval& one, const Interval& other) {
  const auto favour = [](const Interval& d) {
    const Verdict verdict = is_smaller(d);
    return verdict == Verdict::kDoesNotHold ? 0 : verdict == Verdict::kUndecided ? 1 : 2;
  };
  const int a = favour(one), b = favour(other);
  return a < b || (a == b && (one.high > other.high || (one.high == other.high && one.mean > other.mean)));
}

}  // namespace

Finding compare(const Regrets& regrets, const Comparison& comparison, std::string about, std::string claim) {
  require_not_empty(static_cast<Index>(comparison.others.size()), "others");
  const auto mean = [&](const std::string& policy) {
    return regrets.mean_log(comparison.problem, policy, comparison.regret, comparison.low, comparison.high);
  };
  Finding out{std::move(about), std::move(claim),
              comparison.problem + ", " + to_string(comparison.regret) + " regret, " +
                  span(comparison, regrets.figure()) + ": " + comparison.policy + " - " + listed(comparison.others)};
  std::vector<Verdict> verdicts;
  for (const std::string& other : comparison.others) {
    const Interval difference = paired_difference(mean(comparison.policy), mean(other), comparison.among);
    verdicts.push_back(is_smaller(difference));
    if (out.difference && !decides_more(difference, *out.difference)) continue;
    out.difference = difference;
    if (comparison.others.size() > 1) out.remark = "decided by " + other;
  }
  out.verdict = all_of(verdicts);
  out.problem = comparison.problem;
  out.regret = to_string(comparison.regret);
  return out;
}

std::string to_text(const Findings& findings) {
  std::string out;
  for (const Finding& finding : findings) {
    out += finding.about + (finding.extra ? " (not a claim): " : ": ") + finding.claim + "\n  " + finding.measure;
    if (finding.difference) out += "\n  " + shown(*finding.difference);
    if (!finding.remark.empty()) out += (finding.difference ? ", " : "\n  ") + finding.remark;
    out += "\n  " + to_string(finding.verdict) + "\n";
  }
  return out;
}

std::string to_markdown(const Findings& findings) {
  const auto table = [&](bool extra) {
    std::string rows;
    for (const Finding& finding : findings)
      if (finding.extra == extra)
        rows += "| " + finding.about + " | " + finding.claim + " | " + finding.measure + " | " +
                (finding.difference ? shown(*finding.difference) : "") + " | " + to_string(finding.verdict) + " | " +
                finding.remark + " |\n";
    const std::string head =
        "| about | claim | measured | difference [95 %] | verdict | remark |\n|---|---|---|---|---|---|\n";
    return rows.empty() ? rows : head + rows;
  };
  const std::string extras = table(true);
  return table(false) + (extras.empty() ? "" : "\nBeyond the claims:\n\n" + extras);
}

std::string to_json(const Findings& findings) {
  using Json = nlohmann::ordered_json;
  Json out = Json::array();
  for (const Finding& finding : findings) {
    Json row{
        {"about", finding.about}, {"claimed", !finding.extra}, {"claim", finding.claim}, {"measure", finding.measure}};
    if (!finding.problem.empty()) row["problem"] = finding.problem;
    if (!finding.regret.empty()) row["regret"] = finding.regret;
    if (const auto& d = finding.difference) {
      const bool finite = std::isfinite(d->low);
      row["difference"] = Json{{"mean", d->mean},
                               {"low", finite ? Json(d->low) : Json()},
                               {"high", finite ? Json(d->high) : Json()},
                               {"seeds", d->n}};
    }
    row["verdict"] = to_string(finding.verdict);
    row["remark"] = finding.remark;
    out.push_back(row);
  }
  return out.dump(1) + "\n";
}

Findings findings_from_json(std::string_view text, std::string_view name) {
  using Json = nlohmann::json;
  try {
    Findings out;
    for (const Json& row : Json::parse(text)) {
      Finding one{row.at("about"), row.at("claim"), row.at("measure")};
      one.extra = !row.at("claimed").get<bool>();
      one.problem = row.value("problem", "");
      one.regret = row.value("regret", "");
      one.remark = row.value("remark", "");
      if (const auto d = row.find("difference"); d != row.end()) {
        constexpr double kInfinite = std::numeric_limits<double>::infinity();
        const auto bound = [&](const char* key, double none) {
          return d->at(key).is_null() ? none : double(d->at(key));
        };
        one.difference = Interval{d->at("mean"), bound("low", -kInfinite), bound("high", kInfinite), d->at("seeds")};
      }
      for (const Verdict verdict : {Verdict::kHolds, Verdict::kDoesNotHold, Verdict::kUndecided})
        if (to_string(verdict) == row.at("verdict")) one.verdict = verdict;
      out.push_back(std::move(one));
    }
    return out;
  } catch (const Json::exception& error) {
    refuse(name, error.what(), "verdicts as iqbo paper writes them");
  }
}

std::string tally(const Findings& findings) {
  const auto count = [&](Verdict verdict) {
    return std::to_string(std::count_if(findings.begin(), findings.end(), [&](const Finding& finding) {
      return !finding.extra && finding.verdict == verdict;
    }));
  };
  return count(Verdict::kHolds) + " hold, " + count(Verdict::kDoesNotHold) + " do not hold, " +
         count(Verdict::kUndecided) + " undecided";
}

}  // namespace iqbo
