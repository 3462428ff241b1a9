#include "new_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <string>
#include <system_error>

namespace iqbo::internal {

namespace fs = std::filesystem;

namespace {

constexpr mode_t kMode = S_IRUSR | S_IWUSR | S_IRGRP | S_IWGRP | S_IROTH | S_IWOTH;  // less the umask

[[noreturn]] void fail(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

}  // namespace

NewFile::NewFile(fs::path target) : target_(std::move(target)) {
  const bool can_be_named = access("/proc/self/fd", X_OK) == 0;
  if (can_be_named) file_ = ::open(folder().c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, kMode);
  if (file_ >= 0) return;
  if (can_be_named && errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL) fail("open");
  hidden_ = hidden_name();
  file_ = ::open(hidden_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, kMode);
  if (file_ < 0) fail("open");
}

NewFile::~NewFile() {
  close(file_);
  if (!hidden_.empty()) unlink(hidden_.c_str());
}

fs::path NewFile::folder() const { return target_.has_parent_path() ? target_.parent_path() : fs::path("."); }

fs::path NewFile::hidden_name() const {
  std::string name(".");
  name.append(target_.filename().string()).append(".new-").append(std::to_string(getpid()));
  return folder() / name;
}

void NewFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("write");
    bytes.remove_prefix(static_cast<std::size_t>(written));
    size_ += static_cast<std::size_t>(written);
  }
}

void NewFile::require_room(std::size_t bytes) {
  const auto from = static_cast<off_t>(size_);
  const auto length = static_cast<off_t>(bytes);
  if (fallocate(file_, FALLOC_FL_KEEP_SIZE, from, length) != 0) {
    if (errno == EOPNOTSUPP || errno == ENOSYS) return;
    fail("fallocate");
  }
  fallocate(file_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, from, length);
  if (ftruncate(file_, from) != 0) fail("ftruncate");
}

// Unlike rename(), this fails if the name exists.
void NewFile::link(const fs::path& name) {
  const std::string now = hidden_.empty() ? "/proc/self/fd/" + std::to_string(file_) : hidden_.string();
  if (linkat(AT_FDCWD, now.c_str(), AT_FDCWD, name.c_str(), hidden_.empty() ? AT_SYMLINK_FOLLOW : 0) != 0)
    fail("linkat");
}

void NewFile::publish() {
  if (fsync(file_) != 0) fail("fsync");
  link(target_);
  sync_folder();
}

void NewFile::replace() {
  if (fsync(file_) != 0) fail("fsync");
  if (hidden_.empty()) {
    const fs::path name = hidden_name();
    unlink(name.c_str());  // of an earlier process of our number, which was killed between the next two calls
    link(name);
    hidden_ = name;
  }
  if (std::rename(hidden_.c_str(), target_.c_str()) != 0) fail("rename");
  hidden_.clear();
  sync_folder();
}

// The name must survive a loss of power, too. A folder that may be written but not read cannot be opened for that.
void NewFile::sync_folder() const {
  const int place = ::open(folder().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (place < 0) return;
  fsync(place);
  close(place);
}

}  // namespace iqbo::internal
