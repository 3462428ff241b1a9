#include "iqbo/paper/matrix.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "core/nearest.hpp"
#include "experiment/signs.hpp"
#include "iqbo/core/check.hpp"
#include "iqbo/paper/claims.hpp"

namespace iqbo {

using namespace internal;

namespace {

const std::pair<const char*, std::optional<Truncation>> kTruncations[] = {
    {"none", std::nullopt}, {"clip", Truncation::kClip}, {"renormalise", Truncation::kRenormalise}};

bool is_linear(const std::string& problem) { return problem.find("nonlinear") == std::string::npos; }

// The signs of one claim in one cell: those of the linear map, then of the other.
std::string signs(const Findings& findings, const std::string& claim, const std::string& regret, bool corrected) {
  std::string linear, other;
  for (const Finding& finding : findings) {
    if (finding.extra || finding.regret != regret || without_when(finding.claim) != claim) continue;
    const Verdict verdict = corrected ? finding.verdict : finding.uncorrected.value_or(finding.verdict);
    (is_linear(finding.problem) ? linear : other) += sign(verdict);
  }
  return linear.empty() && other.empty() ? "" : "`" + linear + " " + other + "`";
}

std::vector<std::string> claims_of(const std::vector<MatrixColumn>& columns) {
  std::vector<std::string> out;
  for (const MatrixColumn& column : columns)
    for (const Finding& finding : column.findings)
      if (const std::string claim = without_when(finding.claim);
          !finding.extra && !finding.regret.empty() && std::find(out.begin(), out.end(), claim) == out.end())
        out.push_back(claim);
  return out;
}

std::string table(const std::vector<MatrixColumn>& columns, const std::string& regret, bool corrected) {
  const std::vector<std::string> claims = claims_of(columns);
  std::vector<std::string> titles{"", "seeds"};
  titles.insert(titles.end(), claims.begin(), claims.end());
  std::string out = table_head(titles);
  for (const MatrixColumn& column : columns) {
    std::set<Index> seeds;
    for (const Finding& finding : column.findings)
      if (finding.difference) seeds.insert(finding.difference->n);
    std::vector<std::string> cells{"`" + column.cell.name + "`", ""};
    if (!seeds.empty()) cells[1] = std::to_string(*seeds.begin());
    if (seeds.size() > 1) cells[1] += " to " + std::to_string(*seeds.rbegin());
    for (const std::string& claim : claims) cells.push_back(signs(column.findings, claim, regret, corrected));
    out += table_row(cells);
  }
  return out;
}

// Claims that hold in one cell and do not in another.
std::string dependent(const std::vector<MatrixColumn>& columns) {
  std::map<std::string, std::map<Verdict, std::string>> by_claim;
  for (const MatrixColumn& column : columns)
    for (const Finding& finding : column.findings) {
      if (finding.extra || finding.regret.empty() || finding.verdict == Verdict::kUndecided) continue;
      const std::string what =
          finding.claim + " | " + (is_linear(finding.problem) ? "linear" : "non-linear") + " | " + finding.regret;
      std::string& names = by_claim[finding.about + " | " + what][finding.verdict];
      names += (names.empty() ? "" : ", ") + column.cell.name;
    }
  std::string rows;
  for (auto& [what, verdicts] : by_claim)
    if (verdicts.size() > 1)
      rows += "| " + what + " | " + verdicts[Verdict::kHolds] + " | " + verdicts[Verdict::kEqual] + " | " +
              verdicts[Verdict::kDoesNotHold] + " |\n";
  if (rows.empty()) return "No claim is decided in different ways in different cells.\n";
  return table_head({"", "claim", "map", "regret", "holds in", "equal in", "does not hold in"}) + rows;
}

}  // namespace

std::vector<PaperCell> paper_cells() {
  std::vector<PaperCell> out;
  for (const Choices choices : all_choices()) {
    const std::string name = to_string(choices);
    const PaperOptions usual = paper_choices(name);
    for (const auto& [tail, truncation] : kTruncations) {
      PaperOptions options = usual;
      options.truncation = truncation;
      options.extras = false;
      out.push_back({truncation == usual.truncation ? name : name + "-" + tail, options});
    }
  }
  const auto first = std::find_if(out.begin(), out.end(), [](const PaperCell& cell) { return cell.name == "paper"; });
  std::rotate(out.begin(), first, first + 1);
  const auto second = std::find_if(out.begin(), out.end(), [](const PaperCell& cell) { return cell.name == "fixed"; });
  std::rotate(out.begin() + 1, second, second + 1);
  return out;
}

PaperCell paper_cell(std::string_view name) {
  std::vector<std::string> names;
  for (const PaperCell& cell : paper_cells()) {
    if (cell.name == name) return cell;
    names.push_back(cell.name);
  }
  refuse("cell", in_quotes(name), expected_names(name, names));
}

std::string matrix_page(const std::vector<MatrixColumn>& columns) {
  require_not_empty(static_cast<Index>(columns.size()), "columns");
  std::string out =
      "# Claims and settings\n\n"
      "Signs: `+` holds, `=` equal within 0.1 decade, `-` does not hold, `?` undecided. In each cell first the linear "
      "map: "
      "early, over all, at the end; then the non-linear map. Intervals hold jointly for the claims of a row, or, where "
      "it says "
      "so, each by itself.\n";
  for (const bool corrected : {true, false})
    for (const char* regret : {"simple", "instant"})
      out += std::string("\n## ") + (regret[0] == 's' ? "Simple" : "Instant") + " regret" +
             (corrected ? "" : ", each claim by itself") + "\n\n" + table(columns, regret, corrected);
  return out + "\n## What depends on the settings\n\n" + dependent(columns);
}

}  // namespace iqbo
