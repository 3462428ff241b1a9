// Links: f(x) = h(eta(x)) with eta a Gaussian process, so that f may be kept positive, or between 0 and 1.
//
//   identity   f = eta                   any number
//   log        f = exp(eta)              positive: rates, concentrations, ore grades
//   logit      f = 1 / (1 + exp(-eta))   between 0 and 1: proportions
//
// Quantiles of f are h of those of eta; moments are expectations under N(mean, var), in closed form for identity and log,
// by 31 Gauss-Hermite nodes for logit (relative error below 1e-8 for sd(eta) <= 1, below 1e-4 for sd(eta) <= 2.5).
#pragma once

#include <string>

#include "iqbo/core/matrix.hpp"

namespace iqbo {

enum class Link { kIdentity, kLog, kLogit };

std::string to_string(Link link);
Link link_of(const std::string& name, const std::string& what = "link");  // throws std::invalid_argument

double apply(Link link, double eta);      // h
double slope(Link link, double eta);      // h'
double curvature(Link link, double eta);  // h''
double inverse(Link link, double f);      // h^-1; f must be in the range of h

Vector apply(Link link, const Vector& eta);

// Under eta ~ N(mean, var), each: of f = h(eta), and of h'(eta).
struct LinkMoments {
  Vector mean;   // E f
  Vector var;    // Var f
  Vector slope;  // E h'
};
LinkMoments moments(Link link, const Vector& mean, const Vector& var);

}  // namespace iqbo
