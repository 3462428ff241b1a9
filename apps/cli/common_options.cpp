#include "common_options.hpp"

#include <pwd.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <cstdlib>
#include <functional>
#include <limits>

#include "iqbo/core/check.hpp"
#include "iqbo/storage/storage.hpp"
#include "shell.hpp"
#include "show.hpp"

namespace iqbo::cli {
namespace {

CLI::Validator number_check(const std::string& expected, const std::function<bool(double)>& fits) {
  return {[=](std::string& text) {
            double value = 0;
            return CLI::detail::lexical_cast(text, value) && fits(value) ? "" : text + ", expected " + expected;
          },
          ""};
}

}  // namespace

std::string host_name() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "host";
}

CLI::Validator positive() {
  return number_check("a number above 0", [](double value) { return value > 0; });
}
CLI::Validator at_least(double least) {
  return number_check("a number, " + short_number(least) + " or more",
                      [least](double value) { return value >= least; });
}
CLI::Validator not_negative() {
  return number_check("a number, 0 or more", [](double value) { return value >= 0; });
}

CLI::Validator whole(std::int64_t least, std::int64_t most) {
  return {[=](std::string& text) {
            std::int64_t value = 0;
            const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
            const bool number = error == std::errc() && end == text.data() + text.size();
            const bool open = most == std::numeric_limits<std::int64_t>::max();
            return number && value >= least && value <= most
                       ? ""
                       : text + ", expected a whole number from " + std::to_string(least) +
                             (open ? "" : " to " + std::to_string(most));
          },
          ""};
}

void require_kept(const std::string& study) {
  if (study.empty()) refuse("study", "not given", "--study FILE, or the environment variable IQBO_STUDY");
  if (study.starts_with("memory:")) refuse("study", "is in memory, lost when this command ends", "a file, or a server");
}

void add_worker(CLI::App& command, CommonOptions& common, const char* what) {
  command.add_option("--worker", common.worker, what)->check([](const std::string& name) {
    return has_control_character(name) ? "has a control character, expected a name without" : "";
  });
}

std::string CommonOptions::who() const {
  if (!worker.empty()) return worker;
  const passwd* user = getpwuid(getuid());
  return (user != nullptr ? std::string(user->pw_name) : std::to_string(getuid())) + "@" + host_name();
}

std::string CommonOptions::option() const {
  const char* usual = std::getenv("IQBO_STUDY");
  return usual != nullptr && study == usual ? "" : " --study " + shell_word(public_location(study));
}

Study CommonOptions::open(Access access, double lease_seconds) const {
  require_kept(study);
  StudyOptions options;
  options.worker = who();
  options.lease_seconds = lease_seconds;
  return Study::open(study, access, options);
}

CLI::Option* add_common_options(CLI::App& command, CommonOptions& common, bool asks) {
  CLI::Option* study = command.add_option("--study,-s", common.study,
                                          "The study: a file, or postgresql://user@host/database?study=name");
  study->envname("IQBO_STUDY");
  if (asks) add_worker(command, common, "Who asks (default: user@host)");
  command.add_flag("--json", common.json, "Print JSON for programs, one object per line");
  command.add_flag("--quiet,-q", common.quiet, "Print only the result");
  return study;
}

}  // namespace iqbo::cli
