#include "map_files.hpp"

#include <dlfcn.h>

#include <filesystem>

#include "iqbo/core/check.hpp"

namespace iqbo::cli {

using namespace internal;

const MapFiles& map_files() {
  namespace fs = std::filesystem;
  const fs::path program = fs::read_symlink("/proc/self/exe").parent_path();
  const fs::path library = (program / IQBO_MAPS_FOLDER / "iqbo_maps.so").lexically_normal();
  if (!fs::exists(library))
    refuse("maps", "this iqbo was built without GDAL",
           "an iqbo built where GDAL is (Debian: apt-get install libgdal-dev, then build again)");
  void* loaded = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (loaded == nullptr) refuse("maps", dlerror(), "the GDAL that iqbo was built with");
  const auto function = reinterpret_cast<MapFilesFunction>(dlsym(loaded, kMapFilesFunction));
  if (function == nullptr) refuse("maps", library.string() + " is of another version", "that of this iqbo");
  return *function();
}

}  // namespace iqbo::cli
