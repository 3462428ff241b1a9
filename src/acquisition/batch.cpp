#include "batch.hpp"

#include <cmath>

namespace iqbo {

void require_batch(const Outlook& outlook) {
  require_rows(outlook.q.size(), outlook.size(), "q");
  require_rows(outlook.noise_var.size(), outlook.size(), "noise_var");
  require_finite(outlook.nu, "nu");
  require_non_negative(outlook.q, "q");
  require_non_negative(outlook.noise_var, "noise_var");
}

void require_samples(const Vector& samples, std::string_view name) {
  require_not_empty(samples.size(), name);
  require_finite(samples, name);
}

void require_cross(const Eigen::Ref<const Matrix>& c, Index references, Index queries) {
  require_rows(c.rows(), references, "c");
  require_columns(c.cols(), queries, "c");
  for (Index j = 0; j < queries; ++j)
    if (!std::isfinite(c.col(j).sum())) require_finite(Rows(c), "c");  // the sum is a cheap test of all entries
}

void clear(OutlookGradient* gradient, Index references, Index queries) {
  if (!gradient) return;
  gradient->nu.setZero(queries);
  gradient->q.setZero(queries);
  gradient->c.setZero(references, queries);
}

}  // namespace iqbo
