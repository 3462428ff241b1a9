#include "chance_options.hpp"

#include "common_options.hpp"
#include "iqbo/core/check.hpp"
#include "show.hpp"

namespace iqbo::cli {

using namespace internal;

ChanceOptions ChanceCommand::options(Index compared) const {
  ChanceOptions out;
  out.above = above;
  out.among = among.value_or(1);
  out.draws = draws;
  if (out.among > compared)
    refuse("among", std::to_string(out.among), "at most " + std::to_string(compared) + ", as so many are compared");
  return out;
}

void add_chances(CLI::App& command, ChanceCommand& options) {
  command.add_option("--above", options.above, "Also print the probability that f exceeds this")->type_name("NUMBER");
  command.add_option("--among", options.among, "Also print the probability of being among the K best")
      ->check(whole(1))
      ->type_name("K");
  command.add_option("--draws", options.draws, "The number of joint draws for the probabilities of being the best")
      ->capture_default_str()
      ->check(whole(2, 1000000));
}

std::string with_error(double value, double error, const std::string& unit) {
  char text[2][32];
  std::snprintf(text[0], sizeof text[0], "%.2g", value);
  std::snprintf(text[1], sizeof text[1], "%.1g", error);
  return text[0] + (unit.empty() ? "" : " " + unit) + " (standard error " + text[1] + ")";
}

}  // namespace iqbo::cli
