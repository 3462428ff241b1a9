// Newton's method, from good starting nodes, on the n-th orthogonal polynomial, whose recurrence is stable at the
// nodes. So the tail weights of Gauss-Hermite (1e-102 at n = 128) keep their digits; those that Golub and Welsch take
// from eigenvectors are accurate to 1e-16 absolute only. Computed in long double, so that only the last rounding shows.
#include "iqbo/numerics/gauss_rule.hpp"

#include <Eigen/Eigenvalues>
#include <array>
#include <cmath>
#include <mutex>
#include <numbers>
#include <string>

#include "iqbo/core/check.hpp"

namespace iqbo {
namespace {

using Real = long double;

constexpr int kMaxSize = 128;
constexpr int kNewtonSteps = 6;  // quadratic from four digits or better; the last step corrects only rounding

struct Node {
  Real at;
  Real weight;
};

// Recurrence k P_k = (2k - 1) x P_{k-1} - (k - 1) P_{k-2}; derivative (1 - x^2) P_n' = n (P_{n-1} - x P_n).
Node legendre_node(int n, Real x) {
  Real slope = 0;
  for (int step = 0; step < kNewtonSteps; ++step) {
    Real previous = 1;
    Real value = x;
    for (int k = 2; k <= n; ++k) {
      const Real next = ((2 * k - 1) * x * value - (k - 1) * previous) / k;
      previous = value;
      value = next;
    }
    slope = static_cast<Real>(n) * (previous - x * value) / ((1 - x) * (1 + x));
    x -= value / slope;
  }
  return {x, 1 / ((1 - x) * (1 + x) * slope * slope)};
}

// Orthonormal h_k = He_k / sqrt(k!): sqrt(k) h_k = x h_{k-1} - sqrt(k - 1) h_{k-2}, h_n' = sqrt(n) h_{n-1}. They stay
// below exp(x^2/4), which is 1e53 at the outermost node that occurs; He_k itself would overflow a double.
Node hermite_node(int n, Real x) {
  Real slope = 0;
  for (int step = 0; step < kNewtonSteps; ++step) {
    Real previous = 0;
    Real value = 1;
    for (int k = 1; k <= n; ++k) {
      const Real next = (x * value - std::sqrt(static_cast<Real>(k - 1)) * previous) / std::sqrt(static_cast<Real>(k));
      previous = value;
      value = next;
    }
    slope = std::sqrt(static_cast<Real>(n)) * previous;
    x -= value / slope;
  }
  return {x, 1 / (slope * slope)};
}

// The rule from its non-negative half, so that symmetry is exact. `refine(i)` gives the i-th largest node.
template <class Refine>
Rule symmetric_rule(int n, Refine refine) {
  Rule rule{Vector(n), Vector(n)};
  for (int i = 0; i < (n + 1) / 2; ++i) {
    const Node node = refine(i);
    const bool centre = 2 * i + 1 == n;
    rule.node[n - 1 - i] = centre ? 0.0 : static_cast<double>(node.at);
    rule.node[i] = -rule.node[n - 1 - i];
    rule.weight[i] = rule.weight[n - 1 - i] = static_cast<double>(node.weight);
  }
  if (n % 2 == 1) rule.node[n / 2] = 0.0;  // not -0
  return rule;
}

Rule make_legendre(int n) {
  return symmetric_rule(n, [n](int i) {
    if (2 * i + 1 == n) return legendre_node(n, 0);
    return legendre_node(n, std::cos(std::numbers::pi_v<Real> * (i + 0.75L) / (n + 0.5L)));
  });
}

Rule make_hermite(int n) {
  Vector off(n > 1 ? n - 1 : 0);
  for (Index k = 0; k < off.size(); ++k) off[k] = std::sqrt(static_cast<double>(k + 1));
  Eigen::SelfAdjointEigenSolver<Matrix> jacobi;
  jacobi.computeFromTridiagonal(Vector::Zero(n), off, Eigen::EigenvaluesOnly);
  const Vector start = jacobi.eigenvalues();
  return symmetric_rule(n, [n, &start](int i) {
    return hermite_node(n, 2 * i + 1 == n ? Real{0} : static_cast<Real>(start[n - 1 - i]));
  });
}

// One slot per size: after the first call a rule costs one atomic load.
class Cache {
 public:
  explicit Cache(Rule (*make)(int)) : make_(make) {}

  const Rule& operator()(int n) {
    if (n < 1 || n > kMaxSize) refuse("n", "is " + std::to_string(n), "a number of nodes from 1 to 128");
    const auto slot = static_cast<std::size_t>(n - 1);
    std::call_once(made_[slot], [&] { rule_[slot] = make_(n); });
    return rule_[slot];
  }

 private:
  Rule (*make_)(int);
  std::array<std::once_flag, kMaxSize> made_;
  std::array<Rule, kMaxSize> rule_;
};

}  // namespace

const Rule& gauss_legendre(int n) {
  static Cache cache(make_legendre);
  return cache(n);
}

const Rule& gauss_hermite(int n) {
  static Cache cache(make_hermite);
  return cache(n);
}

}  // namespace iqbo
