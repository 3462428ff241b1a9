// What fitting needs to know about the data, computed once: their scales, the mean, and the parts of the covariance that
// do not depend on the kernel of f.
#pragma once

#include <string>
#include <vector>

#include "iqbo/fit/fit.hpp"
#include "sample.hpp"

namespace iqbo {

class FitData {
 public:
  // `data` must outlive this. Needs at least one observation.
  FitData(const Posterior& data, const FitOptions& options);

  // Answers that are counts, or f = h(eta). `data` has their rates, with about their noise variances, which tell the scales.
  FitData(const Posterior& data, const FitOptions& options, const FitReadings& readings,
          const internal::NodeReadings& nodes);

  const Posterior& posterior() const { return posterior_; }
  const FitSample& sample() const { return *sample_; }  // residual = mean_basis beta + what the covariance explains
  Index size() const { return observations_.size(); }   // with repeats
  Index dimension() const { return location_sd_.size(); }

  double output_sd() const { return output_sd_; }             // s: the unit of z, or of eta; positive
  double noise_unit() const { return noise_unit_; }           // of z, in any case; a variance
  bool flat() const { return flat_; }                         // all z are the same: s is their size
  const Vector& location_sd() const { return location_sd_; }  // the spread of each column; positive
  Vector usual_lengthscale() const;  // per column: between the extent of the data and their spacing, geometrically
  double usual_variance() const { return usual_variance_; }  // of f: s^2 over the share that averages keep at these
  const std::vector<std::string>& notes() const { return notes_; }

  const Vector& noise() const {
    return noise_;
  }  // of each observation; fitted: proportions of mean 1; known: variances
  bool fits_noise() const { return fits_noise_; }

  // The mean of z: beta ~ N(0, kVagueSd^2 s^2 I).
  static constexpr double kVagueSd = 10.0;
  Index mean_parameters() const { return to_user_.cols(); }
  std::shared_ptr<const Mean> mean(const Vector& beta) const;
  Matrix mean_jacobian() const { return to_user_; }  // d mean parameters / d beta

  Posterior fitted(const Prior& prior, const Vector& noise_var) const { return posterior_.with(prior, noise_var); }

 private:
  void measure_locations();
  void prepare_noise(FitOptions::Noise noise);
  void prepare_mean(FitOptions::MeanModel model);
  void scale_mean_basis(double offset);
  void prepare_link(const FitReadings& readings, const internal::NodeReadings& nodes);
  void measure_output();
  void measure_averaging();
  void prepare_nugget();
  void prepare_discrepancy();

  Posterior posterior_;
  const Observations& observations_;
  std::unique_ptr<FitSample> sample_;
  double output_sd_ = 1.0;
  double noise_unit_ = 1.0;
  bool flat_ = false;
  double usual_variance_ = 1.0;
  Vector location_sd_;
  std::vector<std::string> notes_;
  Vector noise_;
  bool fits_noise_ = true;
  double residual_squares_ = 0.0;  // summed over all observations
  Matrix to_user_;
  Vector mean_offset_;  // mean parameters at beta = 0
  std::shared_ptr<const Mean> mean_;
};

}  // namespace iqbo
