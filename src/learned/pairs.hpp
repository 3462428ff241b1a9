// Logged pairs (x_j, a_j), in the units that learning uses.
#pragma once

#include <memory>
#include <vector>

#include "iqbo/core/points.hpp"
#include "iqbo/kernel/sum.hpp"
#include "query_encoding.hpp"

namespace iqbo {

struct LoggedPairs {
  std::shared_ptr<const Inputs> logged_x;  // shared with the laws that put weight on it
  Queries a;
  std::shared_ptr<const internal::QueryEncoding>
      encoding;  // of all logged queries, also when these pairs are only some of them
  Vector x_sd;   // of all logged inputs; 1 for a constant column

  const Inputs& x() const { return *logged_x; }
  Index size() const { return a.size(); }
  Rows scaled_x() const { return x().coordinates().array().rowwise() / x_sd.transpose().array(); }
  LoggedPairs subset(const std::vector<Index>& rows) const;
};

// exp(-|a_i - b_j|^2 / 2) of encoded queries.
Matrix similarity(const Matrix& a, const Matrix& b);

// The mean of five RBFs with lengthscales {2, 1, 1/2, 1/4, 1/8} times the median distance of the logged x, in units of its
// sd: about what the weak prior of a fit expects of f (docs/fitting.md: a factor 4.5 to both sides of about the median
// distance). A single lengthscale hardly separates good conditionals from bad ones.
Sum kappa(const LoggedPairs& pairs);

// At most `count` row numbers below `size`, spread by a fixed permutation, ascending.
std::vector<Index> some_rows(Index size, Index count);

}  // namespace iqbo
