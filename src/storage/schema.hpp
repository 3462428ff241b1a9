// The tables of a study, their versions, and the way from one version to the next. All of it runs within a transaction of
// the caller. Only SQL that SQLite and PostgreSQL both understand.
#pragma once

#include <soci/soci.h>

#include "iqbo/record/spec_bundle.hpp"
#include "location.hpp"

namespace iqbo {

void create_tables(soci::session& sql);
std::int64_t schema_version(soci::session& sql);

void insert_study(soci::session& sql, std::int64_t id, const std::string& name, double time, const SpecBundle& bundle);
SpecBundle read_bundle_of(soci::session& sql, std::int64_t study, const StorageLocation& location);

// Brings all studies of the database up to date. A study that disagrees with itself is refused: kDamaged.
void migrate(soci::session& sql, const StorageLocation& location);

}  // namespace iqbo
