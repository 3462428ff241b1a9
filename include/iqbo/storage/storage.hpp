// Where one study is kept: its spec, an append-only log of events, and leases on the pending trials.
//
//   Storage::create("study.db", bundle);                             // SQLite, a file
//   Storage s = Storage::open("postgresql://host/db?study=malaria"); // PostgreSQL, many hosts
//   Storage::create("memory:test", bundle);                          // this process only
//
// The contract, the same for all three (docs/storage.md, tests/storage/contract_test.cpp):
//
// - A call that returned has happened: it survives kill -9, and with SQLite and PostgreSQL a loss of power. A call that
//   throws has changed nothing, except that after StorageError::kConnection a change may or may not have been made;
//   repeating the call is then safe: telling is idempotent, and a worker is handed its own trial again.
// - Events are numbered 1, 2, ... without gaps, in one order that all readers see; none is ever changed or removed. The
//   state of a study is a fold over them. Leases and heartbeats are not events: they do not influence the trace.
// - A change that iqbo did not make is noticed (kDamaged): each event has a digest that covers all events before it.
//   Whoever reads the log checks all of it; whoever writes checks the last event, and those of the trial concerned.
// - Every change is one transaction. Writers wait for each other; readers wait for nobody, and nobody for them.
// - Doubles come back bit for bit; NaN and infinity are refused on entry.
//
// How `study` asks: it reads the events, folds them, chooses a query, and calls claim() with the last event seen. If
// somebody else has claimed since, that fails, and it chooses again; a tell in between does no harm. Trial::seen is the
// last event known to the choice. So no two workers get the same query unknowingly, and every choice can be replayed.
//
// Threads may share an object; processes open their own. Do not carry one across fork().
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "iqbo/record/event.hpp"
#include "iqbo/record/spec_bundle.hpp"
#include "iqbo/storage/storage_check.hpp"
#include "iqbo/storage/storage_error.hpp"

namespace iqbo {

constexpr std::int64_t kStorageVersion = 2;

enum class Access { kReadWrite, kReadOnly };

struct StorageOptions {
  double busy_seconds = 60;  // SQLite: how long to wait for other writers

  // Seconds since 1970, for leases and the times of events. Default: the server's clock (PostgreSQL), so that those of
  // hosts need not agree; else this machine's, where leases go by a clock of the kernel that nobody can set.
  std::function<double()> clock = {};
};

// What became of a tell, amend or fail.
struct Settled {
  enum class Verdict {
    kStored,    // it is now in the log
    kRepeated,  // the same was stored before; nothing was added
    kRefused    // it contradicts the log; nothing was added, and `why` says what to do
  };
  Verdict verdict;
  Trial trial;  // as it now stands
  std::string why;
};

class Storage {
 public:
  // All or nothing: if this fails, or the process is killed, there is no study. Refuses a location that already has one
  // (kExists), and a bundle whose spec does not parse. `first`: imports or refits with which the log begins.
  static Storage create(const std::string& location, const SpecBundle& bundle, const StorageOptions& options = {},
                        const std::vector<EventBody>& first = {});
  static Storage open(const std::string& location, Access access = Access::kReadWrite,
                      const StorageOptions& options = {});

  Storage(Storage&&) noexcept;
  Storage& operator=(Storage&&) noexcept;
  ~Storage();

  const SpecBundle& bundle() const;
  const std::string& location() const;  // without password, to be shown

  // --- reading ---
  std::vector<Event> events(std::int64_t after = 0) const;  // those with seq > after, in order
  std::int64_t last_event() const;                          // 0: none
  std::vector<Trial> trials() const;                        // in order of number
  std::vector<Trial> pending() const;
  Trial trial(std::int64_t number) const;  // refuses a number that was not handed out
  double now() const;                      // the clock that leases use
  StorageCheck check() const;              // of everything; does not stop at what is damaged

  // --- handing out ---

  // Numbers the drafts, leases them to `worker` for `lease_seconds` and logs them, all or none. Ignores number, state,
  // answer, worker, lease and seen of a draft. None if a trial was handed out after event `seen`: then choose again.
  std::optional<std::vector<Trial>> claim(const std::vector<Trial>& drafts, std::int64_t seen, std::string_view worker,
                                          double lease_seconds);

  // Hands a pending trial to `worker`: its own at once (after a restart), another's when the lease has expired (logged
  // as taken). None if the trial is no longer pending, or another worker holds it.
  std::optional<Trial> take(std::int64_t number, std::string_view worker, double lease_seconds);

  // Extends the lease to now + lease_seconds. false: `worker` no longer holds the trial (it was told, failed or taken).
  bool heartbeat(std::int64_t number, std::string_view worker, double lease_seconds);

  // --- finishing ---

  // Anyone may tell, even a worker that has lost its lease: the first answer counts.
  Settled tell(std::int64_t number, const Answer& answer, std::string_view worker = {});
  // Replaces an answer or a failure; the log keeps the former.
  Settled amend(std::int64_t number, const Answer& answer, std::string_view worker = {});
  // Only the worker that holds the trial may fail it; anyone if `worker` is "".
  Settled fail(std::int64_t number, std::string_view reason, std::string_view worker = {});

  // Appends an import or a refit; returns the event's seq. The calls above log all other events.
  std::int64_t append(const EventBody& body);

 private:
  class State;
  explicit Storage(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// Whether there is a study; false also if the file or database holds something else.
bool study_exists(const std::string& location);

// A location as it may be shown: passwords replaced by ***.
std::string public_location(const std::string& location);

// Removes from `text` the passwords in `word`, which may be a URL given where none is expected.
std::string without_secrets_of(const std::string& word, std::string text);

}  // namespace iqbo
