// What an experiment found, for a reader: curves, verdicts, and what was chosen.
//
// A number that does not exist (the interval of one seed) is NaN.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace iqbo {

struct SettingRecord {
  std::string name;
  std::string choice;
  std::string reason;
  bool operator==(const SettingRecord&) const = default;
};

struct CurveRecord {
  std::string policy;
  std::vector<double> at;
  std::vector<double> mean, low, high;  // 95 % intervals of the mean
};

struct PanelRecord {
  std::string title;
  std::string x;  // what the axes are
  std::string y;
  std::int64_t seeds = 0;
  std::optional<double> floor;  // a lower bound for every policy
  std::vector<CurveRecord> curves;
};

struct DifferenceRecord {
  double mean = 0, low = 0, high = 0;
  std::int64_t n = 0;
};

struct FindingRecord {
  std::string about, claim, measure;
  std::optional<DifferenceRecord> difference;
  std::string verdict;  // "holds", "does not hold", "undecided"
  std::string remark;
  bool extra = false;  // not a claim of the paper: a control, or a comparison of our own
};

struct ExperimentRecord {
  std::string title;
  std::vector<std::string> text;  // paragraphs: what was run, with which command
  std::vector<SettingRecord> settings;
  std::vector<PanelRecord> panels;
  std::vector<FindingRecord> findings;
};

}  // namespace iqbo
