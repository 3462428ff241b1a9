#include "shared_texts.hpp"

#include <libpq-fe.h>

#include "iqbo/core/check.hpp"
#include "iqbo/storage/storage_error.hpp"

namespace iqbo::internal {
namespace {

using Kind = StorageError::Kind;

// A topic may be longer than what an index can hold, so its digest is kept. Two processes that create the table at the same moment would collide: one waits for the other.
constexpr const char* kCreate =
    "SELECT pg_advisory_xact_lock(1769038447);"
    "CREATE TABLE IF NOT EXISTS iqbo_shared_text (campaign TEXT, topic TEXT, name TEXT, body TEXT NOT NULL, "
    "PRIMARY KEY (campaign, topic, name))";

using Answer = std::unique_ptr<PGresult, decltype(&PQclear)>;

}  // namespace

SharedTexts::SharedTexts(const std::string& url) : location_(url) {
  if (location_.kind != StorageLocation::Kind::kServer)
    refuse("shared", location_.shown + " is not a server", "postgresql://user@host/database");
  connection_ = std::shared_ptr<PGconn>(PQconnectdb(location_.place.c_str()), &PQfinish);
  PQsetNoticeProcessor(
      connection_.get(), [](void*, const char*) {}, nullptr);  // "relation exists, skipping"
  const Answer made(PQstatus(connection_.get()) == CONNECTION_OK ? PQexec(connection_.get(), kCreate) : nullptr,
                    &PQclear);
  if (made && PQresultStatus(made.get()) == PGRES_COMMAND_OK) return;
  const std::string said = one_line(PQerrorMessage(connection_.get()));
  throw StorageError(Kind::kConnection,
                     location_.without_secrets(location_.shown + ": cannot be used (PostgreSQL: " + said + ")"));
}

std::vector<SharedTexts::Row> SharedTexts::ask(const char* sql, const std::vector<std::string>& values) const {
  std::vector<const char*> given;
  for (const std::string& value : values) given.push_back(value.c_str());
  const Answer answer(
      PQexecParams(connection_.get(), sql, static_cast<int>(given.size()), nullptr, given.data(), nullptr, nullptr, 0),
      &PQclear);
  const ExecStatusType status = PQresultStatus(answer.get());
  if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK)
    throw StorageError(
        Kind::kOther,
        location_.without_secrets(location_.shown + ": PostgreSQL: " + one_line(PQerrorMessage(connection_.get()))));
  std::vector<Row> out;
  for (int i = 0; i < PQntuples(answer.get()); ++i) {
    out.emplace_back();
    for (int j = 0; j < PQnfields(answer.get()); ++j)
      out.back().emplace_back(PQgetvalue(answer.get(), i, j),
                              static_cast<std::size_t>(PQgetlength(answer.get(), i, j)));
  }
  return out;
}

void SharedTexts::put(const std::string& topic, const std::string& name, const std::string& text) {
  ask("INSERT INTO iqbo_shared_text VALUES ($1, md5($2), $3, $4) ON CONFLICT DO NOTHING",
      {location_.study, topic, name, text});
}

std::vector<std::pair<std::string, std::string>> SharedTexts::all(const std::string& topic) const {
  std::vector<std::pair<std::string, std::string>> out;
  for (Row& row : ask("SELECT name, body FROM iqbo_shared_text WHERE campaign = $1 AND topic = md5($2) ORDER BY name",
                      {location_.study, topic}))
    out.emplace_back(std::move(row[0]), std::move(row[1]));
  return out;
}

}  // namespace iqbo::internal
