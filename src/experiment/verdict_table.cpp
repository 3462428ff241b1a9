#include <algorithm>
#include <cmath>
#include <cstdio>
#include <tuple>

#include "iqbo/core/check.hpp"
#include "iqbo/experiment/finding.hpp"
#include "signs.hpp"

namespace iqbo {

using namespace internal;

namespace {

// What makes two findings of different runs the same row.
auto key(const Finding& finding) { return std::tie(finding.about, finding.claim, finding.problem, finding.regret); }

const Finding* find(const Findings& findings, const Finding& wanted) {
  const auto found = std::find_if(findings.begin(), findings.end(),
                                  [&](const Finding& finding) { return key(finding) == key(wanted); });
  return found == findings.end() ? nullptr : &*found;
}

// Every row of any run, in the order of the first run that has it.
Findings rows_of(const std::vector<VerdictColumn>& columns, bool extra) {
  Findings out;
  for (const VerdictColumn& column : columns)
    for (const Finding& finding : column.findings)
      if (finding.extra == extra && find(out, finding) == nullptr) out.push_back(finding);
  return out;
}

std::string cell(const Finding* finding) {
  if (finding == nullptr) return "";
  const std::string verdict = to_string(finding->verdict);
  std::string out = finding->verdict == Verdict::kUndecided ? verdict : "**" + verdict + "**";
  if (!finding->difference) return out;
  char text[96];
  const auto& [mean, low, high, n] = finding->corrected ? *finding->corrected : *finding->difference;
  if (std::isfinite(low))
    std::snprintf(text, sizeof text, "%+.2f [%+.2f, %+.2f] ", mean, low, high);
  else
    std::snprintf(text, sizeof text, n == 1 ? "%+.2f (one seed) " : "%+.2f (too few seeds) ", mean);
  out = text + out;
  if (finding->uncorrected && *finding->uncorrected != finding->verdict)
    out += " (uncorrected: " + to_string(*finding->uncorrected) + ")";
  return out;
}

std::string map_of(const std::string& problem) {
  if (problem.empty()) return "";
  return problem.find("nonlinear") == std::string::npos ? "linear" : "non-linear";
}

std::string table(const std::vector<VerdictColumn>& columns, bool extra) {
  std::vector<std::string> head{"", "claim", "map", "regret"};
  for (const VerdictColumn& column : columns) head.push_back(column.title);
  std::string out = table_head(head);
  for (const Finding& row : rows_of(columns, extra)) {
    std::vector<std::string> cells{row.about, row.claim, map_of(row.problem), row.regret};
    for (const VerdictColumn& column : columns) cells.push_back(cell(find(column.findings, row)));
    out += table_row(cells);
  }
  return out;
}

bool is_same_claim(const Finding& one, const Finding& other) {
  return one.about == other.about && one.regret == other.regret && without_when(one.claim) == without_when(other.claim);
}

// "`=++ ??-` / `=++ +?-`": of each problem, in the order in time; jointly, and each by itself.
std::string signs(const Findings& findings, const Finding& wanted) {
  std::string jointly, alone, problem;
  for (const Finding& each : findings) {
    if (each.extra || !is_same_claim(each, wanted)) continue;
    const bool other = !jointly.empty() && each.problem != problem;
    problem = each.problem;
    jointly += (other ? " " : "") + std::string(1, sign(each.verdict));
    alone += (other ? " " : "") + std::string(1, sign(each.uncorrected.value_or(each.verdict)));
  }
  if (jointly.empty()) return "";
  return "`" + jointly + (jointly == alone ? "`" : "` / `" + alone + "`");
}

// A row for each claim about regret, whatever the time and the map.
std::string glance(const std::vector<VerdictColumn>& columns) {
  std::vector<std::string> head{"", "claim", "regret"};
  for (const VerdictColumn& column : columns) head.push_back(column.title);
  std::string out = table_head(head);
  Findings shown;
  for (const Finding& row : rows_of(columns, false)) {
    const auto is_row = [&](const Finding& each) { return is_same_claim(each, row); };
    if (row.regret.empty() || std::any_of(shown.begin(), shown.end(), is_row)) continue;
    shown.push_back(row);
    std::vector<std::string> cells{row.about, without_when(row.claim), row.regret};
    for (const VerdictColumn& column : columns) cells.push_back(signs(column.findings, row));
    out += table_row(cells);
  }
  if (shown.empty()) return "";
  return "\n### At a glance\n\n`+` holds, `=` equal within 0.1 decade, `-` does not hold, `?` undecided. A sign for "
         "each time "
         "(early, over all, at the end), maps one after the other; after the stroke each claim by itself, if that "
         "differs.\n\n" +
         out;
}

}  // namespace

std::string verdict_table(const std::vector<VerdictColumn>& columns) {
  require_not_empty(static_cast<Index>(columns.size()), "columns");
  std::string out = table_head({"run", "claims", "hold", "equal", "do not hold", "undecided", "the same, uncorrected"});
  for (const VerdictColumn& column : columns) {
    const auto count = [&](auto&& wanted) {
      return std::to_string(std::count_if(column.findings.begin(), column.findings.end(),
                                          [&](const Finding& each) { return !each.extra && wanted(each); }));
    };
    const auto is = [&](Verdict verdict) {
      return count([=](const Finding& each) { return each.verdict == verdict; });
    };
    const auto was = [&](Verdict verdict) {
      return count([=](const Finding& each) { return each.uncorrected.value_or(each.verdict) == verdict; });
    };
    out += table_row({column.title, count([](const Finding&) { return true; }), is(Verdict::kHolds),
                      is(Verdict::kEqual), is(Verdict::kDoesNotHold), is(Verdict::kUndecided),
                      was(Verdict::kHolds) + " / " + was(Verdict::kEqual) + " / " + was(Verdict::kDoesNotHold) + " / " +
                          was(Verdict::kUndecided)});
  }
  return out + glance(columns) + "\n### Claims\n\n" + table(columns, false) + "\n### Beyond the claims\n\n" +
         table(columns, true);
}

}  // namespace iqbo
