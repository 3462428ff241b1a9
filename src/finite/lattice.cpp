// Circulant embedding: on a torus at least twice as wide as the lattice a stationary covariance is diagonal in Fourier
// space, so that a draw is one FFT of independent numbers. See sampler.hpp.
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstdio>
#include <optional>

#include "engine.hpp"
#include "iqbo/core/stop.hpp"
#include "iqbo/kernel/kernel.hpp"
#include "long_range.hpp"
#include "numerics/fft.hpp"
#include "numerics/lattice.hpp"
#include "sampler.hpp"

namespace iqbo {

using namespace internal;

namespace {

using Sizes = std::vector<Index>;
using Values = std::vector<std::complex<double>>;

// Of the sum of eigenvalues: negative ones that sum to less are set to 0, which changes no covariance by more than that share
// of the variance. If no torus is wide enough, more has to be accepted, and is said.
constexpr double kNegative = 1e-8, kMostNegative = 1e-3;
constexpr Index kMostCells = 12'000'000;
constexpr std::array kWidths{2.0, 2.5, 3.0, 4.0, 6.0, 8.0};  // times the extent

std::optional<Sizes> torus(const std::vector<Index>& cells, double width) {
  Sizes out;
  double all = 1.0;
  for (const Index count : cells) {
    const double wanted = width * static_cast<double>(count - 1);
    out.push_back(count == 1 ? 1 : smooth_size(static_cast<Index>(std::ceil(wanted))));
    all *= static_cast<double>(out.back());
  }
  return all > static_cast<double>(kMostCells) ? std::nullopt : std::optional(out);
}

// What is embedded: a kernel without its long scales.
struct Short {
  const Kernel& kernel;
  const std::optional<LongRange>& without;
};

// The covariance between cell 0 and every cell of the torus, by the shorter way round: what differs is evaluated once.
Values torus_covariance(const Short& k, const Sizes& sizes, const Vector& spacing) {
  const Index d = spacing.size();
  Sizes half;
  Index distinct = 1, all = 1;
  for (const Index size : sizes) {
    half.push_back(size / 2 + 1);
    distinct *= half.back();
    all *= size;
  }
  Rows offset(distinct, d);
  for (Index i = 0; i < distinct; ++i) {
    Index rest = i;
    for (Index c = d - 1; c >= 0; --c) {
      offset(i, c) = static_cast<double>(rest % half[static_cast<std::size_t>(c)]) * spacing[c];
      rest /= half[static_cast<std::size_t>(c)];
    }
  }
  Vector value = k.kernel.evaluate(offset, Rows::Zero(1, d)).col(0);
  if (k.without) {
    std::vector<Vector> steps;
    for (Index c = 0; c < d; ++c) {
      const Index count = half[static_cast<std::size_t>(c)];
      steps.emplace_back(Vector::LinSpaced(count, 0.0, static_cast<double>(count - 1)) * spacing[c]);
    }
    const Matrix far = k.without->covariance(steps);
    value -= far.transpose().reshaped();  // the last axis varies fastest
  }
  Values out(static_cast<std::size_t>(all));
  const Index width = sizes.back(), distinct_width = half.back();
  for (Index line = 0; line * width < all; ++line) {
    Index rest = line, from = 0, stride = 1;
    for (Index c = d - 2; c >= 0; --c) {
      const Index size = sizes[static_cast<std::size_t>(c)], step = rest % size;
      from += stride * std::min(step, size - step);
      stride *= half[static_cast<std::size_t>(c)];
      rest /= size;
    }
    for (Index j = 0; j < width; ++j)
      out[static_cast<std::size_t>(line * width + j)] = value[from * distinct_width + std::min(j, width - j)];
  }
  return out;
}

// Square roots of the eigenvalues of an embedding, over the number of cells.
struct Embedding {
  Sizes sizes;
  Vector root;
  double negative = 0.0;  // share of the eigenvalues
};

Embedding embedding(const Short& k, const Sizes& sizes, const Vector& spacing) {
  Values eigen = torus_covariance(k, sizes, spacing);
  Fft(sizes).forward(eigen.data());
  Embedding out{sizes, Vector(static_cast<Index>(eigen.size()))};
  double sum = 0.0, negative = 0.0;
  const auto cells = static_cast<double>(eigen.size());
  for (std::size_t i = 0; i < eigen.size(); ++i) {
    const double value = eigen[i].real();
    sum += value;
    negative -= std::min(value, 0.0);
    out.root[static_cast<Index>(i)] = std::sqrt(std::max(value, 0.0) / cells);
  }
  out.negative = sum > 0.0 ? negative / sum : 0.0;
  return out;
}

// The width that a coarser lattice of the same extent needs: whether an embedding is positive hardly depends on the spacing.
// One less than the widest that fits, at most, so that something is left to try.
std::size_t first_width(const Short& k, const Lattice& lattice) {
  constexpr Index kCoarse = 48;
  std::vector<Index> cells;
  Vector spacing = lattice.spacing;
  for (std::size_t c = 0; c < lattice.cells.size(); ++c) {
    const Index steps = lattice.cells[c] - 1, coarse = std::min(steps, kCoarse);
    cells.push_back(coarse + 1);
    if (steps > 0) spacing[static_cast<Index>(c)] *= static_cast<double>(steps) / static_cast<double>(coarse);
  }
  for (std::size_t i = 0; i + 1 < kWidths.size(); ++i) {
    const auto sizes = torus(cells, kWidths[i]);
    if (!sizes || !torus(lattice.cells, kWidths[i + 1]) || embedding(k, *sizes, spacing).negative <= kNegative)
      return i;
  }
  return 0;
}

class LatticeSampler final : public PriorSampler {
 public:
  LatticeSampler(Embedding on, std::optional<LongRange> far, std::shared_ptr<const LatticePoints> points)
      : fft_(on.sizes),
        root_(std::move(on.root)),
        negative_(on.negative),
        far_(std::move(far)),
        points_(std::move(points)) {
    const Lattice& lattice = points_->lattice();
    const Sizes& sizes = fft_.sizes();
    wanted_.assign(static_cast<std::size_t>(fft_.size() / sizes.back()), false);
    for (Index i = 0; i < lattice.cell.rows(); ++i) {
      Index at = 0;
      for (Index c = 0; c < lattice.cell.cols(); ++c) at = at * sizes[static_cast<std::size_t>(c)] + lattice.cell(i, c);
      position_.push_back(at);
      wanted_[static_cast<std::size_t>(at / sizes.back())] = true;
    }
  }

