#include "lattice_laws.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <utility>

namespace iqbo::internal {

LatticePoints::LatticePoints(Lattice lattice) : lattice_(std::move(lattice)) {
  const auto& cells = lattice_.cells;
  leading_.assign(cells.begin(), cells.end() - 1);
  if (leading_.empty()) leading_ = {1};
  for (const Index count : leading_) rows_ *= count;
  columns_ = cells.back();
  const auto d = static_cast<Index>(cells.size());
  for (Index i = 0; i < lattice_.cell.rows(); ++i) {
    Index row = 0;
    for (Index c = 0; c + 1 < d; ++c) row = row * cells[static_cast<std::size_t>(c)] + lattice_.cell(i, c);
    row_.push_back(row);
    column_.push_back(lattice_.cell(i, d - 1));
  }
}

// To find a lattice takes a sort of all coordinates, and the same support comes again and again.
std::shared_ptr<const LatticePoints> LatticePoints::of(const std::shared_ptr<const Inputs>& support) {
  struct Known {
    std::weak_ptr<const Inputs> support;
    std::shared_ptr<const LatticePoints> points;
  };
  static std::mutex mutex;
  static std::vector<Known> known;
  const std::lock_guard lock(mutex);
  std::erase_if(known, [](const Known& each) { return each.support.expired(); });
  for (const Known& each : known)
    if (!each.support.owner_before(support) && !support.owner_before(each.support)) return each.points;
  auto lattice = lattice_of(support->coordinates());
  known.push_back({support, lattice ? std::make_shared<const LatticePoints>(*std::move(lattice)) : nullptr});
  return known.back().points;
}

std::shared_ptr<const LatticePoints> LatticePoints::of(const Inputs& points) {
  struct Known {
    Inputs at;
    LatticePoints found;
  };
  static std::mutex mutex;
  static std::weak_ptr<const Known> last;
  const std::lock_guard lock(mutex);
  auto known = last.lock();
  if (known == nullptr || known->at != points) {
    auto lattice = lattice_of(points.coordinates());
    if (!lattice) return nullptr;
    known = std::make_shared<const Known>(Known{points, LatticePoints(*std::move(lattice))});
    last = known;
  }
  return {known, &known->found};
}

std::optional<std::vector<LatticeCell>> LatticePoints::cells_of(const Inputs& x) const {
  constexpr double kOnLattice = 1e-9;  // of the extent
  const auto& cells = lattice_.cells;
  const auto d = static_cast<Index>(cells.size());
  if (x.dimension() != d) return std::nullopt;
  std::vector<LatticeCell> out;
  out.reserve(static_cast<std::size_t>(x.size()));
  for (Index i = 0; i < x.size(); ++i) {
    LatticeCell cell{0, 0};
    for (Index c = 0; c < d; ++c) {
      const Index count = cells[static_cast<std::size_t>(c)];
      const double steps = (x.coordinates()(i, c) - lattice_.origin[c]) / lattice_.spacing[c];
      const double nearest = std::round(steps);
      if (std::abs(steps - nearest) > kOnLattice * static_cast<double>(count) || nearest < 0.0 ||
          nearest >= static_cast<double>(count))
        return std::nullopt;
      if (c + 1 < d)
        cell.row = cell.row * count + static_cast<Index>(nearest);
      else
        cell.column = static_cast<Index>(nearest);
    }
    out.push_back(cell);
  }
  return out;
}

Index LatticePoints::lag_of_many(Index row, Index other) const {
  Index out = 0, stride = 1;
  for (std::size_t c = leading_.size(); c-- > 0;) {
    out += stride * std::abs(row % leading_[c] - other % leading_[c]);
    row /= leading_[c];
    other /= leading_[c];
    stride *= leading_[c];
  }
  return out;
}

Vector LatticePoints::leading_distance(Index lag) const {
  const auto d = static_cast<Index>(lattice_.cells.size());
  Vector out(d - 1);
  for (Index c = d - 2; c >= 0; --c) {
    const Index count = lattice_.cells[static_cast<std::size_t>(c)];
    out[c] = static_cast<double>(lag % count) * lattice_.spacing[c];
    lag /= count;
  }
  return out;
}

namespace {

void extend(LatticeRuns& runs, const LatticeCell& cell, double weight) {
  if (!runs.empty() && runs.back().row == cell.row && runs.back().end == cell.column && runs.back().weight == weight)
    runs.back().end = cell.column + 1;
  else
    runs.push_back({cell.row, cell.column, cell.column + 1, weight});
}

// Of points in any order.
LatticeRuns sorted_runs(const LatticePoints& points, const SparseRows& weight, Index law) {
  LatticeRuns cells, out;
  for (SparseRows::InnerIterator it(weight, law); it; ++it)
    if (it.value() != 0.0)
      cells.push_back({points.row(it.col()), points.column(it.col()), points.column(it.col()) + 1, it.value()});
  std::sort(cells.begin(), cells.end(), [](const LatticeRun& a, const LatticeRun& b) {
    return std::pair(a.row, a.begin) < std::pair(b.row, b.begin);
  });
  for (const LatticeRun& cell : cells) extend(out, {cell.row, cell.begin}, cell.weight);
  return out;
}

}  // namespace

// Points are mostly listed row by row: then one pass finds the runs.
std::vector<LatticeRuns> runs_of(const LatticePoints& points, const SparseRows& weight) {
  std::vector<LatticeRuns> out(static_cast<std::size_t>(weight.rows()));
  for (Index i = 0; i < weight.rows(); ++i) {
    LatticeRuns& runs = out[static_cast<std::size_t>(i)];
    bool in_order = true;
    for (SparseRows::InnerIterator it(weight, i); it && in_order; ++it) {
      if (it.value() == 0.0) continue;
      const LatticeCell cell = points.at(it.col());
      in_order = runs.empty() || std::pair(runs.back().row, runs.back().end) <= std::pair(cell.row, cell.column);
      if (in_order) extend(runs, cell, it.value());
    }
    if (!in_order) runs = sorted_runs(points, weight, i);
    runs.shrink_to_fit();
  }
  return out;
}

// Runs of a row are in order, and so are the blocks that reach down to it: one pass over both.
LatticeBlocks blocks_of(const LatticePoints& points, const LatticeRuns& law) {
  LatticeBlocks out;
  std::vector<std::size_t> above, here;  // blocks with a run in the last row, and in this one
  std::size_t next = 0;                  // of those above
  Index row = -1;
  for (const LatticeRun& run : law) {
    if (run.row != row) {
      above = points.has_ordered_rows() && run.row == row + 1 ? std::move(here) : std::vector<std::size_t>();
      here.clear();
      next = 0;
      row = run.row;
    }
    while (next < above.size() && out[above[next]].begin < run.begin) ++next;
    if (next < above.size()) {
      LatticeBlock& block = out[above[next]];
      if (block.begin == run.begin && block.end == run.end && block.weight == run.weight) {
        ++block.bottom;
        here.push_back(above[next++]);
        continue;
      }
    }
    here.push_back(out.size());
    out.push_back({run.row, run.row + 1, run.begin, run.end, run.weight});
  }
  return out;
}

std::vector<LatticeBlocks> blocks_of(const LatticePoints& points, const std::vector<LatticeRuns>& laws) {
  std::vector<LatticeBlocks> out;
  out.reserve(laws.size());
  for (const LatticeRuns& law : laws) out.push_back(blocks_of(points, law));
  return out;
}

}  // namespace iqbo::internal
