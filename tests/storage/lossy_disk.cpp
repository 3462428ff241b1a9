#include "lossy_disk.hpp"

#include <sqlite3.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <map>
#include <memory>
#include <new>
#include <sstream>
#include <string>
#include <vector>

#include "iqbo/core/rng.hpp"

namespace iqbo::test {
namespace {

struct Change {
  std::size_t offset;
  std::string bytes;  // of a write
  bool cut = false;   // the file was cut at `offset`
};

struct Image {
  std::string durable;
  std::vector<Change> pending;
  bool removed = false;
};

struct Disk {
  sqlite3_vfs* usual = nullptr;
  sqlite3_vfs lossy{};
  std::map<std::string, Image> files;
  std::function<void()> on_write;
};
Disk disk;

void apply(const Change& change, std::string& contents) {
  if (change.cut) return contents.resize(std::min(contents.size(), change.offset));
  contents.resize(std::max(contents.size(), change.offset + change.bytes.size()));
  contents.replace(change.offset, change.bytes.size(), change.bytes);
}

// --- a file: SQLite allocates szOsFile bytes, of which the usual VFS gets the rest ---

struct File {
  sqlite3_file base;
  std::string* name;  // null: a temporary file
  sqlite3_file* real() { return reinterpret_cast<sqlite3_file*>(this + 1); }
};
File& of(sqlite3_file* file) { return *reinterpret_cast<File*>(file); }

int close_file(sqlite3_file* file) {
  File& it = of(file);
  delete it.name;
  it.name = nullptr;
  return it.real()->pMethods->xClose(it.real());
}
int read_file(sqlite3_file* file, void* out, int count, sqlite3_int64 at) {
  return of(file).real()->pMethods->xRead(of(file).real(), out, count, at);
}
int write_file(sqlite3_file* file, const void* bytes, int count, sqlite3_int64 at) {
  File& it = of(file);
  if (it.name != nullptr) {
    if (disk.on_write) disk.on_write();
    disk.files[*it.name].pending.push_back(
        {static_cast<std::size_t>(at), std::string(static_cast<const char*>(bytes), static_cast<std::size_t>(count))});
  }
  return it.real()->pMethods->xWrite(it.real(), bytes, count, at);
}
int truncate_file(sqlite3_file* file, sqlite3_int64 size) {
  File& it = of(file);
  if (it.name != nullptr) disk.files[*it.name].pending.push_back({static_cast<std::size_t>(size), "", true});
  return it.real()->pMethods->xTruncate(it.real(), size);
}
int sync_file(sqlite3_file* file, int flags) {
  File& it = of(file);
  if (it.name != nullptr) {
    Image& image = disk.files[*it.name];
    for (const Change& each : image.pending) apply(each, image.durable);
    image.pending.clear();
  }
  return it.real()->pMethods->xSync(it.real(), flags);
}
int file_size(sqlite3_file* file, sqlite3_int64* out) {
  return of(file).real()->pMethods->xFileSize(of(file).real(), out);
}
int lock_file(sqlite3_file* file, int kind) { return of(file).real()->pMethods->xLock(of(file).real(), kind); }
int unlock_file(sqlite3_file* file, int kind) { return of(file).real()->pMethods->xUnlock(of(file).real(), kind); }
int check_lock(sqlite3_file* file, int* out) {
  return of(file).real()->pMethods->xCheckReservedLock(of(file).real(), out);
}
int control(sqlite3_file* file, int what, void* argument) {
  return of(file).real()->pMethods->xFileControl(of(file).real(), what, argument);
}
int sector_size(sqlite3_file* /*file*/) { return 512; }
int characteristics(sqlite3_file* /*file*/) { return 0; }  // promises nothing
int map_shared(sqlite3_file* file, int page, int size, int extend, void volatile** out) {
  return of(file).real()->pMethods->xShmMap(of(file).real(), page, size, extend, out);
}
int lock_shared(sqlite3_file* file, int offset, int count, int flags) {
  return of(file).real()->pMethods->xShmLock(of(file).real(), offset, count, flags);
}
void barrier(sqlite3_file* file) { of(file).real()->pMethods->xShmBarrier(of(file).real()); }
int unmap_shared(sqlite3_file* file, int remove) {
  return of(file).real()->pMethods->xShmUnmap(of(file).real(), remove);
}

const sqlite3_io_methods kMethods{2,         close_file,   read_file,       write_file,  truncate_file,
                                  sync_file, file_size,    lock_file,       unlock_file, check_lock,
                                  control,   sector_size,  characteristics, map_shared,  lock_shared,
                                  barrier,   unmap_shared, nullptr,         nullptr};

std::string contents_of(const std::string& name) {
  std::ostringstream out;
  out << std::ifstream(name, std::ios::binary).rdbuf();
  return out.str();
}

int open_file(sqlite3_vfs* /*vfs*/, const char* name, sqlite3_file* file, int flags, int* out) {
  File& it = of(file);
  it.base.pMethods = nullptr;
  it.name = nullptr;
  const int result = disk.usual->xOpen(disk.usual, name, it.real(), flags, out);
  if (result != SQLITE_OK) return result;
  if (name != nullptr) {
    it.name = new std::string(name);
    Image& image = disk.files[*it.name];
    if (image.removed || (image.durable.empty() && image.pending.empty())) image = {contents_of(*it.name), {}, false};
  }
  it.base.pMethods = &kMethods;
  return SQLITE_OK;
}

// Not forced to the disk: after a loss of power the file may be there again.
int delete_file(sqlite3_vfs* /*vfs*/, const char* name, int sync) {
  disk.files[name].removed = true;
  return disk.usual->xDelete(disk.usual, name, sync);
}

}  // namespace

LossyDisk::LossyDisk(std::function<void()> on_write) {
  disk.usual = sqlite3_vfs_find(nullptr);
  disk.lossy = *disk.usual;
  disk.lossy.zName = "lossy";
  disk.lossy.szOsFile = static_cast<int>(sizeof(File)) + disk.usual->szOsFile;
  disk.lossy.xOpen = open_file;
  disk.lossy.xDelete = delete_file;
  disk.on_write = std::move(on_write);
  sqlite3_vfs_register(&disk.lossy, 1);
}

LossyDisk::~LossyDisk() {
  sqlite3_vfs_register(disk.usual, 1);
  sqlite3_vfs_unregister(&disk.lossy);
  disk.files.clear();
  disk.on_write = nullptr;
}

void LossyDisk::lose_power(const std::filesystem::path& folder, std::uint64_t seed) const {
  constexpr std::size_t kSector = 512;
  Rng rng(seed);
  for (const auto& [name, image] : disk.files) {
    if (image.removed && (seed == kNothing || rng.below(2) == 0)) continue;
    std::string left = image.durable;
    for (const Change& each : image.pending) {
      if (seed == kNothing) break;
      if (each.cut) {
        if (rng.below(2) == 0) apply(each, left);
        continue;
      }
      for (std::size_t at = 0; at < each.bytes.size(); at += kSector)
        if (rng.below(2) == 0) apply({each.offset + at, each.bytes.substr(at, kSector)}, left);
    }
    std::ofstream(folder / std::filesystem::path(name).filename(), std::ios::binary) << left;
  }
}

}  // namespace iqbo::test
