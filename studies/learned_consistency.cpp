// How fast learned conditionals tend to the truth.
//
// Three families of p(x|a), f drawn from GPs of three lengthscales; error of g^(a) = E[f(X) | a] under what was learned
// from N pairs, root mean square over queries, in units of sd(g) over them. Geometric means over draws.
//
//   learned_consistency [--draws 20] [--seed 1]
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <limits>
#include <map>
#include <numbers>
#include <vector>

#include "iqbo/core/rng.hpp"
#include "iqbo/learned/learned.hpp"
#include "study.hpp"

namespace {

using namespace iqbo;  // a program, not a header

constexpr Index kFeatures = 200;
constexpr Index kCloud = 4000;  // draws of X for each query: the truth, to 1.6 % of sd(f)

// f(x) = sum_r sqrt(2/R) amplitude_r cos(w_r . x + b_r): a draw from an RBF GP, to the accuracy of 200 features.
struct Draw {
  Rows frequency;
  Vector phase;
  Vector amplitude;

  Draw(Rng& rng, Index dimension, double lengthscale)
      : frequency(kFeatures, dimension), phase(kFeatures), amplitude(rng.normals(kFeatures)) {
    for (Index r = 0; r < kFeatures; ++r) {
      frequency.row(r) = rng.normals(dimension).transpose() / lengthscale;
      phase[r] = 2.0 * std::numbers::pi * rng.uniform();
    }
    amplitude *= std::sqrt(2.0 / static_cast<double>(kFeatures));
  }
  Vector at(const Rows& x) const {
    return ((x * frequency.transpose()).rowwise() + phase.transpose()).array().cos().matrix() * amplitude;
  }
};

// A query space, and X given a query.
struct Family {
  const char* name;
  Index query_dimension;
  std::function<Eigen::RowVectorXd(const Eigen::RowVectorXd& a, Rng& rng)> draw;
};

Eigen::RowVectorXd pair(double first, double second) {
  Eigen::RowVectorXd out(2);
  out << first, second;
  return out;
}

// All three live on about [0, 1]^2.
const std::vector<Family> kFamilies{
    {"Gaussian, non-linear mean", 2,
     [](const Eigen::RowVectorXd& a, Rng& rng) {
       return pair(a[0] + 0.25 * std::sin(2.0 * std::numbers::pi * a[1]) + 0.08 * rng.normal(),
                   a[1] * a[1] + 0.2 * a[0] + 0.08 * rng.normal());
     }},
    {"two-component mixture", 2,
     [](const Eigen::RowVectorXd& a, Rng& rng) {
       const double side = rng.uniform() < 0.3 + 0.4 * a[0] ? 0.25 : -0.25;
       return pair(a[0] + 0.07 * rng.normal(), a[1] + side + 0.07 * rng.normal());
     }},
    {"thin arc", 1,
     [](const Eigen::RowVectorXd& a, Rng& rng) {
       const double angle = std::numbers::pi * (a[0] - 0.25 + 0.5 * rng.uniform());
       const double radius = 0.5 + 0.01 * rng.normal();
       return pair(0.5 + radius * std::cos(angle), radius * std::sin(angle));
     }},
};

// g^ for each f: averages of its features under the model.
Matrix averages(const Conditional& model, const Queries& a, const std::vector<Draw>& fs) {
  Matrix out(a.size(), static_cast<Index>(fs.size()));
  for (Index f = 0; f < out.cols(); ++f) {
    const auto& [frequency, phase, amplitude] = fs[static_cast<std::size_t>(f)];
    out.col(f) = model.cosines(a, frequency, phase) * amplitude;
  }
  return out;
}

double relative_error(const Vector& got, const Vector& truth) {
  const double sd = std::sqrt((truth.array() - truth.mean()).square().mean());
  return std::sqrt((got - truth).squaredNorm() / static_cast<double>(truth.size())) / sd;
}

const std::vector<Index> kPairs{100, 400, 1600};
const std::vector<LearnedKind> kFour{LearnedKind::kCme, LearnedKind::kNw, LearnedKind::kPlugIn, LearnedKind::kShift};

// One draw of everything: queries, pairs (the first n of them for every N), and f at three lengthscales.
void add_draw(std::size_t family, int d, const study::Arguments& options,
              std::map<Index, std::map<LearnedKind, double>>& log_error) {
  const auto& [name, dimension, draw] = kFamilies[family];
  Rng rng(options.seed, {family, static_cast<std::uint64_t>(d)});
  const Queries a(rng.uniforms(60, dimension));
  std::vector<Draw> fs;
  for (const double lengthscale : {0.15, 0.3, 0.6}) fs.emplace_back(rng, 2, lengthscale);
  Matrix truth = Matrix::Zero(a.size(), 3);
  for (Index i = 0; i < a.size(); ++i) {
    Rows cloud(kCloud, 2);
    for (Index j = 0; j < kCloud; ++j) cloud.row(j) = draw(a.row(i), rng);
    for (Index f = 0; f < 3; ++f) truth(i, f) = fs[static_cast<std::size_t>(f)].at(cloud).mean();
  }
  const Index most = *std::max_element(kPairs.begin(), kPairs.end());
  const Rows logged_a = rng.uniforms(most, dimension);
  Rows logged_x(most, 2);
  for (Index j = 0; j < most; ++j) logged_x.row(j) = draw(logged_a.row(j), rng);
  for (const Index n : kPairs) {
    const Inputs x(logged_x.topRows(n));
    const Queries logged(logged_a.topRows(n));
    std::map<LearnedKind, Matrix> g;
    for (const LearnedKind kind : kFour) g[kind] = averages(LearnedConditional(x, logged, {kind}), a, fs);
    for (const LearnedKind kind : {LearnedKind::kAuto, LearnedKind::kStack})
      g[kind] = averages(LearnedConditional(x, logged, {kind}), a, fs);
    for (const auto& [kind, got] : g)
      for (Index f = 0; f < 3; ++f) log_error[n][kind] += std::log(relative_error(got.col(f), truth.col(f)));
  }
}

}  // namespace

