// Confidence widths and regret bounds of [Zhang26], as functions of what a run has observed.
//
//   pi_t    = pi^2 t^2 / 6, so that sum 1/pi_t = 1                          weights of the union bound over steps
//   zeta_t  = sqrt(2 log(pi_t / (2 delta)))                                 lemma 2
//   beta_t  = 2 log(|X| pi_t / delta)                                       lemma `theo: concentration`
//   kappa_t = min_a (l_t - nu_{t-1}(a)) / sqrt(q_{t-1}(a, a)),  l_t >= f*   lemma 3
//   f* - g(a_t) <= (kappa_t + zeta_t) sqrt(q_{t-1}(a_t, a_t))               lemma 3, if a_t is the minimiser
//   f* - f(x_t) <= nu_{t-1}(a_t) + kappa_t sqrt(q_{t-1}(a_t, a_t)) + zeta_t sd_{t-1}(x_t) - m_{t-1}(x_t)   the remark
//   f* - max g(a_t) <= sqrt(C rho_T / T) (kappa + zeta_T),  C = 2 v / log(1 + v / sigma^2)                 theorem 1
//
// v is the largest prior variance of g, 1 in the paper. Each holds with probability 1 - delta. docs/theory/bounds.md
// says where the paper prints something else, and what does not hold as printed.
#pragma once

#include "iqbo/core/points.hpp"
#include "iqbo/posterior/belief.hpp"
#include "iqbo/posterior/posterior.hpp"

namespace iqbo {

double union_weight(Index t);  // pi_t, t >= 1. Any other weights with sum 1/pi_t <= 1 will do.

// `weight` is pi_t. kOne is as printed, and bounds nu - g, which is all lemma 3 uses. |nu - g|, as in lemma 2, needs
// kTwo: sqrt(2 log(pi_t / delta)). 0 where the logarithm is negative: half of the mass is on either side of the mean.
enum class BoundSides { kOne, kTwo };
double zeta(double weight, double delta, BoundSides sides = BoundSides::kOne);

// |f(x) - m_{t-1}(x)| <= sqrt(beta_t k_{t-1}(x, x)) for all t and all x of a set of size `inputs`.
double beta(double weight, double inputs, double delta);

// kappa_t over the queries whose marginals are g. A query known exactly counts as infinitely far below l, or above.
double least_margin(const Marginals& g, double upper);

// Queries and answers of a run, and for each step the value used as an upper bound of f*: for CMES, a sample of it.
struct Run {
  Queries a;
  Vector z;
  Vector upper;
};

struct RunBounds {
  Vector kappa;        // over the candidates
  Vector zeta;         // zeta_t at delta, one-sided
  Vector step;         // lemma 3: bound of f* - g(a_t)
  Vector information;  // I(z_1 .. z_t; f)
  double var;          // largest prior variance of g over the candidates
};

// Replays the run from `prior`. The candidates represent A; a_t may be outside them. O(t^2) per step and candidate.
RunBounds run_bounds(const Posterior& prior, const Run& run, const Queries& candidates, const NoiseVar& noise_var,
                     double delta);

// Lemma 3 where p(x|a) was learned: answers are z_i = g^(a_i) + b(a_i) + noise, g^ the average that was learned and b = g - g^ its
// bias, fixed and at most B at the queries asked. nu is linear in the answers, nu_{t-1}(a) = c + sum_i w_i z_i, so that
//
//   f* - g(a_t) <= (kappa_t + zeta_t) sqrt(q_{t-1}(a_t, a_t)) + B (1 + sum_i |w_i|)
//
// with nu, q and kappa of the posterior that takes g^ for g. A belief with a discrepancy (Posterior::with_discrepancy) has the bias
// in q already and needs no such term.
Vector answer_weights(const Posterior& posterior,
                      const Queries& a);  // sum_i |w_i| for each row of a; 0 before the first answer

// B (1 + sum_i |w_i|) at each step of a run that asks a_1, a_2, ...; to be added to RunBounds::step.
Vector bias_along(const Posterior& prior, const Queries& a, const NoiseVar& noise_var, double bias);

// B for `steps` queries with probability 1 - delta, if biases are normal with the sd that a jackknife of the logged pairs gives:
// Conditional::relative_error() times the sd of averages over the candidates under the prior. A shape that the model of p(x|a)
// cannot represent is not seen by the jackknife. Refuses a conditional that was not learned.
double learned_bias(const Posterior& prior, const Queries& candidates, Index steps, double delta);

// The remark's bound of f* - f(x_t): lemma 3's upper value minus m_{t-1}(x_t), plus zeta sd. Marginals have one row.
double simple_regret_bound(const Marginals& at_query, double kappa, const Marginals& at_input, double zeta);

// C = 2 v / log(1 + v / sigma^2).
double information_factor(double noise_var, double var = 1.0);

// Theorem 1 with zeta_T = sqrt(2 log(pi_T / delta)), one-sided at delta / 2. `information` is rho_T, an upper bound of
// it, or what the T queries actually told: the proof needs no more. `kappa` is the largest among them. Returns 0 where
// kappa + zeta_T is negative, as l_T is then not above f*.
double instant_regret_bound(Index steps, double information, double kappa, double noise_var, double delta,
                            double var = 1.0);

// T' = sum_{i <= T} ceil(log_w(delta / (2 pi_i))): iterations after which each of T groups holds a sample above f* with
// probability 1 - delta / 2, if every sample is below it with probability w. The printed sum has no ceilings.
Index iterations_for(Index steps, double w, double delta);

// Theorem 2 with its constants: sqrt((8 beta_T C I + 2 M^2 sum delta_t^4) / T), I = target_information_along, |Tr f''| <= 2 M.
double scheduled_regret_bound(double beta, double target_information, const Vector& resolution, double curvature,
                              double noise_var, double var = 1.0);

}  // namespace iqbo
