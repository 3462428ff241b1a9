// Compares the derivatives of a score with its finite differences, one query at a time.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "iqbo/acquisition/acquisition.hpp"
#include "iqbo/contracts/finite_difference.hpp"
#include "iqbo/contracts/tolerance.hpp"

namespace iqbo::contracts {

// Steps are a hundredth of q in q, and of sqrt(q) in nu and c: the lengths over which scores vary.
inline void expect_gradient(const Acquisition& score, const Outlook& outlook, const Matrix& c) {
  OutlookGradient got;
  score.score(outlook, c, &got);
  ASSERT_EQ(got.nu.size(), outlook.size());
  ASSERT_EQ(got.q.size(), outlook.size());
  ASSERT_EQ(got.c.rows(), score.references().size());
  ASSERT_EQ(got.c.cols(), outlook.size());
  const Index n = got.c.rows();
  for (Index j = 0; j < outlook.size(); ++j) {
    const double q = outlook.q[j];
    const double sd = std::sqrt(q);
    const auto at = [&](const Vector& x) {  // nu and c in units of sd, q in units of q
      const Outlook one{Vector{{sd * x[0]}}, Vector{{q * x[1]}}, outlook.noise_var.segment(j, 1)};
      return score.score(one, sd * x.tail(n))[0];
    };
    Vector x(2 + n);
    x << outlook.nu[j] / sd, 1, c.col(j).head(n) / sd;
    const Vector want = finite_difference(at, x);
    Vector scaled(2 + n);
    scaled << got.nu[j] * sd, got.q[j] * q, got.c.col(j) * sd;
    const double unit = std::max(1.0, want.cwiseAbs().maxCoeff());
    for (Index i = 0; i < 2 + n; ++i)
      EXPECT_NEAR(scaled[i], want[i], kScoreGradient * unit) << "query " << j << ", coordinate " << i;
  }
}

}  // namespace iqbo::contracts
