// iqbo status: how far a study is.
#include <iostream>

#include "commands.hpp"
#include "common_options.hpp"
#include "iqbo/core/errors.hpp"
#include "limits.hpp"
#include "show.hpp"

namespace iqbo::cli {

using namespace internal;

namespace {

std::string lease_text(double seconds) {
  if (seconds < 0) return "lease expired";
  if (seconds < 120) return "lease " + short_number(seconds) + " s";
  if (seconds < 7200) return "lease " + short_number(seconds / 60) + " min";
  return "lease " + short_number(seconds / 3600) + " h";
}

// A pending trial is paid for when it is asked, so that what is left can be relied on.
std::string spent_text(const StudyStatus& status, const std::vector<Trial>& pending) {
  double promised = 0;
  for (const Trial& trial : pending) promised += trial.cost;
  const std::string spent = short_number(status.spent - promised);
  return promised > 0 ? spent + ", and " + short_number(promised) + " for pending trials" : spent;
}

// Imported answers may have cost more than the budget.
std::string left_text(double left) {
  return left >= 0 ? "; " + short_number(left) + " of the budget is left"
                   : ", which is " + short_number(-left) + " more than the budget";
}

void run_status(const CommonOptions& common) {
  Study study = common.open(Access::kReadOnly);
  const StudyStatus status = study.status();
  if (common.json) {
    std::cout << status_json(study.names(), status, study.storage().location(), study.storage().pending()) << '\n';
    return;
  }
  const auto number = [](std::int64_t n) { return std::to_string(n); };
  std::vector<std::vector<std::string>> rows{{"study", study.storage().location()},
                                             {"name", study.names().spec.name},
                                             {"told", number(status.told)},
                                             {"pending", number(status.pending)},
                                             {"failed", number(status.failed)}};
  if (status.imported > 0) rows.push_back({"imported answers", number(status.imported)});
  if (status.values > 0) rows.push_back({"values of f", number(status.values)});
  if (status.pairs > 0) rows.push_back({"new pairs", number(status.pairs)});
  const std::vector<Trial> pending = study.storage().pending();
  rows.push_back({"spent", spent_text(status, pending) + (status.left ? left_text(*status.left) : "")});
  std::cout << table(rows);
  if (common.quiet) return;
  const double now = study.storage().now();
  for (const Trial& trial : pending)
    std::cout << "pending: trial " << trial.number << ", "
              << describe_query(study.data(), trial, study.tile(trial.query)) << ", with " << clean_text(trial.worker)
              << ", " << lease_text(trial.lease_until - now) << '\n';
  if (status.told + status.imported + status.values == 0) return;
  try {
    const std::string best = best_text(study.data(), study.best());  // may be stopped, which must not cut a line in two
    std::cout << "best so far: " << best << '\n';
  } catch (const NumericalError& error) {  // answers that contradict each other: everything else is still known
    std::cout << "best so far: none, because " << error.what() << '\n';
  }
}

}  // namespace

void add_status(CLI::App& app) {
  auto common = std::make_shared<CommonOptions>();
  CLI::App* command = app.add_subcommand("status", "Show the progress of a study, and who holds which pending trial");
  add_common_options(*command, *common);
  add_limits(*command);
  command->footer("Example:\n  iqbo status -s campaign.db\nReading never blocks writers.");
  command->callback([common] { run_status(*common); });
}

}  // namespace iqbo::cli
