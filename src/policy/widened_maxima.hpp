// Maxima over a box of paths f_s whose deviations from the mean m of the belief are w times as large as it says:
//
//   F_s(x) = m(x) + w (f_s(x) - m(x))
//
// A search climbs f_s. F_s* is the largest of F_s at the points from which the search starts and at the top that it finds: the
// maximum where w = 1, else a lower bound.
#pragma once

#include "iqbo/fit/ensemble.hpp"
#include "iqbo/maxvalue/paths.hpp"

namespace iqbo {

// For the paths of all members of the belief, which must outlive this.
class PathWidening {
 public:
  // `at`: one input in the box.
  PathWidening(const Ensemble& belief, const InputBox& box, const Inputs& at, double factor, Rng& rng);

  PathMaxima maxima(const Paths& paths, Rng& rng) const;
  Matrix widened(const PathMaxima& maxima) const;    // F_s at its points, `at` last
  double widened(const PathMaxima::Top& top) const;  // F_s there

 private:
  const Ensemble& belief_;
  const InputBox& box_;
  const Inputs& at_;
  double factor_;
  Inputs points_;  // with their means, if there is anything to widen: the same points for all members
  Vector mean_;
};

class WidenedMaxima {
 public:
  WidenedMaxima(const PathWidening& widening, const Paths& paths, Rng& rng);

  const Vector& here() const { return here_; }            // F_s(at)
  const Vector& at_points() const { return at_points_; }  // the largest F_s before the search
  double search(Index path) const;                        // F_s*

 private:
  const PathWidening& widening_;
  PathMaxima maxima_;
  Vector here_, at_points_;
};

}  // namespace iqbo
