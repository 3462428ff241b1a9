#include <cmath>

#include "iqbo/likelihood/likelihood.hpp"
#include "log_factorial.hpp"

namespace iqbo {
namespace {

class Poisson final : public Likelihood {
 public:
  std::string name() const override { return "poisson"; }

  double log_density(const Count& answer, double g) const override {
    const double mean = answer.exposure * g;
    return (answer.y > 0.0 ? answer.y * std::log(mean) : 0.0) - mean - internal::log_factorial(answer.y);
  }

  Slopes slopes(const Count& answer, double g) const override {
    return {answer.y / g - answer.exposure, answer.y / (g * g)};
  }

  Working working(const Count& answer, double g, double /*spread*/) const override {
    return {answer.rate() - g, variance(answer, g)};
  }

  double variance(const Count& answer, double g) const override { return g / answer.exposure; }
  double variance_slope(const Count& answer, double /*g*/) const override { return 1.0 / answer.exposure; }
};

}  // namespace

LikelihoodPtr poisson_answers() { return std::make_shared<const Poisson>(); }

}  // namespace iqbo
