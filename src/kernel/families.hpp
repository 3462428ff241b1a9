// The built-in families: each has its own source file, and is declared and listed here.
#pragma once

#include "iqbo/kernel/family.hpp"

namespace iqbo {

StationaryFamily rbf_family();
StationaryFamily matern12_family();
StationaryFamily matern32_family();
StationaryFamily matern52_family();
StationaryFamily rational_quadratic_family();
StationaryFamily periodic_family();

inline std::vector<StationaryFamily> built_in_families() {
  return {rbf_family(),      matern12_family(),           matern32_family(),
          matern52_family(), rational_quadratic_family(), periodic_family()};
}

}  // namespace iqbo
