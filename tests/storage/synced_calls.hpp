// Notes which calls force files and folders to the disk, and when a file gets its name, while an object of this type lives.
#pragma once

#include <string>

namespace iqbo::test {

class SyncedCalls {
 public:
  SyncedCalls();
  ~SyncedCalls();
  SyncedCalls(const SyncedCalls&) = delete;
  SyncedCalls& operator=(const SyncedCalls&) = delete;
  std::string made() const;  // "sync file, link, sync folder, ..."
};

}  // namespace iqbo::test
