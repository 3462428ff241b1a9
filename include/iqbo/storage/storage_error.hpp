// What can go wrong where a study is kept. The text says what happened and what to do; it never contains a password.
// Everything that was acknowledged before is still there.
#pragma once

#include <stdexcept>
#include <string>

namespace iqbo {

class StorageError : public std::runtime_error {
 public:
  enum class Kind {
    kNotFound,    // there is no such file, database or study
    kExists,      // creating would overwrite
    kNotAStudy,   // a file or database of something else
    kNewer,       // written by a newer iqbo
    kOlder,       // must be migrated, which a read-only open may not do
    kDamaged,     // truncated or overwritten
    kFull,        // no space left, or a quota
    kReadOnly,    // no permission to write
    kLocks,       // the file system's locks do not work, or it is on a network
    kBusy,        // others kept it locked for longer than the time-out
    kConnection,  // the server cannot be reached, refused us, or closed the connection
    kOther
  };

  StorageError(Kind kind, const std::string& text) : std::runtime_error(text), kind_(kind) {}
  Kind kind() const { return kind_; }

 private:
  Kind kind_;
};

}  // namespace iqbo
