// Which of very many listed queries are compared: at first some that are spread over all of them, and from then on also the
// neighbours of each one that was asked, as a tree opens the children of a node.
//
// Queries are near each other if their rows of the embedding are: what the domain is told (the middle and the extent of a
// bag), or else the coordinates of the query. Each column is measured in units of its range.
#pragma once

#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "iqbo/core/matrix.hpp"

namespace iqbo::internal {

class LargeList {
 public:
  static constexpr Index kSmall = 16384;    // up to so many queries, all are compared
  static constexpr Index kFirst = 4096;     // about so many at first
  static constexpr Index kNeighbours = 48;  // of each query that was asked

  explicit LargeList(std::shared_ptr<const Rows> embedding);

  // Rows of the list, in the order in which they were opened.
  const std::vector<Index>& opened() const { return opened_; }
  std::optional<Index> position(Index row) const;  // among those opened
  void open_around(Index row);

  // About `count` rows that are spread over the embedding.
  static std::vector<Index> spread(const Rows& embedding, Index count);

 private:
  void open(Index row);

  std::shared_ptr<const Rows> embedding_;  // each coordinate from 0 to 1
  std::vector<Index> opened_;
  std::unordered_map<Index, Index> position_;
};

// Coordinates moved and scaled to 0 to 1; those that are all alike to 0.
Rows in_units_of_range(const Rows& embedding);

}  // namespace iqbo::internal
