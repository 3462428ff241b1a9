#include "iqbo/policy/hyperparameters.hpp"

#include <cmath>

#include "iqbo/core/check.hpp"
#include "iqbo/kernel/sum.hpp"
#include "iqbo/kernel/white.hpp"

namespace iqbo {

std::optional<Hyperparameters> hyperparameters_of(const Fit& fit, Index observations, double noise_var) {
  const Posterior& found = fit.posterior;
  const Kernel* kernel = &found.kernel();
  Hyperparameters out;
  if (const auto* sum = dynamic_cast<const Sum*>(kernel)) {
    const auto* white = sum->terms().size() == 2 ? dynamic_cast<const White*>(sum->terms()[1].get()) : nullptr;
    if (white == nullptr) return std::nullopt;
    out.nugget = white->variance();
    kernel = sum->terms()[0].get();
  }
  const auto* stationary = dynamic_cast<const Stationary*>(kernel);
  if (stationary == nullptr || found.mean().parameters().size() == 0) return std::nullopt;
  out.observations = observations;
  out.family = stationary->family();
  out.variance = stationary->variance();
  out.lengthscale = stationary->lengthscale();
  out.mean = found.mean().parameters();
  out.noise_var = noise_var;
  if (found.discrepancy() != nullptr) out.discrepancy_var = std::exp(found.discrepancy()->log_parameters()[0]);
  return out;
}

Posterior prior_of(const Hyperparameters& values, const Conditional& conditional, const LearnedConditional* learned) {
  require_rows(values.lengthscale.size(), conditional.input_dimension(), "lengthscale");
  require_not_empty(values.mean.size(), "mean");
  std::shared_ptr<const Kernel> kernel = Stationary(values.family, values.variance, values.lengthscale).clone();
  if (values.nugget > 0.0)
    kernel = std::make_shared<const Sum>(Sum::Terms{kernel, White(values.nugget, kernel->dimension()).clone()});
  const double constant = values.mean[0];
  const auto mean = values.mean.size() == 1 ? ConstantMean(constant).clone()
                                            : LinearMean(constant, values.mean.tail(values.mean.size() - 1)).clone();
  Posterior out(*kernel, conditional, *mean);
  if (values.discrepancy_var && learned != nullptr)
    out = out.with_discrepancy(*learned->discrepancy(*values.discrepancy_var));
  return out;
}

}  // namespace iqbo
