// iqbo report: everything a study knows, as one page.
#include <iostream>

#include "commands.hpp"
#include "common_options.hpp"
#include "iqbo/record/text_file.hpp"
#include "limits.hpp"
#include "report/page.hpp"
#include "report/study_document.hpp"
#include "version.hpp"

namespace iqbo::cli {

using namespace internal;

namespace {

constexpr const char* kReportExample =
    "Examples:\n"
    "  iqbo report -s campaign.db --out report.html   # one file, to open in a browser or to mail; needs no network\n"
    "  iqbo report -s campaign.db --json              # what the page shows, for programs: docs/report.md\n"
    "  iqbo report -s campaign.db --out - | gzip > report.html.gz\n"
    "An existing report is replaced. Reading never blocks writers. iqbo serve shows the same page live.";

struct ReportCommand {
  CommonOptions common;
  std::string out = "report.html";
};

void run_report(const ReportCommand& options) {
  if (!options.common.json && !page_missing().empty()) throw std::invalid_argument(std::string(page_missing()));
  const bool to_output = options.out == kStandardOutput;
  if (!options.common.json && !to_output) require_regular(options.out);  // before work that may take minutes
  Study study = options.common.open(Access::kReadOnly);
  const std::string document = study_document(study.data(), study.history(), colophon());
  if (options.common.json) {
    std::cout << document << '\n';
    return;
  }
  if (to_output) {
    std::cout << page(document);
    return;
  }
  write_text(options.out, page(document));
  std::cout << options.out << '\n';
}

}  // namespace

void add_report(CLI::App& app) {
  auto options = std::make_shared<ReportCommand>();
  CLI::App* command =
      app.add_subcommand("report", "Write a page that shows the result of a study, and how it was found");
  command->add_option("--out,-o", options->out, "The HTML file; - is standard output")->capture_default_str();
  add_common_options(*command, options->common);
  add_limits(*command);
  command->footer(kReportExample);
  command->callback([options] { run_report(*options); });
}

}  // namespace iqbo::cli
