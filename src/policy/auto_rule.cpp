#include "auto_rule.hpp"

namespace iqbo {

AutoChoice auto_choice(Model& /*model*/, const Answers& /*answers*/) {
  return {PolicyKind::kCkg, "auto: ckg, as p(x|a) is trusted"};
}

}  // namespace iqbo
