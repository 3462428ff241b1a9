// The commands of iqbo. Each adds itself to the application; its callback does the work and may throw:
//
//   std::invalid_argument, StorageError   a mistake of the user's, or a damaged study: the message, exit code 2
//   std::bad_alloc                        memory is short: the message, exit code 3
//   Stopped, when --timeout is over       exit code 124, as timeout(1) has it
//   Interrupted, Stopped                  Ctrl-C: what was finished is kept, exit code 130
//   anything else                         a defect: the message and where to report it, exit code 1
#pragma once

#include <CLI/CLI.hpp>

namespace iqbo::cli {

constexpr int kDone = 0;
constexpr int kDefect = 1;
constexpr int kUserError = 2;
constexpr int kNoMemory = 3;
constexpr int kTimedOut = 124;
constexpr int kInterrupted = 130;

void add_new(CLI::App& app);
void add_import(CLI::App& app);
void add_ask(CLI::App& app);
void add_tell(CLI::App& app);
void add_fail(CLI::App& app);
void add_run(CLI::App& app);
void add_best(CLI::App& app);
void add_status(CLI::App& app);
void add_predict(CLI::App& app);
void add_export(CLI::App& app);
void add_log(CLI::App& app);
void add_check(CLI::App& app);
void add_report(CLI::App& app);
void add_serve(CLI::App& app);
void add_completion(CLI::App& app);
void add_paper(CLI::App& app);
void add_bench(CLI::App& app);

}  // namespace iqbo::cli
