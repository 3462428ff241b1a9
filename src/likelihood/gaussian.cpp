#include <cmath>
#include <numbers>

#include "iqbo/core/check.hpp"
#include "iqbo/likelihood/likelihood.hpp"

namespace iqbo {
namespace {

class Gaussian final : public Likelihood {
 public:
  explicit Gaussian(double factor) : factor_(factor) { require_positive(factor, "noise_factor"); }

  std::string name() const override { return "gaussian"; }
  bool counts() const override { return false; }
  bool admits(Link /*link*/) const override { return true; }
  bool merges() const override { return false; }

  void check(const Count& answer, const std::string& what) const override {
    if (!std::isfinite(answer.y)) refuse(what, "value " + readable(answer.y), "a finite number");
  }

  double log_density(const Count& answer, double g) const override {
    const double var = variance(answer, g);
    return -0.5 * ((answer.y - g) * (answer.y - g) / var + std::log(2.0 * std::numbers::pi * var));
  }

  Slopes slopes(const Count& answer, double g) const override {
    const double var = variance(answer, g);
    return {(answer.y - g) / var, 1.0 / var};
  }

  double variance(const Count& answer, double /*g*/) const override { return factor_ * answer.noise_var; }
  double variance_slope(const Count& /*answer*/, double /*g*/) const override { return 0.0; }

  bool has_parameter() const override { return true; }
  double log_parameter() const override { return std::log(factor_); }
  std::shared_ptr<const Likelihood> with_log_parameter(double value) const override {
    return gaussian_answers(std::exp(value));
  }
  ParameterSlopes parameter_slopes(const Count& answer, double g) const override {
    const double var = variance(answer, g);
    const double off = (answer.y - g) / var;
    return {0.5 * (off * off * var - 1.0), -off, var};
  }

 private:
  double factor_;
};

}  // namespace

LikelihoodPtr gaussian_answers(double noise_factor) { return std::make_shared<const Gaussian>(noise_factor); }

}  // namespace iqbo
