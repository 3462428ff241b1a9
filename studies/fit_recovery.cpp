// Are lengthscales that were put in found again, from 150 block averages and nothing else?
//
// f ~ GP(3, 4 rho) on pixels of the unit interval (d = 1: 450 pixels, blocks of 3) or square (d = 2: 30 x 20, blocks of
// 2 x 2), noise sd 5 % of that of f. The family is given: lengthscales of different families do not compare. Fitted:
// variance, a lengthscale per column, noise, mean; and the same with a nugget, which f does not have.
//
// "at best": the chance that an unbiased normal estimate with the Cramer-Rao sd of log lengthscale is within the factor,
// all else but the nugget unknown too: what the data alone allow, without the help of priors.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

#include "iqbo/fit/fit.hpp"
#include "iqbo/kernel/stationary.hpp"
#include "pixels.hpp"
#include "study.hpp"

namespace {

using namespace iqbo;
using namespace iqbo::internal;
struct Setting {
  const char* family;
  Index dimension;
  double lengthscale;
};

struct Counts {
  std::vector<double> close;      // per draw: share of its lengthscales within the factor
  std::vector<double> log_error;  // per lengthscale

  void add(const Fit& fitted, const Setting& setting) {
    double count = 0.0;
    for (Index c = 0; c < setting.dimension; ++c) {
      const double found = fitted.parameter("lengthscale[" + std::to_string(c) + "]").value;
      log_error.push_back(std::log(found / setting.lengthscale));
      count += std::abs(log_error.back()) <= std::log(1.5) ? 1.0 : 0.0;
    }
    close.push_back(count / static_cast<double>(setting.dimension));
  }

  double median_factor() {
    std::sort(log_error.begin(), log_error.end());
    return std::exp(log_error[log_error.size() / 2]);
  }
};

struct Result {
  double best;
  Counts without, with_nugget;
};

// 1/2 tr(P dS_i P dS_j), P = S^-1 with the mean projected out, by differences of S in the logarithms of (variance,
// lengthscales, noise_var).
double at_best(const Setting& setting, const BagConditional& bags) {
  const Queries& a = bags.queries();
  const Index p = setting.dimension + 2;
  Vector theta = Vector::Constant(p, std::log(setting.lengthscale));
  theta[0] = std::log(4.0);
  theta[p - 1] = std::log(0.01);
  const auto covariance = [&](const Vector& at) {
    const Vector value = at.array().exp();
    Matrix out = bags.q(Stationary(setting.family, value[0], value.segment(1, setting.dimension)), a, a);
    out.diagonal().array() += value[p - 1];
    return out;
  };
  Matrix projected = Cholesky(covariance(theta)).inverse();
  const Vector ones = projected.rowwise().sum();
  projected -= ones * ones.transpose() / ones.sum();
  std::vector<Matrix> slope;
  constexpr double kStep = 1e-3;
  for (Index i = 0; i < p; ++i) {
    const Vector step = kStep * Vector::Unit(p, i);
    slope.emplace_back(projected * (covariance(theta + step) - covariance(theta - step)) / (2.0 * kStep));
  }
  Matrix information(p, p);
  for (Index i = 0; i < p; ++i)
    for (Index j = 0; j < p; ++j)
      information(i, j) =
          0.5 * slope[static_cast<std::size_t>(i)].cwiseProduct(slope[static_cast<std::size_t>(j)].transpose()).sum();
  const double sd = std::sqrt(Cholesky(information).inverse()(1, 1));
  return std::erf(std::log(1.5) / sd / std::sqrt(2.0));
}

Result run(const Setting& setting, const study::Arguments& arguments) {
  const bool line = setting.dimension == 1;
  const Inputs x = line ? study::pixel_grid(1, 450) : study::pixel_grid(30, 20);
  const BagConditional bags(x, line ? study::tiles(1, 450, 1, 3) : study::tiles(30, 20, 2, 2));
  const Stationary kernel(setting.family, 4.0, Vector::Constant(setting.dimension, setting.lengthscale));
  const study::Field field(kernel, x);
  Result out{at_best(setting, bags), {}, {}};
  for (int draw = 0; draw < arguments.draws; ++draw) {
    Rng rng(arguments.seed, {static_cast<std::uint64_t>(draw)});
    Vector z = bags.average(bags.queries(), field.draw(rng)) + 0.1 * rng.normals(150);
    z.array() += 3.0;
    const Posterior data = Posterior(kernel, bags).condition(bags.queries(), z, 1.0);
    FitOptions options;
    options.families = {setting.family};
    out.with_nugget.add(fit(data, options, arguments.seed), setting);
    options.nugget = false;
    out.without.add(fit(data, options, arguments.seed), setting);
    study::progress(std::string(setting.family) + ", d = " + std::to_string(setting.dimension), draw + 1,
                    arguments.draws);
  }
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  const auto arguments = study::parse(argc, argv, 50);
  std::printf("| family | d | lengthscale | at best, %% | within a factor 1.5, %% | median factor ");
  std::printf("| with nugget, %% | median factor |\n|---|---|---|---|---|---|---|---|\n");
  for (const Index d : {1, 2})
    for (const char* const family : {"rbf", "matern32", "matern12"})
      for (const double lengthscale : {0.05, 0.15}) {
        Result result = run({family, d, lengthscale}, arguments);
        std::printf("| %s | %d | %.2f | %.0f | %s | %.2f | %s | %.2f |\n", family, static_cast<int>(d), lengthscale,
                    100.0 * result.best, study::percent(result.without.close).c_str(), result.without.median_factor(),
                    study::percent(result.with_nugget.close).c_str(), result.with_nugget.median_factor());
        std::fflush(stdout);
      }
}