  // Real and imaginary part of a transform are two independent draws.
  Matrix draw(Index count, Rng& rng) const override {
    Matrix out(static_cast<Index>(position_.size()), count);
    Values values(static_cast<std::size_t>(root_.size()));
    for (Index j = 0; j < count; j += 2) {
      stop_point();
      for (std::size_t i = 0; i < values.size(); ++i) {
        const double real = rng.normal();
        values[i] = root_[static_cast<Index>(i)] * std::complex<double>(real, rng.normal());
      }
      fft_.inverse(values.data(), wanted_);
      for (Index i = 0; i < out.rows(); ++i) {
        const auto& here = values[static_cast<std::size_t>(position_[static_cast<std::size_t>(i)])];
        out(i, j) = here.real();
        if (j + 1 < count) out(i, j + 1) = here.imag();
      }
    }
    for (Index j = 0; far_ && j < count; ++j) {
      const Matrix all = far_->draw(rng);
      for (Index i = 0; i < out.rows(); ++i) out(i, j) += at(all, i);
    }
    return out;
  }
  std::string description() const override {
    std::string out = "by circulant embedding on " + std::to_string(root_.size()) + " cells";
    if (far_) out += " and long waves";
    if (negative_ <= kNegative) return out;
    char share[32];
    std::snprintf(share, sizeof share, "%.0e", negative_);
    return out + ", covariances off by up to " + share + " of the variance";
  }

 private:
  double at(const Matrix& all, Index point) const {
    return all.cols() == 1 ? all(points_->column(point), 0) : all(points_->row(point), points_->column(point));
  }

  Fft fft_;
  Vector root_;
  double negative_;
  std::optional<LongRange> far_;
  std::shared_ptr<const LatticePoints> points_;
  std::vector<Index> position_;  // of every point on the torus
  std::vector<bool> wanted_;     // lines with points
};

}  // namespace

std::unique_ptr<const PriorSampler> lattice_sampler(const Kernel& kernel, const Inputs& x) {
  if (!is_stationary(kernel)) return nullptr;
  const auto points = LatticePoints::of(x);
  if (points == nullptr) return nullptr;
  const Lattice& lattice = points->lattice();
  std::optional<LongRange> far = LongRange::of(kernel, lattice);
  const Short embedded{kernel, far};
  std::optional<Embedding> best;
  for (std::size_t i = first_width(embedded, lattice); i < kWidths.size(); ++i) {
    const auto sizes = torus(lattice.cells, kWidths[i]);
    if (!sizes) break;
    Embedding found = embedding(embedded, *sizes, lattice.spacing);
    if (!best || found.negative < best->negative) best = std::move(found);
    if (best->negative <= kNegative) break;
  }
  if (!best || best->negative > kMostNegative) return nullptr;
  return std::make_unique<LatticeSampler>(*std::move(best), std::move(far), points);
}

}  // namespace iqbo
