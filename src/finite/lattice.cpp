// Circulant embedding: on a torus at least twice as wide as the lattice a stationary covariance is diagonal in Fourier
// space, so that a draw is one FFT of independent numbers. See sampler.hpp.
#include <algorithm>
#include <cmath>
#include <complex>
#include <optional>
#include <unsupported/Eigen/FFT>

#include "engine.hpp"
#include "iqbo/kernel/kernel.hpp"
#include "numerics/lattice.hpp"
#include "sampler.hpp"

namespace iqbo {

using namespace internal;

namespace {

using Complex = Eigen::VectorXcd;
using Sizes = std::vector<Index>;

constexpr double kNegative = 1e-12;  // of the sum of eigenvalues: negative ones that sum to less are set to 0
constexpr int kMostDoublings = 2;

Index product(const Sizes& sizes) {
  Index out = 1;
  for (const Index size : sizes) out = out > kMostLatticeCells ? out : out * size;
  return out;
}

// The least number >= n without a prime factor above 5: FFTs of such sizes are fast.
Index smooth(Index n) {
  for (;; ++n) {
    Index rest = n;
    for (const Index factor : {2, 3, 5})
      while (rest % factor == 0) rest /= factor;
    if (rest == 1) return n;
  }
}

// Transforms along every axis in turn; the first axis varies slowest.
void transform(Complex& values, const Sizes& sizes) {
  Eigen::FFT<double> fft;
  Index inner = values.size();
  for (const Index size : sizes) {
    inner /= size;
    if (size == 1) continue;
    Complex line(size);
    Complex image(size);
    for (Index outer = 0; outer < values.size(); outer += inner * size)
      for (Index i = 0; i < inner; ++i) {
        auto strided = values(Eigen::seqN(outer + i, size, inner));
        line = strided;
        fft.fwd(image, line);
        strided = image;
      }
  }
}

// k between cell 0 and every cell of the torus, by the shorter way round.
Complex torus_covariance(const Kernel& kernel, const Sizes& sizes, const Vector& spacing) {
  const Index cells = product(sizes);
  Rows offset(cells, spacing.size());
  for (Index i = 0; i < cells; ++i) {
    Index rest = i;
    for (Index c = spacing.size() - 1; c >= 0; --c) {
      const Index size = sizes[static_cast<std::size_t>(c)];
      const Index step = rest % size;
      offset(i, c) = static_cast<double>(std::min(step, size - step)) * spacing[c];
      rest /= size;
    }
  }
  return kernel.evaluate(offset, Rows::Zero(1, spacing.size())).col(0).cast<std::complex<double>>();
}

class LatticeSampler final : public PriorSampler {
 public:
  LatticeSampler(Sizes sizes, std::vector<Index> position, Vector root)
      : sizes_(std::move(sizes)), position_(std::move(position)), root_(std::move(root)) {}

  // Real and imaginary part of a transform are two independent draws.
  Matrix draw(Index count, Rng& rng) const override {
    Matrix out(static_cast<Index>(position_.size()), count);
    for (Index j = 0; j < count; j += 2) {
      Complex values(root_.size());
      for (Index i = 0; i < values.size(); ++i) {
        const double real = rng.normal();
        values[i] = root_[i] * std::complex<double>(real, rng.normal());
      }
      transform(values, sizes_);
      const Complex here = values(position_);
      out.col(j) = here.real();
      if (j + 1 < count) out.col(j + 1) = here.imag();
    }
    return out;
  }
  std::string description() const override {
    return "by circulant embedding on " + std::to_string(root_.size()) + " cells";
  }

 private:
  Sizes sizes_;
  std::vector<Index> position_;  // of every point on the torus
  Vector root_;                  // square roots of the eigenvalues, over the number of cells
};

std::vector<Index> positions(const Lattice& lattice, const Sizes& sizes) {
  std::vector<Index> out;
  for (Index i = 0; i < lattice.cell.rows(); ++i) {
    Index at = 0;
    for (Index c = 0; c < lattice.cell.cols(); ++c) at = at * sizes[static_cast<std::size_t>(c)] + lattice.cell(i, c);
    out.push_back(at);
  }
  return out;
}

}  // namespace

std::unique_ptr<const PriorSampler> lattice_sampler(const Kernel& kernel, const Inputs& x) {
  if (!is_stationary(kernel)) return nullptr;
  const auto lattice = lattice_of(x.coordinates());
  if (!lattice) return nullptr;
  for (int doubling = 0; doubling <= kMostDoublings; ++doubling) {
    Sizes sizes;
    for (const Index cells : lattice->cells) sizes.push_back(cells == 1 ? 1 : smooth((cells - 1) << (1 + doubling)));
    if (product(sizes) > kMostLatticeCells) return nullptr;
    Complex eigen = torus_covariance(kernel, sizes, lattice->spacing);
    transform(eigen, sizes);
    const Eigen::ArrayXd values = eigen.real().array();
    if (-values.min(0.0).sum() > kNegative * values.sum()) continue;
    const double cells = static_cast<double>(values.size());
    return std::make_unique<LatticeSampler>(sizes, positions(*lattice, sizes), (values.max(0.0) / cells).sqrt());
  }
  return nullptr;
}

}  // namespace iqbo
