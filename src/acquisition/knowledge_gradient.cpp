#include "iqbo/acquisition/knowledge_gradient.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "batch.hpp"
#include "envelope.hpp"
#include "numerics/normal.hpp"

namespace iqbo {

using namespace internal;

namespace {

double corner(const Line& inner, const Line& outer, double sd) {
  return sd * (outer.drop - inner.drop) / (outer.tilt - inner.tilt);
}

double first_corner(const Envelope& envelope, double sd) {
  double first = std::numeric_limits<double>::infinity();
  for (const auto* chain : {&envelope.right(), &envelope.left()})
    if (chain->size() > 1) first = std::min(first, corner((*chain)[0], (*chain)[1], sd));
  return first;
}

// sum over the corners of one side of (change of tilt) L(z) exp(-shift), L(z) = phi(z) - z Phi(-z).
double side_worth(const std::vector<Line>& chain, double sd, double shift) {
  double sum = 0;
  for (std::size_t e = 1; e < chain.size(); ++e) {
    const double z = corner(chain[e - 1], chain[e], sd);
    sum += (chain[e].tilt - chain[e - 1].tilt) * std::exp(log_improvement(-z) - shift);
  }
  return sum;
}

// By the envelope theorem the derivative of the worth in b_i is E[Z; line i on top] = phi(z) at its inner corner minus
// phi(z) at its outer one. Everything is divided by the worth, because the score is its logarithm.
void add_side_gradient(const std::vector<Line>& chain, double sign, double sd, double log_worth,
                       OutlookGradient& gradient, Index j) {
  for (std::size_t e = 1; e < chain.size(); ++e) {
    const double z = corner(chain[e - 1], chain[e], sd);
    const double density = std::exp(log_normal_density(z) - log_worth) / sd;
    gradient.c(chain[e - 1].index, j) -= sign * density;
    gradient.c(chain[e].index, j) += sign * density;
    gradient.q[j] -= 0.5 * density * (chain[e].tilt - chain[e - 1].tilt) / (sd * sd);
  }
}

}  // namespace

Ckg::Ckg(Inputs references, Vector mean) : references_(std::move(references)), mean_(std::move(mean)) {
  require_not_empty(references_.size(), "references");
  require_rows(mean_.size(), references_.size(), "mean");
  require_finite(mean_, "mean");
}

Vector Ckg::score(const Outlook& outlook, const Eigen::Ref<const Matrix>& c, OutlookGradient* gradient) const {
  require_batch(outlook);
  require_cross(c, references_.size(), outlook.size());
  clear(gradient, references_.size(), outlook.size());
  Envelope envelope(mean_);
  Vector value = Vector::Constant(outlook.size(), kWorthless);
  for (Index j = 0; j < outlook.size(); ++j) {
    const double sd = std::sqrt(outlook.q[j] + outlook.noise_var[j]);
    if (sd == 0 || !envelope.trace(c.col(j), sd)) continue;
    const double shift = log_improvement(-first_corner(envelope, sd));
    const double worth = side_worth(envelope.right(), sd, shift) + side_worth(envelope.left(), sd, shift);
    value[j] = std::log(worth / sd) + shift;
    if (!gradient) continue;
    add_side_gradient(envelope.right(), 1, sd, value[j], *gradient, j);
    add_side_gradient(envelope.left(), -1, sd, value[j], *gradient, j);
  }
  return value;
}

Vector knowledge_gradient(const Eigen::Ref<const Vector>& mean, const Eigen::Ref<const Matrix>& c,
                          const Eigen::Ref<const Vector>& q, const Eigen::Ref<const Vector>& noise_var) {
  const Ckg ckg(Inputs(Rows::Zero(mean.size(), 1)), mean);
  return ckg.score({Vector::Zero(q.size()), q, noise_var}, c).array().exp();
}

}  // namespace iqbo
