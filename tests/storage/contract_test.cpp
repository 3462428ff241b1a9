// The contract of storage/storage.hpp, for every place alike.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <thread>

#include "iqbo/core/rng.hpp"
#include "iqbo/record/json.hpp"
#include "places.hpp"
#include "support/errors.hpp"

namespace iqbo {
namespace {

using test::draft;
using test::expect_error;
using test::expect_refusal;
using test::hand_out;
using test::small_bundle;
using Verdict = Settled::Verdict;

constexpr double kInf = std::numeric_limits<double>::infinity();

class StorageContract : public testing::TestWithParam<std::string> {
 protected:
  StorageContract() : place_(GetParam()), location_(place_.fresh()) {}

  Storage create() { return Storage::create(location_, small_bundle(), options()); }
  Storage open(Access access = Access::kReadWrite) { return Storage::open(location_, access, options()); }
  StorageOptions options() {
    return {60, [this] { return now_; }};
  }

  double now_ = 1000;
  test::Place place_;
  std::string location_;
};

TEST_P(StorageContract, StartsEmptyWithItsBundle) {
  EXPECT_FALSE(study_exists(location_));
  {
    const Storage storage = create();
    EXPECT_EQ(storage.bundle(), small_bundle());
    EXPECT_EQ(storage.last_event(), 0);
    EXPECT_TRUE(storage.events().empty());
    EXPECT_TRUE(storage.trials().empty());
  }
  EXPECT_TRUE(study_exists(location_));
  EXPECT_EQ(open().bundle(), small_bundle());
}

TEST_P(StorageContract, DoesNotOverwriteAndDoesNotInvent) {
  expect_error<StorageError>([&] { open(); }, {"no such study", ""});
  hand_out(*std::make_unique<Storage>(create()), 0.5);
  expect_error<StorageError>([&] { create(); }, {"already"});
  EXPECT_EQ(open().last_event(), 1);
  expect_refusal([&] { Storage::create(place_.fresh(), {"{}", {}}); }, {"version"});
  expect_refusal(
      [&] {
        Storage::create(place_.fresh(), {small_bundle().text, {{"p.csv", "\xFF"}}});
      },
      {"p.csv", "UTF-8"});
}

TEST_P(StorageContract, ClaimNumbersLogsAndLeases) {
  Storage storage = create();
  const auto first = storage.claim({draft({0.25}), draft({0.5})}, 0, "w1", 60);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->at(0).number, 0);
  EXPECT_EQ(first->at(1).number, 1);
  EXPECT_EQ(first->at(1).worker, "w1");
  EXPECT_EQ(first->at(1).lease_until, 1060);
  EXPECT_EQ(storage.trials(), *first);
  EXPECT_EQ(storage.pending(), *first);
  EXPECT_EQ(storage.trial(1), first->at(1));
  const auto events = storage.events();
  ASSERT_EQ(events.size(), 2U);
  EXPECT_EQ(events[1].seq, 2);
  EXPECT_EQ(events[1].time, 1000);
  const Trial& logged = std::get<Asked>(events[1].body).trial;
  EXPECT_EQ(logged.query, std::vector<double>{0.5});
  EXPECT_EQ(logged.lease_until, 0);  // not in the log
  EXPECT_EQ(open().trials(), *first);
  expect_refusal([&] { storage.trial(2); }, {"there is no trial 2", "0 to 1"});
  expect_refusal([&] { storage.claim({draft({1})}, 7, "w", 60); }, {"seen: is 7", "0 to 2"});
  expect_refusal([&] { storage.claim({draft({1})}, 2, "w", 0); }, {"lease_seconds"});
}

TEST_P(StorageContract, AClaimSeesAllClaimsBefore) {
  Storage storage = create();
  const std::int64_t seen = storage.last_event();
  ASSERT_TRUE(storage.claim({draft({0.1})}, seen, "w1", 60));
  EXPECT_FALSE(storage.claim({draft({0.1})}, seen, "w2", 60));  // would be the same query unawares
  EXPECT_EQ(storage.last_event(), 1);
  const std::int64_t again = storage.last_event();
  storage.tell(0, {1, {}, 1}, "w1");  // does not disturb
  const auto second = storage.claim({draft({0.2})}, again, "w2", 60);
  ASSERT_TRUE(second);
  EXPECT_EQ(second->at(0).seen, 1);
  EXPECT_EQ(storage.last_event(), 3);
}

TEST_P(StorageContract, TellingIsIdempotentAndAmendingKeepsHistory) {
  Storage storage = create();
  hand_out(storage, 0.5);
  const Answer answer{1.5, 0.1, 3};
  EXPECT_EQ(storage.tell(0, answer, "w").verdict, Verdict::kStored);
  EXPECT_EQ(storage.tell(0, answer, "other").verdict, Verdict::kRepeated);
  const Settled refused = storage.tell(0, {2, {}, 1}, "w");
  EXPECT_EQ(refused.verdict, Verdict::kRefused);
  EXPECT_NE(refused.why.find("trial 0 was told 1.5 (noise sd 0.1), not 2; amend"), std::string::npos) << refused.why;
  EXPECT_EQ(refused.trial.answer, answer);
  EXPECT_EQ(storage.last_event(), 2);
  EXPECT_EQ(storage.amend(0, {2, {}, 1}, "boss").verdict, Verdict::kStored);
  EXPECT_EQ(storage.amend(0, {2, {}, 1}, "boss").verdict, Verdict::kRepeated);
  EXPECT_EQ(storage.tell(0, {2, {}, 1}, "w").verdict, Verdict::kRepeated);
  const auto events = storage.events(1);
  ASSERT_EQ(events.size(), 2U);
  EXPECT_EQ(std::get<Told>(events[0].body), (Told{0, answer, "w"}));
  EXPECT_EQ(std::get<Amended>(events[1].body), (Amended{0, answer, {2, {}, 1}, "boss"}));
  EXPECT_EQ(storage.trial(0).state, TrialState::kTold);
  EXPECT_TRUE(storage.pending().empty());
  expect_refusal([&] { storage.tell(1, answer); }, {"there is no trial 1"});
}

TEST_P(StorageContract, FailingIsForTheHolder) {
  Storage storage = create();
  hand_out(storage, 0.5, "w1");
  EXPECT_EQ(storage.fail(0, "late", "w2").verdict, Verdict::kRefused);
  EXPECT_EQ(storage.fail(0, "exit code 3", "w1").verdict, Verdict::kStored);
  EXPECT_EQ(storage.fail(0, "exit code 3", "w1").verdict, Verdict::kRepeated);
  const Settled refused = storage.tell(0, {1, {}, 1}, "w1");
  EXPECT_EQ(refused.verdict, Verdict::kRefused);
  EXPECT_NE(refused.why.find("has failed (exit code 3)"), std::string::npos) << refused.why;
  EXPECT_EQ(storage.amend(0, {1, {}, 1}, "w1").verdict, Verdict::kStored);
  EXPECT_EQ(storage.fail(0, "no").verdict, Verdict::kRefused);
  EXPECT_EQ(storage.trial(0).reason, "");
  hand_out(storage, 0.5, "w1");
  EXPECT_EQ(storage.fail(1, "a person says so").verdict, Verdict::kStored);
  EXPECT_EQ(std::get<Failed>(storage.events(4).at(0).body), (Failed{1, "a person says so", "w1"}));
}

TEST_P(StorageContract, LeasesRunOutAndLateTellsCountOnce) {
  Storage storage = create();
  hand_out(storage, 0.5, "w1", 60);
  EXPECT_FALSE(storage.take(0, "w2", 60));
  const auto own = storage.take(0, "w1", 60);  // it restarted
  ASSERT_TRUE(own);
  EXPECT_EQ(own->handouts, 1);
  EXPECT_EQ(storage.last_event(), 1);  // and the log does not notice
  now_ += 50;
  EXPECT_TRUE(storage.heartbeat(0, "w1", 60));
  now_ += 50;
  EXPECT_FALSE(storage.take(0, "w2", 60));
  now_ += 10;
  const auto taken = storage.take(0, "w2", 60);
  ASSERT_TRUE(taken);
  EXPECT_EQ(taken->handouts, 2);
  EXPECT_EQ(std::get<Taken>(storage.events(1).at(0).body), (Taken{0, "w2", "w1"}));
  EXPECT_FALSE(storage.heartbeat(0, "w1", 60));
  EXPECT_FALSE(storage.take(0, "w1", 60));
  EXPECT_EQ(storage.fail(0, "gave up", "w1").verdict, Verdict::kRefused);
  EXPECT_EQ(storage.tell(0, {1, {}, 1}, "w1").verdict, Verdict::kStored);  // late, and the first
  EXPECT_EQ(storage.tell(0, {1.25, {}, 1}, "w2").verdict, Verdict::kRefused);
  EXPECT_FALSE(storage.heartbeat(0, "w2", 60));
  EXPECT_FALSE(storage.take(0, "w2", 60));
  EXPECT_EQ(storage.last_event(), 3);
}

TEST_P(StorageContract, RefusesWhatIsNotFiniteAndChangesNothing) {
  Storage storage = create();
  hand_out(storage, 0.5);
  const double nan = std::nan("");
  expect_refusal([&] { storage.tell(0, {nan, {}, 1}); }, {"value", "nan"});
  expect_refusal([&] { storage.tell(0, {kInf, {}, 1}); }, {"value", "inf"});
  expect_refusal([&] { storage.tell(0, {1, nan, 1}); }, {"noise_sd"});
  expect_refusal([&] { storage.tell(0, {1, -1, 1}); }, {"noise_sd"});
  expect_refusal([&] { storage.tell(0, {1, {}, 0}); }, {"replicates"});
  expect_refusal([&] { storage.claim({draft({0.5}), draft({nan})}, 1, "w", 60); }, {"nan"});
  expect_refusal([&] { storage.claim({draft({0.5}), draft({kInf})}, 1, "w", 60); }, {"query[0]", "inf"});
  expect_refusal([&] { storage.append(ImportedValues{{{{0.5}, "", {nan, {}, 1}}}, ""}); }, {"nan"});
  expect_refusal([&] { storage.append(ImportedValues{{{{0.5}, "", {kInf, {}, 1}}}, ""}); }, {"values[0].value"});
  expect_refusal([&] { storage.append(Told{0, {1, {}, 1}, ""}); }, {"\"told\"", "an import or a refit"});
  expect_refusal([&] { storage.claim({draft({1})}, 1, "\xFF", 60); }, {"worker"});
  EXPECT_EQ(storage.last_event(), 1);
  EXPECT_EQ(storage.trials().size(), 1U);
  EXPECT_EQ(storage.pending().size(), 1U);
}

TEST_P(StorageContract, DoublesComeBackBitForBit) {
  Storage storage = create();
  std::vector<double> values{5e-324, -0.0, 1.7976931348623157e308, 2.2250738585072014e-308, 0.1, 1.0 / 3, -1e-310};
  Rng rng(1);
  while (values.size() < 2000) {
    const auto value = std::bit_cast<double>(rng());
    if (std::isfinite(value)) values.push_back(value);
  }
  now_ = 1763265600.1234567;
  Trial trial = storage.claim({draft(values)}, 0, "w", 60)->at(0);
  storage.tell(0, {5e-324, 4.9406564584124654e-324, 1});
  storage.append(ImportedObservations{{{values, "", {-0.0, {}, 1}}}, ""});
  const auto same = [](const std::vector<double>& a, const std::vector<double>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](double x, double y) {
      return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
    });
  };
  const Storage again = open(Access::kReadOnly);
  EXPECT_TRUE(same(again.trial(0).query, values));
  EXPECT_EQ(again.trial(0).answer->value, 5e-324);
  const auto events = again.events();
  EXPECT_TRUE(same(std::get<Asked>(events[0].body).trial.query, values));
  EXPECT_EQ(events[0].time, now_);
  EXPECT_EQ(std::get<Told>(events[1].body).answer.noise_sd, 5e-324);
  EXPECT_TRUE(same(std::get<ImportedObservations>(events[2].body).observations[0].point, values));
}

