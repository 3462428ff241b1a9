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

}  // namespace iqbo::test
