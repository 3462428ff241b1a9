#include "iqbo/acquisition/multi_fidelity.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "iqbo/acquisition/max_value.hpp"
#include "iqbo/core/rng.hpp"
#include "support/oracle.hpp"
#include "support/tolerance.hpp"

namespace iqbo {
namespace {

using test::Real;

// Oracle: entropy of z less that of z given g_M <= g*, the latter's density from the law of g_M given z.
double by_quadrature(double var, double nu_fine, double q_fine, double cov, double gstar) {
  const auto cdf = [](Real u) { return std::erfc(-u / std::sqrt(Real(2))) / 2; };
  const Real below = cdf((gstar - nu_fine) / std::sqrt(Real(q_fine)));
  const auto integrand = [&](const Real& z) -> Real {
    const Real p = std::exp(-z * z / (2 * var)) / std::sqrt(2 * std::acos(Real(-1)) * var);
    const Real left = q_fine - Real(cov) * cov / var;
    const Real given = p * cdf((gstar - nu_fine - Real(cov) / var * z) / std::sqrt(left)) / below;
    return (p > 0 ? -p * std::log(p) : 0) + (given > 0 ? given * std::log(given) : 0);
  };
  const Real reach = 16 * std::sqrt(Real(var));
  return static_cast<double>(test::integrate(integrand, -reach, reach, 200));
}

TEST(Mfmes, IsTheDropOfEntropyGivenTheFinestLevel) {
  for (const double cov : {-0.9, 0.1, 0.6, 1.1})
    for (const double gstar : {-1.0, 0.5, 2.0}) {
      const Outlook outlook{Vector{{0.0}}, Vector{{1.0}}, Vector{{0.3}}};
      const Outlook finest{Vector{{0.2}}, Vector{{1.4}}, Vector{{0.0}}};
      const double got = Mfmes(Vector{{gstar}}).score(outlook, finest, Vector{{cov}})[0];
      EXPECT_NEAR(std::exp(got), by_quadrature(1.3, 0.2, 1.4, cov, gstar), test::kConditioned) << cov << ' ' << gstar;
    }
}

TEST(Mfmes, AtTheFinestLevelIsTheNoisyScore) {
  Rng rng(8);
  const Vector gstar = 1 + rng.normals(5).array().abs();
  const Outlook outlook{rng.normals(20), rng.normals(20).cwiseAbs2(), Vector::Constant(20, 0.2)};
  const Vector got = Mfmes(gstar).score(outlook, outlook, outlook.q);
  EXPECT_LT((got - NoisyCmes(gstar).score(outlook, Matrix())).cwiseAbs().maxCoeff(), 1e-8);
}

TEST(Mfmes, UncorrelatedOrKnownIsWorthNothing) {
  const Outlook outlook{Vector::Zero(3), Vector{{1.0, 1.0, 0.0}}, Vector::Zero(3)};
  const Outlook finest{Vector::Zero(3), Vector{{1.0, 0.0, 1.0}}, Vector::Zero(3)};
  EXPECT_EQ(Mfmes(Vector{{1.0}}).score(outlook, finest, Vector::Zero(3)),
            Vector::Constant(3, -std::numeric_limits<double>::infinity()));
}

}  // namespace
}  // namespace iqbo
