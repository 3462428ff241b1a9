// One coordinate of X - Y, for X = centre + sd N + w U and Y likewise, is delta + sqrt(sd^2 + sd'^2) N + w U + w' U'.
// The normal part widens the lengthscale l of an RBF, and the boxes are left to numerics/box_rbf.hpp:
//
//   E exp(-(X - Y)^2 / (2 l^2)) = l / L * box_rbf(delta / L, w / L, w' / L),    L^2 = l^2 + sd^2 + sd'^2
//
// Coordinates are independent, so an RBF over several is the product. A Matern kernel over a group of columns is a
// mixture over scales of such products. A Product kernel multiplies groups, a Sum adds terms.
#include "spread_expectation.hpp"

#include <cmath>
#include <utility>
#include <vector>

#include "iqbo/kernel/product.hpp"
#include "iqbo/kernel/stationary.hpp"
#include "iqbo/kernel/sum.hpp"
#include "iqbo/kernel/white.hpp"
#include "iqbo/numerics/box_rbf.hpp"
#include "iqbo/numerics/gamma_mixture.hpp"

namespace iqbo {
namespace {

using Array = Eigen::ArrayXd;
using Columns = Eigen::ArrayXXd;  // one coordinate a column, contiguous

// n pairs of laws, coordinate by coordinate.
struct Pairs {
  Columns delta;            // centre - centre'
  Columns var;              // sd^2 + sd'^2
  Columns w, v;             // half-widths
  std::vector<bool> boxed;  // per coordinate: is any half-width positive?

  Index size() const { return delta.rows(); }
};

// The columns of a covariance between two batches of laws, one at a time.
class PairColumns {
 public:
  PairColumns(const SpreadLaws& left, const SpreadLaws& right)
      : left_centre_(left.centre), left_var_(left.sd.array().square()), right_(right) {
    const Index n = left.centre.rows();
    const Index d = left.centre.cols();
    pairs_ = {Columns(n, d), Columns(n, d), left.half_width.array(), Columns::Zero(n, d), {}};
    pairs_.boxed.resize(static_cast<std::size_t>(d));
    for (Index c = 0; c < d; ++c)
      pairs_.boxed[static_cast<std::size_t>(c)] =
          (left.half_width.col(c).array() > 0.0).any() || (right.half_width.col(c).array() > 0.0).any();
  }

  const Pairs& column(Index j) {
    for (Index c = 0; c < left_centre_.cols(); ++c) {
      const double var = right_.sd(j, c) * right_.sd(j, c);
      pairs_.delta.col(c) = left_centre_.col(c) - right_.centre(j, c);
      pairs_.var.col(c) = left_var_.col(c) + var;
      if (pairs_.boxed[static_cast<std::size_t>(c)]) pairs_.v.col(c).setConstant(right_.half_width(j, c));
    }
    return pairs_;
  }

 private:
  Columns left_centre_;
  Columns left_var_;
  const SpreadLaws& right_;
  Pairs pairs_;
};

// Each law with an independent copy of itself.
Pairs diagonal_pairs(const SpreadLaws& laws) {
  Pairs out{Columns::Zero(laws.centre.rows(), laws.centre.cols()),
            2.0 * laws.sd.array().square(),
            laws.half_width.array(),
            laws.half_width.array(),
            {}};
  for (Index c = 0; c < laws.centre.cols(); ++c) out.boxed.push_back((laws.half_width.col(c).array() > 0.0).any());
  return out;
}

// A radial kernel of variance one over some of the columns.
class Group {
 public:
  Group(const Stationary& kernel, std::vector<Index> columns)
      : kernel_(kernel.family(), 1.0, kernel.lengthscale()), columns_(std::move(columns)) {}

  Index size() const { return static_cast<Index>(columns_.size()); }

  Array expectation(const Pairs& pairs) const {
    Array out = Array::Zero(pairs.size());
    Array scratch(pairs.size());
    const ScaleMixture& mixture = scales();
    for (Index i = 0; i < mixture.scale.size(); ++i) {
      rbf(pairs, mixture.scale[i], scratch);
      out += mixture.weight[i] * scratch;
    }
    if (const auto points = point_pairs(pairs); !points.empty()) {
      const Vector exact = kernel_.evaluate(differences(pairs, points), Rows::Zero(1, size()));
      for (std::size_t p = 0; p < points.size(); ++p) out[points[p]] = exact[static_cast<Index>(p)];
    }
    return out;
  }

