// Texts that processes on many hosts share in a PostgreSQL database: a topic has texts by name. The first text of a name
// stays; whoever puts another one later changes nothing.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "location.hpp"

struct pg_conn;

namespace iqbo::internal {

class SharedTexts {
 public:
  // Refuses what is not the URL of a server. The part ?study=NAME of the URL keeps campaigns apart, as it does studies.
  explicit SharedTexts(const std::string& url);

  void put(const std::string& topic, const std::string& name, const std::string& text);
  std::vector<std::pair<std::string, std::string>> all(const std::string& topic) const;  // by name

 private:
  using Row = std::vector<std::string>;
  std::vector<Row> ask(const char* sql, const std::vector<std::string>& values) const;

  StorageLocation location_;
  std::shared_ptr<pg_conn> connection_;
};

}  // namespace iqbo::internal
