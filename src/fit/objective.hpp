// What is maximised: log p(z | theta) + log p(theta) for one kernel, and how theta maps to kernels and noise.
#pragma once

#include "data.hpp"

namespace iqbo {

// One coordinate of theta: the logarithm of a variance or a lengthscale.
struct FitParameter {
  enum class Kind { kVariance, kLengthscale, kShape, kNugget, kNoise, kDiscrepancy, kDispersion, kOther };
  std::string name;
  Kind kind;
  double centre;  // prior: theta ~ N(centre, sd^2); for a discrepancy tau ~ half-normal(sd), so that it may vanish
  double sd;
  double low, high;
  bool alike = false;  // one of FitObjective's lengthscales that are like each other
};

class FitObjective {
 public:
  struct Value {
    double log_posterior;  // -infinity where the covariance cannot be factored
    double log_evidence;
    double quadratic;  // residual' (S + H B H')^-1 residual
    Vector beta;
    Matrix beta_cov;
  };

  // kernel: a Stationary whose variance and lengthscales are fitted, or any kernel whose log_parameters are. The
  // evidence is that of `sample`: data.sample(), or some of its rows. Both must outlive this.
  FitObjective(const FitData& data, const FitSample& sample, const Kernel& kernel, const FitOptions& options);

  FitObjective on(const FitSample& other) const;  // the same parameters and priors, other rows

  // The same with p(theta) as a density of theta itself. They differ where there is a discrepancy, whose prior is one of
  // tau: its mode may then be 0, which is right for an estimate and wrong for draws.
  FitObjective as_density() const;

  const std::vector<FitParameter>& parameters() const { return parameters_; }
  Index size() const { return static_cast<Index>(parameters_.size()); }
  Index position(FitParameter::Kind kind) const;  // of the first parameter of that kind; -1 if there is none
  Vector low() const;
  Vector high() const;
  Vector centre() const;
  Vector at(const Hyperparameters& values) const;  // theta, within the bounds; of what is not named, the centre
  const FitData& data() const { return data_; }
  const FitSample& sample() const { return *sample_; }
  bool oscillates() const { return oscillates_; }  // as StationaryFamily says

  // Counts as one evaluation. `gradient` may be null. Where answers are counts, or f = h(eta), the evidence is Laplace's, which
  // the gradient belongs to; if no gradient is wanted it is corrected for curvature (likelihood/latent.hpp).
  Value evaluate(const Vector& theta, Vector* gradient) const;

  // The same without gradient, given the covariance K of the observations under kernel(theta).
  Value evaluate_with(const Matrix& covariance, const Vector& theta) const;

  int evaluations() const { return evaluations_; }

  std::shared_ptr<const Kernel> kernel(const Vector& theta) const;  // without the nugget
  Prior prior(const Vector& theta, const Vector& beta) const;       // with it
  Vector noise_var(const Vector& theta) const;                      // of all observations
  LikelihoodPtr likelihood(const Vector& theta) const;              // of counts, with its parameter
  double log_prior(const Vector& theta, Vector* gradient) const;    // up to log_prior_constant()
  double log_prior_constant() const;

 private:
  void add(FitParameter::Kind kind, std::string name, double unit);
  void add_columns(const std::string& name, bool is_length, const FitOptions& options);
  void add_alike(const std::string& name, const std::vector<int>& units);
  void add_stationary(const StationaryFamily& family, const FitOptions& options);
  void add_general();
  Value evaluate(internal::LawGram::Under averages, const Vector& theta, Vector* gradient) const;
  Value evaluate_linked(internal::LawGram::Under rows, const Vector& theta, Vector* gradient) const;
  double amount(Index position, const Vector& theta) const;

  const FitData& data_;
  const FitSample* sample_;
  std::shared_ptr<const Kernel> kernel_;
  std::vector<FitParameter> parameters_;
  std::vector<Index> source_;              // kernel parameter i is theta[source_[i]]
  std::vector<std::vector<Index>> alike_;  // positions of lengthscales in the same unit, two or more each
  bool oscillates_ = false;
  bool is_density_ = false;
  bool has_priors_;
  Index nugget_ = -1, noise_ = -1, discrepancy_ = -1, dispersion_ = -1;
  mutable int evaluations_ = 0;
};

}  // namespace iqbo
