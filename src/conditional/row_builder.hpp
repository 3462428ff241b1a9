// A sparse matrix, row by row: what Eigen makes of triplets, without their two detours through the transpose.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "iqbo/average/laws.hpp"

namespace iqbo::internal {

class RowBuilder {
 public:
  RowBuilder(Index rows, Index columns, Index entries) : out_(rows, columns) {
    out_.resizeNonZeros(entries);
    out_.outerIndexPtr()[0] = 0;
  }

  // Entries of a row may come in any order. Those of the same column are added up, in the order in which they come.
  void add(Index column, double value) {
    sorted_ = sorted_ && (size_ == begin_ || out_.innerIndexPtr()[size_ - 1] < column);
    out_.innerIndexPtr()[size_] = column;
    out_.valuePtr()[size_++] = value;
  }

  void end_row() {
    if (!sorted_) sort();
    begin_ = size_;
    sorted_ = true;
    out_.outerIndexPtr()[++row_] = size_;
  }

  SparseRows take() {
    out_.resizeNonZeros(size_);
    SparseRows out;
    out.swap(out_);
    return out;
  }

 private:
  void sort() {
    std::vector<std::pair<Index, double>> entries;
    for (Index k = begin_; k < size_; ++k) entries.emplace_back(out_.innerIndexPtr()[k], out_.valuePtr()[k]);
    std::stable_sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    size_ = begin_;
    for (const auto& [column, value] : entries) {
      if (size_ > begin_ && out_.innerIndexPtr()[size_ - 1] == column) {
        out_.valuePtr()[size_ - 1] += value;
        continue;
      }
      out_.innerIndexPtr()[size_] = column;
      out_.valuePtr()[size_++] = value;
    }
  }

  SparseRows out_;
  Index row_ = 0, begin_ = 0, size_ = 0;
  bool sorted_ = true;  // the row that is not ended
};

}  // namespace iqbo::internal
