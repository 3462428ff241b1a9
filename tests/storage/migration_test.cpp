// Studies of version 1, which had no digests: they open as before, and get digests when they are next written to.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <soci/soci.h>
#include <soci/sqlite3/soci-sqlite3.h>

#include <iomanip>
#include <sstream>

#include "places.hpp"
#include "server_statement.hpp"
#include "support/errors.hpp"

namespace iqbo {
namespace {

using test::expect_error;

// Version 1 of the spec, too.
SpecBundle golden_bundle() {
  return {R"({"version": 1, // comments stay
              "target": {"kind": "points", "points": "p.csv", "coordinates": ["x"]},
              "query": {"kind": "box", "axes": [{"name": "x", "from": 0, "to": 1}]},
              "conditional": {"kind": "gaussian", "width": 0.1}})",
          {{"p.csv", "x,name\n0.5,\"Zürich, 'west' :name\"\r\n"}}};
}

// What the golden study holds: two trials, the first told; a table of pairs.
void expect_the_golden_study(const Storage& storage) {
  const Answer answer{1.0 / 3, 5e-324, 2};
  EXPECT_EQ(storage.bundle(), golden_bundle());
  ASSERT_EQ(storage.events().size(), 4U);
  const std::vector<Trial> trials = storage.trials();
  ASSERT_EQ(trials.size(), 2U);
  EXPECT_EQ(trials[0].answer, answer);
  EXPECT_EQ(trials[0].fit->variance->high, 2);
  EXPECT_EQ(trials[1].lease_until, 1763265660.5);
  EXPECT_EQ(storage.pending(), std::vector<Trial>{trials[1]});
  EXPECT_EQ(std::get<ImportedPairs>(storage.events(3).at(0).body).source, "pairs.csv");
}

// SOCI would take a colon in a statement for a parameter.
std::string server_value(const soci::row& row, std::size_t column) {
  const soci::data_type type = row.get_properties(column).get_data_type();
  if (type == soci::dt_double) return std::to_string(row.get<double>(column));
  if (type != soci::dt_string) return std::to_string(row.get<long long>(column));
  std::ostringstream hex;
  for (const char c : row.get<std::string>(column))
    hex << std::hex << std::setw(2) << std::setfill('0') << static_cast<int>(static_cast<unsigned char>(c));
  return "convert_from(decode('" + hex.str() + "', 'hex'), 'UTF8')";
}

class VersionOne : public testing::Test {
 protected:
  VersionOne() { std::filesystem::copy(std::string(IQBO_SOURCE_DIR) + "/tests/golden/study_v1.db", file_); }
  void statement(const std::string& text) { soci::session(soci::sqlite3, "dbname=" + file_) << text; }
  std::int64_t version() {
    std::int64_t out = 0;
    soci::session(soci::sqlite3, "dbname=" + file_) << "SELECT version FROM iqbo_schema", soci::into(out);
    return out;
  }

  test::Scratch scratch_;
  std::string file_ = scratch_.file("study.db");
};

TEST_F(VersionOne, IsReadAsItIs) {
  expect_the_golden_study(Storage::open(file_, Access::kReadOnly));
  EXPECT_FALSE(Storage::open(file_, Access::kReadOnly).check().digests);
  EXPECT_TRUE(Storage::open(file_, Access::kReadOnly).check().problems.empty());
  EXPECT_EQ(version(), 1);
}

TEST_F(VersionOne, GetsDigestsWhenItIsWrittenTo) {
  const Storage reader = Storage::open(file_, Access::kReadOnly);  // goes on reading
  Storage storage = Storage::open(file_);
  expect_the_golden_study(storage);
  expect_the_golden_study(reader);
  EXPECT_EQ(version(), 2);
  EXPECT_TRUE(storage.check().digests);
  EXPECT_EQ(storage.tell(1, {2, {}, 1}).verdict, Settled::Verdict::kStored);
  EXPECT_TRUE(storage.check().problems.empty());
  statement("UPDATE iqbo_event SET time = time + 1 WHERE seq = 3");
  expect_error<StorageError>([&] { storage.events(); }, {"event 3 is damaged"});
}

// Nobody could say which of the two is right.
TEST_F(VersionOne, ThatDisagreesWithItselfIsRefused) {
  statement("UPDATE iqbo_event SET body = replace(body, '0.333', '9.333') WHERE seq = 3");
  expect_error<StorageError>([&] { Storage::open(file_); }, {"trial 0 is damaged", "does not agree with the log"});
  EXPECT_EQ(version(), 1);
  EXPECT_EQ(Storage::open(file_, Access::kReadOnly).events().size(), 4U);
}

TEST_F(VersionOne, WithGapsIsRefused) {
  statement("DELETE FROM iqbo_event WHERE seq = 3");
  expect_error<StorageError>([&] { Storage::open(file_); }, {"event 3 is damaged", "no gap"});
  statement("DELETE FROM iqbo_trial");
  expect_error<StorageError>([&] { Storage::open(file_, Access::kReadOnly).events(); }, {"damaged"});
}

// The tables as version 1 made them at a server, filled with the rows of the golden file.
TEST_F(VersionOne, AtAServerToo) {
  const std::string schema = test::fresh_schema();
  const auto run = [&](const std::string& text) {
    test::server_statement("SET search_path TO " + schema + "; " + text);
  };
  run("CREATE TABLE iqbo_schema (version BIGINT NOT NULL);"
      "CREATE TABLE iqbo_study (id BIGINT PRIMARY KEY, name TEXT NOT NULL UNIQUE, created DOUBLE PRECISION NOT NULL, "
      "spec TEXT NOT NULL);"
      "CREATE TABLE iqbo_file (study BIGINT NOT NULL REFERENCES iqbo_study (id), name TEXT NOT NULL, "
      "contents TEXT NOT NULL, PRIMARY KEY (study, name));"
      "CREATE TABLE iqbo_event (study BIGINT NOT NULL REFERENCES iqbo_study (id), seq BIGINT NOT NULL, "
      "time DOUBLE PRECISION NOT NULL, kind TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (study, seq));"
      "CREATE TABLE iqbo_trial (study BIGINT NOT NULL REFERENCES iqbo_study (id), number BIGINT NOT NULL, "
      "state BIGINT NOT NULL, worker TEXT NOT NULL, lease_until DOUBLE PRECISION NOT NULL, handouts BIGINT NOT NULL, "
      "body TEXT NOT NULL, PRIMARY KEY (study, number));"
      "CREATE INDEX iqbo_trial_state ON iqbo_trial (study, state, number)");
  soci::session from(soci::sqlite3, "dbname=" + file_);
  for (const std::string table : {"iqbo_schema", "iqbo_study", "iqbo_file", "iqbo_event", "iqbo_trial"}) {
    const soci::rowset<soci::row> rows = (from.prepare << "SELECT * FROM " + table);
    for (const soci::row& row : rows) {
      std::string values;
      for (std::size_t i = 0; i < row.size(); ++i) values += (values.empty() ? "" : ", ") + server_value(row, i);
      run("INSERT INTO " + table + " VALUES (" + values + ")");
    }
  }
  const std::string location = test::server_url() + "?study=study&options=-csearch_path%3D" + schema;
  expect_the_golden_study(Storage::open(location, Access::kReadOnly));
  Storage storage = Storage::open(location);
  expect_the_golden_study(storage);
  EXPECT_EQ(storage.tell(1, {2, {}, 1}).verdict, Settled::Verdict::kStored);
  EXPECT_TRUE(storage.check().problems.empty());
  EXPECT_TRUE(storage.check().digests);
}

}  // namespace
}  // namespace iqbo
