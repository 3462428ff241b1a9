// How verdicts are shown in tables, in Markdown.
#pragma once

#include <string>
#include <vector>

#include "iqbo/experiment/finding.hpp"

namespace iqbo::internal {

// "+" holds, "=" equal, "-" does not hold, "?" undecided.
inline char sign(Verdict verdict) {
  if (verdict == Verdict::kHolds) return '+';
  if (verdict == Verdict::kEqual) return '=';
  return verdict == Verdict::kDoesNotHold ? '-' : '?';
}

// "CMES outperforms MES, early" without when.
inline std::string without_when(const std::string& claim) { return claim.substr(0, claim.rfind(", ")); }

inline std::string table_row(const std::vector<std::string>& cells) {
  std::string out = "|";
  for (const std::string& each : cells) out.append(each.empty() ? " " : " " + each + " ").append("|");
  return out + "\n";
}

inline std::string table_head(const std::vector<std::string>& titles) {
  std::string out = table_row(titles) + "|";
  for (std::size_t i = 0; i < titles.size(); ++i) out += "---|";
  return out + "\n";
}

}  // namespace iqbo::internal
