// Hyperparameters of a SpotBelief: a few, by Metropolis' algorithm, moved whenever a fit is due.
//
// A single one is surer than it should be: in a first study of spots of sd 1.5 pixels it was sure and wrong in 3 scenes
// of 10, four of them in none.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "belief.hpp"

namespace iqbo {

struct SpotOptions {
  Index members = 4;
  int moves = 30;                           // of each member, at each fit
  std::optional<double> noise_var = {};     // known
  double shape = 0.5, stated_shape = 0.25;  // sd of what changes the shape of a spot, in heights
};

class SpotModel {
 public:
  SpotModel(std::shared_ptr<const SpotGrid> grid, const SpotOptions& options, std::uint64_t seed);

  // What is believed depends on the fits before: each is to be made in turn, with the answers that there were then.
  void fit(const std::vector<SpotAnswer>& answers);
  bool fitted() const { return !thetas_.empty(); }
  double long_lengthscale() const;  // geometric mean over members, in smallest windows

  // To choose queries with, and to recommend with: doubt about the shape of a spot makes a search more thorough, and
  // would make intervals twice as wide as they need to be (docs/spots.md).
  SpotBelief belief(const std::vector<SpotAnswer>& answers) const { return {grid_, thetas_, answers, options_.shape}; }
  SpotBelief stated(const std::vector<SpotAnswer>& answers) const {
    return {grid_, thetas_, answers, options_.stated_shape};
  }

 private:
  std::shared_ptr<const SpotGrid> grid_;
  SpotOptions options_;
  std::uint64_t seed_;
  std::vector<SpotTheta> thetas_;
};

}  // namespace iqbo
