// Loads the library that reads maps; refuses, with the remedy, if this iqbo was built without it.
#pragma once

#include "map/map_files.hpp"

namespace iqbo::cli {

const internal::MapFiles& map_files();

}  // namespace iqbo::cli
