#include "auto_rule.hpp"

#include <algorithm>

#include "iqbo/core/check.hpp"
#include "iqbo/kernel/product.hpp"
#include "iqbo/kernel/stationary.hpp"
#include "iqbo/kernel/sum.hpp"
#include "iqbo/kernel/white.hpp"

namespace iqbo {
namespace {

constexpr double kRough = 0.5;    // of the variance of f
constexpr double kDoubted = 0.1;  // of sd(z)

// Variance of the parts of a kernel that are nowhere differentiable.
double rough_var(const Kernel& kernel) {
  if (const auto* white = dynamic_cast<const White*>(&kernel)) return white->variance();
  if (const auto* stationary = dynamic_cast<const Stationary*>(&kernel))
    return stationary->family() == Stationary::Family::kMatern12 ? stationary->variance() : 0.0;
  if (const auto* product = dynamic_cast<const Product*>(&kernel))
    return std::any_of(product->factors().begin(), product->factors().end(),
                       [](const auto& factor) { return factor.kernel.family() == Stationary::Family::kMatern12; })
               ? product->variance()
               : 0.0;
  double sum = 0.0;
  if (const auto* terms = dynamic_cast<const Sum*>(&kernel))
    for (const auto& term : terms->terms()) sum += rough_var(*term);
  return sum;
}

}  // namespace

AutoChoice auto_choice(Model& model, const Answers& answers) {
  const double rough = rough_var(model.prior().kernel()) / model.amplitude_var();
  if (rough > kRough)
    return {PolicyKind::kCkg, "auto: ckg, as f is rough (" + readable(100.0 * rough) + " % of its variance)"};
  const bool doubted = model.discrepancy_share() > kDoubted;
  const auto early = static_cast<std::size_t>((doubted ? 2 : 1) * (10 + 10 * dimension(model.setting().x)));
  if (answers.size() < early)
    return {PolicyKind::kCjes, "auto: cjes, as it is early (" + std::to_string(answers.size()) + " answers of " +
                                   std::to_string(early) + (doubted ? ", p(x|a) being in doubt)" : ")")};
  return {PolicyKind::kCkg, "auto: ckg, as f is smooth and " + std::to_string(answers.size()) + " answers are in"};
}

}  // namespace iqbo
