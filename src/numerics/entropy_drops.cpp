#include "entropy_drops.hpp"

#include <Eigen/LU>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "normal.hpp"

namespace iqbo::internal {
namespace {

constexpr int kTerms = 10;
constexpr double kLow = -8.0;
constexpr double kHigh = 40.0;
constexpr double kPerUnit = 4.0;
constexpr auto kStretches = static_cast<std::size_t>((kHigh - kLow) * kPerUnit);

// Coefficients of u^0 .. u^9; u runs over [-1, 1] along a piece.
using Polynomial = std::array<double, kTerms>;
using LongMatrix = Eigen::Matrix<long double, kTerms, kTerms>;
using LongVector = Eigen::Matrix<long double, kTerms, 1>;

// The polynomial through log h at Chebyshev nodes, where the powers are well separated; long double, so that solving
// for the coefficients costs no digits.
std::vector<Polynomial> make_table() {
  LongVector node;
  for (int i = 0; i < kTerms; ++i) node[i] = std::cos(std::numbers::pi_v<long double> * (i + 0.5L) / kTerms);
  LongMatrix powers;
  for (int i = 0; i < kTerms; ++i)
    for (int k = 0; k < kTerms; ++k) powers(i, k) = std::pow(node[i], static_cast<long double>(k));
  const Eigen::FullPivLU<LongMatrix> solver(powers);

  std::vector<Polynomial> table(kStretches);
  for (std::size_t s = 0; s < kStretches; ++s) {
    const double middle = kLow + (static_cast<double>(s) + 0.5) / kPerUnit;
    LongVector value;
    for (int i = 0; i < kTerms; ++i)
      value[i] = static_cast<long double>(log_entropy_drop(middle + 0.5 * static_cast<double>(node[i]) / kPerUnit));
    const LongVector coefficient = solver.solve(value);
    for (int k = 0; k < kTerms; ++k) table[s][static_cast<std::size_t>(k)] = static_cast<double>(coefficient[k]);
  }
  return table;
}

}  // namespace

void log_entropy_drops_in_place(Eigen::Ref<Vector> t) {
  static const std::vector<Polynomial> table = make_table();
  for (double& value : t) {
    if (!(value > kLow && value < kHigh)) {
      value = log_entropy_drop(value);
      continue;
    }
    const double along = (value - kLow) * kPerUnit;
    const double stretch = std::floor(along);
    const double u = 2.0 * (along - stretch) - 1.0;
    const Polynomial& p = table[static_cast<std::size_t>(stretch)];
    double sum = p[kTerms - 1];
    for (int k = kTerms - 2; k >= 0; --k) sum = std::fma(sum, u, p[static_cast<std::size_t>(k)]);
    value = sum;
  }
}

}  // namespace iqbo::internal
