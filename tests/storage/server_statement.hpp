// Statements to the server itself, past iqbo.
#pragma once

#include <soci/postgresql/soci-postgresql.h>
#include <soci/soci.h>

#include <string>

#include "places.hpp"

namespace iqbo::test {

inline void server_statement(const std::string& text) {
  const std::string url = server_url();
  const std::string port = url.substr(url.rfind(':') + 1, url.rfind('/') - url.rfind(':') - 1);
  soci::session(soci::postgresql, "host=127.0.0.1 port=" + port + " user=iqbo password=s3cr%t/:@word dbname=postgres")
      << text;
}

// A new schema at every call.
inline std::string fresh_schema() {
  static std::atomic<int> calls = 0;
  const std::string name = numbered("schema", getpid()) + numbered("_", ++calls);
  server_statement("CREATE SCHEMA " + name);
  return name;
}

}  // namespace iqbo::test
