// Theorem 2 of [Zhang26] with its proof repaired: GP-UCB on f that is answered by averages over windows.
//
//   f* - max_t g(a_t) <= sqrt(beta_T / T) ( 2 sqrt(C I_T) + 3 sqrt(E_T) )   with probability 1 - delta
//
//   I_T    = I(z_1 .. z_T; f), the information in the blurred answers; at most gamma_T, that of T direct measurements
//   E_T    = sum_t e_t^2,   e_t^2 = Var(f(xi_t) - g(a_t)) under the prior: what the window of step t hides
//   beta_T = 2 log(2 |X| pi_T / delta), C = 2 v / log(1 + v / sigma^2), v the largest prior variance of g
//
// The printed proof has the information of direct measurements at xi_t in place of ( sqrt(C I_T) + sqrt(E_T) )^2, which blurred
// answers do not have. No bound of f'' is needed, and windows may be wide: p(x|a) may be anything. For a smooth kernel and a window of sd delta,
// e^2 = O(delta^4), so that the schedule of the theorem keeps the rate of direct measurements for every constant c; how large
// E_T is beside C I_T, that is how much is lost, depends on c. docs/theory/bounds.md has the proof.
#pragma once

#include <functional>

#include "iqbo/core/points.hpp"
#include "iqbo/posterior/posterior.hpp"

namespace iqbo {

// Var(f(xi_t) - g(a_t)), row by row; of a prior, or of what is left after answers.
Vector blur_var(const Posterior& belief, const Inputs& xi, const Queries& a);

// The bound above. `information` is I_T, gamma_T or a bound of it, `blur` is E_T.
double blurred_regret_bound(double beta, double information, double blur, Index steps, double noise_var,
                            double var = 1.0);

// The largest c for which the schedule delta_t^2 = c t^-1/2 (log(1 + t))^{d/2} makes the bound at most 1 + `loss` times that of T
// direct measurements: 3 sqrt(E_T) <= loss 2 sqrt(C I_T). `blur_of` gives e^2 for a window of sd delta; it must not decrease.
// 0 if even the least blur is too much; at most kMostConstant.
inline constexpr double kMostConstant = 1e6;
double schedule_constant(const std::function<double(double delta)>& blur_of, Index dimension, Index steps,
                         double information, double noise_var, double var = 1.0, double loss = 0.5);

}  // namespace iqbo
