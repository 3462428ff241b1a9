// iqbo completion: the script that bash needs to complete commands and options.
#include <algorithm>
#include <iostream>
#include <set>

#include "commands.hpp"
#include "iqbo/problem/registry.hpp"
#include "iqbo/record/spec_template.hpp"
#include "setup/study_setup.hpp"

namespace iqbo::cli {

using namespace internal;

namespace {

std::string words_of(const CLI::App& app) {
  std::string out;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    out += command->get_name() + " ";
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) out += "--" + name + " ";
  return out;
}

using Words = std::vector<std::string>;

std::string joined(const Words& words) {
  std::string out;
  for (const std::string& word : words) out += word + " ";
  return out;
}

// The words that may follow an option, where these are few.
std::vector<std::pair<std::string, Words>> values_of_options() {
  return {{"--template|-t", template_names()},
          {"--what", {"trials", "snapshot", "spec", "files"}},
          {"--policies", policy_names()},
          {"--choices", {"fixed", "evidence", "learned"}},
          {"--truncation", {"none", "clip", "renormalise"}},
          {"--ask", {"tree", "leaves", "list"}}};
}

// All options with a value, as a pattern of bash's case: for those not among the above, bash offers files.
std::string valued_options(const CLI::App& app) {
  std::set<std::string> names;
  for (const CLI::App* command : app.get_subcommands({}))
    for (const CLI::Option* option : command->get_options()) {
      if (option->get_items_expected_min() == 0) continue;
      for (const std::string& name : option->get_lnames()) names.insert("--" + name);
      for (const std::string& name : option->get_snames()) names.insert("-" + name);
    }
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : "|") + name;
  return out;
}

std::string arguments_of(const std::string& command) {
  if (command == "paper") return joined({"all", "fig1", "fig2", "fig3", "fig4", "fig5", "savings"});
  return command == "bench" ? joined(problem_names()) : "";
}

constexpr const char* kBegin = R"(# bash completion for iqbo: source <(iqbo completion)
_iqbo() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} begun= words
  if [[ $word == = ]]; then  # bash cuts --option=value in three
    word=
  elif [[ $before == = ]]; then
    before=${COMP_WORDS[COMP_CWORD-2]}
  fi
  case ${COMP_WORDS[1]} in
)";

constexpr const char* kEnd = R"(  esac
  if [[ $before == --policies && $word == *,* ]]; then
    begun=${word%,*},
    word=${word##*,}
  fi
  mapfile -t COMPREPLY < <(compgen -P "$begun" -W "$words" -- "$word")
  if [[ ${#COMPREPLY[@]} -eq 0 && $word != -* && $COMP_CWORD -gt 1 ]]; then
    compopt -o filenames
    mapfile -t COMPREPLY < <(compgen -f -- "$word")
  fi
}
complete -F _iqbo iqbo
)";

void print_completion(const CLI::App& app) {
  std::cout << kBegin;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    std::cout << "    " << command->get_name() << ") words='" << arguments_of(command->get_name()) << words_of(*command)
              << "' ;;\n";
  std::cout << "    *) words='" << words_of(app) << "' ;;\n  esac\n  [[ $COMP_CWORD -gt 1 ]] || words='"
            << words_of(app) << "'\n  case $before in\n";
  for (const auto& [option, values] : values_of_options())
    std::cout << "    " << option << ") words='" << joined(values) << "' ;;\n";
  std::cout << "    " << valued_options(app) << ") words='' ;;\n" << kEnd;
}

}  // namespace

void add_completion(CLI::App& app) {
  CLI::App* command = app.add_subcommand("completion", "Print completions for bash");
  command->footer("Example:\n  source <(iqbo completion)");
  command->callback([&app] { print_completion(app); });
}

}  // namespace iqbo::cli
