// iqbo completion: what bash needs to complete commands and options.
#include <algorithm>
#include <iostream>

#include "commands.hpp"

namespace iqbo::cli {
namespace {

std::string words_of(const CLI::App& app) {
  std::string out;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    out += command->get_name() + " ";
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) out += "--" + name + " ";
  return out;
}

void print_completion(const CLI::App& app) {
  std::cout << "# bash completion for iqbo: source <(iqbo completion)\n_iqbo() {\n"
               "  local word=${COMP_WORDS[COMP_CWORD]} words\n  case ${COMP_WORDS[1]} in\n";
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    std::cout << "    " << command->get_name() << ") words='" << words_of(*command) << "' ;;\n";
  std::cout << "    *) words='" << words_of(app)
            << "' ;;\n  esac\n"
               "  [[ $COMP_CWORD -gt 1 ]] || words='"
            << words_of(app)
            << "'\n"
               "  mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n"
               "  [[ ${#COMPREPLY[@]} -gt 0 || $word == -* ]] || mapfile -t COMPREPLY < <(compgen -f -- \"$word\")\n"
               "}\ncomplete -o filenames -F _iqbo iqbo\n";
}

}  // namespace

void add_completion(CLI::App& app) {
  CLI::App* command = app.add_subcommand("completion", "Print completions for bash");
  command->footer("Example:\n  source <(iqbo completion)");
  command->callback([&app] { print_completion(app); });
}

}  // namespace iqbo::cli
