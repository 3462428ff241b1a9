// The three places a study may be kept in, for tests of what they have in common.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <string>

#include "iqbo/storage/storage.hpp"
#include "support/scratch.hpp"

namespace iqbo::test {

// The URL of the server that ctest started (tests/storage/postgresql_server.py).
inline std::string server_url() {
  std::ifstream in(IQBO_POSTGRESQL_RECORD);
  std::string url;
  if (!std::getline(in, url))
    throw std::runtime_error("no PostgreSQL server; run these tests by ./dev test -R storage");
  return url;
}

inline std::string numbered(const char* prefix, std::int64_t number) {
  return std::string(prefix).append(std::to_string(number));
}

// A new location at every call.
class Place {
 public:
  explicit Place(std::string kind) : kind_(std::move(kind)) {}
  const std::string& kind() const { return kind_; }

  std::string fresh() const {
    static std::atomic<int> calls = 0;
    const std::string name = numbered("s", getpid()) + numbered("-", ++calls) + numbered("-", time(nullptr));
    if (kind_ == "memory") return "memory:" + name;
    if (kind_ == "sqlite") return scratch_.file(name + ".db");
    return server_url() + "?study=" + name;
  }

 private:
  std::string kind_;
  Scratch scratch_;
};

inline SpecBundle small_bundle() {
  return {R"({"version": 2, // comments stay
              "targets": {"kind": "points", "points": "p.csv", "coordinates": ["x"]},
              "queries": {"kind": "box", "axes": [{"name": "x", "from": 0, "to": 1}]},
              "conditional": {"kind": "gaussian", "width": 0.1}})",
          {{"p.csv", "x,name\n0.5,\"Zürich, 'west' :name\"\r\n"}}};
}

inline Trial draft(std::vector<double> query) {
  Trial trial;
  trial.query = std::move(query);
  trial.policy = "cmes";
  return trial;
}

// Claims with whatever is the last event now.
inline Trial hand_out(Storage& storage, double query, std::string_view worker = "w", double lease = 60) {
  return storage.claim({draft({query})}, storage.last_event(), worker, lease)->at(0);
}

}  // namespace iqbo::test
