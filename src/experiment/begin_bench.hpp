// What benches of problems and of specs have in common.
#pragma once

#include "iqbo/experiment/bench.hpp"

namespace iqbo {

std::vector<PolicyKind> bench_policies(const BenchOptions& options);  // refuses an empty list and unknown names

// Name, seeds, axis and grid. By cost, the grid begins at `first_cost`: before, a policy may have asked nothing.
void begin_bench(Figure& figure, const BenchOptions& options, double first_cost);

}  // namespace iqbo
