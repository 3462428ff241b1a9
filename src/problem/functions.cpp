#include "functions.hpp"

#include <cmath>
#include <numbers>

#include "iqbo/kernel/stationary.hpp"

namespace iqbo {
namespace {

constexpr double kPi = std::numbers::pi;
using Array = Eigen::ArrayXd;

Matrix columns(std::initializer_list<Array> list) {
  Matrix out(list.begin()->size(), static_cast<Index>(list.size()));
  Index c = 0;
  for (const Array& column : list) out.col(c++) = column;
  return out;
}

// -(y - p(x))^2 - 10 (1 - 1 / (8 pi)) cos x - 10, p(x) = 5.1 x^2 / (4 pi^2) - 5 x / pi + 6
Matrix branin(Index axis, const Vector& at) {
  const Array x = at;
  const Array one = Array::Ones(x.size());
  if (axis == 1) return columns({one, x, x.square()});
  const Array p = 5.1 / (4.0 * kPi * kPi) * x.square() - 5.0 / kPi * x + 6.0;
  return columns({-p.square() - 10.0 * (1.0 - 1.0 / (8.0 * kPi)) * x.cos() - 10.0, 2.0 * p, -one});
}

// -(4 - 2.1 x^2 + x^4 / 3) x^2 - x y - (4 y^2 - 4) y^2
Matrix camel(Index axis, const Vector& at) {
  const Array x = at;
  const Array one = Array::Ones(x.size());
  if (axis == 1) return columns({one, x, (4.0 - 4.0 * x.square()) * x.square()});
  return columns({-(4.0 - 2.1 * x.square() + x.square().square() / 3.0) * x.square(), -x, one});
}

// -sin^2(pi w) - (w - 1)^2 (1 + 10 sin^2(pi w + 1)) - (v - 1)^2 (1 + sin^2(2 pi v)), w = 1 + (x - 1) / 4, v of y likewise
Matrix levy(Index axis, const Vector& at) {
  const Array w = 1.0 + (at.array() - 1.0) / 4.0;
  const Array one = Array::Ones(w.size());
  if (axis == 1) return columns({one, -(w - 1.0).square() * (1.0 + (2.0 * kPi * w).sin().square())});
  return columns({-(kPi * w).sin().square() - (w - 1.0).square() * (1.0 + 10.0 * (kPi * w + 1.0).sin().square()), one});
}

// The part of Ackley's that is a product: exp(mean of cos(2 pi x)), and its constant.
Matrix ackley(Index axis, const Vector& at) {
  const Array ripple = (0.5 * (2.0 * kPi * at.array()).cos()).exp();
  return columns({ripple, Array::Constant(at.size(), axis == 0 ? -20.0 - std::numbers::e : 1.0)});
}

// A polynomial in x and y: entry (i, j) belongs to x^i y^j.
Matrix times(const Matrix& p, const Matrix& q) {
  Matrix out = Matrix::Zero(p.rows() + q.rows() - 1, p.cols() + q.cols() - 1);
  for (Index i = 0; i < p.rows(); ++i)
    for (Index j = 0; j < p.cols(); ++j) out.block(i, j, q.rows(), q.cols()) += p(i, j) * q;
  return out;
}

// -[1 + (x + y + 1)^2 (19 - 14 x + 3 x^2 - 14 y + 6 x y + 3 y^2)]
//  [30 + (2 x - 3 y)^2 (18 - 32 x + 12 x^2 + 48 y - 36 x y + 27 y^2)]
Matrix goldstein_price_coefficients() {
  const Matrix u{{1.0, 1.0}, {1.0, 0.0}};
  const Matrix v{{0.0, -3.0}, {2.0, 0.0}};
  Matrix left = times(times(u, u), Matrix{{19.0, -14.0, 3.0}, {-14.0, 6.0, 0.0}, {3.0, 0.0, 0.0}});
  Matrix right = times(times(v, v), Matrix{{18.0, 48.0, 27.0}, {-32.0, -36.0, 0.0}, {12.0, 0.0, 0.0}});
  left(0, 0) += 1.0;
  right(0, 0) += 30.0;
  return -times(left, right);
}

Matrix goldstein_price(Index axis, const Vector& at) {
  static const Matrix coefficient = goldstein_price_coefficients();
  Matrix power = Matrix::Ones(at.size(), coefficient.rows());
  for (Index i = 1; i < power.cols(); ++i) power.col(i) = power.col(i - 1).cwiseProduct(at);
  return axis == 0 ? power : Matrix(power * coefficient.transpose());
}

// sum_i height_i exp(-sum_j steepness_ij (x_j - place_ij)^2)
Expansion hartmann(const Matrix& steepness, const Matrix& place) {
  const Vector height{{1.0, 1.2, 3.0, 3.2}};
  Expansion out;
  for (Index i = 0; i < height.size(); ++i)
    out.kernels.push_back({Rbf(height[i], (2.0 * steepness.row(i)).cwiseInverse().cwiseSqrt()).clone(),
                           Inputs(Rows(place.row(i))), Vector::Ones(1)});
  return out;
}

Expansion hartmann3() {
  return hartmann(Matrix{{3.0, 10.0, 30.0}, {0.1, 10.0, 35.0}, {3.0, 10.0, 30.0}, {0.1, 10.0, 35.0}},
                  1e-4 * Matrix{{3689.0, 1170.0, 2673.0},
                                {4699.0, 4387.0, 7470.0},
                                {1091.0, 8732.0, 5547.0},
                                {381.0, 5743.0, 8828.0}});
}

Expansion hartmann6() {
  return hartmann(Matrix{{10.0, 3.0, 17.0, 3.5, 1.7, 8.0},
                         {0.05, 10.0, 17.0, 0.1, 8.0, 14.0},
                         {3.0, 3.5, 1.7, 10.0, 17.0, 8.0},
                         {17.0, 8.0, 0.05, 10.0, 0.1, 14.0}},
                  1e-4 * Matrix{{1312.0, 1696.0, 5569.0, 124.0, 8283.0, 5886.0},
                                {2329.0, 4135.0, 8307.0, 3736.0, 1004.0, 9991.0},
                                {2348.0, 1451.0, 3522.0, 2883.0, 3047.0, 6650.0},
                                {4047.0, 8828.0, 8732.0, 5743.0, 1091.0, 381.0}});
}

InputBox cube(Index d, double lower, double upper) { return {Vector::Constant(d, lower), Vector::Constant(d, upper)}; }

}  // namespace

Expansion hills(const std::vector<Hill>& list) {
  Expansion out;
  for (const auto& [height, centre, width] : list)
    out.kernels.push_back({Rbf(height, Vector{{width}}).clone(), Inputs({{centre}}), Vector::Ones(1)});
  return out;
}

const std::vector<TestFunction>& test_functions() {
  static const std::vector<TestFunction> all{
      {"branin",
       "Branin",
       InputBox(Vector{{-5.0, 0.0}}, Vector{{10.0, 15.0}}),
       Inputs({{-kPi, 12.275}, {kPi, 2.275}, {3.0 * kPi, 2.475}}),
       {branin},
       "The negative Branin function, the test function of [Zhang26]: three equal maxima of -0.397887."},
      {"camel",
       "Six-hump camel",
       InputBox(Vector{{-2.0, -1.0}}, Vector{{2.0, 1.0}}),
       Inputs({{0.0898, -0.7126}, {-0.0898, 0.7126}}),
       {camel},
       "The negative six-hump camel function [Dixon78]: two equal maxima of 1.0316 among six. On the smaller of its "
       "two "
       "usual boxes: on the larger one the walls are a hundred times as high as the humps."},
      {"ackley",
       "Ackley",
       cube(2, -3.5, 6.5),
       Inputs({{0.0, 0.0}}),
       {ackley,
        {{Matern12(20.0, Vector::Constant(2, 5.0 * std::numbers::sqrt2)).clone(), Inputs({{0.0, 0.0}}),
          Vector::Ones(1)}}},
       "The negative Ackley function [Ackley87]: a cone with ripples of period 1, maximum 0 at its tip. The box is not "
       "centred "
       "on the tip, so that the middle of X is no lucky guess; windows of a third of a period wash the ripples out.",
       0.1,
       false},
      {"levy",
       "Levy",
       cube(2, -10.0, 10.0),
       Inputs({{1.0, 1.0}}),
       {levy},
       "The negative Levy function [Laguna05]: many ridges, maximum 0 at (1, 1)."},
      {"goldstein-price",
       "Goldstein-Price",
       cube(2, -2.0, 2.0),
       Inputs({{0.0, -1.0}}),
       {goldstein_price},
       "The negative Goldstein-Price polynomial [Goldstein71], maximum -3 in a flat valley below walls of a million: "
       "what a "
       "stationary prior does not expect. The noise suggested is a hundredth of the deviation of f.",
       0.01},
      {"hartmann3", "Hartmann 3", cube(3, 0.0, 1.0), Inputs({{0.114614, 0.555649, 0.852547}}), hartmann3(),
       "The Hartmann function in three dimensions [Dixon78]: four hills, maximum 3.86278."},
      {"hartmann6", "Hartmann 6", cube(6, 0.0, 1.0),
       Inputs({{0.20169, 0.150011, 0.476874, 0.275332, 0.311652, 0.6573}}), hartmann6(),
       "The Hartmann function in six dimensions [Dixon78]: four hills, maximum 3.32237. A grid says little here; "
       "search the box."},
  };
  return all;
}

}  // namespace iqbo
