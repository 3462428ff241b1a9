// ./dev demo: a function with a broad hill and a narrow, higher peak, seen only through block averages.
//
// The best block lies on the hill; the best point lies on the peak. Conditioning on the averages tells them apart.
//
//   two_peaks DIR    prints the answer and writes DIR/curves.csv and DIR/blocks.csv for two_peaks_plot.py
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <numbers>

#include "iqbo/conditional/spread.hpp"
#include "iqbo/core/rng.hpp"
#include "iqbo/kernel/stationary.hpp"
#include "iqbo/posterior/posterior.hpp"
#include "iqbo/space/box.hpp"

namespace {

using iqbo::Index;
using iqbo::Vector;

struct Bump {
  double height, centre, width;
};
constexpr Bump kBumps[] = {{0.8, 0.30, 0.12}, {1.0, 0.75, 0.03}};

constexpr double kHalfWidth = 0.05;
constexpr double kNoiseSd = 0.005;
constexpr Index kBlocks = 41;

double f(double x) {
  double sum = 0.0;
  for (const auto& [height, centre, width] : kBumps) sum += height * std::exp(-0.5 * std::pow((x - centre) / width, 2));
  return sum;
}

// The average of f over a +- kHalfWidth.
double g(double a) {
  double sum = 0.0;
  for (const auto& [height, centre, width] : kBumps) {
    const auto cdf = [c = centre, w = width](double x) { return 0.5 * std::erfc(-(x - c) / (w * std::sqrt(2.0))); };
    sum += height * width * std::sqrt(2.0 * std::numbers::pi) * (cdf(a + kHalfWidth) - cdf(a - kHalfWidth)) /
           (2.0 * kHalfWidth);
  }
  return sum;
}

Index largest(const Vector& values) {
  Index best = 0;
  values.maxCoeff(&best);
  return best;
}

// Opens DIR/name and writes the head line; says so if that cannot be done.
std::ofstream csv(const std::filesystem::path& directory, const char* name, const char* head) {
  std::ofstream out(directory / name);
  if (!out) throw std::runtime_error("cannot write " + (directory / name).string());
  out << head << '\n';
  return out;
}

void run(const std::filesystem::path& directory) {
  // What we are allowed to ask: averages over blocks of width 0.1, with a little noise.
  const auto a = iqbo::QueryBox(Vector{{kHalfWidth}}, Vector{{1.0 - kHalfWidth}}).grid({kBlocks});
  iqbo::Rng rng(1);
  Vector z(a.size());
  for (Index i = 0; i < a.size(); ++i) z[i] = g(a.row(i)[0]) + kNoiseSd * rng.normal();

  // What we assume: f is smooth on the scale 0.04, and the blocks are uniform.
  const iqbo::Rbf kernel(0.1, Vector{{0.04}});
  const iqbo::UniformConditional blocks(iqbo::QueryMap::identity(1), kHalfWidth);
  const auto belief = iqbo::Posterior(kernel, blocks, iqbo::ConstantMean(0.25)).condition(a, z, kNoiseSd * kNoiseSd);

  const auto x = iqbo::InputBox(Vector{{0.0}}, Vector{{1.0}}).grid({401});
  const auto [mean, var] = belief.f(x);
  const Vector sd = var.cwiseSqrt();
  Vector truth(x.size());
  for (Index i = 0; i < x.size(); ++i) truth[i] = f(x.row(i)[0]);

  const Index chosen = largest(mean);
  const Index best = largest(truth);
  const Index best_block = largest(z);
  const double low = mean[chosen] - 1.96 * sd[chosen];
  const double high = mean[chosen] + 1.96 * sd[chosen];
  std::printf("%d block averages of a function on [0, 1], blocks %.2g wide, noise sd %.2g\n\n", int(kBlocks),
              2.0 * kHalfWidth, kNoiseSd);
  std::printf("  best block              a = %.3f   average %.3f, f in its middle %.3f\n", a.row(best_block)[0],
              z[best_block], f(a.row(best_block)[0]));
  std::printf("  recommended maximiser   x = %.3f   f(x) = %.3f, 95 %% interval %.3f to %.3f\n", x.row(chosen)[0],
              mean[chosen], low, high);
  std::printf("  the truth               x = %.3f   f(x) = %.3f at its maximum, %.3f at the recommendation\n\n",
              x.row(best)[0], truth[best], truth[chosen]);
  std::printf("The interval %s the true value there. Regret: %.4f (taking the best block's middle: %.4f).\n",
              low <= truth[chosen] && truth[chosen] <= high ? "contains" : "misses", truth[best] - truth[chosen],
              truth[best] - f(a.row(best_block)[0]));

  std::filesystem::create_directories(directory);
  auto curves = csv(directory, "curves.csv", "x,f,g,mean,low,high");
  for (Index i = 0; i < x.size(); ++i)
    curves << x.row(i)[0] << ',' << truth[i] << ',' << g(x.row(i)[0]) << ',' << mean[i] << ',' << mean[i] - 1.96 * sd[i]
           << ',' << mean[i] + 1.96 * sd[i] << '\n';
  auto averages = csv(directory, "blocks.csv", "a,half_width,z");
  for (Index i = 0; i < a.size(); ++i) averages << a.row(i)[0] << ',' << kHalfWidth << ',' << z[i] << '\n';
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: two_peaks DIR    DIR: where to write curves.csv and blocks.csv\n";
    return 2;
  }
  try {
    run(argv[1]);
  } catch (const std::exception& error) {
    std::cerr << "two_peaks: " << error.what() << '\n';
    return 2;
  }
}
