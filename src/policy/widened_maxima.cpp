#include "widened_maxima.hpp"

#include <algorithm>

namespace iqbo {

PathWidening::PathWidening(const Ensemble& belief, const InputBox& box, const Inputs& at, double factor, Rng& rng)
    : belief_(belief), box_(box), at_(at), factor_(factor) {
  if (factor_ == 1.0) return;
  points_ = PathMaxima::spread(box, at, rng);
  mean_ = belief.f(points_).mean;
}

PathMaxima PathWidening::maxima(const Paths& paths, Rng& rng) const {
  return factor_ == 1.0 ? PathMaxima(paths, box_, at_, rng) : PathMaxima(paths, box_, points_);
}

Matrix PathWidening::widened(const PathMaxima& maxima) const {
  if (factor_ == 1.0) return maxima.values();
  return (factor_ * maxima.values()).colwise() - (factor_ - 1.0) * mean_;
}

double PathWidening::widened(const PathMaxima::Top& top) const {
  if (factor_ == 1.0) return top.value;
  return factor_ * top.value - (factor_ - 1.0) * belief_.f(Inputs(Rows(top.x.transpose()))).mean[0];
}

WidenedMaxima::WidenedMaxima(const PathWidening& widening, const Paths& paths, Rng& rng)
    : widening_(widening), maxima_(widening.maxima(paths, rng)) {
  const Matrix values = widening.widened(maxima_);
  here_ = values.bottomRows(1).transpose();
  at_points_ = values.colwise().maxCoeff().transpose();
}

double WidenedMaxima::search(Index path) const {
  return std::max(at_points_[path], widening_.widened(maxima_.search(path)));
}

}  // namespace iqbo
