// Many processes, some of which are killed.
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <thread>

#include "iqbo/core/rng.hpp"
#include "places.hpp"

namespace iqbo {
namespace {

using test::draft;

// Runs `work` in a process of its own; exit code 0 if it returns.
template <class Work>
pid_t spawn(const Work& work) {
  const pid_t child = fork();
  if (child != 0) return child;
  try {
    work();
    _exit(0);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "in a child: %s\n", error.what());
    _exit(1);
  }
}

int ended(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

class Processes : public testing::TestWithParam<std::string> {
 protected:
  Processes() : place_(GetParam()), location_(place_.fresh()) { Storage::create(location_, test::small_bundle()); }

  test::Place place_;
  std::string location_;
};

// The query is how many were handed out before, so handing out the same twice would show.
std::optional<Trial> ask(Storage& storage, const std::string& worker, double lease, bool new_ones = true) {
  for (const Trial& trial : storage.pending())
    if (const auto taken = storage.take(trial.number, worker, lease)) return taken;
  if (!new_ones) return {};
  const auto events = storage.events();
  const auto asked = std::count_if(events.begin(), events.end(), [](const Event& e) { return e.body.index() == 0; });
  const auto claimed =
      storage.claim({draft({static_cast<double>(asked)})}, events.empty() ? 0 : events.back().seq, worker, lease);
  if (!claimed) return {};
  return claimed->at(0);
}

double measured(const Trial& trial) { return 1.0 / (1.0 + trial.query[0]); }

// Works until `trials` were handed out and all are told.
void work_on(const std::string& location, const std::string& worker, std::size_t trials, double lease,
             int report = -1) {
  Storage storage = Storage::open(location);
  while (true) {
    const bool enough = storage.trials().size() >= trials;
    if (enough && storage.pending().empty()) return;
    const std::optional<Trial> trial = ask(storage, worker, lease, !enough);
    if (!trial) {
      std::this_thread::sleep_for(std::chrono::milliseconds(enough ? 5 : 0));
      continue;
    }
    const Settled settled = storage.tell(trial->number, {measured(*trial), {}, 1}, worker);
    if (settled.verdict == Settled::Verdict::kStored && report >= 0 &&
        write(report, &trial->number, sizeof trial->number) != sizeof trial->number)
      throw std::runtime_error("pipe");
  }
}

void expect_whole(const Storage& storage) {
  std::set<double> queries;
  std::set<std::int64_t> told;
  for (const Trial& trial : storage.trials()) {
    EXPECT_EQ(trial.state, TrialState::kTold);
    EXPECT_EQ(trial.answer->value, measured(trial));
    EXPECT_TRUE(queries.insert(trial.query[0]).second) << "handed out twice: " << trial.query[0];
  }
  std::int64_t seq = 0;
  for (const Event& event : storage.events()) {
    EXPECT_EQ(event.seq, ++seq);
    const auto* body = std::get_if<Told>(&event.body);
    EXPECT_TRUE(body == nullptr || told.insert(body->trial).second);
  }
  EXPECT_EQ(told.size(), queries.size());
}

TEST_P(Processes, ShareOneStudy) {
  constexpr int kWorkers = 4;
  constexpr std::size_t kTrials = 60;
  std::vector<pid_t> children;
  for (int w = 0; w < kWorkers; ++w)
    children.push_back(spawn([&] { work_on(location_, test::numbered("w", w), kTrials, 60); }));
  for (const pid_t child : children) EXPECT_EQ(ended(child), 0);
  const Storage storage = Storage::open(location_, Access::kReadOnly);
  EXPECT_GE(storage.trials().size(), kTrials);
  expect_whole(storage);
}

TEST_P(Processes, TheDeadAreReplaced) {
  constexpr double kLease = 0.3;
  std::vector<pid_t> children;
  for (int w = 0; w < 4; ++w)
    children.push_back(spawn([&] { work_on(location_, test::numbered("w", w), 40, kLease); }));
  // One more claims and dies at once, holding its trial.
  EXPECT_EQ(ended(spawn([&] {
              Storage storage = Storage::open(location_);
              while (!ask(storage, "doomed", kLease)) continue;
            })),
            0);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  kill(children[0], SIGKILL);
  kill(children[1], SIGKILL);
  for (const pid_t child : children) ended(child);
  work_on(location_, "last", 40, kLease);
  expect_whole(Storage::open(location_, Access::kReadOnly));
}

// kill -9 at any moment: what was acknowledged is there, and the same worker goes on where it was.
TEST_P(Processes, NothingAcknowledgedIsLost) {
  constexpr int kKills = 10;
  constexpr std::size_t kTrials = 400;
  Rng rng(3);
  std::set<std::int64_t> acknowledged;
  for (int round = 0; round < kKills; ++round) {
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    const pid_t child = spawn([&] { work_on(location_, "only", kTrials, 3600, ends[1]); });
    close(ends[1]);
    pollfd first{ends[0], POLLIN, 0};
    if (round == 0) poll(&first, 1, 30000);  // on a busy machine too, some rounds acknowledge something
    std::this_thread::sleep_for(std::chrono::microseconds(20000 + rng.below(60000)));
    kill(child, SIGKILL);
    ended(child);
    std::int64_t number = 0;
    while (read(ends[0], &number, sizeof number) == sizeof number) EXPECT_TRUE(acknowledged.insert(number).second);
    close(ends[0]);
    const Storage storage = Storage::open(location_, Access::kReadOnly);
    const auto trials = storage.trials();
    for (const std::int64_t told : acknowledged)
      ASSERT_EQ(trials.at(static_cast<std::size_t>(told)).state, TrialState::kTold);
    EXPECT_LE(storage.pending().size(), 1U);  // it took its own back, each time
  }
  EXPECT_GT(acknowledged.size(), 0U);
  const std::size_t before = Storage::open(location_, Access::kReadOnly).trials().size();
  work_on(location_, "only", before + 5, 3600);
  const Storage storage = Storage::open(location_, Access::kReadOnly);
  expect_whole(storage);
  // One worker: the trace is that of a run that nobody killed.
  std::int64_t seq = 0;
  for (const Trial& trial : storage.trials()) {
    EXPECT_EQ(trial.query[0], static_cast<double>(trial.number));
    EXPECT_EQ(trial.seen, seq);
    EXPECT_EQ(trial.handouts, 1);
    seq += 2;
  }
}

INSTANTIATE_TEST_SUITE_P(Places, Processes, testing::Values("sqlite", "postgresql"),
                         [](const auto& each) { return each.param; });

}  // namespace
}  // namespace iqbo
