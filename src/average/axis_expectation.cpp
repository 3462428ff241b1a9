#include "axis_expectation.hpp"

#include <algorithm>
#include <complex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "iqbo/core/stop.hpp"
#include "shared_axes.hpp"
#include "spread_terms.hpp"

namespace iqbo {
namespace {

// Larger squared distances are cut to this, where exp(-D^2/2) is 7e-218: arithmetic on subnormal numbers is a hundred
// times slower.
constexpr double kFar2 = 1000.0;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

// n laws paired with n others, or with one: nodes and weights along each coordinate, contiguous over the laws.
struct LawColumns {
  std::vector<Columns> node, weight;
};

LawColumns columns_of(const AxisLaws& laws) {
  LawColumns out;
  for (const Rows& node : laws.node) out.node.emplace_back(node.array());
  for (const Rows& weight : laws.weight) out.weight.emplace_back(weight.array());
  return out;
}

// Along one coordinate: E phi(D) for the phi of one component of a group, and optionally its slopes in the logarithms
// of the column's own parameters.
struct AxisSums {
  Array value;
  Columns slope;
};

// Pairs coordinate c of every left law with that of right law j or, if j < 0, of the right law in the same row.
// phi(difference, weight, t, value) sets value to weight * phi, and t to what slopes(t, value, weigh, slope) needs.
template <class Phi, class Slopes>
AxisSums axis_sums(const LawColumns& left, const LawColumns& right, Index c, Index j, Index parameters, const Phi& phi,
                   const Slopes& slopes) {
  const Columns& x = left.node[at(c)];
  const Columns& y = right.node[at(c)];
  const Columns& x_weight = left.weight[at(c)];
  const Columns& y_weight = right.weight[at(c)];
  AxisSums out{Array::Zero(x.rows()), Columns::Zero(x.rows(), parameters)};
  Array t(x.rows());
  Array value(x.rows());
  for (Index l = 0; l < y.cols(); ++l) {
    if (j >= 0 && y_weight(j, l) == 0.0) continue;
    const auto weigh = [&](auto&& numbers) {
      if (j >= 0)
        numbers *= y_weight(j, l);
      else
        numbers *= y_weight.col(l);
    };
    for (Index k = 0; k < x.cols(); ++k) {
      if (j >= 0)
        phi(x.col(k) - y(j, l), x_weight.col(k), t, value);
      else
        phi(x.col(k) - y.col(l), x_weight.col(k), t, value);
      weigh(value);
      out.value += value;
      if (parameters == 0) continue;
      slopes(
          t, value,
          [&](auto&& numbers) {
            numbers *= x_weight.col(k);
            weigh(numbers);
          },
          out.slope);
    }
  }
  return out;
}

Index parameters_per_column(const Group& group) {
  const AxisPart* part = group.part().by_axes();
  return part == nullptr ? 1 : part->parameters_per_column();
}

// Component s of a group along its column g, which is column c of the laws.
AxisSums axis_sums(const Group& group, Index g, Index s, const LawColumns& left, const LawColumns& right, Index c,
                   Index j, bool with_slopes) {
  const Index parameters = with_slopes ? parameters_per_column(group) : 0;
  if (const AxisPart* part = group.part().by_axes())
    return axis_sums(
        left, right, c, j, parameters,
        [&](const auto& difference, const auto& weight, Array& t, Array& value) {
          value = t = difference;
          part->correlate(g, value);
          value *= weight;
        },
        [&](const Array& t, const Array&, const auto& weigh, Columns& slope) {
          Columns own = part->slopes(g, t).rightCols(parameters);
          for (Index q = 0; q < parameters; ++q) weigh(own.col(q));
          slope += own;
        });
  const double per_l2 = 1.0 / group.squared_length(g, s);
  return axis_sums(
      left, right, c, j, parameters,
      [&](const auto& difference, const auto& weight, Array& t, Array& value) {
        t = (difference.square() * per_l2).min(kFar2);
        value = (-0.5 * t).exp() * weight;
      },
      [&](const Array& t, const Array& value, const auto&, Columns& slope) { slope.col(0) += value * t; });
}

// One group: the sum over its components of the product over its columns.
Array group_expectation(const Group& group, const LawColumns& left, const LawColumns& right, Index j) {
  Array out = Array::Zero(left.node.front().rows());
  for (Index s = 0; s < group.weights().size(); ++s) {
    Array product = Array::Constant(out.size(), group.weights()[s]);
    for (Index g = 0; g < group.size(); ++g)
      product *= axis_sums(group, g, s, left, right, group.column(g), j, false).value;
    out += product;
  }
  return out;
}

// --- laws that share coordinates ---

LawColumns along(const LawColumns& laws, const std::vector<Index>& rows, Index c) {
  return {{laws.node[at(c)](rows, Eigen::all)}, {laws.weight[at(c)](rows, Eigen::all)}};
}

// One row per component, one column per pair of laws.
Matrix factors(const Group& group, Index g, const LawColumns& left, const LawColumns& right) {
  const Index n = left.node.front().rows();
  const Index m = right.node.front().rows();
  Matrix out(group.weights().size(), n * m);
  for (Index j = 0; j < m; ++j)
    for (Index s = 0; s < out.rows(); ++s)
      out.row(s).segment(j * n, n) = axis_sums(group, g, s, left, right, 0, j, false).value;
  return out;
}

std::optional<SharedAxes> tables(const Group& group, const LawColumns& left, const LawColumns& right) {
  const auto side = [&](const LawColumns& laws) {
    return [&](Index g, Index count) {
      const Columns& node = laws.node[at(group.column(g))];
      const Columns& weight = laws.weight[at(group.column(g))];
      return different(count, [&](Index i) {
        std::vector<double> out(node.row(i).begin(), node.row(i).end());
        out.insert(out.end(), weight.row(i).begin(), weight.row(i).end());
        return out;
      });
    };
  };
  return SharedAxes::tabulate(group.size(), left.node.front().rows(), right.node.front().rows(), group.weights(),
                              side(left), side(right),
                              [&](Index g, const std::vector<Index>& lefts, const std::vector<Index>& rights) {
                                const Index c = group.column(g);
                                return factors(group, g, along(left, lefts, c), along(right, rights, c));
                              });
}

// sum_i weight_i d expectation_i / dlog parameter.
Vector group_pull_back(const Group& group, const LawColumns& left, const LawColumns& right, Index j,
                       const Array& weight) {
  Vector gradient = Vector::Zero(group.parameters());
  const ScaleMixture* mixture = group.part().mixture();
  for (Index s = 0; s < group.weights().size(); ++s) {
    std::vector<AxisSums> sums;
    for (Index g = 0; g < group.size(); ++g)
      sums.push_back(axis_sums(group, g, s, left, right, group.column(g), j, true));
    double in_scale = 0.0;  // the derivative in the scale, which multiplies all lengthscales
    for (Index g = 0; g < group.size(); ++g)
      for (Index q = 0; q < parameters_per_column(group); ++q) {
        Array product = group.weights()[s] * weight * sums[at(g)].slope.col(q);
        for (Index h = 0; h < group.size(); ++h)
          if (h != g) product *= sums[at(h)].value;
        const double slope = product.sum();
        gradient[q * group.size() + g] += slope;
        in_scale += slope;
      }
    if (mixture == nullptr) continue;
    auto shape = gradient.tail(group.part().shape().size());
    if (mixture->scale_slope.size() > 0) shape += in_scale * mixture->scale_slope.row(s).transpose();
    if (mixture->weight_slope.size() == 0) continue;
    Array product = weight;
    for (const AxisSums& sum : sums) product *= sum.value;
    shape += product.sum() * mixture->weight_slope.row(s).transpose();
  }
  return gradient;
}

Array expectation(const std::vector<Term>& terms, const LawColumns& left, const LawColumns& right, Index j) {
  Array out = Array::Zero(left.node.front().rows());
  for (const auto& term : terms) {
    Array product = Array::Constant(out.size(), term.variance);
    for (const auto& group : term.groups) product *= group_expectation(group, left, right, j);
    out += product;
  }
  return out;
}

}  // namespace

bool by_axes(const Kernel& kernel) {
  if (kernel.dimension() == 1) return false;
  const auto terms = kernel.stationary_terms();
  return std::all_of(terms.begin(), terms.end(), [](const KernelTerm& term) {
    return term.kind == KernelTerm::Kind::kProduct &&
           std::all_of(term.factors.begin(), term.factors.end(),
                       [](const KernelTerm::Factor& factor) { return has_average(*factor.part); });
  });
}

AxisLaws one_node(const Inputs& x) {
  AxisLaws out;
  for (Index c = 0; c < x.dimension(); ++c) {
    out.node.emplace_back(x.coordinates().col(c));
    out.weight.emplace_back(Rows::Ones(x.size(), 1));
  }
  return out;
}

DiscreteLaws grid(const AxisLaws& laws) {
  const Index n = laws.node.front().rows();
  const auto d = static_cast<Index>(laws.node.size());
  double size = 1.0;
  for (const Rows& node : laws.node) size *= static_cast<double>(node.cols());
  if (size > kMostGridPoints)
    refuse("laws of X", "one rule along each of " + std::to_string(d) + " axes",
           "at most " + readable(kMostGridPoints) +
               " points a query for this kernel or mean; use fewer nodes, or SampledConditional::sampler");
  const auto total = static_cast<Index>(size);
  std::vector<double> coordinates;
  std::vector<Eigen::Triplet<double, Index>> entries;
  for (Index i = 0; i < n; ++i)
    for (Index p = 0; p < total; ++p) {
      double weight = 1.0;
      Index rest = p;
      Vector point(d);
      for (Index c = d; c-- > 0;) {
        const Index k = rest % laws.node[at(c)].cols();
        rest /= laws.node[at(c)].cols();
        point[c] = laws.node[at(c)](i, k);
        weight *= laws.weight[at(c)](i, k);
      }
      if (weight == 0.0) continue;
      entries.emplace_back(i, static_cast<Index>(entries.size()), weight);
      coordinates.insert(coordinates.end(), point.begin(), point.end());
    }
  const auto points = static_cast<Index>(entries.size());
  DiscreteLaws out{
      std::make_shared<const Inputs>(Rows(Eigen::Map<const Rows>(coordinates.data(), points, d))), {}, true};
  out.weight.resize(n, points);
  out.weight.setFromTriplets(entries.begin(), entries.end());
  return out;
}

Matrix axis_expect(const Kernel& kernel, const AxisLaws& left, const AxisLaws& right) {
  const auto terms = terms_of(kernel);
  const LawColumns rows = columns_of(left);
  const LawColumns columns = columns_of(right);
  Matrix out = Matrix::Zero(rows.node.front().rows(), columns.node.front().rows());
  for (const auto& term : terms) {
    Matrix product = Matrix::Constant(out.rows(), out.cols(), term.variance);
    for (const auto& group : term.groups) {
      const auto shared = tables(group, rows, columns);
      for (Index j = 0; j < out.cols(); ++j) {
        stop_point();
        product.col(j).array() *= shared ? shared->column(j) : group_expectation(group, rows, columns, j);
      }
    }
    out += product;
  }
  return out;
}

Vector axis_expect_diagonal(const Kernel& kernel, const AxisLaws& laws) {
  const LawColumns both = columns_of(laws);
  return expectation(terms_of(kernel), both, both, -1);
}

Vector axis_pull_back(const Kernel& kernel, const AxisLaws& left, const AxisLaws& right, const Matrix& weight) {
  const LawColumns rows = columns_of(left);
  const LawColumns columns = columns_of(right);
  Vector gradient = Vector::Zero(kernel.log_parameters().size());
  Index first = 0;
  for (const auto& term : terms_of(kernel)) {
    for (Index j = 0; j < weight.cols(); ++j) {
      stop_point();
      std::vector<Array> values;
      for (const auto& group : term.groups) values.push_back(group_expectation(group, rows, columns, j));
      Array all = term.variance * weight.col(j).array();
      for (const auto& value : values) all *= value;
      gradient[first] += all.sum();
      Index own = first + 1;
      for (std::size_t g = 0; g < values.size(); ++g) {
        Array others = term.variance * weight.col(j).array();
        for (std::size_t h = 0; h < values.size(); ++h)
          if (h != g) others *= values[h];
        gradient.segment(own, term.groups[g].parameters()) += group_pull_back(term.groups[g], rows, columns, j, others);
        own += term.groups[g].parameters();
      }
    }
    first += term.parameters();
  }
  return gradient;
}

Rows axis_centres(const AxisLaws& laws) {
  Rows out(laws.node.front().rows(), static_cast<Index>(laws.node.size()));
  for (Index c = 0; c < out.cols(); ++c) out.col(c) = laws.node[at(c)].cwiseProduct(laws.weight[at(c)]).rowwise().sum();
  return out;
}

// E exp(i w.X) is a product over the axes.
Matrix axis_cosines(const AxisLaws& laws, const Rows& frequency, const Vector& phase) {
  using Complex = std::complex<double>;
  Eigen::ArrayXXcd product = Eigen::ArrayXXcd::Ones(laws.node.front().rows(), frequency.rows());
  for (Index r = 0; r < frequency.rows(); ++r) {
    for (Index c = 0; c < frequency.cols(); ++c) {
      const Eigen::ArrayXXd angle = laws.node[at(c)].array() * frequency(r, c);
      const Eigen::ArrayXXd weight = laws.weight[at(c)].array();
      const Array real = (weight * angle.cos()).rowwise().sum();
      const Array imaginary = (weight * angle.sin()).rowwise().sum();
      product.col(r) *= real.cast<Complex>() + Complex(0.0, 1.0) * imaginary.cast<Complex>();
    }
    product.col(r) *= std::polar(1.0, phase[r]);
  }
  return product.real();
}

}  // namespace iqbo
