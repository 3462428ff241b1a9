// Which claims depend on which choice: every set of choices with every truncation.
//
//   {known, CME as printed, CME + discrepancy, auto} x {none, clip, renormalise} x {given, fitted}
#pragma once

#include "iqbo/paper/paper.hpp"

namespace iqbo {

// Both "paper" (clipped, the printed tree) and "paper-none" are names of cells; without a tail, the set as it is meant.
struct PaperCell {
  std::string name;
  PaperOptions options;  // without extras
};
std::vector<PaperCell> paper_cells();         // all 24; paper first, then fixed
PaperCell paper_cell(std::string_view name);  // refuses an unknown name, suggesting the nearest

struct MatrixColumn {
  PaperCell cell;
  Findings findings;  // of figures 3 and 4
};

// Markdown. For each regret a table with a row for each cell and a column for each claim, in it six signs: linear map early,
// over all, at the end; then the non-linear map. Then the claims that are decided differently in different cells.
std::string matrix_page(const std::vector<MatrixColumn>& columns);

}  // namespace iqbo
