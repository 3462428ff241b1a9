// A disk that forgets, at a loss of power, what was not forced to it: a VFS of SQLite around the usual one, which is the
// default while an object of this type lives. It remembers for every file what a sync has made durable and which writes
// came since. A loss of power keeps of those an arbitrary part, in any order, and sectors of them rather than whole writes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>

namespace iqbo::test {

class LossyDisk {
 public:
  // `on_write` is called before every write to a file.
  explicit LossyDisk(std::function<void()> on_write = {});
  ~LossyDisk();
  LossyDisk(const LossyDisk&) = delete;
  LossyDisk& operator=(const LossyDisk&) = delete;

  // What a loss of power at this moment would leave, as files of the same names in `folder`. kNothing: no write that was
  // not forced to the disk survives; otherwise `seed` chooses which do.
  static constexpr std::uint64_t kNothing = 0;
  void lose_power(const std::filesystem::path& folder, std::uint64_t seed) const;
};

}  // namespace iqbo::test
