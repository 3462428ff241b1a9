#include "axis_expectation.hpp"

#include <algorithm>
#include <complex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "iqbo/core/stop.hpp"
#include "iqbo/kernel/product.hpp"
#include "iqbo/kernel/sum.hpp"
#include "shared_axes.hpp"
#include "spread_terms.hpp"

namespace iqbo {

using namespace internal;

namespace {

// Squared distances beyond are as good as this one, where exp(-D^2/2) is 7e-218: numbers that are no longer normal
// take a hundred times as long to multiply.
constexpr double kFar2 = 1000.0;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

// n laws against n others, or against one: nodes and weights along each coordinate, contiguous over the laws.
struct Sides {
  std::vector<Columns> node, weight;
};

Sides columns_of(const AxisLaws& laws) {
  Sides out;
  for (const Rows& node : laws.node) out.node.emplace_back(node.array());
  for (const Rows& weight : laws.weight) out.weight.emplace_back(weight.array());
  return out;
}

// Along one coordinate, in lengthscales: E[exp(-D^2/2)] and, if wanted, E[D^2 exp(-D^2/2)].
struct AxisSums {
  Array zeroth, second;
};

// Coordinate c of every left law with that of right law j; or, where j < 0, with that of the right law of its own row.
AxisSums axis_sums(const Sides& left, const Sides& right, Index c, Index j, double l2, bool with_second) {
  const Columns& x = left.node[at(c)];
  const Columns& y = right.node[at(c)];
  const Columns& y_weight = right.weight[at(c)];
  const double per_l2 = 1.0 / l2;
  AxisSums out{Array::Zero(x.rows()), Array::Zero(with_second ? x.rows() : 0)};
  Array d2(x.rows());
  Array value(x.rows());
  for (Index l = 0; l < y.cols(); ++l) {
    if (j >= 0 && y_weight(j, l) == 0.0) continue;
    for (Index k = 0; k < x.cols(); ++k) {
      if (j >= 0)
        d2 = ((x.col(k) - y(j, l)).square() * per_l2).min(kFar2);
      else
        d2 = ((x.col(k) - y.col(l)).square() * per_l2).min(kFar2);
      value = (-0.5 * d2).exp() * left.weight[at(c)].col(k);
      if (j >= 0)
        value *= y_weight(j, l);
      else
        value *= y_weight.col(l);
      out.zeroth += value;
      if (with_second) out.second += value * d2;
    }
  }
  return out;
}

// One radial kernel; per scale of its mixture the product over its columns.
Array group_expectation(const Group& group, const Sides& left, const Sides& right, Index j) {
  const ScaleMixture& mixture = group.scales();
  Array out = Array::Zero(left.node.front().rows());
  for (Index s = 0; s < mixture.scale.size(); ++s) {
    Array product = Array::Constant(out.size(), mixture.weight[s]);
    for (Index g = 0; g < group.size(); ++g)
      product *= axis_sums(left, right, group.column(g), j, group.squared_length(g, mixture.scale[s]), false).zeroth;
    out += product;
  }
  return out;
}

// --- laws that share coordinates ---

Sides along(const Sides& laws, const std::vector<Index>& rows, Index c) {
  return {{laws.node[at(c)](rows, Eigen::all)}, {laws.weight[at(c)](rows, Eigen::all)}};
}

// A row for each scale, a column for each pair of laws.
Matrix factors(const Group& group, Index g, const Sides& left, const Sides& right) {
  const Vector& scale = group.scales().scale;
  const Index n = left.node.front().rows();
  const Index m = right.node.front().rows();
  Matrix out(scale.size(), n * m);
  for (Index j = 0; j < m; ++j)
    for (Index s = 0; s < scale.size(); ++s)
      out.row(s).segment(j * n, n) = axis_sums(left, right, 0, j, group.squared_length(g, scale[s]), false).zeroth;
  return out;
}

std::optional<SharedAxes> tables(const Group& group, const Sides& left, const Sides& right) {
  const auto side = [&](const Sides& laws) {
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
  return SharedAxes::tabulate(group.size(), left.node.front().rows(), right.node.front().rows(), group.scales().weight,
                              side(left), side(right),
                              [&](Index g, const std::vector<Index>& lefts, const std::vector<Index>& rights) {
                                const Index c = group.column(g);
                                return factors(group, g, along(left, lefts, c), along(right, rights, c));
                              });
}

// sum_i weight_i d expectation_i / d log lengthscale.
Vector group_pull_back(const Group& group, const Sides& left, const Sides& right, Index j, const Array& weight) {
  const ScaleMixture& mixture = group.scales();
  Vector gradient = Vector::Zero(group.size());
  for (Index s = 0; s < mixture.scale.size(); ++s) {
    std::vector<AxisSums> sums;
    for (Index g = 0; g < group.size(); ++g)
      sums.push_back(axis_sums(left, right, group.column(g), j, group.squared_length(g, mixture.scale[s]), true));
    for (Index g = 0; g < group.size(); ++g) {
      Array product = mixture.weight[s] * weight * sums[at(g)].second;
      for (Index h = 0; h < group.size(); ++h)
        if (h != g) product *= sums[at(h)].zeroth;
      gradient[g] += product.sum();
    }
  }
  return gradient;
}

Array expectation(const std::vector<Term>& terms, const Sides& left, const Sides& right, Index j) {
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
  if (const auto* sum = dynamic_cast<const Sum*>(&kernel))
    return std::all_of(sum->terms().begin(), sum->terms().end(), [](const auto& term) { return by_axes(*term); });
  return dynamic_cast<const Stationary*>(&kernel) != nullptr || dynamic_cast<const Product*>(&kernel) != nullptr;
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
  const Sides rows = columns_of(left);
  const Sides columns = columns_of(right);
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
  const Sides both = columns_of(laws);
  return expectation(terms_of(kernel), both, both, -1);
}

Vector axis_pull_back(const Kernel& kernel, const AxisLaws& left, const AxisLaws& right, const Matrix& weight) {
  const Sides rows = columns_of(left);
  const Sides columns = columns_of(right);
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
        gradient.segment(own, term.groups[g].size()) += group_pull_back(term.groups[g], rows, columns, j, others);
        own += term.groups[g].size();
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
