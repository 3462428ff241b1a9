// iqbo best: where the optimum is believed to be.
#include <iostream>

#include "commands.hpp"
#include "common_options.hpp"
#include "limits.hpp"
#include "show.hpp"

namespace iqbo::cli {
namespace {

constexpr const char* kExample =
    "Example:\n"
    "  iqbo best -s campaign.db\n"
    "The interval holds f there with 95 % probability, if the assumptions hold; they are printed below it.";

void print_best(const SpecData& data, const RecommendationRecord& best) {
  const Spec& spec = data.spec;
  const std::string unit = spec.value.unit.empty() ? "" : " " + spec.value.unit;
  std::cout << (spec.goal == Goal::kMaximize ? "largest " : "smallest ") << spec.value.name << " at "
            << describe_input(data, best.x, best.name) << '\n'
            << "  expected " << short_number(best.mean) << unit << ", between " << short_number(best.low) << " and "
            << short_number(best.high) << unit << " with 95 % probability\n";
  if (best.tolerance > 0.0)
    std::cout << "  within " << short_number(best.tolerance) << unit << " of the optimum with probability ";
  else
    std::cout << "  the best of all listed points with probability ";
  std::cout << short_number(best.probability);
  if (best.probability_error) std::cout << " (standard error " << short_number(*best.probability_error) << ')';
  std::cout << '\n';
  if (best.optimum_low && best.optimum_high)
    std::cout << "  the optimum itself is between " << short_number(*best.optimum_low) << " and "
              << short_number(*best.optimum_high) << unit << " with 95 % probability, spots nobody has seen included\n";
  for (const std::string& note : best.notes) std::cout << "  note: " << note << '\n';
}

void print_fit(const SpecData& data, const Hyperparameters& fit) {
  std::vector<std::vector<std::string>> rows{
      {"fitted to " + std::to_string(fit.observations) + " answers", "", "95 % interval"}, {"  kernel", fit.family}};
  if (fit.link == "log" || fit.link == "logit")
    rows.push_back({"  link", fit.link,
                    std::string("below: of eta, f = ") + (fit.link == "log" ? "exp(eta)" : "1 / (1 + exp(-eta))")});
  for (const FittedParameter& p : fit.parameters(coordinate_names(data.spec.targets))) {
    const std::string interval = p.low < p.high ? short_number(p.low) + " to " + short_number(p.high) : "";
    rows.push_back({"  " + p.name, short_number(p.value), interval});
  }
  std::cout << table(rows);
  for (const std::string& note : fit.notes) std::cout << "  note: " << note << '\n';
}

void run_best(const CommonOptions& common) {
  Study study = common.open(Access::kReadOnly);
  const RecommendationRecord best = study.best();
  if (common.json) {
    std::cout << line_of(best_json(study.data(), best));
    return;
  }
  if (common.quiet) {
    std::cout << best_text(study.data(), best) << '\n';
    return;
  }
  print_best(study.data(), best);
  if (const auto fit = study.fit()) print_fit(study.data(), *fit);
  std::cout << study.learned();
}

}  // namespace

void add_best(CLI::App& app) {
  auto common = std::make_shared<CommonOptions>();
  CLI::App* command = app.add_subcommand("best", "Say where the optimum is believed to be, and how sure that is");
  add_common_options(*command, *common);
  add_limits(*command);
  command->footer(kExample);
  command->callback([common] { run_best(*common); });
}

}  // namespace iqbo::cli
