#include "sqlite_log.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <ctime>
#include <thread>
#include <vector>

namespace iqbo {
namespace {

constexpr std::size_t kHeader = 32;
constexpr std::size_t kFrameHeader = 24;

std::uint32_t big_endian(const unsigned char* at) {
  return (std::uint32_t{at[0]} << 24U) | (std::uint32_t{at[1]} << 16U) | (std::uint32_t{at[2]} << 8U) | at[3];
}
std::uint32_t little_endian(const unsigned char* at) {
  return (std::uint32_t{at[3]} << 24U) | (std::uint32_t{at[2]} << 16U) | (std::uint32_t{at[1]} << 8U) | at[0];
}

struct Sums {
  std::uint32_t first = 0;
  std::uint32_t second = 0;
  bool operator==(const Sums&) const = default;
};

// `size` is a multiple of 8.
Sums added(Sums sums, const unsigned char* bytes, std::size_t size, bool big) {
  for (std::size_t i = 0; i < size; i += 8) {
    sums.first += (big ? big_endian(bytes + i) : little_endian(bytes + i)) + sums.second;
    sums.second += (big ? big_endian(bytes + i + 4) : little_endian(bytes + i + 4)) + sums.first;
  }
  return sums;
}

class File {
 public:
  explicit File(const std::filesystem::path& path) : file_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~File() {
    if (file_ >= 0) close(file_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  bool is_open() const { return file_ >= 0; }
  bool read(std::size_t at, unsigned char* bytes, std::size_t size) const {
    return pread(file_, bytes, size, static_cast<off_t>(at)) == static_cast<ssize_t>(size);
  }
  std::size_t size() const {
    struct stat about {};
    return fstat(file_, &about) == 0 ? static_cast<std::size_t>(about.st_size) : 0;
  }
  // Since the machine started. Then no write was lost, and none was reordered.
  bool written_since_start() const {
    timespec now{};
    timespec up{};
    struct stat about {};
    clock_gettime(CLOCK_REALTIME, &now);
    clock_gettime(CLOCK_BOOTTIME, &up);
    return fstat(file_, &about) == 0 && about.st_mtim.tv_sec > now.tv_sec - up.tv_sec;
  }

 private:
  int file_;
};

using Header = std::array<unsigned char, kHeader>;

struct Scan {
  std::size_t wrong = 0;  // the number of the wrong page, from 1; 0: none is proven wrong
  LogDamage damage;
};

// The header is written at once, before the first page.
bool is_whole(const Header& header) {
  const std::uint32_t magic = big_endian(header.data());
  const std::uint32_t page = big_endian(header.data() + 8);
  const bool known = (magic | 1U) == 0x377F0683U && page >= 512 && page <= 65536 && (page & (page - 1)) == 0;
  return known && added({}, header.data(), 24, (magic & 1U) != 0) ==
                      Sums{big_endian(header.data() + 24), big_endian(header.data() + 28)};
}

Scan scan(const File& file, const Header& header) {
  Scan out;
  if (!is_whole(header)) {
    if (file.size() > kHeader + 512) out = {1, {0, 1}};
    return out;
  }
  const bool big = (big_endian(header.data()) & 1U) != 0;
  const std::size_t page = big_endian(header.data() + 8);
  Sums sums{big_endian(header.data() + 24), big_endian(header.data() + 28)};
  std::vector<unsigned char> frame(kFrameHeader + page);
  std::size_t wrong = 0;
  std::size_t later_pages = 0;
  std::uint32_t committed = 0;  // the page before, if it ended a change
  for (std::size_t i = 1; file.read(kHeader + (i - 1) * frame.size(), frame.data(), frame.size()); ++i) {
    // SQLite may repeat the last page of a change, to fill a sector.
    const bool ends = big_endian(frame.data() + 4) != 0;
    const bool commits = ends && big_endian(frame.data()) != committed;
    committed = ends ? big_endian(frame.data()) : 0;
    const bool same_first = big_endian(frame.data() + 8) == big_endian(header.data() + 16);
    const bool same_second = big_endian(frame.data() + 12) == big_endian(header.data() + 20);
    if (wrong == 0) {
      sums = added(added(sums, frame.data(), 8, big), frame.data() + kFrameHeader, page, big);
      const Sums said{big_endian(frame.data() + 16), big_endian(frame.data() + 20)};
      if (same_first && same_second && said == sums) {
        out.damage.good += commits ? 1 : 0;
        continue;
      }
      wrong = i;
      out.damage.lost += commits && (same_first || same_second) ? 1 : 0;
    } else if (same_first && same_second) {  // else it is of an earlier log, over which this one is written
      ++later_pages;
      out.damage.lost += commits ? 1 : 0;
    }
  }
  if (later_pages > 0 && (file.written_since_start() || out.damage.lost >= 2)) out.wrong = wrong;
  return out;
}

}  // namespace

std::optional<LogDamage> damage_of_log(const std::filesystem::path& log) {
  constexpr int kAlike = 4;
  constexpr int kLooks = 40;
  const File file(log);
  if (!file.is_open()) return std::nullopt;
  Header before{};
  std::size_t wrong = 0;
  // A page that somebody is just writing looks wrong once, but not in the same way again and again.
  for (int look = 0, alike = 0; look < kLooks; ++look) {
    Header header{};
    if (!file.read(0, header.data(), header.size())) return std::nullopt;
    const Scan found = scan(file, header);
    if (found.wrong == 0) return std::nullopt;
    alike = header == before && found.wrong == wrong ? alike + 1 : 1;
    if (alike == kAlike) return found.damage;
    before = header;
    wrong = found.wrong;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return std::nullopt;
}

}  // namespace iqbo
