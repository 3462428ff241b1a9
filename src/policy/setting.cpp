#include "iqbo/policy/setting.hpp"

#include <algorithm>
#include <string>

#include "iqbo/core/check.hpp"

namespace iqbo {
namespace {

// A window much wider than X most likely has its resolution in the wrong units.
void require_windows_within(const Setting& setting) {
  const Queries levels = setting.queries->levels();
  if (levels.empty()) return;
  constexpr double kFar = 2.0;
  const Vector most = kFar * bounds(setting.targets).width();
  for (Index level = 0; level < levels.size(); ++level) {
    const Laws here = setting.conditional->laws(levels.slice(level, 1));
    for (const auto& part : here.parts())
      if (const auto* window = std::get_if<SpreadLaws>(&part.kind))
        for (Index j = 0; j < most.size(); ++j)
          if (const double width = std::max(window->sd(0, j), window->half_width(0, j));
              most[j] > 0.0 && width > most[j])
            refuse("resolution",
                   "level " + std::to_string(level) + " sees " + readable(width) + " along axis " + std::to_string(j),
                   "at most " + readable(most[j]) + ", twice the width of x; give TreeOptions::resolution");
  }
}

}  // namespace

bool is_linked(const Setting& setting) {
  if (setting.likelihood != nullptr && setting.likelihood->counts()) return true;
  return std::any_of(setting.links.begin(), setting.links.end(), [](Link link) { return link != Link::kIdentity; });
}

void require_consistent(const Setting& setting) {
  if (setting.conditional == nullptr) refuse("conditional", "none", "a conditional p(x|a)");
  for (const Link link : setting.links)
    if (setting.likelihood != nullptr && !setting.likelihood->admits(link))
      refuse("links", to_string(link) + " for " + setting.likelihood->name() + " answers", "a link that they admit");
  require_columns(dimension(setting.targets), setting.conditional->input_dimension(), "targets");
  require_columns(setting.queries->dimension(), setting.conditional->query_dimension(), "queries");
  require_windows_within(setting);
  if (setting.noise_var) require_non_negative(Vector(Vector::Constant(1, *setting.noise_var)), "noise_var");
  if (setting.kernel != nullptr) {
    require_columns(setting.kernel->dimension(), setting.conditional->input_dimension(), "kernel");
    if (!setting.noise_var && !setting.queries->has_noise_var() &&
        (setting.likelihood == nullptr || !setting.likelihood->counts()))
      refuse("noise_var", "none", "a number, as the kernel is given");
  } else if (setting.mean != nullptr) {
    refuse("mean", "given without a kernel", "both or none: without a kernel the mean is fitted");
  }
  if (setting.query_kernel != nullptr)
    require_columns(setting.query_kernel->dimension(), setting.conditional->query_dimension(), "query_kernel");
}

}  // namespace iqbo
