#include "worker_slot.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <functional>

#include "iqbo/core/check.hpp"
#include "place.hpp"

namespace iqbo::cli {
namespace {

namespace fs = std::filesystem;

fs::path lock_folder() {
  const char* runtime = std::getenv("XDG_RUNTIME_DIR");
  const fs::path folder = runtime != nullptr && fs::is_directory(runtime)
                              ? fs::path(runtime) / "iqbo"
                              : fs::temp_directory_path() / ("iqbo-" + std::to_string(getuid()));
  mkdir(folder.c_str(), S_IRWXU);
  struct stat found {};
  if (lstat(folder.c_str(), &found) != 0 || !S_ISDIR(found.st_mode) || found.st_uid != getuid())
    refuse("worker", folder.string() + " is not a folder of this user", "it, or a name: --worker NAME");
  return folder;
}

}  // namespace

WorkerSlot::WorkerSlot(const std::string& study) {
  const bool is_url = study.find("://") != std::string::npos;
  const std::string place = is_url ? study : fs::weakly_canonical(study).string();
  const std::string key = std::to_string(std::hash<std::string>()(place));
  const fs::path folder = lock_folder();
  for (int slot = 1;; ++slot) {
    const fs::path file = folder / (key + "-" + std::to_string(slot));
    lock_ = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR);
    if (lock_ < 0) refuse("worker", "no lock file " + file.string(), "a writable folder, or --worker NAME");
    if (flock(lock_, LOCK_EX | LOCK_NB) == 0) {
      name_ = host_name() + "-" + std::to_string(slot);
      return;
    }
    close(lock_);
  }
}

WorkerSlot::~WorkerSlot() {
  if (lock_ >= 0) close(lock_);
}

}  // namespace iqbo::cli
