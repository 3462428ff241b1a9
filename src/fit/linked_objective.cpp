// The evidence of counts, and of answers about f = h(eta).
#include <cmath>
#include <limits>

#include "likelihood/sites.hpp"
#include "objective.hpp"

namespace iqbo {

using namespace internal;

LikelihoodPtr FitObjective::likelihood(const Vector& theta) const {
  const FitReadings& linked = *sample_->linked;
  const Index own = linked.likelihood->counts() ? dispersion_ : noise_;
  return own >= 0 ? linked.likelihood->with_log_parameter(theta[own]) : linked.likelihood;
}

// The coefficients of the mean are part of the covariance, C = K + H B H', and follow from what it explains: with weights
// alpha of the rows, beta = B H' alpha.
FitObjective::Value FitObjective::evaluate_linked(LawGram::Under rows, const Vector& theta, Vector* gradient) const {
  const FitSample& sample = *sample_;
  const FitReadings& linked = *sample.linked;
  const Matrix& h = sample.mean_basis;
  const double vague_var = std::pow(FitData::kVagueSd * data_.output_sd(), 2);
  Matrix& cov = rows.covariance;
  if (nugget_ >= 0) cov += amount(nugget_, theta) * sample.white;
  cov.noalias() += vague_var * (h * h.transpose());
  constexpr double kNone = -std::numeric_limits<double>::infinity();
  Value out{kNone, kNone, 0.0, Vector::Zero(h.cols()), Matrix::Zero(h.cols(), h.cols())};
  if (gradient != nullptr) gradient->setZero();
  if (!cov.allFinite()) return out;
  const LikelihoodPtr family = likelihood(theta);
  Matrix by_cov, explained;
  double by_parameter = 0.0, by_nugget = 0.0;
  Vector alpha;
  try {
    if (linked.link == Link::kIdentity) {
      const SitePosterior sites(cov, linked.mean, linked.readings.answers, *family);
      out.log_evidence = sites.log_evidence();
      auto slopes = sites.gradient();
      by_cov = std::move(slopes.cov);
      by_parameter = slopes.parameter;
      alpha = sites.weight();
      explained = sites.explained(h);
    } else {
      const Vector mean = linked.mean + amount(nugget_, theta) * linked.mean_rise;
      const LatentPosterior latent({cov, mean, linked.readings, *family, linked.link});
      out.log_evidence = gradient != nullptr ? latent.laplace() : latent.log_evidence();
      if (gradient != nullptr) {
        auto slopes = latent.gradient();
        by_cov = std::move(slopes.cov);
        by_parameter = slopes.parameter;
        by_nugget = slopes.mean.dot(linked.mean_rise);
      }
      alpha = latent.alpha();
      explained = latent.explained(h);
    }
  } catch (const NotPositiveDefinite&) {
    return out;
  }
  if (!std::isfinite(out.log_evidence)) {
    out.log_evidence = kNone;
    return out;
  }
  out.beta = vague_var * (h.transpose() * alpha);
  out.beta_cov = vague_var * Matrix::Identity(h.cols(), h.cols()) - vague_var * vague_var * explained;
  out.log_posterior = out.log_evidence + log_prior(theta, gradient);
  if (gradient == nullptr) return out;
  const Vector in_kernel = rows.pull_back(by_cov);
  for (std::size_t i = 0; i < source_.size(); ++i) (*gradient)[source_[i]] += in_kernel[static_cast<Index>(i)];
  if (nugget_ >= 0)
    (*gradient)[nugget_] += amount(nugget_, theta) * (by_nugget + by_cov.cwiseProduct(sample.white).sum());
  if (noise_ >= 0) (*gradient)[noise_] += by_parameter;
  if (dispersion_ >= 0) (*gradient)[dispersion_] += by_parameter;
  return out;
}

}  // namespace iqbo
