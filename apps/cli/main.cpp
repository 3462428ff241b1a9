// iqbo: find the maximum of what can only be measured as averages.
#include <algorithm>
#include <cctype>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <iostream>
#include <new>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "clean_output.hpp"
#include "commands.hpp"
#include "core/nearest.hpp"
#include "interrupt.hpp"
#include "iqbo/core/check.hpp"
#include "iqbo/core/errors.hpp"
#include "iqbo/core/stop.hpp"
#include "iqbo/storage/storage.hpp"
#include "iqbo/storage/storage_error.hpp"
#include "limits.hpp"
#include "progress.hpp"

namespace {

using namespace iqbo::cli;  // a program, not a header

constexpr const char* kFooter =
    "Exit codes: 0 success, 1 a defect of iqbo, 2 the request cannot be carried out (the message says why),\n"
    "3 not enough memory, 124 --timeout has expired, 130 interrupted.\n"
    "Help for a command: iqbo <command> --help";

// CLI11 only says that a command is missing; this names the nearest one.
void require_known_command(const CLI::App& app, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return;
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  if (std::find(names.begin(), names.end(), argv[1]) == names.end())
    iqbo::refuse("command", iqbo::internal::in_quotes(argv[1]), iqbo::internal::expected_names(argv[1], names));
}

// CLI11 names the unexpected option; this also names the nearest known one.
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
      iqbo::refuse("option", iqbo::internal::in_quotes(name), iqbo::internal::expected_names(name, names));
    }
    value_follows = !value_follows && option != nullptr && option->get_items_expected_min() > 0 && name == word;
  }
}

// The arguments in reverse order, as CLI11 wants them. CLI11 takes -.5 for an option, unlike -0.5, and -inf for many.
std::vector<std::string> with_digits(int argc, char** argv) {
  std::vector<std::string> out;
  for (int i = argc - 1; i > 0; --i) {
    out.emplace_back(argv[i]);
    if (out.back() == "-inf" || out.back() == "-nan") iqbo::refuse("value", out.back(), "a finite number");
    if (out.back().size() > 2 && out.back().starts_with("-.") &&
        std::isdigit(static_cast<unsigned char>(out.back()[2])))
      out.back().insert(1, "0");
  }
  return out;
}

// Its beginning and its end: what a user gave may be of any length.
std::string shortened(const std::string& word, std::size_t most) {
  const auto within_letter = [&](std::size_t at) { return (static_cast<unsigned char>(word[at]) & 0xC0U) == 0x80U; };
  std::size_t head = 2 * most / 3;
  std::size_t tail = word.size() - (most - head - 3);
  while (head > 0 && within_letter(head)) --head;
  while (tail < word.size() && within_letter(tail)) ++tail;
  return word.substr(0, head) + "..." + word.substr(tail);
}

// Messages quote arguments, such as a URL with a password or the name of a file.
std::string fit_to_be_shown(std::string text, int argc, char** argv) {
  for (int i = 1; i < argc; ++i) text = iqbo::without_secrets_of(argv[i], std::move(text));
  if (const char* usual = std::getenv("IQBO_STUDY")) text = iqbo::without_secrets_of(usual, std::move(text));
  constexpr std::size_t kMostQuoted = 200;
  for (int i = 1; i < argc; ++i)
    if (const std::string word = argv[i]; word.size() > kMostQuoted) {
      const std::string brief = shortened(word, kMostQuoted);
      for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + brief.size()))
        text.replace(at, word.size(), brief);
    }
  return text;
}

// Turns `iqbo help [command]` into `iqbo [command] --help`.
std::vector<char*> without_help(int argc, char** argv) {
  static char option[] = "--help";
  std::vector<char*> out(argv, argv + argc);
  if (argc > 1 && std::string(argv[1]) == "help") {
    out.erase(out.begin() + 1);
    out.push_back(option);
  }
  return out;
}

int run(int argc, char** argv) {
  CLI::App app("Find the maximum of a function that can only be measured as averages.", "iqbo");
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
  add_check(app);
  add_report(app);
  add_serve(app);
  add_completion(app);
  add_paper(app);
  add_bench(app);
  try {
    require_known_command(app, argc, argv);
    require_known_options(app, argc, argv);
    app.parse(with_digits(argc, argv));
    if (!std::cout.flush())
      throw std::invalid_argument("standard output: cannot be written to; is the disk full, or was a pipe closed?");
    return kDone;
  } catch (const CLI::ParseError& error) {
    std::ostringstream words;
    const int code = app.exit(error, std::cout, words);  // --help and --version end here too
    std::cerr << fit_to_be_shown(words.str(), argc, argv);
    return code == 0 ? kDone : kUserError;
  }
}

int stopped() {
  if (time_is_over()) {
    std::cerr << "iqbo: " << time_message() << '\n';
    return kTimedOut;
  }
  std::cerr << "iqbo: interrupted; finished work is kept\n";
  return kInterrupted;
}

// Matrices of a large scene are made and dropped by the dozen. Kept by the program, their memory need not be emptied by the
// kernel each time, which took a fifth of an ask. Not where pairs are learned from, which takes a fifth more memory then, nor in a
// server, which is idle most of the time: the heaps of its threads would keep what one order needed.
void keep_freed_memory(const std::string& command) {
  if (command == "new" || command == "import" || command == "serve") return;
#ifdef __GLIBC__
  constexpr int kLargest = 32 << 20;  // the most that glibc takes
  mallopt(M_MMAP_THRESHOLD, kLargest);
  mallopt(M_TRIM_THRESHOLD, 512 << 20);
  mallopt(M_TOP_PAD, 16 << 20);
#endif
}

}  // namespace

int main(int argc, char** argv) {
  keep_freed_memory(argc > 1 ? argv[1] : "");
  const CleanOutput clean_output(std::cout);
  const CleanOutput clean_errors(std::cerr);
  watch_for_interrupts();
  std::signal(SIGXFSZ, SIG_IGN);  // then writing beyond a file size limit fails as on a full disk
  const auto refused = [&](const std::string& text, int code = kUserError) {
    std::cerr << "iqbo: " << fit_to_be_shown(text, argc, argv) << '\n';
    return code;
  };
  try {
    watch_progress();
    const iqbo::StopScope scope([] {
      show_progress();
      return interrupted() || time_is_over();
    });
    std::vector<char*> words = without_help(argc, argv);
    return run(static_cast<int>(words.size()), words.data());
  } catch (const Interrupted&) {
    return stopped();
  } catch (const iqbo::Stopped&) {
    return stopped();
  } catch (const std::invalid_argument& error) {
    return refused(error.what());
  } catch (const iqbo::NumericalError& error) {
    return refused(error.what());
  } catch (const iqbo::StorageError& error) {
    return refused(error.what());
  } catch (const std::filesystem::filesystem_error& error) {
    return refused(error.path1().string() + ": " + error.code().message());
  } catch (const std::bad_alloc&) {
    return refused(memory_message(), kNoMemory);
  } catch (const std::exception& error) {
    return refused(std::string("this is a defect, please report it: ") + error.what(), kDefect);
  }
}