  // sum_i weight_i d expectation_i / d log lengthscale.
  Vector pull_back(const Pairs& pairs, Array weight) const {
    Vector gradient = Vector::Zero(size());
    if (const auto points = point_pairs(pairs); !points.empty()) {
      Matrix point_weight(static_cast<Index>(points.size()), 1);
      for (std::size_t p = 0; p < points.size(); ++p)
        point_weight(static_cast<Index>(p), 0) = std::exchange(weight[points[p]], 0.0);
      gradient =
          kernel_.parameter_gradient(differences(pairs, points), Rows::Zero(1, size()), point_weight).tail(size());
    }
    const ScaleMixture& mixture = scales();
    Array value(pairs.size());
    for (Index i = 0; i < mixture.scale.size(); ++i) {
      rbf(pairs, mixture.scale[i], value);
      value *= mixture.weight[i] * weight;
      for (Index g = 0; g < size(); ++g) gradient[g] += (value * log_slope(pairs, g, mixture.scale[i])).sum();
    }
    return gradient;
  }

 private:
  // RBF is the mixture of one.
  const ScaleMixture& scales() const {
    static const ScaleMixture kOne{Vector::Ones(1), Vector::Ones(1)};
    switch (kernel_.family()) {
      case Stationary::Family::kMatern12:
        return matern_mixture(0.5);
      case Stationary::Family::kMatern32:
        return matern_mixture(1.5);
      case Stationary::Family::kMatern52:
        return matern_mixture(2.5);
      case Stationary::Family::kRbf:
        break;
    }
    return kOne;
  }

  // The expectation of the RBF whose lengthscales are `scale` times ours.
  void rbf(const Pairs& pairs, double scale, Array& out) const {
    Array ratio = Array::Ones(pairs.size());
    Array exponent = Array::Zero(pairs.size());
    Array inverse(pairs.size());
    bool any_box = false;
    for (Index g = 0; g < size(); ++g) {
      const double l2 = square(scale * kernel_.lengthscale()[g]);
      const Index c = column(g);
      inverse = 1.0 / (l2 + pairs.var.col(c));
      ratio *= (l2 * inverse).sqrt();  // the root of each: their product may underflow
      if (pairs.boxed[static_cast<std::size_t>(c)])
        any_box = true;
      else
        exponent += pairs.delta.col(c).square() * inverse;
    }
    out = ratio * (-0.5 * exponent).exp();
    if (!any_box) return;
    for (Index g = 0; g < size(); ++g) {
      const Index c = column(g);
      if (!pairs.boxed[static_cast<std::size_t>(c)]) continue;
      const double l2 = square(scale * kernel_.lengthscale()[g]);
      for (Index i = 0; i < pairs.size(); ++i) {
        if (out[i] == 0.0) continue;
        const double l = std::sqrt(l2 + pairs.var(i, c));
        out[i] *= box_rbf(pairs.delta(i, c) / l, pairs.w(i, c) / l, pairs.v(i, c) / l);
      }
    }
  }

  // d log(l / L * box_rbf) / d log l = 1 - rho + rho E[D^2 e^(-D^2/2)] / E[e^(-D^2/2)],  rho = l^2 / L^2.
  Array log_slope(const Pairs& pairs, Index g, double scale) const {
    const Index c = column(g);
    const double l2 = square(scale * kernel_.lengthscale()[g]);
    const Array wide2 = l2 + pairs.var.col(c);
    const Array rho = l2 / wide2;
    Array ratio = pairs.delta.col(c).square() / wide2;
    if (pairs.boxed[static_cast<std::size_t>(c)])
      for (Index i = 0; i < pairs.size(); ++i) {
        const double l = std::sqrt(wide2[i]);
        const auto moments = box_rbf_moments(pairs.delta(i, c) / l, pairs.w(i, c) / l, pairs.v(i, c) / l);
        ratio[i] = moments.zeroth > 0.0 ? moments.second / moments.zeroth : 0.0;
      }
    return 1.0 - rho + rho * ratio;
  }

  // Pairs of exact points. A Matern kernel is evaluated there as it stands, not as a mixture.
  std::vector<Index> point_pairs(const Pairs& pairs) const {
    std::vector<Index> out;
    if (kernel_.family() == Stationary::Family::kRbf) return out;
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

  Rows differences(const Pairs& pairs, const std::vector<Index>& rows) const { return pairs.delta(rows, columns_); }

  static double square(double value) { return value * value; }
  Index column(Index g) const { return columns_[static_cast<std::size_t>(g)]; }

  Stationary kernel_;
  std::vector<Index> columns_;
};

// variance * product of groups; no groups: white.
struct Term {
  double variance;
  std::vector<Group> groups;

