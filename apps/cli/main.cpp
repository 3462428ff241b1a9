// iqbo: find the maximum of what can only be measured as averages.
#include <algorithm>
#include <cctype>
#include <exception>
#include <filesystem>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "commands.hpp"
#include "interrupt.hpp"
#include "iqbo/core/check.hpp"
#include "iqbo/core/nearest.hpp"
#include "iqbo/core/stop.hpp"
#include "iqbo/storage/storage_error.hpp"

namespace {

using namespace iqbo::cli;  // a program, not a header

constexpr const char* kFooter =
    "Exit codes: 0 done, 2 a mistake in what was asked for, 130 interrupted.\n"
    "Every command explains itself: iqbo <command> --help";

// CLI11 only says that a command is missing.
void require_known_command(const CLI::App& app, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return;
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  if (std::find(names.begin(), names.end(), argv[1]) == names.end())
    iqbo::refuse("command", iqbo::in_quotes(argv[1]), iqbo::expected_names(argv[1], names));
}

// CLI11 says what was not expected, but not what is.
void require_known_options(const CLI::App& app, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return;
  const CLI::App* command = app.get_subcommand(std::string(argv[1]));
  std::vector<std::string> names;
  bool value_follows = false;
  for (int i = 2; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--") return;
    for (const CLI::App* inner : command->get_subcommands({}))
      if (!value_follows && inner->get_name() == word) command = inner;
    const std::string name = word.substr(0, word.find('='));
    const CLI::Option* option = name.starts_with('-') ? command->get_option_no_throw(name) : nullptr;
    if (!value_follows && option == nullptr && name.starts_with("--")) {
      for (const CLI::Option* each : command->get_options())
        for (const std::string& known : each->get_lnames()) names.push_back("--" + known);
      iqbo::refuse("option", iqbo::in_quotes(name), iqbo::expected_names(name, names));
    }
    value_follows = !value_follows && option != nullptr && option->get_items_expected_min() > 0 && name == word;
  }
}

// The arguments, last first, as CLI11 wants them. It takes -.5 for an option, unlike -0.5.
std::vector<std::string> with_digits(int argc, char** argv) {
  std::vector<std::string> out;
  for (int i = argc - 1; i > 0; --i) {
    out.emplace_back(argv[i]);
    if (out.back().size() > 2 && out.back().starts_with("-.") &&
        std::isdigit(static_cast<unsigned char>(out.back()[2])))
      out.back().insert(1, "0");
  }
  return out;
}

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
  add_report(app);
  add_serve(app);
  add_completion(app);
  add_paper(app);
  add_bench(app);
  try {
    require_known_command(app, argc, argv);
    require_known_options(app, argc, argv);
    app.parse(with_digits(argc, argv));
    if (!std::cout.flush()) throw std::invalid_argument("standard output: cannot be written to; is the disk full?");
    return kDone;
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kDone : kUserError;  // --help and --version end here too
  }
}

// Messages quote files, which may hold anything; a terminal would obey it.
int refused(const std::string& text, int code = kUserError) {
  std::cerr << "iqbo: ";
  for (const char c : text) {
    const bool control = (static_cast<unsigned char>(c) < 0x20U && c != '\n') || c == 0x7F;
    std::cerr << (control ? "\xEF\xBF\xBD" : std::string(1, c));
  }
  std::cerr << '\n';
  return code;
}

int interrupted_by_user() {
  std::cerr << "iqbo: interrupted; what was finished is kept\n";
  return kInterrupted;
}

}  // namespace

int main(int argc, char** argv) {
  watch_for_interrupts();
  try {
    return run(argc, argv);
  } catch (const Interrupted&) {
    return interrupted_by_user();
  } catch (const iqbo::Stopped&) {
    return interrupted_by_user();
  } catch (const std::invalid_argument& error) {
    return refused(error.what());
  } catch (const iqbo::StorageError& error) {
    return refused(error.what());
  } catch (const std::filesystem::filesystem_error& error) {
    return refused(error.path1().string() + ": " + error.code().message());
  } catch (const std::exception& error) {
    return refused(std::string("this is a defect, please report it: ") + error.what(), kDefect);
  }
}
