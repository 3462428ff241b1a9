// A file system whose locks do not work, while an object of this type lives: fcntl() answers ENOLCK, as some network mounts do.
// Works on SQLite because a program's own fcntl comes before the C library's.
#pragma once

namespace iqbo::test {

class BrokenLocks {
 public:
  BrokenLocks();
  ~BrokenLocks();
  BrokenLocks(const BrokenLocks&) = delete;
  BrokenLocks& operator=(const BrokenLocks&) = delete;
};

}  // namespace iqbo::test
