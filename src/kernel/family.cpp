#include "iqbo/kernel/family.hpp"

#include <algorithm>
#include <deque>
#include <mutex>

#include "core/nearest.hpp"
#include "families.hpp"
#include "iqbo/core/check.hpp"

namespace iqbo {

using namespace internal;

namespace {

class Registry {
 public:
  Registry() {
    for (StationaryFamily& family : built_in_families()) add(std::move(family));
  }

  const StationaryFamily& add(StationaryFamily family) {
    const std::lock_guard lock(mutex_);
    if (family.name.empty() || find(family.name) != nullptr)
      refuse("family", "is " + in_quotes(family.name), "a name that is not taken");
    if (!family.make) refuse("family", in_quotes(family.name) + " has no make", "a function that makes its parts");
    return families_.emplace_back(std::move(family));
  }

  const StationaryFamily& at(std::string_view name, std::string_view argument) const {
    {
      const std::lock_guard lock(mutex_);
      if (const StationaryFamily* found = find(name)) return *found;
    }
    refuse(argument, "is " + in_quotes(name), expected_names(name, names()));
  }

  std::vector<std::string> names() const {
    const std::lock_guard lock(mutex_);
    std::vector<std::string> out;
    for (const StationaryFamily& family : families_) out.push_back(family.name);
    return out;
  }

 private:
  const StationaryFamily* find(std::string_view name) const {
    const auto found = std::find_if(families_.begin(), families_.end(), [&](const auto& f) { return f.name == name; });
    return found == families_.end() ? nullptr : &*found;
  }

  mutable std::mutex mutex_;
  std::deque<StationaryFamily> families_;  // a deque, because its entries never move
};

// Never destroyed, because kernels in static storage may outlive it.
Registry& registry() {
  static auto* const all = new Registry;
  return *all;
}

}  // namespace

Index StationaryFamily::shape_size(Index dimension) const {
  Index size = 0;
  for (const ShapeParameter& each : shape) size += each.per_column ? dimension : 1;
  return size;
}

std::vector<std::string> StationaryFamily::parameter_names(Index dimension) const {
  std::vector<std::string> out;
  const auto add = [&](const std::string& of_column) {
    for (Index c = 0; c < dimension; ++c) out.push_back(of_column + "[" + std::to_string(c) + "]");
  };
  add("lengthscale");
  for (const ShapeParameter& each : shape)
    if (each.per_column)
      add(each.name);
    else
      out.push_back(each.name);
  return out;
}

const StationaryFamily& register_family(StationaryFamily family) { return registry().add(std::move(family)); }

const StationaryFamily& family_of(std::string_view name, std::string_view argument) {
  return registry().at(name, argument);
}

std::vector<std::string> family_names() { return registry().names(); }

}  // namespace iqbo
