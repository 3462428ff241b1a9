#include "held_name.hpp"

#include <fcntl.h>
#include <libpq-fe.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <functional>
#include <mutex>
#include <set>
#include <thread>

#include "location.hpp"

namespace iqbo::internal {
namespace {

using Lock = std::shared_ptr<void>;  // null: held elsewhere
using Kind = StorageError::Kind;

// --- this process ---

Lock lock_in_memory(const std::string& key) {
  static std::mutex mutex;
  static std::set<std::string> held;
  const std::lock_guard guard(mutex);
  if (!held.insert(key).second) return nullptr;
  return {&held, [key](void*) {
            const std::lock_guard again(mutex);
            held.erase(key);
          }};
}

// --- a file ---

// FNV-1a gives the same offset in every program; std::hash need not.
std::int64_t place_of(const std::string& name) {
  std::uint64_t hash = 14695981039346656037ULL;  // FNV-1a
  for (const char letter : name) hash = (hash ^ static_cast<unsigned char>(letter)) * 1099511628211ULL;
  return static_cast<std::int64_t>(hash >> 2);  // an offset within a file
}

// Anyone who may write the study may also lock this file.
int open_beside(const std::string& study) {
  const std::string file = std::filesystem::weakly_canonical(study).string() + "-workers";
  struct stat of_study {};
  if (stat(study.c_str(), &of_study) != 0) throw StorageError(Kind::kNotFound, study + ": there is no such file");
  constexpr int kOpen = O_RDWR | O_CLOEXEC | O_NOFOLLOW;
  const int made = open(file.c_str(), kOpen | O_CREAT | O_EXCL, S_IRUSR | S_IWUSR);
  if (made >= 0) fchmod(made, of_study.st_mode & (S_IRWXU | S_IRWXG | S_IRWXO));
  const int found = made >= 0 ? made : open(file.c_str(), kOpen);
  if (found < 0)
    throw StorageError(Kind::kReadOnly, file + ": cannot be opened for locks of workers: " + std::strerror(errno));
  return found;
}

Lock lock_in_file(const std::string& study, const std::string& name) {
  const Lock file(new int(open_beside(study)), [](int* handle) {
    close(*handle);
    delete handle;
  });
  struct flock byte {};
  byte.l_type = F_WRLCK;
  byte.l_whence = SEEK_SET;
  byte.l_start = place_of(name);
  byte.l_len = 1;
  if (fcntl(*static_cast<int*>(file.get()), F_OFD_SETLK, &byte) == 0) return file;
  if (errno == EAGAIN || errno == EACCES) return nullptr;
  throw StorageError(Kind::kLocks, study + "-workers: locks do not work there: " + std::strerror(errno));
}

// --- a server ---

Lock lock_at_server(const StorageLocation& location, const std::string& name) {
  const std::shared_ptr<PGconn> connection(PQconnectdb(location.place.c_str()), &PQfinish);
  const auto failed = [&] {
    const std::string said = one_line(PQerrorMessage(connection.get()));
    return StorageError(
        Kind::kConnection,
        location.without_secrets(location.shown + ": no connection to the server (PostgreSQL: " + said + ")"));
  };
  if (PQstatus(connection.get()) != CONNECTION_OK) throw failed();
  const std::array<const char*, 2> values{location.study.c_str(), name.c_str()};
  const std::unique_ptr<PGresult, decltype(&PQclear)> answer(
      PQexecParams(connection.get(),
                   "SELECT pg_try_advisory_lock(hashtextextended(concat_ws('/', 'iqbo', current_schema(), $1::text, "
                   "$2::text), 0))",
                   static_cast<int>(values.size()), nullptr, values.data(), nullptr, nullptr, 0),
      &PQclear);
  if (PQresultStatus(answer.get()) != PGRES_TUPLES_OK) throw failed();
  return *PQgetvalue(answer.get(), 0, 0) == 't' ? connection : nullptr;
}

bool answers(PGconn* connection) {
  const std::unique_ptr<PGresult, decltype(&PQclear)> answer(PQexec(connection, "SELECT 1"), &PQclear);
  return PQresultStatus(answer.get()) == PGRES_TUPLES_OK;
}

Lock lock_once(const StorageLocation& location, const std::string& name) {
  switch (location.kind) {
    case StorageLocation::Kind::kMemory:
      return lock_in_memory(location.place + "/" + name);
    case StorageLocation::Kind::kFile:
      return lock_in_file(location.place, name);
    case StorageLocation::Kind::kServer:
      break;
  }
  return lock_at_server(location, name);
}

}  // namespace

std::optional<HeldName> HeldName::hold(const std::string& location, const std::string& name, double patience) {
  const StorageLocation at(location);
  const auto clock = [] { return std::chrono::steady_clock::now(); };
  const auto end = clock() + std::chrono::duration<double>(patience);
  for (;;) {
    if (Lock lock = lock_once(at, name)) {
      auto* const given = static_cast<PGconn*>(at.kind == StorageLocation::Kind::kServer ? lock.get() : nullptr);
      return HeldName(std::move(lock), [given] { return given == nullptr || answers(given); });
    }
    if (clock() >= end) return std::nullopt;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
}

}  // namespace iqbo::internal
