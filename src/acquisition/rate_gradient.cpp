#include "iqbo/acquisition/rate_gradient.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <stdexcept>

#include "batch.hpp"
#include "envelope.hpp"
#include "iqbo/numerics/gauss_rule.hpp"

namespace iqbo {

namespace {

constexpr double kFarthestStep = 9.0;  // |Z| beyond which nothing is left
constexpr double kRounding = 1e-13;    // of closed forms
constexpr double kQuadrature = 1e-8;   // of the others
constexpr Index kLeaders = 8;

double normal_cdf(double t) { return 0.5 * std::erfc(-t / std::numbers::sqrt2); }

// h(intercept + tilt Z), integrated over [from, to] under N(0, 1).
double piece(Link link, double intercept, double tilt, double from, double to) {
  if (link == Link::kLog)
    return std::exp(intercept + 0.5 * tilt * tilt) * (normal_cdf(to - tilt) - normal_cdf(from - tilt));
  constexpr int kNodes = 48;
  const double low = std::max(from, -kFarthestStep), high = std::min(to, kFarthestStep);
  if (!(high > low)) return 0.0;
  const Rule& rule = gauss_legendre(kNodes);
  double sum = 0.0;
  for (Index k = 0; k < rule.node.size(); ++k) {
    const double z = 0.5 * (low + high) + 0.5 * (high - low) * rule.node[k];
    sum += rule.weight[k] * apply(link, intercept + tilt * z) * std::exp(-0.5 * z * z);
  }
  return sum * (high - low) / std::sqrt(2.0 * std::numbers::pi);
}

}  // namespace

RateGradient::RateGradient(Inputs references, Vector mean, Vector var, Link link)
    : references_(std::move(references)), mean_(std::move(mean)), var_(std::move(var)), link_(link) {
  require_not_empty(references_.size(), "references");
  require_rows(mean_.size(), references_.size(), "mean");
  require_rows(var_.size(), references_.size(), "var");
  require_finite(mean_, "mean");
  require_non_negative(var_, "var");
  if (link == Link::kIdentity) refuse("link", "identity", "log or logit; Ckg is that of the identity");
  const Vector f = moments(link, mean_, var_).mean;
  std::vector<Index> order(static_cast<std::size_t>(f.size()));
  std::iota(order.begin(), order.end(), 0);
  const auto count = std::min<std::ptrdiff_t>(kLeaders, f.size());
  std::partial_sort(order.begin(), order.begin() + count, order.end(), [&](Index a, Index b) { return f[a] > f[b]; });
  leaders_.assign(order.begin(), order.begin() + count);
}

Vector RateGradient::score(const Outlook& outlook, const Eigen::Ref<const Matrix>& c, OutlookGradient* gradient) const {
  if (gradient != nullptr) throw std::logic_error("a rate gradient has no gradient");
  require_batch(outlook);
  require_cross(c, references_.size(), outlook.size());
  Vector value = Vector::Constant(outlook.size(), kWorthless);
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  for (Index j = 0; j < outlook.size(); ++j) {
    const double sd = std::sqrt(outlook.q[j] + outlook.noise_var[j]);
    if (sd == 0.0) continue;
    Vector tilt = c.col(j) / sd;
    const Vector left = (var_ - tilt.cwiseAbs2()).cwiseMax(0.0);
    Vector intercept = mean_;
    if (link_ == Link::kLog) {
      intercept += 0.5 * left;
    } else {
      const Vector shrink = (1.0 + std::numbers::pi / 8.0 * left.array()).rsqrt();
      intercept = intercept.cwiseProduct(shrink);
      tilt = tilt.cwiseProduct(shrink);
    }
    Envelope envelope(intercept);
    if (!envelope.trace(tilt, 1.0)) continue;
    double worth = 0.0;
    for (const double side : {1.0, -1.0}) {
      const auto& chain = side > 0.0 ? envelope.right() : envelope.left();
      double from = 0.0;
      for (std::size_t e = 0; e < chain.size(); ++e) {
        const double to = e + 1 < chain.size()
                              ? (chain[e + 1].drop - chain[e].drop) / (chain[e + 1].tilt - chain[e].tilt)
                              : kInfinite;
        const Index i = chain[e].index;
        worth += piece(link_, intercept[i], side * tilt[i], from, to);
        from = to;
      }
    }
    // Without an answer, by the same quadrature: what it leaves out is left out on both sides.
    const auto alone = [&](Index i) {
      return piece(link_, intercept[i], tilt[i], 0.0, kInfinite) + piece(link_, intercept[i], -tilt[i], 0.0, kInfinite);
    };
    double best = alone(envelope.top());
    for (const Index i : leaders_) best = std::max(best, alone(i));
    if (worth > (1.0 + (link_ == Link::kLog ? kRounding : kQuadrature)) * best) value[j] = std::log(worth - best);
  }
  return value;
}

}  // namespace iqbo
