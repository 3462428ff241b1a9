#include "spread_terms.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

#include "iqbo/core/check.hpp"
#include "iqbo/core/stop.hpp"
#include "iqbo/kernel/family.hpp"
#include "numerics/box_rbf.hpp"

namespace iqbo {

using namespace internal;

namespace {

[[noreturn]] void refuse_under_windows(const std::string& found) {
  refuse("kernel", found + " has no known average under a Gaussian or uniform p(x|a)",
         "families with a mixture or a series, White, or a Product or Sum of them; for other kernels use "
         "SampledConditional");
}

// Relative to the variance; an average is accurate to 4e-12 of it (numerics/gamma_mixture.hpp).
constexpr double kNegligibleTerm = 1e-14;

// The expectation of an RBF over some columns; axis(g) gives the g-th of them and its squared lengthscale l^2. With
// L^2 = l^2 + var and rho = l^2 / L^2, log_slope.col(g), unless it is null, becomes
//   d log(l / L * box_rbf) / d log l = 1 - rho + rho E[D^2 e^(-D^2/2)] / E[e^(-D^2/2)],   D = delta / L without boxes.
// Pairs with first[i] > s get 0; `first` may be empty.
template <class Axis>
void average_rbf(const LawPairs& pairs, Index axes, const Axis& axis, const std::vector<Index>& first, Index s,
                 Array& out, Columns* log_slope) {
  double share = 1.0;
  Array ratio;  // product over the coordinates where it differs from pair to pair
  Array exponent = Array::Zero(pairs.size());
  Array inverse(pairs.size());
  bool any_box = false;
  for (Index g = 0; g < axes; ++g) {
    const auto [c, l2] = axis(g);
    const bool boxed = pairs.boxed[static_cast<std::size_t>(c)];
    any_box = any_box || boxed;
    if (pairs.even[static_cast<std::size_t>(c)]) {
      const double same = 1.0 / (l2 + pairs.var(0, c));
      const double rho = l2 * same;
      share *= std::sqrt(rho);
      if (boxed) continue;
      exponent += pairs.delta.col(c).square() * same;
      if (log_slope != nullptr) log_slope->col(g) = (1.0 - rho) + (rho * same) * pairs.delta.col(c).square();
      continue;
    }
    inverse = 1.0 / (l2 + pairs.var.col(c));
    if (ratio.size() == 0)
      ratio = (l2 * inverse).sqrt();
    else
      ratio *= (l2 * inverse).sqrt();  // root first: the product of the squares may underflow
    if (boxed) continue;
    exponent += pairs.delta.col(c).square() * inverse;
    if (log_slope != nullptr) log_slope->col(g) = 1.0 + l2 * inverse * (pairs.delta.col(c).square() * inverse - 1.0);
  }
  out = share * (-0.5 * exponent).exp();
  if (ratio.size() > 0) out *= ratio;
  if (!any_box) return;
  for (std::size_t i = 0; i < first.size(); ++i)
    if (first[i] > s) out[static_cast<Index>(i)] = 0.0;
  for (Index g = 0; g < axes; ++g) {
    const auto [c, l2] = axis(g);
    if (!pairs.boxed[static_cast<std::size_t>(c)]) continue;
    for (Index i = 0; i < pairs.size(); ++i) {
      if (log_slope != nullptr) (*log_slope)(i, g) = 0.0;
      if (out[i] == 0.0) continue;
      const double wide2 = l2 + pairs.var(i, c);
      const double l = std::sqrt(wide2);
      if (log_slope == nullptr) {
        out[i] *= box_rbf(pairs.delta(i, c) / l, pairs.w(i, c) / l, pairs.v(i, c) / l);
        continue;
      }
      const auto moments = box_rbf_moments(pairs.delta(i, c) / l, pairs.w(i, c) / l, pairs.v(i, c) / l);
      const double rho = l2 / wide2;
      out[i] *= moments.zeroth;
      (*log_slope)(i, g) = 1.0 - rho + (moments.zeroth > 0.0 ? rho * moments.second / moments.zeroth : 0.0);
    }
  }
}

}  // namespace

bool has_average(const StationaryPart& part) {
  return part.mixture() != nullptr || (part.by_axes() != nullptr && part.by_axes()->has_series());
}

bool has_average(const Kernel& kernel) {
  for (const KernelTerm& term : kernel.stationary_terms()) {
    if (term.kind == KernelTerm::Kind::kOpaque) return false;
    for (const auto& factor : term.factors)
      if (!has_average(*factor.part)) return false;
  }
  return true;
}

Group::Group(const KernelTerm::Factor& factor)
    : part_(factor.part), columns_(factor.columns), mixture_(part_->mixture()) {
  if (!has_average(*part_)) refuse_under_windows(part_->family().class_name);
  if (mixture_ == nullptr)
    for (Index g = 0; g < size(); ++g) series_.push_back(part_->by_axes()->series(g));
}

const Vector& Group::weights() const {
  static const Vector kOne = Vector::Ones(1);
  return mixture_ == nullptr ? kOne : mixture_->weight;
}

double Group::squared_length(Index g, Index s) const {
  const double l = mixture_->scale[s] * part_->lengthscale()[g];
  return l * l;
}

// Scale s, of weight w, adds at most w prod_c l / L. Scales ascend, and so do these bounds.
Index Group::first_component(const Array& least_var) const {
  double left_out = 0.0;
  for (Index s = 0; s + 1 < weights().size(); ++s) {
    double most = weights()[s];
    for (Index g = 0; g < size(); ++g) {
      const double l2 = squared_length(g, s);
      most *= std::sqrt(l2 / (l2 + least_var[g]));
    }
    left_out += most;
    if (left_out > kNegligibleTerm) return s;
  }
  return weights().size() - 1;
}

Index Group::first_component(const SpreadLaws& left, const SpreadLaws& right) const {
  Array least_var(size());
  for (Index g = 0; g < size(); ++g) {
    const Index c = column(g);
    least_var[g] = left.sd.col(c).array().square().minCoeff() + right.sd.col(c).array().square().minCoeff();
  }
  return first_component(least_var);
}

// As above, with what boxes do: a box of half-width a = max(w, v) takes a factor of sqrt(pi/2) L / a, and a gap between
// the boxes one of exp(-gap^2 / (2 L^2)). A slope in the centre may be larger than the average by 1 / L.
std::vector<Index> Group::first_components(const LawPairs& pairs, bool for_slopes) const {
  const auto boxed = [&](Index c) { return pairs.boxed[static_cast<std::size_t>(c)]; };
  if (std::none_of(columns_.begin(), columns_.end(), boxed)) return {};
  std::vector<Index> out(static_cast<std::size_t>(pairs.size()));
  std::vector<double> up_to(static_cast<std::size_t>(weights().size()));  // the sum of weights
  std::partial_sum(weights().begin(), weights().end(), up_to.begin());
  const auto most = [&](Index i, Index s) {
    double factor = up_to[static_cast<std::size_t>(s)];
    double exponent = 0.0;
    for (Index g = 0; g < size(); ++g) {
      const Index c = column(g);
      const double l2 = squared_length(g, s);
      const double wide2 = l2 + pairs.var(i, c);
      const double a = std::max(pairs.w(i, c), pairs.v(i, c));
      const double gap = std::max(0.0, std::abs(pairs.delta(i, c)) - pairs.w(i, c) - pairs.v(i, c));
      const double box2 = 0.5 * std::numbers::pi * wide2;
      factor *= std::sqrt(l2 / wide2 * (box2 < a * a ? box2 / (a * a) : 1.0));
      exponent += gap * gap / wide2;
    }
    return factor * std::exp(-0.5 * exponent) / (for_slopes ? mixture_->scale[s] : 1.0);
  };
  for (Index i = 0; i < pairs.size(); ++i) {
    Index low = 0, high = weights().size() - 1;  // the bounds ascend with s
    while (low < high) {
      const Index middle = (low + high) / 2;
      if (most(i, middle) > kNegligibleTerm)
        high = middle;
      else
        low = middle + 1;
    }
    out[static_cast<std::size_t>(i)] = low;
  }
  return out;
}

Group::Averages Group::averages(const LawPairs& pairs, bool with_slopes) const {
  Averages out{Array::Zero(pairs.size()), Columns::Zero(pairs.size(), with_slopes ? parameters() : 0)};
  const auto points = point_pairs(pairs);
  if (static_cast<Index>(points.size()) < pairs.size()) {
    if (mixture_ == nullptr)
      add_series(pairs, out);
    else
      add_mixture(pairs, out);
  }
  if (points.empty()) return out;
  const Vector exact = part_->evaluate(differences(pairs, points), Rows::Zero(1, size()), 1.0);
  for (std::size_t p = 0; p < points.size(); ++p) {
    out.value[points[p]] = exact[static_cast<Index>(p)];
    out.slope.row(points[p]).setZero();
  }
  return out;
}

void Group::add_series(const LawPairs& pairs, Averages& sum) const {
  const AxisPart& part = *part_->by_axes();
  sum.value.setOnes();
  if (sum.slope.cols() == 0) {
    for (Index g = 0; g < size(); ++g)
      sum.value *= series_average(series_[static_cast<std::size_t>(g)], pairs, column(g));
    return;
  }
  const auto slopes = series_slopes(pairs, false);
  for (Index g = 0; g < size(); ++g) {
    const SeriesSlopes& own = slopes[static_cast<std::size_t>(g)];
    sum.value *= own.value;
    for (Index q = 0; q < part.parameters_per_column(); ++q) sum.slope.col(part.position(q, g)) = own.parameters.col(q);
  }
}

void Group::add_mixture(const LawPairs& pairs, Averages& sum) const {
  Array least_var(size());
  for (Index g = 0; g < size(); ++g) least_var[g] = pairs.var.col(column(g)).minCoeff();
  const bool with_slopes = sum.slope.cols() > 0;
  Array value(pairs.size());
  Columns log_slope(pairs.size(), with_slopes ? size() : 0);
  const std::vector<Index> first = first_components(pairs, false);
  for (Index s = first_component(least_var); s < weights().size(); ++s) {
    stop_point();
    rbf(pairs, s, first, value, with_slopes ? &log_slope : nullptr);
    const double weight = weights()[s];
    sum.value += weight * value;
    if (!with_slopes) continue;
    for (Index g = 0; g < size(); ++g) sum.slope.col(g) += weight * (value * log_slope.col(g));
    add_shape_slopes(s, value, log_slope, sum.slope);
  }
}

void Group::add_shape_slopes(Index s, const Array& value, const Columns& log_slope, Columns& slope) const {
  for (Index q = 0; q < part_->shape().size(); ++q) {
    auto sum = slope.col(size() + q);
    if (mixture_->weight_slope.size() > 0) sum += mixture_->weight_slope(s, q) * value;
    if (mixture_->scale_slope.size() > 0)  // the scale multiplies all lengthscales
      sum += (weights()[s] * mixture_->scale_slope(s, q)) * value * log_slope.rowwise().sum();
  }
}

Matrix Group::taken_out(const std::vector<Index>& points, Array& weight) {
  Matrix out(static_cast<Index>(points.size()), 1);
  for (std::size_t p = 0; p < points.size(); ++p) out(static_cast<Index>(p), 0) = std::exchange(weight[points[p]], 0.0);
  return out;
}

Vector Group::pull_back(const LawPairs& pairs, const Averages& averages, Array weight) const {
  Vector gradient = averages.slope.matrix().transpose() * weight.matrix();
  if (const auto points = point_pairs(pairs); !points.empty())
    gradient += part_->parameter_gradient(differences(pairs, points), Rows::Zero(1, size()), taken_out(points, weight))
                    .tail(parameters());
  return gradient;
}

void Group::add_slopes(const LawPairs& pairs, Array weight, bool in_v, Slopes& sum) const {
  if (const auto points = point_pairs(pairs); !points.empty()) {
    const Rows slope =
        part_->input_gradient(differences(pairs, points), Rows::Zero(1, size()), taken_out(points, weight), 1.0);
    for (std::size_t p = 0; p < points.size(); ++p)
      for (Index g = 0; g < size(); ++g) sum.delta(points[p], column(g)) += slope(static_cast<Index>(p), g);
  }
  if (mixture_ != nullptr) return add_mixture_slopes(pairs, weight, in_v, sum);
  const auto slopes = series_slopes(pairs, in_v);
  for (Index g = 0; g < size(); ++g) {
    const SeriesSlopes& own = slopes[static_cast<std::size_t>(g)];
    sum.delta.col(column(g)) += weight * own.delta;
    sum.var.col(column(g)) += weight * own.var;
    sum.v.col(column(g)) += weight * own.v;
  }
}

std::vector<SeriesSlopes> Group::series_slopes(const LawPairs& pairs, bool in_v) const {
  std::vector<SeriesSlopes> out;
  for (Index g = 0; g < size(); ++g)
    out.push_back(iqbo::series_slopes(series_[static_cast<std::size_t>(g)], pairs, column(g), in_v));
  for (std::size_t g = 0; g < out.size(); ++g)
    for (std::size_t h = 0; h < out.size(); ++h) {
      if (h == g) continue;
      for (Array* slope : {&out[g].delta, &out[g].var, &out[g].v}) *slope *= out[h].value;
      out[g].parameters.colwise() *= out[h].value;
    }
  return out;
}

// Slopes of l / L box_rbf(delta / L, w / L, v / L), relative to itself: -E[D e^(-D^2/2)] / E[e^(-D^2/2)] / L in delta,
// and (E[D^2 e^(-D^2/2)] / E[e^(-D^2/2)] - 1) / (2 L^2) in L^2. Without boxes D is delta / L.
void Group::add_mixture_slopes(const LawPairs& pairs, const Array& weight, bool in_v, Slopes& sum) const {
  Array value(pairs.size());
  const std::vector<Index> first = first_components(pairs, true);
  for (Index s = 0; s < weights().size(); ++s) {
    stop_point();
    rbf(pairs, s, first, value);
    value *= weights()[s] * weight;
    for (Index g = 0; g < size(); ++g) {
      const Index c = column(g);
      const Array wide2 = squared_length(g, s) + pairs.var.col(c);
      if (pairs.boxed[static_cast<std::size_t>(c)]) {
        add_box_slopes(pairs, c, wide2, value, in_v, sum);
        continue;
      }
      const Array d = (value == 0.0).select(0.0, pairs.delta.col(c));  // where value is 0 it may be huge
      sum.delta.col(c) -= value * d / wide2;
      sum.var.col(c) += 0.5 * value * (d.square() / wide2 - 1.0) / wide2;
    }
  }
}

void Group::add_box_slopes(const LawPairs& pairs, Index c, const Array& wide2, const Array& value, bool in_v,
                           Slopes& sum) const {
  for (Index i = 0; i < pairs.size(); ++i) {
    if (value[i] == 0.0) continue;
    const double l = std::sqrt(wide2[i]);
    const double delta = pairs.delta(i, c) / l;
    const double w = pairs.w(i, c) / l;
    const double v = pairs.v(i, c) / l;
    const auto [zeroth, first, second] = box_rbf_moments(delta, w, v);
    if (zeroth <= 0.0) continue;
    sum.delta(i, c) -= value[i] * (first / zeroth) / l;
    sum.var(i, c) += 0.5 * value[i] * (second / zeroth - 1.0) / wide2[i];
    if (in_v) sum.v(i, c) += value[i] * (box_rbf_slope(delta, w, v) / zeroth) / l;
  }
}

void Group::rbf(const LawPairs& pairs, Index s, const std::vector<Index>& first, Array& out, Columns* log_slope) const {
  average_rbf(
      pairs, size(), [&](Index g) { return std::pair(column(g), squared_length(g, s)); }, first, s, out, log_slope);
}

void Group::factor(Index g, const LawPairs& pairs, Index s, Array& out, Columns* log_slope) const {
  if (mixture_ == nullptr)
    out = series_average(series_[static_cast<std::size_t>(g)], pairs, 0);
  else
    average_rbf(
        pairs, 1, [&](Index) { return std::pair(Index{0}, squared_length(g, s)); }, {}, s, out, log_slope);
}

// Pairs of exact points, for which the part is evaluated directly, not as a mixture or series.
std::vector<Index> Group::point_pairs(const LawPairs& pairs) const {
  std::vector<Index> out;
  if (is_rbf()) return out;
  for (Index i = 0; i < pairs.size(); ++i) {
    bool exact = true;
    for (Index g = 0; exact && g < size(); ++g) {
      const Index c = column(g);
      exact = pairs.var(i, c) == 0.0 && pairs.w(i, c) == 0.0 && pairs.v(i, c) == 0.0;
    }
    if (exact) out.push_back(i);
  }
  return out;
}

std::vector<Term> terms_of(const Kernel& kernel) {
  std::vector<Term> out;
  for (const KernelTerm& term : kernel.stationary_terms()) {
    if (term.kind == KernelTerm::Kind::kOpaque) refuse_under_windows(kernel.description());
    out.push_back({term.variance, {}});
    for (const auto& factor : term.factors) out.back().groups.emplace_back(factor);
  }
  return out;
}

}  // namespace iqbo
