#include "iqbo/acquisition/improvement.hpp"

#include <algorithm>
#include <cmath>

#include "batch.hpp"
#include "numerics/normal.hpp"

namespace iqbo {

using namespace internal;

namespace {

double checked(double value, std::string_view name) {
  require_finite(value, name);
  return value;
}

}  // namespace

ExpectedImprovement::ExpectedImprovement(double incumbent) : incumbent_(checked(incumbent, "incumbent")) {}

Vector ExpectedImprovement::score(const Outlook& outlook, const Eigen::Ref<const Matrix>& /*c*/,
                                  OutlookGradient* gradient) const {
  return score_each(outlook, gradient, [&](double nu, double q, double /*noise_var*/) -> ScoreWithSlopes {
    const double lead = nu - incumbent_;
    if (q == 0) return lead > 0 ? ScoreWithSlopes{std::log(lead), 1 / lead, 0} : ScoreWithSlopes{};
    const double sd = std::sqrt(q);
    const CutNormal cut = cut_normal(lead / sd);
    return {std::log(sd) + cut.log_cdf + std::log(cut.gap), 1 / (sd * cut.gap), 0.5 * cut.lam / (cut.gap * q)};
  });
}

ProbabilityOfImprovement::ProbabilityOfImprovement(double incumbent) : incumbent_(checked(incumbent, "incumbent")) {}

Vector ProbabilityOfImprovement::score(const Outlook& outlook, const Eigen::Ref<const Matrix>& /*c*/,
                                       OutlookGradient* gradient) const {
  return score_each(outlook, gradient, [&](double nu, double q, double /*noise_var*/) -> ScoreWithSlopes {
    if (q == 0) return {nu >= incumbent_ ? 0 : kWorthless, 0, 0};
    const double sd = std::sqrt(q);
    const double t = (nu - incumbent_) / sd;
    const double lam = mills(t);
    return {log_normal_cdf(t), lam / sd, -0.5 * lam * t / q};
  });
}

Ucb::Ucb(double root_beta) : root_beta_(checked(root_beta, "root_beta")) {}

Vector Ucb::score(const Outlook& outlook, const Eigen::Ref<const Matrix>& /*c*/, OutlookGradient* gradient) const {
  return score_each(outlook, gradient, [&](double nu, double q, double /*noise_var*/) -> ScoreWithSlopes {
    const double sd = std::sqrt(q);
    return {nu + root_beta_ * sd, 1, q > 0 ? 0.5 * root_beta_ / sd : 0};
  });
}

Vector MaxVariance::score(const Outlook& outlook, const Eigen::Ref<const Matrix>& /*c*/,
                          OutlookGradient* gradient) const {
  return score_each(outlook, gradient, [](double /*nu*/, double q, double /*noise_var*/) -> ScoreWithSlopes {
    return {std::log(q), 0, q > 0 ? 1 / q : 0};
  });
}

Vector expected_improvement(const Eigen::Ref<const Vector>& nu, const Eigen::Ref<const Vector>& q, double incumbent) {
  return ExpectedImprovement(incumbent).score(exact_outlook(nu, q), Matrix()).array().exp();
}

Vector probability_of_improvement(const Eigen::Ref<const Vector>& nu, const Eigen::Ref<const Vector>& q,
                                  double incumbent) {
  return ProbabilityOfImprovement(incumbent).score(exact_outlook(nu, q), Matrix()).array().exp();
}

Vector ucb(const Eigen::Ref<const Vector>& nu, const Eigen::Ref<const Vector>& q, double root_beta) {
  return Ucb(root_beta).score(exact_outlook(nu, q), Matrix());
}

}  // namespace iqbo
