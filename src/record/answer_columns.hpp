// The columns of a table that hold answers: value, noise_sd and replicates; or count and exposure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "iqbo/record/csv.hpp"
#include "iqbo/record/spec.hpp"
#include "iqbo/record/trial.hpp"
#include "mistakes.hpp"

namespace iqbo::internal {

class AnswerColumns {
 public:
  // `read`: the columns that say where the answers are from. Refuses columns whose names are slips of those that are read, and
  // two that could both be the count or the exposure.
  AnswerColumns(const Spec& spec, const CsvTable& table, const std::vector<std::string>& read);

  // Blank cells, NA and the like (is_missing) leave noise_sd, replicates and exposure open.
  Answer at(std::size_t row, Mistakes& mistakes) const;

  // The columns that hold no part of an answer and are not among `read`.
  std::vector<std::string> unread(const std::vector<std::string>& read) const;

 private:
  Answer counted(std::size_t row, Mistakes& mistakes) const;
  Answer measured(std::size_t row, Mistakes& mistakes) const;
  bool given(std::size_t row, const std::optional<std::size_t>& column) const;
  std::int64_t replicates(std::size_t row) const;

  const CsvTable& table_;
  std::optional<std::size_t> value_, noise_sd_, replicates_;
  std::optional<std::size_t> count_, exposure_;
};

}  // namespace iqbo::internal
