// Options that all commands on a study share: which study, who we are, how to print.
#pragma once

#include <CLI/CLI.hpp>
#include <limits>
#include <string>

#include "iqbo/study/study.hpp"

namespace iqbo::cli {

inline constexpr const char* kStandardOutput = "-";  // as the name of a file

struct CommonOptions {
  std::string study;
  std::string worker;  // "": user@host
  bool json = false;
  bool quiet = false;

  std::string who() const;
  std::string option() const;  // for the next command: " --study campaign.db"; "" if IQBO_STUDY names it
  Study open(Access access = Access::kReadWrite, double lease_seconds = 300) const;
};

// Adds --study, which is returned, --json and --quiet; with `asks` also --worker.
CLI::Option* add_common_options(CLI::App& command, CommonOptions& common, bool asks = false);

void add_worker(CLI::App& command, CommonOptions& common, const char* what);

// Refuses an empty location, and a study in memory, which would end with this command.
void require_kept(const std::string& study);

std::string host_name();

// CLI11's own checks print ranges up to 1.8e308 in their messages.
CLI::Validator positive();
CLI::Validator at_least(double least);
CLI::Validator not_negative();
CLI::Validator whole(std::int64_t least, std::int64_t most = std::numeric_limits<std::int64_t>::max());

}  // namespace iqbo::cli
