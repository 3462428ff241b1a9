// The inputs that a knowledge gradient has to compare where X is a large list: those that can still win.
//
// CKG is the expected rise of max_i (m_i + b_i Z), Z ~ N(0, 1), where |b_i - b_j| <= sd(f_i - f_j) whatever the query is. Let x_0
// have the largest mean.
//
//   Input i is left out if m_0 - m_i > c (sd_0 + sd_i), c = 5. Its line is above that of x_0 only where |Z| > c, so that all
//   of them together lose at most 2 max_i (sd_0 + sd_i) L(c) of the worth, L(c) = phi(c) - c Phi(-c) = 5e-8.
//
//   If more than kMostContenders are left and X is on a lattice, the largest mean of a square block of cells stands for the
//   block: whatever the others of block B rise above it is at most |Z| sd(f_i - f_B), so that all of them together lose at
//   most E|Z| max_i sd(f_i - f_B) = 0.8 max_i sd(f_i - f_B). A block is as small as it can be.
#pragma once

#include <string>
#include <vector>

#include "iqbo/finite/finite_ensemble.hpp"

namespace iqbo {

inline constexpr Index kMostContenders = 2048;

struct Contenders {
  std::vector<Index> rows;  // of x
  Index able = 0;           // inputs that can win; rows stand for them
  double lost = 0.0;        // a bound of the worth that is lost, in units of f

  std::string note() const;
};

Contenders contenders(const FiniteEnsemble& belief, Index most = kMostContenders);

}  // namespace iqbo
