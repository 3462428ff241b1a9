// Results as records for a reader's page.
#pragma once

#include <vector>

#include "iqbo/experiment/figure.hpp"
#include "iqbo/experiment/finding.hpp"
#include "iqbo/record/experiment_record.hpp"

namespace iqbo {

// Two panels for each problem of a figure, of simple and of instant regret; both of log10, as they are compared.
std::vector<PanelRecord> panel_records(const Regrets& regrets);
std::vector<FindingRecord> finding_records(const Findings& findings);

}  // namespace iqbo
