#include "contenders.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <unordered_map>

#include "average/lattice_laws.hpp"
#include "numerics/normal.hpp"

namespace iqbo {

using namespace internal;

namespace {

constexpr double kSds = 5.0;
constexpr double kMeanSize = 0.7978845608028654;  // E|Z|

// Inputs that can win, and what leaving out the others costs at most.
Contenders able(const Marginals& f) {
  Index top = 0;
  const double best = f.mean.maxCoeff(&top);
  const double top_sd = std::sqrt(std::max(f.var[top], 0.0));
  Contenders out;
  double most = 0.0;
  for (Index i = 0; i < f.mean.size(); ++i) {
    const double sd = top_sd + std::sqrt(std::max(f.var[i], 0.0));
    if (i == top || best - f.mean[i] <= kSds * sd)
      out.rows.push_back(i);
    else
      most = std::max(most, sd);
  }
  out.able = static_cast<Index>(out.rows.size());
  out.lost = 2.0 * most * std::exp(log_improvement(-kSds));
  return out;
}

Index block_of(const LatticePoints& points, Index row, Index side) {
  Index out = 0;
  const Lattice& lattice = points.lattice();
  for (Index c = 0; c < lattice.cell.cols(); ++c)
    out = out * (lattice.cells[static_cast<std::size_t>(c)] / side + 1) + lattice.cell(row, c) / side;
  return out;
}

// The largest mean of each block, by its number.
std::unordered_map<Index, Index> tops(const LatticePoints& points, const std::vector<Index>& rows, const Vector& mean,
                                      Index side) {
  std::unordered_map<Index, Index> out;
  for (const Index row : rows) {
    const auto [at, is_new] = out.try_emplace(block_of(points, row, side), row);
    if (!is_new && mean[row] > mean[at->second]) at->second = row;
  }
  return out;
}

// The variance of f(x_i) - f(x_j), at most, for cells of one block: by the prior of each member, as observations only take from
// it.
Vector apart(const FiniteEnsemble& belief, const LatticePoints& points, Index side) {
  const Vector& spacing = points.lattice().spacing;
  Vector out = Vector::Zero(belief.weights().size());
  std::vector<Index> lag(static_cast<std::size_t>(spacing.size()), 0);
  for (std::size_t c = 0; c < lag.size();) {
    Vector step(spacing.size());
    for (Index k = 0; k < step.size(); ++k)
      step[k] = static_cast<double>(lag[static_cast<std::size_t>(k)]) * spacing[k];
    for (Index s = 0; s < out.size(); ++s)
      out[s] = std::max(out[s], belief.members()[static_cast<std::size_t>(s)].prior_apart(step));
    for (c = 0; c < lag.size() && ++lag[c] == side; ++c) lag[c] = 0;
  }
  return out;
}

}  // namespace

std::string Contenders::note() const {
  char bound[32];
  std::snprintf(bound, sizeof bound, "%.1e", lost);
  std::string out = std::to_string(able) + " inputs can still be the best";
  if (static_cast<Index>(rows.size()) < able) out += ", of which " + std::to_string(rows.size()) + " stand for all";
  return out + "; the worth of a query is off by at most " + bound;
}

Contenders contenders(const FiniteEnsemble& belief, Index most) {
  Contenders out = able(belief.f());
  if (out.able <= most) return out;
  const auto points = LatticePoints::of(belief.x());
  if (points == nullptr) return out;
  const Vector& mean = belief.f().mean;
  Index side = 2;
  auto top = tops(*points, out.rows, mean, side);
  while (static_cast<Index>(top.size()) > most) top = tops(*points, out.rows, mean, ++side);
  const Vector prior = apart(belief, *points, side);
  double largest = 0.0;
  for (const Index row : out.rows) {
    const Index stands = top.at(block_of(*points, row, side));
    if (row == stands) continue;
    double var = 0.0;
    for (Index s = 0; s < prior.size(); ++s) {
      const auto& own = belief.members()[static_cast<std::size_t>(s)].f().mean;
      var += belief.weights()[s] * (prior[s] + std::pow((own[row] - own[stands]) - (mean[row] - mean[stands]), 2));
    }
    largest = std::max(largest, var);
  }
  out.lost += kMeanSize * std::sqrt(largest);
  out.rows.clear();
  for (const auto& each : top) out.rows.push_back(each.second);
  std::sort(out.rows.begin(), out.rows.end());
  return out;
}

}  // namespace iqbo
