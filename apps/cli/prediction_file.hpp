// iqbo predict --format: predictions as files for spreadsheets and GIS programs.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "common_options.hpp"
#include "iqbo/study/study.hpp"

namespace iqbo::cli {

struct Asked {
  Rows points;
  std::vector<std::string> names;
};

struct Said {
  Prediction belief;
  std::optional<CountForecast> counts;
  std::optional<Chances> chances;
};

struct Predicted {
  bool of_g;  // about queries, not about inputs
  Asked asked;
  Said said;
};

struct PredictionFile {
  std::string format;  // "": none is written
  std::string out;
  std::string system;

  void add_options(CLI::App& command);
  bool holds_layers() const { return format == "gpkg"; }  // inputs and queries in one file
  void check(bool both) const;                            // before work that may take minutes
  void write(Study& study, const std::vector<Predicted>& all, const CommonOptions& common) const;
};

}  // namespace iqbo::cli
