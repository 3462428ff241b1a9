// Any number of pairs as a table of fixed size: cells of queries, and in each the law of the x that were logged there.
//
//   n_k pairs in cell k,  a_k their mean query,  x_k their mean x,  h_kj the share of them whose x is in bin j
//
// Bins of x lie at the mean of their points (on the listed points of X, if these are few). What a cell or a bin blurs is of
// second order in its width: a kernel average of g over a cell of width w differs from its value at the mean query by w^2 / 24
// times the curvature of g. With 2,000 cells in two columns w is about 1/45 of the range of a.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "cell_tree.hpp"
#include "iqbo/average/laws.hpp"
#include "iqbo/learned/learned.hpp"
#include "pairs.hpp"

namespace iqbo {

inline constexpr Index kQueryCells = 2000;
inline constexpr Index kChoiceCells = 320;  // scales, ridges and bandwidths are chosen on this many

struct PairCells {
  std::shared_ptr<const internal::QueryEncoding> encoding;  // of all logged queries
  Vector x_sd;
  std::shared_ptr<const Inputs> bins;
  Queries a = Queries(Rows(
      0,
      0));  // of a category, the code of the cell's first pair: cells of several codes arise only if there are too many
  Vector size;       // n_k
  Rows x;            // x_k
  SparseRows share;  // h

  Index count() const { return a.size(); }
  PairCells subset(const std::vector<Index>& cells) const;
};

// The rows behind the cells.
struct BinnedPairs {
  const Inputs* x;
  const Queries* a;
  Division cell, bin;
};

BinnedPairs binned(const Inputs& x, const Queries& a, const internal::QueryEncoding& encoding, const Vector& x_sd,
                   const InputDomain& domain, Index cells = kQueryCells);

// The table of all rows, or of those whose number leaves another remainder than `without` modulo `folds`.
struct LeftOut {
  Index without = -1;
  Index folds = 5;
};
PairCells table_of(const BinnedPairs& pairs, std::shared_ptr<const internal::QueryEncoding> encoding,
                   const Vector& x_sd, const InputDomain& domain, const LeftOut& left_out = {});

}  // namespace iqbo
