// The files of an experiment (experiment.hpp), opened to be continued. One process at a time.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "iqbo/experiment/experiment.hpp"

namespace iqbo {

class ResultsFile {
 public:
  // Creates the folder and the files, or checks that they belong to `experiment` and cuts off incomplete replications.
  ResultsFile(const Experiment& experiment, const std::filesystem::path& folder);
  ~ResultsFile();
  ResultsFile(const ResultsFile&) = delete;
  ResultsFile& operator=(const ResultsFile&) = delete;

  Index replications() const { return replications_; }  // there already
  const ResultTable& table() const { return table_; }

  void append(const ResultTable& replication, double seconds);

 private:
  void keep_whole(const Experiment& experiment);
  // Whether a replication with so many rows was timed, which is done when it is finished.
  bool was_timed(const ResultRow& first, std::size_t rows) const;

  std::filesystem::path csv_, timings_;
  ResultTable table_;
  Index replications_ = 0;
  int file_ = -1;
};

}  // namespace iqbo
