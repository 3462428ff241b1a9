#include "lattice_kernel.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <utility>

#include "iqbo/core/stop.hpp"

namespace iqbo::internal {
namespace {

constexpr double kNegligibleCell = 1e-19;  // of the variance, at every cell of a row

// Measured, in nanoseconds: a cell of a run, and a cell of a torus per law and binary digit of its size.
constexpr double kRunCost = 0.6, kTorusCost = 1.3;

// Row-wise sums take two passes for a rectangle of any height.
double passes(const LatticeBlocks& law) {
  double out = 0.0;
  for (const LatticeBlock& block : law) out += static_cast<double>(std::min<Index>(block.height(), 2));
  return out;
}

}  // namespace

LatticeKernel::LatticeKernel(const Kernel& kernel, std::shared_ptr<const LatticePoints> points)
    : points_(std::move(points)) {
  const Index rows = points_->rows(), columns = points_->columns();
  const Vector& spacing = points_->lattice().spacing;
  const Index d = spacing.size();
  table_.resize(columns, rows);
  Rows distance(columns, d);
  distance.col(d - 1) = Vector::LinSpaced(columns, 0.0, static_cast<double>(columns - 1)) * spacing[d - 1];
  for (Index lag = 0; lag < rows; ++lag) {
    if (d > 1) distance.leftCols(d - 1).rowwise() = points_->leading_distance(lag).transpose();
    table_.col(lag) = kernel.evaluate(distance, Rows::Zero(1, d)).col(0);
  }
  const double most = kNegligibleCell * table_.cwiseAbs().maxCoeff();
  prefix_.resize(2 * columns + 1, rows);
  for (Index lag = 0; lag < rows; ++lag) {
    is_far_.push_back(table_.col(lag).cwiseAbs().maxCoeff() < most);
    long double sum = 0.0L;
    for (Index j = 0; j <= 2 * columns; ++j) {
      prefix_(j, lag) = static_cast<double>(sum);
      if (j < 2 * columns) sum += static_cast<long double>(table_(std::min(columns - 1, std::abs(j - columns)), lag));
    }
  }
}

LatticeKernel::LatticeKernel(const std::vector<std::pair<double, const LatticeKernel*>>& terms)
    : points_(terms.front().second->points_) {
  table_ = Matrix::Zero(points_->columns(), points_->rows());
  prefix_ = Matrix::Zero(2 * points_->columns() + 1, points_->rows());
  is_far_.assign(static_cast<std::size_t>(points_->rows()), true);
  for (const auto& [factor, term] : terms) {
    table_ += factor * term->table_;
    prefix_ += factor * term->prefix_;
    for (std::size_t lag = 0; lag < is_far_.size(); ++lag) is_far_[lag] = is_far_[lag] && term->is_far_[lag];
  }
}

void LatticeKernel::make_second() const {
  const Index rows = points_->rows(), columns = points_->columns();
  second_.resize(2 * columns + 2, rows);
  for (Index lag = 0; lag < rows; ++lag) {
    long double first = 0.0L, sum = 0.0L;
    for (Index j = 0; j <= 2 * columns + 1; ++j) {
      second_(j, lag) = sum;
      sum += first;
      if (j < 2 * columns) first += static_cast<long double>(table_(std::min(columns - 1, std::abs(j - columns)), lag));
    }
  }
}

Matrix LatticeKernel::values(const std::vector<Index>& some) const {
  Matrix out(points_->size(), static_cast<Index>(some.size()));
  for (Index j = 0; j < out.cols(); ++j) {
    const Index row = points_->row(some[static_cast<std::size_t>(j)]);
    const Index column = points_->column(some[static_cast<std::size_t>(j)]);
    for (Index i = 0; i < out.rows(); ++i)
      out(i, j) = table_(std::abs(points_->column(i) - column), points_->lag(points_->row(i), row));
  }
  return out;
}

double LatticeKernel::torus_cells() const {
  double out = 1.0;
  for (const Index cells : points_->lattice().cells)
    if (cells > 1) out *= static_cast<double>(smooth_size(2 * (cells - 1)));
  return out;
}

// Which way a law goes depends on the law alone, so that only last digits depend on how laws are batched.
Matrix LatticeKernel::with_all(const SparseRows& weight) const {
  const std::vector<LatticeBlocks> laws = blocks_of(*points_, runs_of(*points_, weight));
  Matrix out(points_->size(), weight.rows());
  const double cells = torus_cells();
  const double convolution = kTorusCost * cells * std::log2(cells + 2.0);
  std::vector<Index> rest;
  Matrix sum(points_->columns(), points_->rows());
  for (Index j = 0; j < weight.rows(); ++j) {
    stop_point();
    const LatticeBlocks& law = laws[static_cast<std::size_t>(j)];
    if (kRunCost * passes(law) * static_cast<double>(points_->cells()) < convolution)
      by_blocks(law, sum, out.col(j));
    else
      rest.push_back(j);
  }
  if (!rest.empty()) by_convolution(weight, rest, out);
  return out;
}

void LatticeKernel::by_blocks(const LatticeBlocks& law, Matrix& sum, Eigen::Ref<Vector> out) const {
  const Index columns = points_->columns();
  sum.setZero();
  for (const LatticeBlock& block : law) {
    if (block.height() > 2) {
      by_window(block, sum);
      continue;
    }
    for (Index from = block.top; from < block.bottom; ++from)
      for (Index row = 0; row < points_->rows(); ++row) {
        const Index lag = points_->lag(row, from);
        if (is_far_[static_cast<std::size_t>(lag)]) continue;
        const auto prefix = prefix_.col(lag);
        sum.col(row) += block.weight * (prefix.segment(columns + 1 - block.begin, columns) -
                                        prefix.segment(columns + 1 - block.end, columns));
      }
  }
  for (Index i = 0; i < out.size(); ++i) out[i] = sum(points_->column(i), points_->row(i));
}

// From one row to the next a rectangle loses its last row of lags and gains a first one.
void LatticeKernel::by_window(const LatticeBlock& block, Matrix& sum) const {
  const Index columns = points_->columns();
  Vector window = Vector::Zero(columns);
  const auto change = [&](Index lag, double sign) {
    if (is_far_[static_cast<std::size_t>(lag)]) return;
    const auto prefix = prefix_.col(lag);
    window +=
        sign * (prefix.segment(columns + 1 - block.begin, columns) - prefix.segment(columns + 1 - block.end, columns));
  };
  for (Index row = block.top; row < block.bottom; ++row) change(row, 1.0);
  for (Index row = 0;; ++row) {
    sum.col(row) += block.weight * window;
    if (row + 1 == points_->rows()) return;
    change(std::abs(row + 1 - block.top), 1.0);
    change(std::abs(row + 1 - block.bottom), -1.0);
  }
}

const LatticeKernel::Torus& LatticeKernel::torus() const {
  std::call_once(made_torus_, [this] {
    const Lattice& lattice = points_->lattice();
    std::vector<Index> sizes;
    for (const Index cells : lattice.cells) sizes.push_back(cells == 1 ? 1 : smooth_size(2 * (cells - 1)));
    torus_.fft = std::make_unique<const Fft>(sizes);
    const Index all = torus_.fft->size(), width = sizes.back();
    std::vector<std::complex<double>> values(static_cast<std::size_t>(all));
    const auto d = sizes.size();
    for (Index line = 0; line * width < all; ++line) {
      Index rest = line, lag = 0, stride = 1;
      bool inside = true;
      for (std::size_t c = d - 1; c-- > 0;) {
        const Index step = rest % sizes[c], shorter = std::min(step, sizes[c] - step);
        inside = inside && shorter < lattice.cells[c];
        lag += stride * shorter;
        stride *= lattice.cells[c];
        rest /= sizes[c];
      }
      for (Index j = 0; inside && j < width; ++j) {
        const Index shorter = std::min(j, width - j);
        if (shorter < points_->columns()) values[static_cast<std::size_t>(line * width + j)] = table_(shorter, lag);
      }
    }
    torus_.fft->forward(values.data());
    for (const auto& each : values) torus_.spectrum.push_back(each.real() / static_cast<double>(all));
    torus_.wanted.assign(static_cast<std::size_t>(all / width), false);
    for (Index i = 0; i < points_->size(); ++i) {
      Index line = 0;
      for (std::size_t c = 0; c + 1 < d; ++c) line = line * sizes[c] + lattice.cell(i, static_cast<Index>(c));
      torus_.wanted[static_cast<std::size_t>(line)] = true;
      torus_.position.push_back(line * width + points_->column(i));
    }
  });
  return torus_;
}

// Real and imaginary part carry two laws: the spectrum is real, so that they do not mix.
void LatticeKernel::by_convolution(const SparseRows& weight, const std::vector<Index>& which, Matrix& out) const {
  const Torus& on = torus();
  std::vector<std::complex<double>> values;
  for (std::size_t j = 0; j < which.size(); j += 2) {
    stop_point();
    const bool two = j + 1 < which.size();
    values.assign(on.spectrum.size(), {});
    for (SparseRows::InnerIterator it(weight, which[j]); it; ++it)
      values[static_cast<std::size_t>(on.position[static_cast<std::size_t>(it.col())])] += it.value();
    if (two)
      for (SparseRows::InnerIterator it(weight, which[j + 1]); it; ++it)
        values[static_cast<std::size_t>(on.position[static_cast<std::size_t>(it.col())])] +=
            std::complex(0.0, it.value());
    on.fft->forward(values.data());
    for (std::size_t i = 0; i < values.size(); ++i) values[i] *= on.spectrum[i];
    on.fft->inverse(values.data(), on.wanted);
    for (Index i = 0; i < out.rows(); ++i) {
      const std::complex<double>& at = values[static_cast<std::size_t>(on.position[static_cast<std::size_t>(i)])];
      out(i, which[j]) = at.real();
      if (two) out(i, which[j + 1]) = at.imag();
    }
  }
}

void LatticeKernel::make_areas() const {
  const Index rows = points_->rows();
  areas_.resize(prefix_.rows(), 2 * rows + 1);
  Eigen::Array<long double, Eigen::Dynamic, 1> sum = Eigen::Array<long double, Eigen::Dynamic, 1>::Zero(prefix_.rows());
  for (Index i = 0; i <= 2 * rows; ++i) {
    areas_.col(i) = sum.cast<double>();
    if (i < 2 * rows) sum += prefix_.col(std::min(rows - 1, std::abs(i - rows))).array().cast<long double>();
  }
}

Matrix LatticeKernel::with_some(const std::vector<Index>& some, const std::vector<LatticeBlocks>& laws) const {
  std::vector<LatticeCell> cells;
  cells.reserve(some.size());
  for (const Index point : some) cells.push_back(points_->at(point));
  return with_cells(cells, laws);
}

Matrix LatticeKernel::with_cells(const std::vector<LatticeCell>& some, const std::vector<LatticeBlocks>& laws) const {
  constexpr Index kHigh = 4;  // rows from which areas pay, and are exact enough
  if (points_->has_ordered_rows()) std::call_once(made_areas_, [this] { make_areas(); });
  const Index columns = points_->columns(), rows = points_->rows();
  const Index stride = prefix_.rows();
  Matrix out(static_cast<Index>(some.size()), static_cast<Index>(laws.size()));
  for (Index j = 0; j < out.cols(); ++j) {
    stop_point();
    for (Index i = 0; i < out.rows(); ++i) {
      const Index row = some[static_cast<std::size_t>(i)].row;
      const Index from = some[static_cast<std::size_t>(i)].column + columns + 1;
      double sum = 0.0;
      for (const LatticeBlock& block : laws[static_cast<std::size_t>(j)]) {
        if (block.height() >= kHigh) {
          const double* high = areas_.data() + (rows + row + 1 - block.top) * stride + from;
          const double* low = areas_.data() + (rows + row + 1 - block.bottom) * stride + from;
          sum += block.weight * ((high[-block.begin] - high[-block.end]) - (low[-block.begin] - low[-block.end]));
          continue;
        }
        for (Index each = block.top; each < block.bottom; ++each) {
          const Index lag = points_->lag(row, each);
          if (is_far_[static_cast<std::size_t>(lag)]) continue;
          const double* prefix = prefix_.data() + lag * stride + from;
          sum += block.weight * (prefix[-block.begin] - prefix[-block.end]);
        }
      }
      out(i, j) = sum;
    }
  }
  return out;
}

// Of one row of each.
double LatticeKernel::run_sum(Index lag, const LatticeBlock& x, const LatticeBlock& y) const {
  const long double* at = second_.data() + lag * second_.rows() + points_->columns() + 1;
  return static_cast<double>((at[x.end - y.begin] - at[x.begin - y.begin]) - (at[x.end - y.end] - at[x.begin - y.end]));
}

double LatticeKernel::sum(const LatticeBlocks& left, const LatticeBlocks& right) const {
  double out = 0.0;
  const auto add = [&](Index lag, const LatticeBlock& x, const LatticeBlock& y, double times) {
    if (!is_far_[static_cast<std::size_t>(lag)]) out += times * x.weight * y.weight * run_sum(lag, x, y);
  };
  for (const LatticeBlock& x : left)
    for (const LatticeBlock& y : right) {
      if (x.height() == 1 && y.height() == 1) {
        add(points_->lag(x.top, y.top), x, y, 1.0);
        continue;
      }
      for (Index apart = x.top + 1 - y.bottom; apart < x.bottom - y.top; ++apart)
        add(std::abs(apart), x, y,
            static_cast<double>(std::min(x.bottom, y.bottom + apart) - std::max(x.top, y.top + apart)));
    }
  return out;
}

Matrix LatticeKernel::among(const std::vector<LatticeRuns>& left, const std::vector<LatticeRuns>& right) const {
  std::call_once(made_second_, [this] { make_second(); });
  const bool same = &left == &right;
  const std::vector<LatticeBlocks> rows = blocks_of(*points_, left);
  const std::vector<LatticeBlocks> others = same ? std::vector<LatticeBlocks>() : blocks_of(*points_, right);
  const std::vector<LatticeBlocks>& columns = same ? rows : others;
  Matrix out(static_cast<Index>(left.size()), static_cast<Index>(right.size()));
  for (Index j = 0; j < out.cols(); ++j) {
    stop_point();
    for (Index i = same ? j : 0; i < out.rows(); ++i)
      out(i, j) = sum(rows[static_cast<std::size_t>(i)], columns[static_cast<std::size_t>(j)]);
  }
  if (same) out.triangularView<Eigen::StrictlyUpper>() = out.transpose();
  return out;
}

Vector LatticeKernel::variances(const std::vector<LatticeRuns>& laws) const {
  std::call_once(made_second_, [this] { make_second(); });
  Vector out(static_cast<Index>(laws.size()));
  for (Index i = 0; i < out.size(); ++i) {
    const LatticeBlocks blocks = blocks_of(*points_, laws[static_cast<std::size_t>(i)]);
    out[i] = sum(blocks, blocks);
  }
  return out;
}

}  // namespace iqbo::internal
