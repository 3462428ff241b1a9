// Averages of a cosine series along an axis. With D = delta + sd N + w U + v U', N normal, U and U' uniform on [-1, 1],
//
//   E cos(omega D) = cos(omega delta) exp(-(omega sd)^2 / 2) sinc(omega w) sinc(omega v),   sinc x = sin(x) / x
#pragma once

#include "iqbo/kernel/stationary_part.hpp"
#include "law_pairs.hpp"

namespace iqbo {

Array series_average(const CosineSeries& series, const LawPairs& pairs, Index column);

// The same with its slopes, pair by pair: in delta, in sd^2, in v (if wanted), and in the log parameters of the series.
struct SeriesSlopes {
  Array value, delta, var, v;
  Columns parameters;
};
SeriesSlopes series_slopes(const CosineSeries& series, const LawPairs& pairs, Index column, bool in_v);

}  // namespace iqbo
