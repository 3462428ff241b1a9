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

class WidenedMaxima {
 public:
  // Of the paths of one member of the belief; all arguments must outlive this. `at`: one input in the box.
  WidenedMaxima(const Paths& paths, const Ensemble& belief, const InputBox& box, const Inputs& at, double widened,
                Rng& rng);

  const Vector& here() const { return here_; }            // F_s(at)
  const Vector& at_points() const { return at_points_; }  // the largest F_s before the search
  double search(Index path) const;                        // F_s*

 private:
  const Ensemble& belief_;
  double widened_;
  PathMaxima maxima_;
  Vector here_, at_points_;
};

}  // namespace iqbo
