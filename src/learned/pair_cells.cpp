#include "pair_cells.hpp"

#include <algorithm>

#include "thinning.hpp"

namespace iqbo {
namespace {

constexpr double kEmpty = 1e-9;      // pairs in a cell whose pairs are all left out
constexpr Index kListedBins = 4096;  // more listed points than this are binned like any other x

Index most_bins(Index dimension) {
  if (dimension == 1) return 512;
  return dimension == 2 ? 1024 : 2048;
}

// The points of X, if they are listed and few.
std::shared_ptr<const Inputs> listed_bins(const InputDomain& domain) {
  const auto* set = std::get_if<InputSet>(&domain);
  if (set == nullptr || set->points().size() > kListedBins) return nullptr;
  return std::make_shared<const Inputs>(set->points());
}

// The listed point nearest to each row. Rows repeat few x, as a rule, so distinct bins are looked up once.
Division on_listed_points(const Inputs& listed, const Inputs& x, const Vector& x_sd) {
  constexpr Index kFine = 1 << 16;
  const Matrix scaled = x.coordinates().array().rowwise() / x_sd.transpose().array();
  Division out{{}, listed.size()};
  const Division fine = divided(scaled, kFine);
  std::vector<std::int32_t> first(static_cast<std::size_t>(fine.count), -1);
  std::vector<bool> alike(first.size(), true);
  for (std::size_t i = 0; i < fine.cell.size(); ++i) {
    auto& row = first[static_cast<std::size_t>(fine.cell[i])];
    if (row < 0)
      row = static_cast<std::int32_t>(i);
    else if (x.coordinates().row(row) != x.coordinates().row(static_cast<Index>(i)))
      alike[static_cast<std::size_t>(fine.cell[i])] = false;
  }
  std::vector<Index> sought;  // row i, unless the first row of its bin is the same
  for (std::size_t i = 0; i < fine.cell.size(); ++i) {
    const auto k = static_cast<std::size_t>(fine.cell[i]);
    if (!alike[k] || first[k] == static_cast<std::int32_t>(i)) sought.push_back(static_cast<Index>(i));
  }
  const std::vector<Index> nearest = nearest_rows(listed.coordinates(), x.coordinates()(sought, Eigen::all));
  out.cell.resize(fine.cell.size());
  for (std::size_t s = 0; s < sought.size(); ++s)
    out.cell[static_cast<std::size_t>(sought[s])] = static_cast<std::int32_t>(nearest[s]);
  for (std::size_t i = 0; i < fine.cell.size(); ++i) {
    const auto k = static_cast<std::size_t>(fine.cell[i]);
    if (alike[k]) out.cell[i] = out.cell[static_cast<std::size_t>(first[k])];
  }
  return out;
}

// Means over the rows of each cell.
Rows means(const Rows& rows, const Division& division, const Vector& size, const std::vector<bool>& used) {
  Rows out = Rows::Zero(division.count, rows.cols());
  for (Index i = 0; i < rows.rows(); ++i)
    if (used[static_cast<std::size_t>(i)]) out.row(division.cell[static_cast<std::size_t>(i)]) += rows.row(i);
  for (Index k = 0; k < division.count; ++k) out.row(k) /= std::max(size[k], 1.0);
  return out;
}

}  // namespace

PairCells PairCells::subset(const std::vector<Index>& cells) const {
  PairCells out{
      encoding, x_sd, bins, Queries(Rows(a.coordinates()(cells, Eigen::all))), size(cells), Rows(x(cells, Eigen::all)),
      {}};
  std::vector<Eigen::Triplet<double, Index>> entries;
  for (std::size_t k = 0; k < cells.size(); ++k)
    for (SparseRows::InnerIterator it(share, cells[k]); it; ++it)
      entries.emplace_back(static_cast<Index>(k), it.col(), it.value());
  out.share = SparseRows(static_cast<Index>(cells.size()), share.cols());
  out.share.setFromTriplets(entries.begin(), entries.end());
  return out;
}

BinnedPairs binned(const Inputs& x, const Queries& a, const internal::QueryEncoding& encoding, const Vector& x_sd,
                   const InputDomain& domain, Index cells) {
  BinnedPairs out{&x, &a, divided(encoding.encoded(a, Vector::Ones(encoding.groups())), cells), {}};
  if (const auto listed = listed_bins(domain))
    out.bin = on_listed_points(*listed, x, x_sd);
  else
    out.bin = divided(x.coordinates().array().rowwise() / x_sd.transpose().array(), most_bins(x.dimension()));
  return out;
}

PairCells table_of(const BinnedPairs& pairs, std::shared_ptr<const internal::QueryEncoding> encoding,
                   const Vector& x_sd, const InputDomain& domain, const LeftOut& left_out) {
  const Index n = pairs.x->size(), cells = pairs.cell.count;
  std::vector<bool> used(static_cast<std::size_t>(n));
  Vector size = Vector::Zero(cells), in_bin = Vector::Zero(pairs.bin.count);
  for (Index i = 0; i < n; ++i) {
    const auto at = static_cast<std::size_t>(i);
    used[at] = i % left_out.folds != left_out.without;
    if (!used[at]) continue;
    size[pairs.cell.cell[at]] += 1.0;
    in_bin[pairs.bin.cell[at]] += 1.0;
  }
  Rows a = means(pairs.a->coordinates(), pairs.cell, size, used);
  Rows x = means(pairs.x->coordinates(), pairs.cell, size, used);
  for (const Index column : encoding->categories())
    for (Index i = n - 1; i >= 0; --i)
      if (used[static_cast<std::size_t>(i)])
        a(pairs.cell.cell[static_cast<std::size_t>(i)], column) = pairs.a->coordinates()(i, column);
  auto bins = listed_bins(domain);
  if (bins == nullptr) bins = std::make_shared<const Inputs>(means(pairs.x->coordinates(), pairs.bin, in_bin, used));
  size = size.cwiseMax(kEmpty);
  PairCells out{std::move(encoding), x_sd, std::move(bins), Queries(std::move(a)), std::move(size), std::move(x), {}};
  // Rows by cell, then the bins of each cell counted.
  std::vector<std::vector<std::int32_t>> bins_of(static_cast<std::size_t>(cells));
  for (Index i = 0; i < n; ++i)
    if (const auto at = static_cast<std::size_t>(i); used[at])
      bins_of[static_cast<std::size_t>(pairs.cell.cell[at])].push_back(pairs.bin.cell[at]);
  out.share = SparseRows(cells, out.bins->size());
  for (Index k = 0; k < cells; ++k) {
    auto& here = bins_of[static_cast<std::size_t>(k)];
    std::sort(here.begin(), here.end());
    out.share.startVec(k);
    for (std::size_t i = 0; i < here.size();) {
      const std::size_t begin = i;
      while (i < here.size() && here[i] == here[begin]) ++i;
      out.share.insertBack(k, here[begin]) = static_cast<double>(i - begin) / out.size[k];
    }
  }
  out.share.finalize();
  return out;
}

}  // namespace iqbo
