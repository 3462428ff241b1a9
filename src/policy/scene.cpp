#include "scene.hpp"

#include "continuous_scene.hpp"
#include "finite_scene.hpp"

namespace iqbo {

std::unique_ptr<Scene> make_scene(Model& model, const Answers& answers, std::vector<bool> allowed) {
  if (model.is_finite()) return std::make_unique<FiniteScene>(model, answers, std::move(allowed));
  return std::make_unique<ContinuousScene>(model, std::move(allowed));
}

}  // namespace iqbo
