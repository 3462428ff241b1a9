// Does a log of a million pairs teach more than 5,000 of its rows?
//
// Families of p(x|a) in 2 to 4 columns, and one in 8; f drawn from RBF GPs with lengthscales 0.15, 0.3 and 0.6. Error of
// g^(a) = E[f(X) | a] at 60 queries that were not logged, root mean square, in units of sd(g) over them; geometric means over draws
// and lengthscales. The truth is an average over a Kronecker sequence of 30,000 points, within 0.001 of it. CPU seconds are those of
// learning from all pairs, the choice between all of them and 5,000 included; the memory is the largest so far.
//
//   pairs [--draws 3] [--seed 1] [--only TEXT] [--pairs 1000000] [--model auto]
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

#include "iqbo/core/rng.hpp"
#include "iqbo/learned/learned.hpp"
#include "study.hpp"

namespace {

using namespace iqbo;  // a program, not a header

constexpr Index kFeatures = 200;
constexpr Index kTruth = 30000;
constexpr Index kQueries = 60;
constexpr Index kFew = 5000;
constexpr double kPi = std::numbers::pi;

// f(x) = sum_r sqrt(2/R) amplitude_r cos(w_r . x + b_r): a draw from an RBF GP, to the accuracy of 200 features.
struct Draw {
  Rows frequency;
  Vector phase, amplitude;

