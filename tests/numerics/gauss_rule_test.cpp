#include "iqbo/numerics/gauss_rule.hpp"

#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <stdexcept>
#include <thread>
#include <vector>

namespace iqbo {
namespace {

using Big = boost::multiprecision::cpp_bin_float_50;

constexpr int kSizes[] = {1, 2, 3, 4, 5, 8, 13, 16, 32, 63, 64, 100, 127, 128};

// A node's relative error e moves node^k by k e, so high powers are granted k roundings.
double power_tolerance(int degree) { return 4e-15 + 2.3e-16 * degree; }

// In 50 digits, so that what is measured is the rule and not the sum.
Big apply(const Rule& rule, int degree) {
  Big sum = 0;
  for (Index i = 0; i < rule.node.size(); ++i) sum += Big(rule.weight[i]) * pow(Big(rule.node[i]), degree);
  return sum;
}

double relative_error(const Big& got, const Big& want) { return static_cast<double>(abs(got / want - 1)); }

// Oracle: E[U^k] = 1/(k + 1).
TEST(GaussLegendre, IsExactUpToDegree2nMinus1) {
  for (const int n : kSizes)
    for (int degree = 0; degree <= 2 * n - 1; degree += 2)
      EXPECT_LT(relative_error(apply(gauss_legendre(n), degree), Big(1) / (degree + 1)), power_tolerance(degree))
          << n << " nodes, degree " << degree;
}

// Oracle: E[Z^k] = (k - 1)!!.
TEST(GaussHermite, IsExactUpToDegree2nMinus1) {
  for (const int n : kSizes) {
    Big moment = 1;
    for (int degree = 0; degree <= 2 * n - 1; degree += 2) {
      EXPECT_LT(relative_error(apply(gauss_hermite(n), degree), moment), power_tolerance(degree))
          << n << " nodes, degree " << degree;
      moment *= degree + 1;
    }
  }
}

// One degree further a Gauss rule misses by the squared norm of the monic orthogonal polynomial, no more and no less:
// n! for Hermite, (2^n n!^2 / (2n)!)^2 / (2n + 1) for Legendre.
TEST(GaussRule, Degree2nMissesByTheNormOfThePolynomial) {
  for (const int n : {1, 2, 3, 5, 8, 10}) {
    Big factorial = 1;
    Big double_factorial = 1;  // (2n - 1)!!
    for (int k = 1; k <= n; ++k) {
      factorial *= k;
      double_factorial *= 2 * k - 1;
    }
    EXPECT_LT(relative_error(double_factorial - apply(gauss_hermite(n), 2 * n), factorial), 1e-11) << n;
    const Big monic = factorial / double_factorial;  // 2^n n!^2 / (2n)!
    EXPECT_LT(relative_error(Big(1) / (2 * n + 1) - apply(gauss_legendre(n), 2 * n), monic * monic / (2 * n + 1)), 1e-9)
        << n;
  }
}

// Abramowitz and Stegun, tables 25.4 and 25.10 (rescaled: nodes by sqrt 2, weights by 1 / sqrt pi; Legendre's by 1/2).
TEST(GaussRule, AgreesWithPublishedTables) {
  const Rule& legendre = gauss_legendre(10);
  EXPECT_NEAR(legendre.node[9], 0.973906528517172, 1e-15);
  EXPECT_NEAR(2 * legendre.weight[9], 0.066671344308688, 1e-15);
  EXPECT_NEAR(legendre.node[5], 0.148874338981631, 1e-15);
  EXPECT_NEAR(2 * legendre.weight[5], 0.295524224714753, 1e-15);
  const Rule& hermite = gauss_hermite(20);
  const double sqrt_pi = std::sqrt(std::acos(-1.0));
  EXPECT_NEAR(hermite.node[19] / std::sqrt(2.0), 5.3874808900112, 1e-13);
  EXPECT_NEAR(hermite.weight[19] * sqrt_pi, 2.229393645534e-13, 1e-25);
  EXPECT_NEAR(hermite.node[10] / std::sqrt(2.0), 0.2453407083009, 1e-13);
  EXPECT_NEAR(hermite.weight[10] * sqrt_pi, 4.622436696006e-1, 1e-13);
}

using Huge = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<200>, boost::multiprecision::et_off>;

// He_n(x) from its explicit coefficients, sum_m (-1)^m n! / (m! (n - 2m)! 2^m) x^(n-2m), not from a recurrence in n.
Huge hermite(int n, const Huge& x) {
  Huge coefficient = 1;
  Huge sum = 1;
  for (int m = 1; 2 * m <= n; ++m) {
    const int k = n - 2 * m + 2;  // x^(k-2) from x^k
    coefficient *= -Huge(k) * (k - 1) / (2 * m);
    sum = sum * x * x + coefficient;
  }
  return n % 2 == 1 ? sum * x : sum;
}

// Within one rounding of each node He_n changes sign.
TEST(GaussHermite, NodesAreRootsToTheLastDigit) {
  for (const int n : {2, 7, 20, 64, 127, 128})
    for (Index i = (n + 1) / 2; i < n; ++i) {
      const Huge x = gauss_hermite(n).node[i];
      const Huge rounding = 2.3e-16;
      EXPECT_NE(hermite(n, x * (1 - rounding)) > 0, hermite(n, x * (1 + rounding)) > 0) << n << " nodes, node " << i;
    }
}

// A Gauss weight is the Christoffel number 1 / sum_{k<n} He_k(x)^2 / k! at the root x, found here by the secant method.
TEST(GaussHermite, TailWeightsKeepTheirDigits) {
  for (const int n : {5, 40, 128})
    for (int i = n - 1; i >= n - 2; --i) {
      Huge before = gauss_hermite(n).node[i] * 1.000001;
      Huge x = gauss_hermite(n).node[i];
      for (int step = 0; step < 4; ++step) {
        const Huge here = hermite(n, x);
        const Huge next = x - here * (x - before) / (here - hermite(n, before));
        before = x;
        x = next;
      }
      Huge sum = 0;
      Huge factorial = 1;
      for (int k = 0; k < n; ++k) {
        if (k > 0) factorial *= k;
        sum += pow(hermite(k, x), 2) / factorial;
      }
      EXPECT_LT(abs(gauss_hermite(n).weight[i] * sum - 1), 1e-15) << n << " nodes, node " << i;
    }
}

TEST(GaussRule, IsSortedSymmetricPositiveAndNormalised) {
  for (const auto rule_of : {gauss_legendre, gauss_hermite})
    for (int n = 1; n <= 128; ++n) {
      const auto& [node, weight] = rule_of(n);
      ASSERT_EQ(node.size(), n);
      EXPECT_EQ(node, Vector(-node.reverse())) << n;
      EXPECT_EQ(weight, Vector(weight.reverse())) << n;
      EXPECT_TRUE((weight.array() > 0).all()) << n;
      EXPECT_NEAR(weight.sum(), 1, 1e-15 + 2e-17 * n) << n;
      for (Index i = 1; i < n; ++i) EXPECT_LT(node[i - 1], node[i]) << n;
    }
}

// E[cos(c Z)] = exp(-c^2/2), E[cos(c U)] = sin(c)/c: no polynomials.
TEST(GaussRule, IntegratesACosine) {
  for (const double c : {0.1, 1.0, 3.0}) {
    const auto mean_cos = [c](const Rule& rule) { return ((c * rule.node.array()).cos() * rule.weight.array()).sum(); };
    EXPECT_NEAR(mean_cos(gauss_hermite(40)), std::exp(-c * c / 2), 1e-15);
    EXPECT_NEAR(mean_cos(gauss_legendre(16)), std::sin(c) / c, 1e-15);
  }
}

TEST(GaussRule, RefusesSizesOutsideItsRange) {
  for (const int n : {-3, 0, 129}) {
    EXPECT_THROW(gauss_legendre(n), std::invalid_argument);
    EXPECT_THROW(gauss_hermite(n), std::invalid_argument);
  }
  try {
    gauss_hermite(0);
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "n: is 0, expected a number of nodes from 1 to 128");
  }
}

TEST(GaussRule, ThreadsShareOneRule) {
  std::vector<const Rule*> seen(8);
  {
    std::vector<std::jthread> threads;
    for (const Rule*& slot : seen) threads.emplace_back([&slot] { slot = &gauss_hermite(77); });
  }
  for (const Rule* rule : seen) EXPECT_EQ(rule, &gauss_hermite(77));
}

}  // namespace
}  // namespace iqbo
