// iqbo check: is a study as iqbo wrote it, and what is still good if it is not.
#include <iostream>

#include "commands.hpp"
#include "common_options.hpp"
#include "show.hpp"

namespace iqbo::cli {
namespace {

constexpr const char* kCheckExample =
    "Example:\n"
    "  iqbo check -s campaign.db\n"
    "Each event of the log has a digest that covers all events before it, so that a change that iqbo did not make is\n"
    "noticed. The check changes nothing and repairs nothing. Exit code 0: the study is intact; 2: it is damaged.";

// "0 to 12, 14, 16 to 20"
std::string ranges(const std::vector<std::int64_t>& numbers) {
  std::string out;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t end = i;
    while (end + 1 < numbers.size() && numbers[end + 1] == numbers[end] + 1) ++end;
    out += (out.empty() ? "" : ", ") + std::to_string(numbers[i]);
    if (end > i) out += (end == i + 1 ? ", " : " to ") + std::to_string(numbers[end]);
    i = end + 1;
  }
  return out;
}

void print(const StorageCheck& found, const std::string& location) {
  std::cout << location << ": " << found.events << " events, " << found.trials << " trials\n";
  if (!found.digests)
    std::cout << "An earlier version wrote this study without digests, so only unreadable parts can be detected.\n"
                 "Digests are added at the next write.\n";
  for (const std::string& problem : found.problems) std::cout << "wrong: " << clean_text(problem) << '\n';
  if (found.problems.empty()) {
    std::cout << (found.digests ? "Everything is as iqbo wrote it.\n" : "Everything can be read.\n");
    return;
  }
  std::cout << "intact: " << found.events - static_cast<std::int64_t>(found.bad_events.size()) << " of " << found.events
            << " events are as they were written\n";
  if (!found.good_trials.empty()) std::cout << "intact: everything about trials " << ranges(found.good_trials) << '\n';
  if (!found.bad_trials.empty()) std::cout << "in doubt: trials " << ranges(found.bad_trials) << '\n';
}

void run_check(const CommonOptions& common) {
  require_kept(common.study);
  const Storage storage = Storage::open(common.study, Access::kReadOnly);
  const StorageCheck found = storage.check();
  if (common.json)
    std::cout << line_of(Json{{"study", storage.location()},
                              {"good", found.problems.empty()},
                              {"digests", found.digests},
                              {"events", found.events},
                              {"trials", found.trials},
                              {"problems", found.problems},
                              {"bad_events", found.bad_events},
                              {"good_trials", found.good_trials},
                              {"bad_trials", found.bad_trials}});
  else if (!common.quiet)
    print(found, storage.location());
  if (!found.problems.empty())
    throw StorageError(
        StorageError::Kind::kDamaged,
        storage.location() + ": is damaged; restore it from a backup, or begin a new study with the intact part");
}

}  // namespace

void add_check(CLI::App& app) {
  auto common = std::make_shared<CommonOptions>();
  CLI::App* command =
      app.add_subcommand("check", "Check that a study is as iqbo wrote it; if not, say which parts are intact");
  add_common_options(*command, *common);
  command->footer(kCheckExample);
  command->callback([common] { run_check(*common); });
}

}  // namespace iqbo::cli
