// Log evidence of the observations, and its gradient.
//
//   log p(z) = -1/2 r' S^-1 r - 1/2 log det S - t/2 log(2 pi),   r = z - nu,   S = Q + diag(noise_var)
//
// With w = S^-1 r and M = 1/2 (w w' - S^-1):
//   d/dtheta         = sum_ij M_ij dQ_ij/dtheta      theta: kernel.log_parameters(), and those of the discrepancy
//   d/dbeta          = (dnu/dbeta)' w                beta:  mean.parameters()
//   d/dnoise_var_i   = M_ii                          sum them for a noise variance common to all
#pragma once

#include "iqbo/core/matrix.hpp"

namespace iqbo {

struct EvidenceGradient {
  Vector kernel;
  Vector discrepancy;  // in its log_parameters(); empty without one
  Vector mean;
  Vector noise_var;  // one per observation, in order of arrival
};

}  // namespace iqbo
