// Functions whose averages under windows are exact.
//
//   f(x) = sum_t prod_j F_tj(x_j)  +  sum_i weight_i k(x, s_i)
//
// Coordinates of X given a are independent, so an average of the first part needs one-dimensional averages only. For a
// Gaussian that is the trapezoidal rule, kAxisNodes nodes within kAxisReach deviations: it is right to rounding for
// polynomials of low degree and for cosines of up to 30 radians per deviation, where Gauss-Hermite of as many nodes
// fails at 11. For a box it is Gauss-Legendre. The second part has closed forms under both (average/expectation.hpp).
//
// Under a Gaussian cut off by X each axis has kAxisNodes Gauss-Legendre nodes on what is left of its density, with
// atoms on the faces when clipping; the second part then needs a kernel that is smooth over such distances.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "iqbo/average/laws.hpp"
#include "iqbo/conditional/truncated.hpp"
#include "iqbo/kernel/kernel.hpp"

namespace iqbo {

inline constexpr int kAxisNodes = 128;
inline constexpr double kAxisReach = 10.0;

// F_tj at many values of x_j: one row per value, one column per term.
using AxisFactors = std::function<Matrix(Index axis, const Vector& x)>;

struct KernelSum {
  std::shared_ptr<const Kernel> kernel;
  Inputs centre;
  Vector weight;
};

struct Expansion {
  AxisFactors factors = {};
  std::vector<KernelSum> kernels = {};

  Vector at(const Inputs& x) const;
  Vector average(const SpreadLaws& laws) const;  // coordinates with sd or half_width, not both
  Vector average(const AxisLaws& laws) const;
};

// The windows, confined to the box.
AxisLaws cut_laws(const SpreadLaws& laws, const InputBox& box, Truncation truncation);

}  // namespace iqbo
