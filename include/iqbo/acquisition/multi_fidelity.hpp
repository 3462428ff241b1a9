// Multi-fidelity max-value entropy search [Takeno20]: the nats that an answer at a tells about the largest value g* at
// the finest level, through the finest query a_M at the same location,
//
//   log mean_s drop(gamma_s, rho),   gamma_s = (gstar_s - nu_M) / sqrt(q_M),   rho = Cov(g, g_M) / sqrt((q + noise_var) q_M)
//
// with drop of numerics/noisy_cut.hpp. NoisyCmes is the case a = a_M. It needs beliefs about two queries at once, so it is
// not an Acquisition. q_M <= q_floor gives -infinity.
#pragma once

#include "iqbo/acquisition/acquisition.hpp"

namespace iqbo {

class Mfmes {
 public:
  explicit Mfmes(Vector gstar, double q_floor = 0);

  // cov_j = Cov(g(a_j), g(a_Mj)); |rho| is cut at 1, which rounding may exceed. finest.noise_var is not used.
  Vector score(const Outlook& outlook, const Outlook& finest, const Vector& cov) const;

 private:
  Vector gstar_;
  double q_floor_;
};

}  // namespace iqbo