  Index parameters() const {
    Index count = 1;
    for (const auto& group : groups) count += group.size();
    return count;
  }
};

std::vector<Index> all_columns(Index dimension) {
  std::vector<Index> out;
  for (Index c = 0; c < dimension; ++c) out.push_back(c);
  return out;
}

// The kernel as a sum of terms whose parameters stand in the order of kernel.log_parameters().
std::vector<Term> terms_of(const Kernel& kernel) {
  if (const auto* radial = dynamic_cast<const Stationary*>(&kernel))
    return {{radial->variance(), {Group(*radial, all_columns(radial->dimension()))}}};
  if (const auto* product = dynamic_cast<const Product*>(&kernel)) {
    Term term{product->variance(), {}};
    for (const auto& factor : product->factors()) term.groups.emplace_back(factor.kernel, factor.columns);
    return {term};
  }
  if (const auto* white = dynamic_cast<const White*>(&kernel)) return {{white->variance(), {}}};
  if (const auto* sum = dynamic_cast<const Sum*>(&kernel)) {
    std::vector<Term> terms;
    for (const auto& part : sum->terms())
      for (auto& term : terms_of(*part)) terms.push_back(std::move(term));
    return terms;
  }
  refuse("kernel", "has no known average under a Gaussian or uniform p(x|a)",
         "Rbf, Matern, White, or a Product or Sum of them; for other kernels use SampledConditional");
}

Array white_expectation(const Pairs& pairs) {
  const auto zero = [](const Columns& values) { return (values == 0.0).rowwise().all(); };
  return (zero(pairs.delta) && zero(pairs.var) && zero(pairs.w) && zero(pairs.v)).cast<double>();
}

Array term_expectation(const Term& term, const Pairs& pairs) {
  Array out = term.groups.empty() ? white_expectation(pairs) : term.groups.front().expectation(pairs);
  for (std::size_t g = 1; g < term.groups.size(); ++g) out *= term.groups[g].expectation(pairs);
  return term.variance * out;
}

Vector term_pull_back(const Term& term, const Pairs& pairs, const Array& weight) {
  Vector gradient(term.parameters());
  gradient[0] = (weight * term_expectation(term, pairs)).sum();
  Index at = 1;
  for (std::size_t g = 0; g < term.groups.size(); ++g) {
    Array others = term.variance * weight;
    for (std::size_t h = 0; h < term.groups.size(); ++h)
      if (h != g) others *= term.groups[h].expectation(pairs);
    gradient.segment(at, term.groups[g].size()) = term.groups[g].pull_back(pairs, others);
    at += term.groups[g].size();
  }
  return gradient;
}

}  // namespace

SpreadLaws without_width(const Inputs& x) {
  const Rows zero = Rows::Zero(x.size(), x.dimension());
  return {x.coordinates(), zero, zero};
}

Matrix spread_expect(const Kernel& kernel, const SpreadLaws& left, const SpreadLaws& right) {
  const auto terms = terms_of(kernel);
  PairColumns columns(left, right);
  Matrix out(left.centre.rows(), right.centre.rows());
  for (Index j = 0; j < out.cols(); ++j) {
    const Pairs& pairs = columns.column(j);
    out.col(j) = term_expectation(terms.front(), pairs);
    for (std::size_t i = 1; i < terms.size(); ++i) out.col(j).array() += term_expectation(terms[i], pairs);
  }
  return out;
}

Vector spread_expect_diagonal(const Kernel& kernel, const SpreadLaws& laws) {
  const Pairs pairs = diagonal_pairs(laws);
  Array out = Array::Zero(pairs.size());
  for (const auto& term : terms_of(kernel)) out += term_expectation(term, pairs);
  return out;
}

Vector spread_pull_back(const Kernel& kernel, const SpreadLaws& left, const SpreadLaws& right, const Matrix& weight) {
  const auto terms = terms_of(kernel);
  PairColumns columns(left, right);
  Vector gradient = Vector::Zero(kernel.log_parameters().size());
  for (Index j = 0; j < right.centre.rows(); ++j) {
    const Pairs& pairs = columns.column(j);
    Index at = 0;
    for (const auto& term : terms) {
      gradient.segment(at, term.parameters()) += term_pull_back(term, pairs, weight.col(j).array());
      at += term.parameters();
    }
  }
  return gradient;
}

}  // namespace iqbo
