// A file that appears under its name whole, or not at all: whatever fails, and whenever the process is killed.
//
// Until publish() it has no name, so that nothing is left of it; where the file system has no such files, it has a
// hidden one: ".<name>.new-<process>".
#pragma once

#include <cstddef>
#include <filesystem>
#include <string_view>

namespace iqbo::internal {

// All of these throw std::system_error.
class NewFile {
 public:
  explicit NewFile(std::filesystem::path target);
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  void write(std::string_view bytes);
  void require_room(std::size_t bytes);  // fails unless as many more would fit on the disk

  // Both force the file and its name to the disk.
  void publish();  // fails with EEXIST if the name is taken
  void replace();  // takes the place of a file of that name

 private:
  std::filesystem::path folder() const;
  std::filesystem::path hidden_name() const;
  void link(const std::filesystem::path& name);
  void sync_folder() const;

  std::filesystem::path target_;
  std::filesystem::path hidden_;  // its name until it has its own; empty: it has none
  std::size_t size_ = 0;
  int file_ = -1;
};

}  // namespace iqbo::internal
