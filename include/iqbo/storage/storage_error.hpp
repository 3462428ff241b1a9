// What can go wrong with a place where studies are kept. The text says what happened and what to do; it never contains a
// password. Whatever was acknowledged before is still there.
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
    kOlder,       // to be migrated, which a read-only open may not do
    kDamaged,     // truncated or overwritten
    kFull,        // no space left, or a quota
    kReadOnly,    // no permission to write
    kLocks,       // the file system's locks do not work, or it is on a network
    kBusy,        // others kept it locked for longer than the time-out
    kConnection,  // the server is not there, or refused us, or went away
    kOther
  };

  StorageError(Kind kind, const std::string& text) : std::runtime_error(text), kind_(kind) {}
  Kind kind() const { return kind_; }

 private:
  Kind kind_;
};

}  // namespace iqbo
