#include "iqbo/maxvalue/max_samples.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "iqbo/core/check.hpp"

namespace iqbo {
namespace {

// log P(f* <= y); marginals without variance count as steps.
double log_below(const Marginals& f, double y) {
  double sum = 0.0;
  for (Index i = 0; i < f.mean.size(); ++i) {
    const double gap = y - f.mean[i];
    if (f.var[i] > 0.0)
      sum += std::log(0.5 * std::erfc(-gap / std::sqrt(2.0 * f.var[i])));
    else if (gap < 0.0)
      return -std::numeric_limits<double>::infinity();
  }
  return sum;
}

double quantile_of_max(const Marginals& f, double p) {
  const Vector sd = f.var.cwiseSqrt();
  double low = f.mean.maxCoeff() - 10.0 * sd.maxCoeff();
  double high = (f.mean + 10.0 * sd).maxCoeff();
  const double wanted = std::log(p);
  for (int step = 0; step < 200; ++step) {
    const double middle = 0.5 * (low + high);
    if (middle <= low || middle >= high) break;
    (log_below(f, middle) < wanted ? low : high) = middle;
  }
  return high;
}

}  // namespace

MaxSamples max_of_paths(const Inputs& x, const Matrix& f, const Matrix& g) {
  require_not_empty(x.size(), InputSpace::kName);
  require_rows(f.rows(), x.size(), "f");
  require_columns(g.cols(), f.cols(), "g");
  MaxSamples out{Vector(f.cols())};
  Rows arguments(f.cols(), x.dimension());
  for (Index s = 0; s < f.cols(); ++s) {
    Index row = 0;
    out.values[s] = f.col(s).maxCoeff(&row);
    if (g.rows() > 0) out.values[s] = std::max(out.values[s], g.col(s).maxCoeff());
    out.rows.push_back(row);
    arguments.row(s) = x.row(row);
  }
  out.arguments = Inputs(std::move(arguments));
  return out;
}

Gumbel::Gumbel(const Marginals& f) {
  require_not_empty(f.mean.size(), "f");
  require_rows(f.var.size(), f.mean.size(), "f.var");
  const double lower = quantile_of_max(f, 0.25);
  const double median = quantile_of_max(f, 0.5);
  const double upper = quantile_of_max(f, 0.75);
  scale = (upper - lower) / (std::log(std::log(4.0)) - std::log(std::log(4.0 / 3.0)));
  location = median + scale * std::log(std::numbers::ln2);
}

double Gumbel::quantile(double p) const { return location - scale * std::log(-std::log(p)); }

double expected_max(const Marginals& f) {
  require_not_empty(f.mean.size(), "f");
  require_rows(f.var.size(), f.mean.size(), "f.var");
  // E max = low + int_low^high P(max > y) dy; P is 1 below low and 0 above high. The trapezoidal rule on a smooth step
  // with flat ends converges faster than any power.
  constexpr int kSteps = 400;
  const Vector sd = f.var.cwiseSqrt();
  const double low = (f.mean - 8.0 * sd).maxCoeff();
  const double high = (f.mean + 8.0 * sd).maxCoeff();
  if (!(high > low)) return low;
  const double step = (high - low) / kSteps;
  double sum = 0.5;  // half of P(low) = 1
  for (int i = 1; i < kSteps; ++i) sum -= std::expm1(log_below(f, low + i * step));
  return low + step * sum;
}

MaxSamples gumbel_max(const Marginals& f, double floor, Index count, Rng& rng) {
  if (count < 1) refuse("count", std::to_string(count), "at least 1");
  const Gumbel law(f);
  Vector values(count);
  for (double& value : values) value = std::max(floor, law.quantile(rng.uniform()));
  return {std::move(values)};
}

}  // namespace iqbo
