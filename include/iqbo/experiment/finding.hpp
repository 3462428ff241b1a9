// One row of a verdict table: a claim, what was measured, and whether it holds. And tables of several runs in columns.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "iqbo/experiment/figure.hpp"

namespace iqbo {

struct Finding {
  std::string about;                        // "figure 3", "lemma 4"
  std::string claim;                        // the table says whose it is
  std::string measure;                      // what was compared
  std::optional<Interval> difference = {};  // paired; none where nothing is random
  Verdict verdict = Verdict::kUndecided;    // by `corrected`, where that is given
  std::string remark = {};
  bool extra = false;                     // no claim, but a control or a comparison of our own; listed separately
  std::string problem = {}, regret = {};  // that were compared; "" where nothing is random
  // The same difference with an interval that holds jointly with those of all other claims, and the verdict by `difference` alone.
  std::optional<Interval> corrected = {};
  std::optional<Verdict> uncorrected = {};
};

using Findings = std::vector<Finding>;

// "A's log10 regret is smaller than B's", the mean over low < grid <= high. With several B, A is compared with each;
// the claim is about all, and the difference shown decides it: the worst verdict, then the largest upper end.
struct Comparison {
  std::string problem;
  std::string policy;
  std::vector<std::string> others;
  Regret regret = Regret::kSimple;
  double low = 0.0;
  double high = 0.0;
  Index among = 1;  // this many intervals hold jointly with 95 %
};
Finding compare(const Regrets& regrets, const Comparison& comparison, std::string about, std::string claim);

std::string to_text(const Findings& findings);
std::string to_markdown(const Findings& findings);
std::string to_json(const Findings& findings);
std::string tally(const Findings& findings);  // of the claims: "7 hold, 2 equal, 3 do not hold, 12 undecided"

Findings findings_from_json(std::string_view text, std::string_view name);  // `name` of the file, for messages

// Markdown: how many claims hold in each run; then every claim, one column per run; then findings beyond the claims.
struct VerdictColumn {
  std::string title;  // "`fixed`, 30 seeds"
  Findings findings;
};
std::string verdict_table(const std::vector<VerdictColumn>& columns);

}  // namespace iqbo
