// Where one study is kept: its spec, an append-only log of events, and leases on the trials that are out.
//
//   Storage::create("study.db", bundle);                             // SQLite, a file
//   Storage s = Storage::open("postgresql://host/db?study=malaria"); // PostgreSQL, many hosts
//   Storage::create("memory:test", bundle);                          // this process only
//
// The contract, the same for all three (docs/storage.md, tests/storage/contract_test.cpp):
//
// - A call that returns has happened: it survives kill -9, and with SQLite and PostgreSQL the loss of power. A call that
//   throws has changed nothing, except that after StorageError::kConnection a change may or may not have been made;
//   repeating the call is then safe, as telling is idempotent and a worker's own trial is handed back to it.
// - Events are numbered 1, 2, ... without gaps, in one order that all readers see; none is ever changed or removed. The state
//   of a study is a fold over them. Leases and heartbeats are not events: they do not influence the trace.
// - Every change is one transaction. Writers wait for each other; readers wait for nobody, and nobody for them.
// - Doubles come back bit for bit; NaN and infinity are refused at the door.
//
// How `study` asks: read events, fold them, choose a query, claim() with the last event seen. If someone else claimed since, that
// fails, and the choice is made again in knowledge of it; a tell in between does not disturb, and the trial records what it was
// chosen in knowledge of (Trial::seen). So two workers never get the same query unawares, and every choice can be replayed.
//
// An object may be shared by threads; processes open their own. Do not carry one across fork().
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
#include "iqbo/storage/storage_error.hpp"

namespace iqbo {

constexpr std::int64_t kStorageVersion = 1;

enum class Access { kReadWrite, kReadOnly };

struct StorageOptions {
  double busy_seconds = 60;  // SQLite: how long to wait for other writers

  // Seconds since 1970, for leases and the times of events. Default: the server's clock (PostgreSQL), so that hosts need not
  // agree, or this machine's.
  std::function<double()> clock = {};
};

// What became of a tell, amend or fail.
struct Settled {
  enum class Verdict {
    kStored,    // it is now in the log
    kRepeated,  // the very same was there already; nothing was added
    kRefused    // it contradicts what is there; nothing was added, `why` says what to do
  };
  Verdict verdict;
  Trial trial;  // as it now stands
  std::string why;
};

class Storage {
 public:
  // Refuses a place where a study is already (kExists), and a bundle whose spec does not parse.
  static Storage create(const std::string& location, const SpecBundle& bundle, const StorageOptions& options = {});
  static Storage open(const std::string& location, Access access = Access::kReadWrite,
                      const StorageOptions& options = {});

  Storage(Storage&&) noexcept;
  Storage& operator=(Storage&&) noexcept;
  ~Storage();

  const SpecBundle& bundle() const;
  const std::string& location() const;  // for people: without password

  // --- reading ---
  std::vector<Event> events(std::int64_t after = 0) const;  // those with seq > after, in order
  std::int64_t last_event() const;                          // 0: none
  std::vector<Trial> trials() const;                        // in order of number
  std::vector<Trial> pending() const;
  Trial trial(std::int64_t number) const;  // refuses a number that was not handed out
  double now() const;                      // the clock of leases

  // --- handing out ---

  // Numbers the drafts, gives them to `worker` for `lease_seconds` and logs them, all or none. Of a draft, number, state,
  // answer, worker, lease and seen are ignored. None if a trial was handed out after event `seen`: look again, choose again.
  std::optional<std::vector<Trial>> claim(const std::vector<Trial>& drafts, std::int64_t seen, std::string_view worker,
                                          double lease_seconds);

  // A pending trial for `worker`: its own at once (it restarted), another's when its lease has run out (logged as taken).
  // None if it is no longer pending, or another holds it.
  std::optional<Trial> take(std::int64_t number, std::string_view worker, double lease_seconds);

  // Extends the lease to now + lease_seconds. false: `worker` does not hold it any more (told, failed or taken).
  bool heartbeat(std::int64_t number, std::string_view worker, double lease_seconds);

  // --- finishing ---

  // Anyone may tell, also a worker that has lost its lease: the first answer counts.
  Settled tell(std::int64_t number, const Answer& answer, std::string_view worker = {});
  // Replaces an answer or a failure; the log keeps the former.
  Settled amend(std::int64_t number, const Answer& answer, std::string_view worker = {});
  // Only by the worker that holds it; by anyone if `worker` is "".
  Settled fail(std::int64_t number, std::string_view reason, std::string_view worker = {});

  // Imports and refits; the event's seq. Other events come about by the calls above.
  std::int64_t append(const EventBody& body);

 private:
  class State;
  explicit Storage(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// Whether there is a study; false also if what is there is something else.
bool study_exists(const std::string& location);

// A location as it may be shown: passwords replaced by ***.
std::string public_location(const std::string& location);

// `text` without the passwords that are in `word`, which may be a URL in a place where none belongs.
std::string without_secrets_of(const std::string& word, std::string text);

}  // namespace iqbo