TEST_P(StorageContract, TextIsOnlyText) {
  Storage storage = create();
  const std::string nasty = "'; DROP TABLE iqbo_event; -- :study $1 \"\\ \n\r\t %s ::int äöü \xF0\x9F\x98\x80";
  Trial trial = draft({0.5});
  trial.name = nasty;
  trial.why = {nasty, ""};
  expect_refusal([&] { storage.claim({trial}, 0, nasty, 60); }, {"worker", "control character"});
  expect_refusal([&] { storage.claim({trial}, 0, std::string(201, 'w'), 60); }, {"worker", "201 bytes"});
  const std::string worker = "'; DROP TABLE iqbo_event; -- :study $1 \"\\ %s ::int äöü \xF0\x9F\x98\x80";
  storage.claim({trial}, 0, worker, 60);
  storage.fail(0, nasty, worker);
  storage.append(ImportedPairs{{{1}}, {{2}}, nasty});
  const Storage again = open();
  EXPECT_EQ(again.trial(0).worker, worker);
  EXPECT_EQ(again.trial(0).reason, nasty);
  EXPECT_EQ(again.trial(0).why, trial.why);
  EXPECT_EQ(std::get<ImportedPairs>(again.events(2).at(0).body).source, nasty);
}

TEST_P(StorageContract, ImportsAndRefits) {
  Storage storage = create();
  const Hyperparameters fit{.observations = 3, .family = "rbf", .variance = {{2, 1, 4}}, .log_evidence = -1.5};
  EXPECT_EQ(storage.append(ImportedValues{{{{0.5}, "p", {1, 0.1, 2}}}, "f.csv"}), 1);
  EXPECT_EQ(storage.append(Refit{fit}), 2);
  EXPECT_EQ(std::get<Refit>(storage.events(1).at(0).body).fit, fit);
  EXPECT_EQ(storage.last_event(), 2);
  EXPECT_TRUE(storage.events(2).empty());
  EXPECT_TRUE(storage.events(99).empty());
  EXPECT_EQ(storage.events(-5).size(), 2U);
}

