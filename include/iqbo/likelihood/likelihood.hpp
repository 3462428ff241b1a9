// What an answer says about the average g = E[f(X) | a] that was asked for.
//
//   gaussian            y = g + noise of known variance
//   poisson             y ~ Poisson(N g)                  cases among N people, clicks of N impressions
//   negative-binomial   mean N g, variance N g + (N g)^2 / k: counts that vary more than chance alone lets them
//   binomial            y ~ Binomial(N, g)                responders of N patients
//
// To add a family, derive from Likelihood in a file of its own and add its name to likelihood_of().
#pragma once

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "iqbo/numerics/link.hpp"

namespace iqbo {

// One answer: y counted among `exposure`; or a measured y with its noise variance.
struct Count {
  double y = 0.0;
  double exposure = 1.0;
  double noise_var = 0.0;  // of y, where it is measured rather than counted

  double rate() const { return y / exposure; }
};

class Likelihood {
 public:
  virtual ~Likelihood() = default;

  virtual std::string name() const = 0;
  virtual bool counts() const { return true; }  // y is a number of events among an exposure
  virtual bool admits(Link link) const { return link != Link::kLogit; }
  virtual bool merges() const { return true; }  // equal queries may be merged: sums of y and of exposure say the same

  // Throws std::invalid_argument, naming `what`, if the answer cannot be: negative, not whole, more events than exposure.
  virtual void check(const Count& answer, const std::string& what) const;

  virtual double log_density(const Count& answer, double g) const = 0;

  struct Slopes {
    double first;      // d log p / dg
    double curvature;  // -d^2 log p / dg^2
  };
  virtual Slopes slopes(const Count& answer, double g) const = 0;

  // Variance of y / N given g. Its inverse is the expected curvature.
  virtual double variance(const Count& answer, double g) const = 0;
  virtual double variance_slope(const Count& answer, double g) const = 0;  // d variance / dg

  // The Gaussian answer that stands for this one under a log link, where log g is N(log g - spread / 2, spread): what y / N - g
  // and its variance are replaced by. By 15 Gauss-Hermite nodes; (y / N - g, variance) itself where there is no spread.
  struct Working {
    double residual;
    double variance;
  };
  virtual Working working(const Count& answer, double g, double spread) const;

  // The family's own unknown number, if it has one, as a logarithm: the dispersion 1 / k of a negative binomial, the
  // common factor of Gaussian noise variances.
  virtual bool has_parameter() const { return false; }
  virtual double log_parameter() const { return std::numeric_limits<double>::quiet_NaN(); }
  virtual std::shared_ptr<const Likelihood> with_log_parameter(double value) const;
  struct ParameterSlopes {
    double log_density = 0.0;
    double first = 0.0;     // of Slopes::first
    double variance = 0.0;  // of variance()
  };
  virtual ParameterSlopes parameter_slopes(const Count& answer, double g) const;

 protected:
  Likelihood() = default;
  Likelihood(const Likelihood&) = default;
  Likelihood(Likelihood&&) = default;
  Likelihood& operator=(const Likelihood&) = default;
  Likelihood& operator=(Likelihood&&) = default;
};

using LikelihoodPtr = std::shared_ptr<const Likelihood>;

LikelihoodPtr gaussian_answers(double noise_factor = 1.0);  // times Count::noise_var
LikelihoodPtr poisson_answers();
LikelihoodPtr negative_binomial_answers(double dispersion);  // 1 / k > 0
LikelihoodPtr binomial_answers();

// By name, with a usual value of its parameter. Throws std::invalid_argument.
LikelihoodPtr likelihood_of(const std::string& name, const std::string& what = "answers");
std::vector<std::string> likelihood_names();

}  // namespace iqbo
