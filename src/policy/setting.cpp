#include "iqbo/policy/setting.hpp"

#include "iqbo/core/check.hpp"

namespace iqbo {

Index dimension(const TargetSpace& x) {
  return std::visit([](const auto& space) { return space.dimension(); }, x);
}

Index dimension(const AskSpace& a) {
  return std::visit([](const auto& space) { return space.dimension(); }, a);
}

void require_consistent(const Setting& setting) {
  if (setting.conditional == nullptr) refuse("conditional", "none", "a model of p(x|a)");
  require_columns(dimension(setting.x), setting.conditional->input_dimension(), "x");
  require_columns(dimension(setting.a), setting.conditional->query_dimension(), "a");
  if (setting.noise_var) require_non_negative(Vector(Vector::Constant(1, *setting.noise_var)), "noise_var");
  if (setting.kernel != nullptr) {
    require_columns(setting.kernel->dimension(), setting.conditional->input_dimension(), "kernel");
    if (!setting.noise_var) refuse("noise_var", "none", "a number, as the kernel is given");
  } else if (setting.mean != nullptr) {
    refuse("mean", "given without a kernel", "both or none: without a kernel the mean is fitted");
  }
  if (setting.query_kernel != nullptr)
    require_columns(setting.query_kernel->dimension(), setting.conditional->query_dimension(), "query_kernel");
}

}  // namespace iqbo
