#include "widened_maxima.hpp"

#include <algorithm>

namespace iqbo {

WidenedMaxima::WidenedMaxima(const Paths& paths, const Ensemble& belief, const InputBox& box, const Inputs& at,
                             double widened, Rng& rng)
    : belief_(belief), widened_(widened), maxima_(paths, box, at, rng) {
  Matrix values = maxima_.values();
  if (widened_ != 1.0) values = (widened_ * values).colwise() - (widened_ - 1.0) * belief_.f(maxima_.points()).mean;
  here_ = values.bottomRows(1).transpose();
  at_points_ = values.colwise().maxCoeff().transpose();
}

double WidenedMaxima::search(Index path) const {
  const PathMaxima::Top top = maxima_.search(path);
  if (widened_ == 1.0) return top.value;
  const double mean = belief_.f(Inputs(Rows(top.x.transpose()))).mean[0];
  return std::max(at_points_[path], widened_ * top.value - (widened_ - 1.0) * mean);
}

}  // namespace iqbo
