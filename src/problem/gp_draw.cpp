// f drawn from a GP, as a function: the mean given its values on a lattice so fine that no variance is left in between.
//
//   f(x) = sum_ij w_ij k(x_1, s_i) k(x_2, s_j),   W = L^-T Z L^-1,   L L' = k(s, s),   Z standard normal
//
// An RBF is a product over the axes, so that one factor of a line's 34 points serves the whole lattice. With spacing
// kSpacing lengthscales the variance left in between is 1.2e-10 per axis. The lattice reaches beyond X, as windows do.
#include <Eigen/Cholesky>
#include <utility>

#include "iqbo/kernel/stationary.hpp"
#include "makers.hpp"
#include "window_truth.hpp"

namespace iqbo {
namespace {

constexpr double kSpacing = 0.45;
constexpr double kFeatureMargin = 0.4;
constexpr double kLengthscale = 0.12;
constexpr double kDrawWindow = 0.08;

Expansion draw(std::uint64_t seed) {
  const auto count = static_cast<Index>((1.0 + 2.0 * kFeatureMargin) / (kSpacing * kLengthscale)) + 1;
  const Inputs line = Inputs::line(Vector::LinSpaced(count, -kFeatureMargin, 1.0 + kFeatureMargin));
  const Rbf kernel(1.0, Vector{{kLengthscale}});
  const Eigen::LLT<Matrix> factor(kernel.gram(line));
  Rng rng(seed, {7});
  const Matrix normal = rng.normals(count * count).reshaped(count, count);
  const Matrix half = factor.matrixU().solve(normal);                          // L^-T Z
  const Matrix weight = factor.matrixU().solve(half.transpose()).transpose();  // (L^-T Z) L^-1
  return {[=](Index axis, const Vector& at) -> Matrix {
    const Matrix k = kernel.gram(Inputs::line(at), line);
    return axis == 0 ? Matrix(k * weight) : k;
  }};
}

ProblemParts gp_draw(const ProblemOptions& options) {
  const InputBox x(Vector::Zero(2), Vector::Ones(2));
  const QueryBox a(Vector::Zero(2), Vector::Ones(2));
  const GaussianConditional window(QueryMap::identity(2), kDrawWindow);
  return {
      .name = "gp-draw",
      .title = "A draw from a GP",
      .map = "identity, N(a, 0.08^2)",
      .description =
          "f drawn from an RBF GP with variance 1 and lengthscale 0.12 on the unit square, by the seed: what "
          "assumption 1 of "
          "[Zhang26] asks for. Seen through Gaussian windows of sd 0.08, two thirds of a lengthscale.",
      .x_names = axis_names("x", 2),
      .a_names = axis_names("a", 2),
      .truth = std::make_shared<WindowTruth>(draw(options.seed.value_or(kDefaultSeed)), window, x, options.truncation),
      .conditional = window_conditional(window, x, options.truncation),
      .x = x_grid(x, options),
      .a = a_grid(a, options),
      .x_box = x,
      .a_box = a,
      .noise_sd = 0.05,
      .kernel = Rbf(1.0, Vector::Constant(2, kLengthscale)).clone(),
      .centred = false};
}

}  // namespace

ProblemMaker gp_draw_maker() {
  return {"gp-draw", {.x_counts = true, .a_counts = true, .truncation = true, .seed = true}, gp_draw};
}

}  // namespace iqbo
