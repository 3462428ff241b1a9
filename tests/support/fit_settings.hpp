// Fields on a grid of pixels, observed through block averages.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
#include <vector>

#include "iqbo/conditional/bag.hpp"
#include "iqbo/core/rng.hpp"
#include "iqbo/fit/fit.hpp"
#include "numerics/cholesky.hpp"

namespace iqbo::test {

// side x side blocks of width x width pixels that cover the unit square. If `widest` > width, blocks overlap, and their
// widths cycle from width to widest.
class Blocks {
 public:
  explicit Blocks(Index side, Index width, Index widest = 0) {
    const Index n = side * width;
    Rows pixel(n * n, 2);
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < n; ++j)
        pixel.row(i * n + j) << (static_cast<double>(i) + 0.5) / static_cast<double>(n),
            (static_cast<double>(j) + 0.5) / static_cast<double>(n);
    std::vector<BagRow> rows;
    for (Index b = 0; b < side * side; ++b) {
      const Index w = widest == 0 ? width : width + b % (widest - width + 1);
      for (Index i = 0; i < w; ++i)
        for (Index j = 0; j < w; ++j) {
          const Index r = ((b / side) * width + i) % n;
          const Index c = ((b % side) * width + j) % n;
          rows.push_back({b, r * n + c, 1.0});
        }
    }
    pixels_ = Inputs(pixel);
    bags_ = std::make_shared<BagConditional>(pixels_, rows);
  }

  const Inputs& pixels() const { return pixels_; }
  const BagConditional& bags() const { return *bags_; }

  Vector field(Rng& rng, const Kernel& kernel) const {
    Matrix k = kernel.gram(pixels_);
    k.diagonal().array() += 1e-9 * k(0, 0);
    return internal::Cholesky(k).lower() * rng.normals(pixels_.size());
  }

  // The averages of a field drawn from `kernel`, with noise.
  Posterior draw(Rng& rng, const Kernel& kernel, double noise_var, double mean = 0.0) const {
    const Vector f = field(rng, kernel);
    Vector z = bags_->average(bags_->queries(), f) + std::sqrt(noise_var) * rng.normals(bags_->queries().size());
    z.array() += mean;
    return Posterior(kernel, *bags_).condition(bags_->queries(), z, 1.0);
  }

 private:
  Inputs pixels_;
  std::shared_ptr<const BagConditional> bags_;
};

inline Vector spread_of_pixels(const Inputs& x) {
  const Rows& c = x.coordinates();
  return (c.rowwise() - c.colwise().mean()).array().square().colwise().mean().sqrt().transpose();
}

inline void expect_no_parameter(const Fit& fit, const std::string& name) {
  EXPECT_THROW(fit.parameter(name), std::invalid_argument) << name;
}

}  // namespace iqbo::test
