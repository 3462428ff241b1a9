#include "iqbo/acquisition/multi_fidelity.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "batch.hpp"
#include "numerics/noisy_cut.hpp"

namespace iqbo {

using namespace internal;

Mfmes::Mfmes(Vector gstar, double q_floor) : gstar_(std::move(gstar)), q_floor_(q_floor) {
  require_samples(gstar_, "gstar");
  if (!(q_floor >= 0)) refuse("q_floor", "is " + readable(q_floor), "a number >= 0");
  std::sort(gstar_.begin(), gstar_.end());
}

Vector Mfmes::score(const Outlook& outlook, const Outlook& finest, const Vector& cov) const {
  require_batch(outlook);
  require_batch(finest);
  require_rows(finest.size(), outlook.size(), "finest");
  require_rows(cov.size(), outlook.size(), "cov");
  require_finite(cov, "cov");
  Vector value = Vector::Constant(outlook.size(), kWorthless);
  for (Index j = 0; j < outlook.size(); ++j) {
    const double var = outlook.q[j] + outlook.noise_var[j];
    if (finest.q[j] <= q_floor_ || var == 0 || cov[j] == 0) continue;
    const double sd = std::sqrt(finest.q[j]);
    const double rho = std::min(1.0, std::abs(cov[j]) / (std::sqrt(var) * sd));
    const double s = std::sqrt((1 - rho) * (1 + rho));
    const double shift = noisy_drop((gstar_[0] - finest.nu[j]) / sd, rho, s).log_drop;
    double sum = 0;
    for (const double gstar : gstar_) sum += std::exp(noisy_drop((gstar - finest.nu[j]) / sd, rho, s).log_drop - shift);
    value[j] = shift + std::log(sum / static_cast<double>(gstar_.size()));
  }
  return value;
}

}  // namespace iqbo
