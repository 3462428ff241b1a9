#include <cmath>

#include "iqbo/core/check.hpp"
#include "iqbo/likelihood/likelihood.hpp"
#include "log_factorial.hpp"

namespace iqbo {
namespace {

class Binomial final : public Likelihood {
 public:
  std::string name() const override { return "binomial"; }
  bool admits(Link link) const override { return link != Link::kLog; }  // exp(eta) may exceed 1

  void check(const Count& answer, const std::string& what) const override {
    Likelihood::check(answer, what);
    if (answer.exposure != std::floor(answer.exposure))
      refuse(what, "exposure " + readable(answer.exposure), "a whole number of trials");
    if (answer.y > answer.exposure)
      refuse(what, readable(answer.y) + " of " + readable(answer.exposure), "a count that is at most its exposure");
  }

  double log_density(const Count& answer, double g) const override {
    const double failures = answer.exposure - answer.y;
    double out = internal::log_factorial(answer.exposure) - internal::log_factorial(answer.y) -
                 internal::log_factorial(failures);
    if (answer.y > 0.0) out += answer.y * std::log(g);
    if (failures > 0.0) out += g < 1.0 ? failures * std::log1p(-g) : -std::numeric_limits<double>::infinity();
    return out;
  }

  Slopes slopes(const Count& answer, double g) const override {
    const double failures = answer.exposure - answer.y;
    const double rest = 1.0 - g;
    return {answer.y / g - failures / rest, answer.y / (g * g) + failures / (rest * rest)};
  }

  double variance(const Count& answer, double g) const override { return g * (1.0 - g) / answer.exposure; }
  double variance_slope(const Count& answer, double g) const override { return (1.0 - 2.0 * g) / answer.exposure; }
};

}  // namespace

LikelihoodPtr binomial_answers() { return std::make_shared<const Binomial>(); }

}  // namespace iqbo
