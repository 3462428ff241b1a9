// iqbo: find the maximum of what can only be measured as averages.
#include <exception>
#include <iostream>
#include <stdexcept>

#include "commands.hpp"
#include "interrupt.hpp"
#include "iqbo/storage/storage_error.hpp"

namespace {

using namespace iqbo::cli;  // a program, not a header

constexpr const char* kFooter =
    "Exit codes: 0 done, 2 a mistake in what was asked for, 130 interrupted.\n"
    "Every command explains itself: iqbo <command> --help";

int run(int argc, char** argv) {
  CLI::App app("Find the maximum of what can only be measured as averages.", "iqbo");
  app.set_version_flag("--version", "iqbo " IQBO_VERSION);
  app.require_subcommand(1);
  app.footer(kFooter);
  add_new(app);
  add_import(app);
  add_ask(app);
  add_tell(app);
  add_fail(app);
  add_run(app);
  add_best(app);
  add_status(app);
  add_predict(app);
  add_export(app);
  add_log(app);
  add_completion(app);
  add_paper(app);
  add_bench(app);
  try {
    app.parse(argc, argv);
    return kDone;
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kDone : kUserError;  // --help and --version end here too
  }
}

}  // namespace

int main(int argc, char** argv) {
  watch_for_interrupts();
  try {
    return run(argc, argv);
  } catch (const Interrupted&) {
    std::cerr << "iqbo: interrupted; what was finished is kept\n";
    return kInterrupted;
  } catch (const std::invalid_argument& error) {
    std::cerr << "iqbo: " << error.what() << '\n';
    return kUserError;
  } catch (const iqbo::StorageError& error) {
    std::cerr << "iqbo: " << error.what() << '\n';
    return kUserError;
  } catch (const std::exception& error) {
    std::cerr << "iqbo: this is a defect, please report it: " << error.what() << '\n';
    return kDefect;
  }
}