TEST_P(StorageContract, ReadersFollowButDoNotWrite) {
  Storage storage = create();
  Storage reader = open(Access::kReadOnly);
  hand_out(storage, 0.5);
  EXPECT_EQ(reader.last_event(), 1);
  expect_error<StorageError>([&] { reader.tell(0, {1, {}, 1}); }, {"reading only"});
  EXPECT_EQ(storage.tell(0, {1, {}, 1}).verdict, Verdict::kStored);
  EXPECT_EQ(reader.trial(0).state, TrialState::kTold);
}

TEST_P(StorageContract, ThreadsShareOneObject) {
  Storage storage = create();
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, worker = test::numbered("t", t)] {
      for (int i = 0; i < 10; ++i) {
        std::optional<std::vector<Trial>> mine;
        while (!mine) mine = storage.claim({draft({0.5})}, storage.last_event(), worker, 60);
        storage.tell(mine->at(0).number, {1.0 * i, {}, 1}, worker);
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(storage.trials().size(), 40U);
  EXPECT_EQ(storage.last_event(), 80);
  EXPECT_TRUE(storage.pending().empty());
}

// Whatever is done to a study in memory and to one elsewhere, both end up the same.
TEST_P(StorageContract, RandomHistoriesAgreeWithMemory) {
  Storage storage = create();
  Storage memory = Storage::create(test::Place("memory").fresh(), small_bundle(), options());
  Rng rng(7);
  for (int step = 0; step < 300; ++step) {
    const auto what = rng.below(7);
    const std::string worker = test::numbered("w", rng.below(3));
    const auto trials = static_cast<Index>(memory.trials().size());
    const std::int64_t number = trials == 0 ? 0 : rng.below(trials);
    const Answer answer{static_cast<double>(rng.below(2)), {}, 1};
    const std::int64_t seen = memory.last_event() == 0 ? 0 : memory.last_event() - rng.below(2);
    const double query = rng.uniform();
    now_ += 10;
    const auto act = [&](Storage& s) -> std::string {
      if (what == 0 || trials == 0) {
        const auto claimed = s.claim({draft({query})}, seen, worker, 25);
        return claimed ? to_json(claimed->at(0)) : "no";
      }
      if (what == 1) {
        const auto taken = s.take(number, worker, 25);
        return taken ? to_json(*taken) : "no";
      }
      if (what == 2) return s.heartbeat(number, worker, 25) ? "yes" : "no";
      if (what == 3) return std::to_string(s.append(Refit{}));
      const Settled settled = what == 4   ? s.tell(number, answer, worker)
                              : what == 5 ? s.fail(number, "why", worker)
                                          : s.amend(number, answer, worker);
      return std::to_string(static_cast<int>(settled.verdict)) + settled.why + to_json(settled.trial);
    };
    ASSERT_EQ(act(storage), act(memory)) << "step " << step;
  }
  EXPECT_EQ(storage.events(), memory.events());
  EXPECT_EQ(storage.trials(), memory.trials());
  EXPECT_GT(storage.trials().size(), 20U);
}

INSTANTIATE_TEST_SUITE_P(Places, StorageContract, testing::Values("memory", "sqlite", "postgresql"),
                         [](const auto& each) { return each.param; });

}  // namespace
}  // namespace iqbo