int main(int argc, char** argv) {
  const study::Arguments options = study::parse(argc, argv, 20);
  const std::vector<LearnedKind> kinds{LearnedKind::kCme,   LearnedKind::kNw,   LearnedKind::kPlugIn,
                                       LearnedKind::kShift, LearnedKind::kAuto, LearnedKind::kStack};
  std::printf("| p(x given a) | N | cme | nw | plugin | shift | auto | stack | auto / best |\n");
  std::printf("|---|---|---|---|---|---|---|---|---|\n");
  double shift_over_cme = 0.0;
  for (std::size_t family = 0; family < kFamilies.size(); ++family) {
    std::map<Index, std::map<LearnedKind, double>> log_error;
    for (int d = 0; d < options.draws; ++d) add_draw(family, d, options, log_error);
    for (const Index n : kPairs) {
      std::map<LearnedKind, double> error;
      for (const auto& [kind, sum] : log_error[n]) error[kind] = std::exp(sum / (3.0 * options.draws));
      double best = std::numeric_limits<double>::infinity();
      for (const LearnedKind kind : kFour) best = std::min(best, error[kind]);
      std::printf("| %s | %ld |", kFamilies[family].name, static_cast<long>(n));
      for (const LearnedKind kind : kinds) std::printf(" %.3f |", error[kind]);
      std::printf(" %.2f |\n", error[LearnedKind::kAuto] / best);
      std::fflush(stdout);
      shift_over_cme += std::log(error[LearnedKind::kShift] / error[LearnedKind::kCme]);
    }
  }
  const auto cells = static_cast<double>(kFamilies.size() * kPairs.size());
  std::printf("\nshift / cme, geometric mean over families and N: %.2f\n", std::exp(shift_over_cme / cells));
}
