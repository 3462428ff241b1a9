#include "iqbo/policy/hyperparameters.hpp"

#include <algorithm>
#include <cmath>

#include "iqbo/core/check.hpp"
#include "iqbo/kernel/sum.hpp"
#include "iqbo/kernel/white.hpp"

namespace iqbo {

namespace {

// One lengthscale, and one of each other parameter, for all columns: as many as there are columns.
void spell_out(Hyperparameters& values, Index dimension) {
  if (!values.isotropic) return;
  values.lengthscale.assign(static_cast<std::size_t>(dimension), values.lengthscale[0].value);
  const StationaryFamily& family = family_of(values.family);
  Vector shape(family.shape_size(dimension));
  Index at = 0;
  for (std::size_t i = 0; i < family.shape.size(); ++i)
    for (Index c = 0; c < (family.shape[i].per_column ? dimension : 1); ++c) shape[at++] = values.others[i].value;
  values.others = named_shape(family, dimension, shape);
  values.isotropic = false;
}

}  // namespace

std::optional<Hyperparameters> hyperparameters_of(const Fit& fit, double noise_var) {
  const Vector mean = fit.posterior.mean().parameters();
  if (fit.family.empty() || mean.size() == 0) return std::nullopt;
  Hyperparameters out = fit;
  const Index dimension = fit.posterior.kernel().dimension();
  spell_out(out, dimension);
  if (out.mean.empty()) out.mean.assign(mean.begin(), mean.end());
  for (Hyperparameters& member : out.members) {
    spell_out(member, dimension);
    if (member.mean.empty()) member.mean = out.mean;
  }
  if (out.noise_var)
    out.noise_var->value = noise_var;
  else
    out.noise_var = noise_var;
  if (const Kernel* discrepancy = fit.posterior.discrepancy())
    out.discrepancy_var->value = std::exp(discrepancy->log_parameters()[0]);
  return out;
}

std::vector<FittedParameter> named_shape(const StationaryFamily& family, Index dimension, const Vector& shape) {
  const auto names = family.parameter_names(dimension);  // lengthscales first
  std::vector<FittedParameter> out;
  for (const double value : shape)
    out.push_back({names[static_cast<std::size_t>(dimension) + out.size()], value, value, value});
  return out;
}

Posterior prior_of(const Hyperparameters& values, const Conditional& conditional, const LearnedConditional* learned) {
  if (!values.variance) refuse("fit", "without variance", "one that iqbo wrote");
  const Vector lengthscale = values_of(values.lengthscale);
  const Vector coefficients = values_of(values.mean);
  Vector shape(static_cast<Index>(values.others.size()));
  std::transform(values.others.begin(), values.others.end(), shape.begin(), [](auto& each) { return each.value; });
  require_rows(lengthscale.size(), conditional.input_dimension(), "lengthscale");
  require_not_empty(coefficients.size(), "mean");
  std::shared_ptr<const Kernel> kernel = Stationary(values.family, values.variance->value, lengthscale, shape).clone();
  if (values.nugget)
    kernel = std::make_shared<const Sum>(Sum::Terms{kernel, White(values.nugget->value, kernel->dimension()).clone()});
  const double constant = coefficients[0];
  const auto mean = coefficients.size() == 1 ? ConstantMean(constant).clone()
                                             : LinearMean(constant, coefficients.tail(coefficients.size() - 1)).clone();
  Posterior out(*kernel, conditional, *mean);
  if (values.discrepancy_var && learned != nullptr)
    out = out.with_discrepancy(*learned->discrepancy(values.discrepancy_var->value));
  return out;
}

}  // namespace iqbo
