#include "series_average.hpp"

#include <cmath>

namespace iqbo {
namespace {

// sin(x) / x, and x times its derivative: cos(x) - sinc(x), which suffers cancellation for small x.
double sinc(double x) { return std::abs(x) < 1e-4 ? 1.0 - x * x / 6.0 : std::sin(x) / x; }
double sinc_slope(double x) { return std::abs(x) < 1e-2 ? x * x * (x * x / 30.0 - 1.0 / 3.0) : std::cos(x) - sinc(x); }

// The factors by which the widths of the laws damp a cosine, and their product.
struct Damping {
  Array normal, w, v;

  Damping(const LawPairs& pairs, Index c, double omega)
      : normal((-0.5 * omega * omega * pairs.var.col(c)).exp()), boxed_(pairs.boxed[static_cast<std::size_t>(c)]) {
    if (!boxed_) return;
    w = (omega * pairs.w.col(c)).unaryExpr(&sinc);
    v = (omega * pairs.v.col(c)).unaryExpr(&sinc);
  }
  Array all() const { return boxed_ ? Array(normal * w * v) : normal; }

 private:
  bool boxed_;
};

}  // namespace

Array series_average(const CosineSeries& series, const LawPairs& pairs, Index column) {
  Array out = Array::Zero(pairs.size());
  for (Index k = 0; k < series.amplitude.size(); ++k) {
    const double omega = series.frequency[k];
    out += series.amplitude[k] * (omega * pairs.delta.col(column)).cos() * Damping(pairs, column, omega).all();
  }
  return out;
}

SeriesSlopes series_slopes(const CosineSeries& series, const LawPairs& pairs, Index column, bool in_v) {
  const Array zero = Array::Zero(pairs.size());
  SeriesSlopes out{zero, zero, zero, zero, Columns::Zero(pairs.size(), series.amplitude_slope.cols())};
  for (Index k = 0; k < series.amplitude.size(); ++k) {
    const double omega = series.frequency[k], amplitude = series.amplitude[k];
    const Damping damping(pairs, column, omega);
    const Array angle = omega * pairs.delta.col(column);
    const Array damped = damping.all();
    const Array cosine = angle.cos() * damped;
    const Array sine = angle.sin() * damped;
    out.value += amplitude * cosine;
    out.delta -= amplitude * omega * sine;
    out.var -= 0.5 * amplitude * omega * omega * cosine;
    Array in_omega = -angle * sine - omega * omega * pairs.var.col(column) * cosine;  // omega d/domega
    if (pairs.boxed[static_cast<std::size_t>(column)]) {
      const Array open = angle.cos() * damping.normal;
      const Array slope_w = (omega * pairs.w.col(column)).unaryExpr(&sinc_slope);
      const Array slope_v = (omega * pairs.v.col(column)).unaryExpr(&sinc_slope);
      in_omega += open * (slope_w * damping.v + damping.w * slope_v);
      if (in_v)  // d sinc(omega v) / dv; 0 where the width is zero
        out.v += (pairs.v.col(column) > 0.0).select(amplitude * open * damping.w * slope_v / pairs.v.col(column), 0.0);
    }
    for (Index q = 0; q < out.parameters.cols(); ++q)
      out.parameters.col(q) +=
          series.amplitude_slope(k, q) * cosine + amplitude * series.frequency_slope(k, q) * in_omega;
  }
  return out;
}

}  // namespace iqbo
