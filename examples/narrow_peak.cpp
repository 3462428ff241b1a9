// ./dev demo, second part: which query next? A policy that knows what a query touches finds a narrow peak that averages
// hide behind a broad hill; one that only looks at the averages stays on the hill.
//
//   narrow_peak DIR    prints both runs and writes DIR/narrow_peak_<policy>.csv and _queries.csv for narrow_peak_plot.py
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "iqbo/conditional/spread.hpp"
#include "iqbo/core/rng.hpp"
#include "iqbo/kernel/stationary.hpp"
#include "iqbo/policy/policy.hpp"

namespace {

using iqbo::Index;
using iqbo::Vector;

constexpr double kWindow = 0.05;  // sd of what a query touches
constexpr double kNoiseSd = 0.005;
constexpr int kQueries = 30;

// Two hills seen through a window: the average of a Gaussian hill is a lower and wider one.
double hills(double at, double window) {
  double sum = 0.0;
  for (const auto& [height, centre, width] : {std::array{0.8, 0.3, 0.12}, std::array{1.0, 0.75, 0.03}}) {
    const double wide = std::hypot(width, window);
    sum += height * width / wide * std::exp(-0.5 * std::pow((at - centre) / wide, 2));
  }
  return sum;
}

std::ofstream csv(const std::filesystem::path& path, const char* head) {
  std::ofstream out(path);
  if (!out) throw std::runtime_error("cannot write " + path.string());
  out << head << '\n';
  return out;
}

void run(iqbo::PolicyKind kind, const std::filesystem::path& directory) {
  const auto x = iqbo::Inputs::line(Vector::LinSpaced(401, 0.0, 1.0));
  const auto a = iqbo::Queries::line(Vector::LinSpaced(61, 0.02, 0.98));

  // What is sought, what may be asked, what a query touches; and what is assumed about f.
  iqbo::Setting setting{iqbo::InputSet(x), iqbo::QuerySet(a),
                        iqbo::GaussianConditional(iqbo::QueryMap::identity(1), kWindow)};
  setting.kernel = iqbo::Rbf(0.1, Vector{{0.035}});
  setting.mean = iqbo::ConstantMean(0.25);
  setting.noise_var = kNoiseSd * kNoiseSd;

  iqbo::PolicyOptions options;
  options.policy = kind;
  iqbo::Policy policy(setting, options, 1);
  const std::string name = iqbo::to_string(kind);
  auto queries = csv(directory / ("narrow_peak_" + name + "_queries.csv"), "number,a,z");
  for (int t = 1; t <= kQueries; ++t) {
    const iqbo::Queries next = policy.suggest().queries;
    const double at = next.row(0)[0];
    const double z = hills(at, kWindow) + kNoiseSd * iqbo::Rng(2, {static_cast<std::uint64_t>(t)}).normal();
    policy.observe(next, Vector{{z}});
    queries << t << ',' << at << ',' << z << '\n';
  }

  const iqbo::Recommendation best = policy.best();
  std::printf(
      "%-5s after %d averages recommends x = %.4f: f there is %.2f to %.2f; truly %.3f (probability of being best %.0f "
      "%%)\n",
      name.c_str(), kQueries, best.x.row(0)[0], best.low, best.high, hills(best.x.row(0)[0], 0.0),
      100.0 * best.probability);
  auto curves = csv(directory / ("narrow_peak_" + name + ".csv"), "x,f,g,mean,sd");
  const auto [mean, var] = policy.belief().f(x);
  for (Index i = 0; i < x.size(); ++i)
    curves << x.row(i)[0] << ',' << hills(x.row(i)[0], 0.0) << ',' << hills(x.row(i)[0], kWindow) << ',' << mean[i]
           << ',' << std::sqrt(var[i]) << '\n';
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 2) {
    std::fprintf(stderr, "usage: narrow_peak DIR\n");
    return 2;
  }
  const std::filesystem::path directory = argv[1];
  std::filesystem::create_directories(directory);
  std::printf(
      "f has its maximum 1.001 at x = 0.75, a peak narrower than any window; the averages are largest on a hill at "
      "0.3.\n");
  run(iqbo::PolicyKind::kCjes, directory);
  run(iqbo::PolicyKind::kEi, directory);
  return 0;
} catch (const std::exception& error) {
  std::cerr << "narrow_peak: " << error.what() << '\n';
  return 2;
}
