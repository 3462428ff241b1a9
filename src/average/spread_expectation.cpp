#include "spread_expectation.hpp"

#include <optional>
#include <vector>

#include "even_windows.hpp"
#include "iqbo/core/stop.hpp"
#include "shared_axes.hpp"
#include "spread_terms.hpp"

namespace iqbo {
namespace {

// The table of a group: none, or one of these two.
struct Table {
  std::optional<SharedAxes> shared;
  std::optional<EvenWindows> even;

  Table(const Group& group, const SpreadLaws& left, const SpreadLaws& right)
      : shared(SharedAxes::of(group, left, right)) {
    if (!shared) even = EvenWindows::of(group, left, right);
  }
};
using Tables = std::vector<Table>;  // one for each group of a term

// Every left law paired with right law j.
Array column(const Term& term, Tables& tables, PairColumns& pairs, Index j) {
  if (term.groups.empty()) return term.expectation(pairs.column(j));
  const auto average = [&](std::size_t g) {
    if (tables[g].shared) return tables[g].shared->column(j);
    if (tables[g].even) return tables[g].even->column(j);
    return term.groups[g].expectation(pairs.column(j));
  };
  Array out = average(0);
  for (std::size_t g = 1; g < term.groups.size(); ++g) out *= average(g);
  return term.variance * out;
}

}  // namespace

SpreadLaws without_width(const Inputs& x) {
  const Rows zero = Rows::Zero(x.size(), x.dimension());
  return {x.coordinates(), zero, zero};
}

Matrix spread_expect(const Kernel& kernel, const SpreadLaws& left, const SpreadLaws& right) {
  PairColumns pairs(left, right);
  Matrix out = Matrix::Zero(left.centre.rows(), right.centre.rows());
  for (const Term& term : terms_of(kernel)) {
    Tables tables;
    for (const Group& group : term.groups) tables.emplace_back(group, left, right);
    for (Index j = 0; j < out.cols(); ++j) {
      stop_point();
      out.col(j).array() += column(term, tables, pairs, j);
    }
  }
  return out;
}

Vector spread_expect_diagonal(const Kernel& kernel, const SpreadLaws& laws) {
  const LawPairs pairs = diagonal_pairs(laws);
  Array out = Array::Zero(pairs.size());
  for (const auto& term : terms_of(kernel)) out += term.expectation(pairs);
  return out;
}

Vector spread_pull_back(const Kernel& kernel, const SpreadLaws& left, const SpreadLaws& right, const Matrix& weight) {
  const auto terms = terms_of(kernel);
  PairColumns columns(left, right);
  Vector gradient = Vector::Zero(kernel.log_parameters().size());
  for (Index j = 0; j < right.centre.rows(); ++j) {
    stop_point();
    const LawPairs& pairs = columns.column(j);
    Index at = 0;
    for (const auto& term : terms) {
      gradient.segment(at, term.parameters()) +=
          term.pull_back(pairs, term.averages(pairs, true), weight.col(j).array());
      at += term.parameters();
    }
  }
  return gradient;
}

// delta = centre - centre', so the right law's centre enters with a minus sign.
SpreadGradient spread_law_pull_back(const Kernel& kernel, const SpreadLaws& left, const SpreadLaws& right,
                                    const Matrix& weight, bool in_half_width) {
  const auto terms = terms_of(kernel);
  PairColumns columns(left, right);
  SpreadGradient out(right);
  for (Index j = 0; j < right.centre.rows(); ++j) {
    const LawPairs& pairs = columns.column(j);
    Slopes slopes(pairs);
    for (const auto& term : terms) term.add_slopes(pairs, weight.col(j).array(), in_half_width, slopes);
    out.centre.row(j) = -slopes.delta.colwise().sum();
    out.sd.row(j) = 2.0 * right.sd.row(j).array() * slopes.var.colwise().sum();
    out.half_width.row(j) = slopes.v.colwise().sum();
  }
  return out;
}

// Both sides are the same law: twice the derivative in one side, and zero in the centre.
SpreadGradient spread_diagonal_pull_back(const Kernel& kernel, const SpreadLaws& laws, const Vector& weight,
                                         bool in_half_width) {
  const LawPairs pairs = diagonal_pairs(laws);
  Slopes slopes(pairs);
  for (const auto& term : terms_of(kernel)) term.add_slopes(pairs, weight.array(), in_half_width, slopes);
  SpreadGradient out(laws);
  out.sd = 4.0 * laws.sd.array() * slopes.var;
  out.half_width = 2.0 * slopes.v;
  return out;
}

}  // namespace iqbo
