// iqbo import: observations and pairs that were measured or logged elsewhere.
#include <algorithm>
#include <iostream>

#include "commands.hpp"
#include "common_options.hpp"
#include "core/nearest.hpp"
#include "iqbo/core/check.hpp"
#include "iqbo/record/text_file.hpp"
#include "limits.hpp"
#include "record/mistakes.hpp"
#include "show.hpp"

namespace iqbo::cli {
namespace {

constexpr const char* kImportExample =
    "Examples:\n"
    "  iqbo import -s campaign.db --observations past.csv    # columns: district,value[,noise_sd][,replicates]\n"
    "  iqbo import -s campaign.db --observations past.csv    # where answers are counts: district,count,exposure\n"
    "  iqbo import -s campaign.db --values pixels.csv        # direct measurements of f: pixel,value\n"
    "  iqbo import -s campaign.db --pairs log.csv            # logged pairs of x and a, where p(x|a) is learned\n"
    "Columns are the id or the coordinates that the spec names.";

struct ImportOptions {
  CommonOptions common;
  std::string observations;
  std::string values;
  std::string pairs;
};

// "; column "x" is not used", so that a misspelt one is noticed.
std::string unread_text(const std::vector<std::string>& columns) {
  constexpr std::size_t kNamed = 10;
  std::string out;
  for (std::size_t i = 0; i < std::min(kNamed, columns.size()); ++i)
    out += (i == 0 ? "" : ", ") + internal::in_quotes(columns[i]);
  if (columns.size() > kNamed) out += " and " + std::to_string(columns.size() - kNamed) + " more";
  if (columns.empty()) return out;
  return columns.size() == 1 ? "; column " + out + " is not used" : "; columns " + out + " are not used";
}

void run_import(const ImportOptions& options) {
  if (options.observations.empty() && options.values.empty() && options.pairs.empty())
    refuse("import", "nothing to import", "--observations, --values or --pairs");
  Study study = options.common.open();
  const auto table = [](const std::string& file) {
    CsvTable out = internal::parse_rows(read_text(file), file);
    if (out.size() == 0) refuse(file, "has no rows of data", "at least one");
    return out;
  };
  const auto say = [&](const char* what, const std::string& file, std::size_t rows,
                       const std::vector<std::string>& unread) {
    if (options.common.json) {
      Json out{{"imported", what}, {"rows", rows}, {"from", file}};
      if (!unread.empty()) out["not_used"] = unread;
      std::cout << line_of(out);
    } else if (!options.common.quiet) {
      std::cout << "imported " << rows << ' ' << what << " from " << file << unread_text(unread) << '\n';
    }
  };
  std::string done;
  try {
    if (const auto& file = options.observations; !file.empty()) {
      const CsvTable rows = table(file);
      say("observations", file, study.import_observations(rows, file), unread_columns(study.data(), rows, false));
      done += " --observations";
    }
    if (const auto& file = options.values; !file.empty()) {
      const CsvTable rows = table(file);
      say("values", file, study.import_values(rows, file), unread_columns(study.data(), rows, true));
      done += " --values";
    }
    if (const auto& file = options.pairs; !file.empty()) {
      say("pairs", file, study.import_pairs(table(file), file), {});
      if (!options.common.json && !options.common.quiet) std::cout << study.learned();
    }
  } catch (...) {
    if (!done.empty()) std::cerr << "iqbo: note: imported already, so leave it out the next time:" << done << '\n';
    throw;
  }
  if (!options.common.quiet)
    for (const std::string& warning : study.warnings()) std::cerr << "iqbo: note: " << warning << '\n';
}

}  // namespace

void add_import(CLI::App& app) {
  auto options = std::make_shared<ImportOptions>();
  CLI::App* command = app.add_subcommand("import", "Add past answers, values of f, or logged pairs from CSV files");
  command->add_option("--observations", options->observations, "Past answers: query, value");
  command->add_option("--values", options->values, "Direct measurements of f: x, value");
  command->add_option("--pairs", options->pairs, "Logged pairs: x, query");
  add_common_options(*command, options->common);
  add_limits(*command);
  command->footer(kImportExample);
  command->callback([options] { run_import(*options); });
}

}  // namespace iqbo::cli
