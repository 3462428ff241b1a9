#include "auto_rule.hpp"

#include <algorithm>
#include <cmath>

#include "iqbo/core/check.hpp"
#include "iqbo/kernel/stationary_part.hpp"

namespace iqbo {
namespace {

constexpr double kRough = 0.5;    // of the variance of f
constexpr double kDoubted = 0.1;  // of sd(z)

// Variance of the parts of a kernel that are nowhere differentiable.
double rough_var(const Kernel& kernel) {
  double sum = 0.0;
  for (const KernelTerm& term : kernel.stationary_terms())
    if (term.kind == KernelTerm::Kind::kWhite ||
        std::any_of(term.factors.begin(), term.factors.end(), [](const auto& each) { return each.part->is_rough(); }))
      sum += term.variance;
  return sum;
}

}  // namespace

AutoChoice auto_choice(Model& model, const Answers& answers) {
  const double rough = rough_var(model.prior().kernel()) / model.amplitude_var();
  if (rough > kRough)
    return {PolicyKind::kCkg,
            "auto: ckg, as " + readable(std::round(100.0 * rough)) + " % of the variance of f is rough"};
  const bool doubted = model.discrepancy_share() > kDoubted;
  const auto early = static_cast<std::size_t>((doubted ? 2 : 1) * (10 + 10 * dimension(model.setting().targets)));
  if (answers.size() < early)
    return {PolicyKind::kCjes, "auto: cjes, as there are only " + std::to_string(answers.size()) +
                                   " answers (fewer than " + std::to_string(early) +
                                   (doubted ? ", because p(x|a) is in doubt)" : ")")};
  return {PolicyKind::kCkg, "auto: ckg, as f is smooth and " + std::to_string(answers.size()) + " answers are known"};
}

}  // namespace iqbo