  Draw(Rng& rng, Index dimension, double lengthscale)
      : frequency(kFeatures, dimension), phase(kFeatures), amplitude(rng.normals(kFeatures)) {
    for (Index r = 0; r < kFeatures; ++r) {
      frequency.row(r) = rng.normals(dimension).transpose() / lengthscale;
      phase[r] = 2.0 * kPi * rng.uniform();
    }
    amplitude *= std::sqrt(2.0 / static_cast<double>(kFeatures));
  }
  Vector at(const Rows& x) const {
    return ((x * frequency.transpose()).rowwise() + phase.transpose()).array().cos().matrix() * amplitude;
  }
};

// X = map(a, u), u uniform on the unit cube of `noises` dimensions.
struct Family {
  std::string name;
  Index x_columns, a_columns, noises;
  std::function<void(const double* a, const double* u, double* x)> map;
  Index classes = 0;  // the only column of a is a code below this
};

// Standard normal quantile, which turns u into noise: a rational start [Abramowitz64, 26.2.23], then two steps of Newton.
double normal(double u) {
  const double q = std::min(u, 1.0 - u);
  const double t = std::sqrt(-2.0 * std::log(std::max(q, 1e-300)));
  double z = t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1.0 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
  for (int i = 0; i < 2; ++i) {  // Newton
    const double tail = 0.5 * std::erfc(z / std::numbers::sqrt2);
    z += (tail - q) / (std::exp(-0.5 * z * z) / std::sqrt(2.0 * kPi));
  }
  return u < 0.5 ? -z : z;
}

const std::vector<Family> kFamilies{
    {"smooth: a window that widens, 1 + 1 columns", 1, 1, 1,
     [](const double* a, const double* u, double* x) {
       x[0] = a[0] + 0.15 * std::sin(2.0 * kPi * a[0]) + (0.05 + 0.1 * a[0]) * normal(u[0]);
     }},
    {"smooth: normal, non-linear mean, 2 + 2 columns", 2, 2, 2,
     [](const double* a, const double* u, double* x) {
       x[0] = a[0] + 0.25 * std::sin(2.0 * kPi * a[1]) + 0.08 * normal(u[0]);
       x[1] = a[1] * a[1] + 0.2 * a[0] + 0.08 * normal(u[1]);
     }},
    {"smooth: two components, 2 + 2 columns", 2, 2, 3,
     [](const double* a, const double* u, double* x) {
       x[0] = a[0] + 0.07 * normal(u[0]);
       x[1] = a[1] + (u[2] < 0.3 + 0.4 * a[0] ? 0.25 : -0.25) + 0.07 * normal(u[1]);
     }},
    {"smooth: skewed, spread by a, 1 + 3 columns", 1, 3, 1,
     [](const double* a, const double* u, double* x) {
       x[0] = 0.6 * a[0] + 0.3 * a[1] * a[1] - (0.05 + 0.15 * a[2]) * std::log(1.0 - 0.999999 * u[0]);
     }},
    {"smooth: a slanted cloud, 3 + 1 columns", 3, 1, 3,
     [](const double* a, const double* u, double* x) {
       x[0] = a[0] + 0.1 * normal(u[0]);
       x[1] = 0.5 + 0.3 * std::cos(kPi * a[0]) + 0.1 * normal(u[1]);
       x[2] = 0.5 * x[0] + 0.3 * std::sin(2.0 * a[0]) + 0.1 * normal(u[2]);
     }},
    {"thin arc, 2 + 1 columns", 2, 1, 2,
     [](const double* a, const double* u, double* x) {
       const double angle = kPi * (a[0] - 0.25 + 0.5 * u[0]), radius = 0.5 + 0.01 * normal(u[1]);
       x[0] = 0.5 + radius * std::cos(angle);
       x[1] = radius * std::sin(angle);
     }},
    {"a switch: jumps at 0.37 and 0.71, 1 + 1 columns", 1, 1, 1,
     [](const double* a, const double* u, double* x) {
       x[0] = (a[0] < 0.37 ? 0.2 : (a[0] < 0.71 ? 0.8 : 0.5)) + 0.05 * normal(u[0]);
     }},
    {"ripples: the mean turns 12 times, 1 + 1 columns", 1, 1, 1,
     [](const double* a, const double* u, double* x) {
       x[0] = 0.5 + 0.3 * std::sin(24.0 * kPi * a[0]) + 0.05 * normal(u[0]);
     }},
    {"forty classes, 2 + 1 columns", 2, 1, 2,
     [](const double* a, const double* u, double* x) {
       x[0] = std::fmod(0.618 * a[0], 1.0) + 0.1 * normal(u[0]);
       x[1] = std::fmod(0.755 * a[0], 1.0) + (0.05 + 0.002 * a[0]) * normal(u[1]);
     },
     40},
    {"six columns of a, all of which matter, 2 + 6 columns", 2, 6, 2,
     [](const double* a, const double* u, double* x) {
       x[0] = (a[0] + a[1] + a[2]) / 3.0 + 0.1 * std::sin(6.0 * a[5]) + 0.05 * normal(u[0]);
       x[1] = (a[3] + a[4]) / 2.0 + 0.1 * std::cos(6.0 * a[0]) + 0.05 * normal(u[1]);
     }},
};

Rows queries(const Family& family, Index count, Rng& rng) {
  Rows out = rng.uniforms(count, family.a_columns);
  if (family.classes > 0) out = (out * static_cast<double>(family.classes)).array().floor();
  return out;
}

Rows logged(const Family& family, const Rows& a, Rng& rng) {
  Rows out(a.rows(), family.x_columns);
  for (Index i = 0; i < a.rows(); ++i) {
    const Rows u = rng.uniforms(1, family.noises);
    family.map(a.row(i).data(), u.data(), out.row(i).data());
  }
  return out;
}

// E[f(X) | a] by a Kronecker sequence; its steps are powers of the root of x^(d+1) = x + 1.
Vector truth(const Family& family, const Rows& a, const Draw& f) {
  double root = 1.5;
  for (int i = 0; i < 60; ++i) root = std::pow(1.0 + root, 1.0 / static_cast<double>(family.noises + 1));
  Rows u(kTruth, family.noises);
  for (Index i = 0; i < kTruth; ++i)
    for (Index c = 0; c < family.noises; ++c) {
      const double value = 0.5 + static_cast<double>(i + 1) * std::pow(root, -static_cast<double>(c + 1));
      u(i, c) = std::clamp(value - std::floor(value), 1e-12, 1.0 - 1e-12);
    }
  Vector out(a.rows());
  Rows x(kTruth, family.x_columns);
  for (Index q = 0; q < a.rows(); ++q) {
    for (Index i = 0; i < kTruth; ++i) family.map(a.row(q).data(), u.row(i).data(), x.row(i).data());
    out[q] = f.at(x).mean();
  }
  return out;
}

double relative_error(const Vector& got, const Vector& truth) {
  const double sd = std::sqrt((truth.array() - truth.mean()).square().mean());
  return std::sqrt((got - truth).squaredNorm() / static_cast<double>(truth.size())) / sd;
}

struct Outcome {
  double few = 0.0, all = 0.0, seconds = 0.0;  // errors: sums of logarithms
  std::string used = {};
};

LearnedKind model_called(const std::string& name) {
  for (const LearnedKind kind : {LearnedKind::kAuto, LearnedKind::kShift, LearnedKind::kCme, LearnedKind::kNw,
                                 LearnedKind::kPlugIn, LearnedKind::kStack})
    if (to_string(kind) == name) return kind;
  std::fprintf(stderr, "pairs: no model %s\n", name.c_str());
  std::exit(2);
}

Outcome run(const Family& family, Index pairs, LearnedKind model, Rng& rng) {
  const Queries a(queries(family, kQueries, rng));
  std::vector<Draw> fs;
  for (const double lengthscale : {0.15, 0.3, 0.6}) fs.emplace_back(rng, family.x_columns, lengthscale);
  const Rows logged_a = queries(family, pairs, rng);
  const Rows logged_x = logged(family, logged_a, rng);
  LearnedOptions options;
  options.model = model;
  if (family.classes > 0) options.categories = {0};
  const Index few_pairs = std::min(kFew, pairs);
  const LearnedConditional few(Inputs(Rows(logged_x.topRows(few_pairs))), Queries(Rows(logged_a.topRows(few_pairs))),
                               options);
  const std::clock_t begin = std::clock();
  const LearnedConditional all(Inputs(logged_x), Queries(logged_a), options);
  Outcome out;
  out.seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  for (const auto& score : all.report().scores)
    if (score.weight > 0.0) out.used += (out.used.empty() ? "" : " + ") + score.model;
  const auto& notes = all.report().notes;
  if (!notes.empty() && notes.front().find("selection") != std::string::npos) out.used += " (5,000)";
  for (const Draw& f : fs) {
    const Vector want = truth(family, a.coordinates(), f);
    out.few += std::log(relative_error(few.cosines(a, f.frequency, f.phase) * f.amplitude, want));
    out.all += std::log(relative_error(all.cosines(a, f.frequency, f.phase) * f.amplitude, want));
  }
  return out;
}

double peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

}  // namespace

