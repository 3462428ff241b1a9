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

std::string interval_of(const Interval& interval) {
  if (!std::isfinite(interval.low)) return interval.n == 1 ? "(one seed)" : "(too few seeds)";
  return std::string("[")
      .append(fixed(interval.low, "%+.3f"))
      .append(", ")
      .append(fixed(interval.high, "%+.3f"))
      .append("]");
}

std::string shown(const Interval& interval) { return fixed(interval.mean, "%+.3f") + " " + interval_of(interval); }

// The verdict that would be without a correction for the number of claims, if it is another.
std::string without_correction(const Finding& finding) {
  if (!finding.uncorrected || *finding.uncorrected == finding.verdict) return "";
  return " (uncorrected: " + to_string(*finding.uncorrected) + ")";
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
    if (finding.corrected) out += "; corrected " + interval_of(*finding.corrected);
    if (!finding.remark.empty()) out += (finding.difference ? ", " : "\n  ") + finding.remark;
    out += "\n  " + to_string(finding.verdict) + without_correction(finding) + "\n";
  }
  return out;
}

std::string to_markdown(const Findings& findings) {
  const bool corrects = std::any_of(findings.begin(), findings.end(),
                                    [](const Finding& finding) { return finding.corrected.has_value(); });
  const auto table = [&](bool extra) {
    std::string rows;
    for (const Finding& finding : findings)
      if (finding.extra == extra)
        rows += "| " + finding.about + " | " + finding.claim + " | " + finding.measure + " | " +
                (finding.difference ? shown(*finding.difference) : "") + " | " +
                (finding.corrected ? interval_of(*finding.corrected) + " | "
                 : corrects        ? " | "
                                   : "") +
                to_string(finding.verdict) + without_correction(finding) + " | " + finding.remark + " |\n";
    const std::string head = std::string("| about | claim | measured | difference [95 %] |") +
                             (corrects ? " corrected |" : "") + " verdict | remark |\n|---|---|---|---|---|---|" +
                             (corrects ? "---|\n" : "\n");
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
    const auto as_json = [](const Interval& d) {
      const bool finite = std::isfinite(d.low);
      return Json{{"mean", d.mean},
                  {"low", finite ? Json(d.low) : Json()},
                  {"high", finite ? Json(d.high) : Json()},
                  {"seeds", d.n}};
    };
    if (finding.difference) row["difference"] = as_json(*finding.difference);
    if (finding.corrected) row["corrected"] = as_json(*finding.corrected);
    row["verdict"] = to_string(finding.verdict);
    if (finding.uncorrected) row["uncorrected_verdict"] = to_string(*finding.uncorrected);
    row["remark"] = finding.remark;
    out.push_back(row);
  }
  return out.dump(1) + "\n";
}

namespace {

using nlohmann::json;

std::optional<Interval> interval_from(const json& row, const char* key) {
  const auto d = row.find(key);
  if (d == row.end()) return std::nullopt;
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  const auto bound = [&](const char* end, double none) { return d->at(end).is_null() ? none : double(d->at(end)); };
  return Interval{d->at("mean"), bound("low", -kInfinite), bound("high", kInfinite), d->at("seeds")};
}

Verdict verdict_from(const std::string& word) {
  for (const Verdict verdict : {Verdict::kEqual, Verdict::kHolds, Verdict::kDoesNotHold})
    if (to_string(verdict) == word) return verdict;
  return Verdict::kUndecided;
}

}  // namespace

Findings findings_from_json(std::string_view text, std::string_view name) {
  using Json = json;
  try {
    Findings out;
    for (const Json& row : Json::parse(text)) {
      Finding one{row.at("about"), row.at("claim"), row.at("measure")};
      one.extra = !row.at("claimed").get<bool>();
      one.problem = row.value("problem", "");
      one.regret = row.value("regret", "");
      one.remark = row.value("remark", "");
      one.difference = interval_from(row, "difference");
      one.corrected = interval_from(row, "corrected");
      one.verdict = verdict_from(row.at("verdict"));
      if (row.contains("uncorrected_verdict")) one.uncorrected = verdict_from(row["uncorrected_verdict"]);
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
  const std::string equal = count(Verdict::kEqual);
  return count(Verdict::kHolds) + " hold, " + (equal == "0" ? "" : equal + " equal, ") + count(Verdict::kDoesNotHold) +
         " do not hold, " + count(Verdict::kUndecided) + " undecided";
}

}  // namespace iqbo
