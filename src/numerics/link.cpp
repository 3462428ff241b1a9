#include "iqbo/numerics/link.hpp"

#include <array>
#include <cmath>

#include "iqbo/core/check.hpp"
#include "iqbo/numerics/gauss_rule.hpp"

namespace iqbo {
namespace {

constexpr std::array<const char*, 3> kNames{"identity", "log", "logit"};
constexpr int kNodes = 31;

double logistic(double eta) {
  return eta >= 0.0 ? 1.0 / (1.0 + std::exp(-eta)) : std::exp(eta) / (1.0 + std::exp(eta));
}

LinkMoments logit_moments(const Vector& mean, const Vector& var) {
  const Rule& rule = gauss_hermite(kNodes);
  LinkMoments out{Vector::Zero(mean.size()), Vector::Zero(mean.size()), Vector::Zero(mean.size())};
  for (Index i = 0; i < mean.size(); ++i) {
    const double sd = std::sqrt(std::max(var[i], 0.0));
    double square = 0.0;
    for (Index k = 0; k < rule.node.size(); ++k) {
      const double p = logistic(mean[i] + sd * rule.node[k]);
      out.mean[i] += rule.weight[k] * p;
      out.slope[i] += rule.weight[k] * p * (1.0 - p);
      square += rule.weight[k] * p * p;
    }
    out.var[i] = std::max(0.0, square - out.mean[i] * out.mean[i]);
  }
  return out;
}

}  // namespace

std::string to_string(Link link) { return kNames[static_cast<std::size_t>(link)]; }

Link link_of(const std::string& name, const std::string& what) {
  for (std::size_t i = 0; i < kNames.size(); ++i)
    if (name == kNames[i]) return static_cast<Link>(i);
  refuse(what, "\"" + name + "\"", "identity, log or logit");
}

double apply(Link link, double eta) {
  if (link == Link::kLog) return std::exp(eta);
  return link == Link::kLogit ? logistic(eta) : eta;
}

double slope(Link link, double eta) {
  if (link == Link::kLog) return std::exp(eta);
  return link == Link::kLogit ? logistic(eta) * logistic(-eta) : 1.0;
}

double curvature(Link link, double eta) {
  if (link == Link::kLog) return std::exp(eta);
  return link == Link::kLogit ? logistic(eta) * logistic(-eta) * (logistic(-eta) - logistic(eta)) : 0.0;
}

double inverse(Link link, double f) {
  if (link == Link::kLog) return std::log(f);
  return link == Link::kLogit ? std::log(f) - std::log1p(-f) : f;
}

Vector apply(Link link, const Vector& eta) {
  return eta.unaryExpr([link](double each) { return apply(link, each); });
}

LinkMoments moments(Link link, const Vector& mean, const Vector& var) {
  if (link == Link::kIdentity) return {mean, var, Vector::Ones(mean.size())};
  if (link == Link::kLogit) return logit_moments(mean, var);
  const Vector f = (mean + 0.5 * var).array().exp();
  return {f, f.array().square() * var.array().unaryExpr([](double v) { return std::expm1(v); }), f};
}

}  // namespace iqbo