int main(int argc, char** argv) {
  Index pairs = 1000000;
  LearnedKind model = LearnedKind::kAuto;
  std::vector<char*> rest{argv[0]};
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--pairs") == 0 && i + 1 < argc)
      pairs = std::max(2L, std::strtol(argv[++i], nullptr, 10));
    else if (std::strcmp(argv[i], "--model") == 0 && i + 1 < argc)
      model = model_called(argv[++i]);
    else
      rest.push_back(argv[i]);
  }
  const study::Arguments options = study::parse(static_cast<int>(rest.size()), rest.data(), 3, true);
  std::printf("| p(x given a) | error, 5,000 pairs | error, %ld pairs | ratio | used | CPU s | MB |\n",
              static_cast<long>(pairs));
  std::printf("|---|---|---|---|---|---|---|\n");
  for (std::size_t i = 0; i < kFamilies.size(); ++i) {
    const Family& family = kFamilies[i];
    if (!options.wants(family.name)) continue;
    Outcome sum;
    for (int draw = 0; draw < options.draws; ++draw) {
      study::progress(family.name, draw, options.draws);
      Rng rng(options.seed, {i, static_cast<std::uint64_t>(draw)});
      const Outcome one = run(family, pairs, model, rng);
      sum.few += one.few;
      sum.all += one.all;
      sum.seconds += one.seconds;
      if (sum.used.find(one.used) == std::string::npos) sum.used += (sum.used.empty() ? "" : "; ") + one.used;
    }
    const double count = 3.0 * options.draws;
    const double few = std::exp(sum.few / count), all = std::exp(sum.all / count);
    std::printf("| %s | %.4f | %.4f | %.2f | %s | %.1f | %.0f |\n", family.name.c_str(), few, all, all / few,
                sum.used.c_str(), sum.seconds / options.draws, peak_megabytes());
    std::fflush(stdout);
  }
  return 0;
}
