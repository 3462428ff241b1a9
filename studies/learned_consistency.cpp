// How fast learned conditionals tend to the truth.
//
// Three families of p(x|a), f drawn from GPs of three lengthscales; error of g^(a) = E[f(X) | a] under what was learned
// from N pairs, root mean square over queries, in units of sd(g) over them. Geometric means over draws.
//
//   learned_consistency [--draws 20] [--seed 1] [--pairs 100,400,1600]
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <numbers>
#include <sstream>
#include <string>
#include <vector>

#include "iqbo/conditional/learned.hpp"
#include "iqbo/core/rng.hpp"

namespace {

using namespace iqbo;  // a program, not a header

// f(x) = sum_r sqrt(2/R) amplitude_r cos(w_r . x + b_r): a draw from an RBF GP, to the accuracy of 400 features.
struct Draw {
  Rows frequency;
  Vector phase;
  Vector amplitude;

  Draw(Rng& rng, Index dimension, double lengthscale)
      : frequency(400, dimension), phase(400), amplitude(rng.normals(400)) {
    for (Index r = 0; r < 400; ++r) {
      frequency.row(r) = rng.normals(dimension).transpose() / lengthscale;
      phase[r] = 2.0 * std::numbers::pi * rng.uniform();
    }
    amplitude *= std::sqrt(2.0 / 400.0);
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

Rows draw_queries(Rng& rng, Index n, Index dimension) { return rng.uniforms(n, dimension); }

double relative_error(const Conditional& model, const Queries& a, const Draw& f, const Vector& truth) {
  // E cos(w.X + b) under the model, for each feature of f.
  const Vector got = model.cosines(a, f.frequency, f.phase) * f.amplitude;
  const double sd = std::sqrt((truth.array() - truth.mean()).square().mean());
  return std::sqrt((got - truth).squaredNorm() / static_cast<double>(truth.size())) / sd;
}

struct Options {
  int draws = 20;
  std::uint64_t seed = 1;
  std::vector<Index> pairs{100, 400, 1600};
};

Options parse(int argc, char** argv) {
  Options out;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (std::strcmp(argv[i], "--draws") == 0) out.draws = std::atoi(argv[i + 1]);
    if (std::strcmp(argv[i], "--seed") == 0) out.seed = std::strtoull(argv[i + 1], nullptr, 10);
    if (std::strcmp(argv[i], "--pairs") == 0) {
      out.pairs.clear();
      std::istringstream list(argv[i + 1]);
      for (std::string item; std::getline(list, item, ',');) out.pairs.push_back(std::stol(item));
    }
  }
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = parse(argc, argv);
  const std::vector<LearnedKind> kinds{LearnedKind::kCme,   LearnedKind::kNw,   LearnedKind::kPlugIn,
                                       LearnedKind::kShift, LearnedKind::kAuto, LearnedKind::kStack};
  std::printf(
      "| p(x given a) | N | cme | nw | plugin | shift | auto | stack | auto / best "
      "|\n|---|---|---|---|---|---|---|---|---|\n");
  double shift_over_cme = 0.0;
  int cells = 0;
  for (std::size_t family = 0; family < kFamilies.size(); ++family)
    for (const Index n : options.pairs) {
      const auto& [name, dimension, draw] = kFamilies[family];
      std::map<LearnedKind, double> log_error;
      int count = 0;
      for (int d = 0; d < options.draws; ++d) {
        Rng rng(options.seed, {family, static_cast<std::uint64_t>(d)});
        const Queries a(draw_queries(rng, 100, dimension));
        std::vector<Rows> clouds;  // 4,000 draws of X for each query: the truth, to 1.6 % of sd(f)
        for (Index i = 0; i < a.size(); ++i) {
          Rows cloud(4000, 2);
          for (Index j = 0; j < cloud.rows(); ++j) cloud.row(j) = draw(a.row(i), rng);
          clouds.push_back(std::move(cloud));
        }
        const Rows logged_a = draw_queries(rng, n, dimension);
        Rows logged_x(n, 2);
        for (Index j = 0; j < n; ++j) logged_x.row(j) = draw(logged_a.row(j), rng);
        std::map<LearnedKind, LearnedConditional> models;
        for (const LearnedKind kind : kinds) {
          LearnedOptions learned;
          learned.model = kind;
          models.emplace(kind, LearnedConditional(Inputs(logged_x), Queries(logged_a), learned));
        }
        for (const double lengthscale : {0.15, 0.3, 0.6}) {
          const Draw f(rng, 2, lengthscale);
          Vector truth(a.size());
          for (Index i = 0; i < a.size(); ++i) truth[i] = f.at(clouds[static_cast<std::size_t>(i)]).mean();
          for (const LearnedKind kind : kinds)
            log_error[kind] += std::log(relative_error(models.at(kind), a, f, truth));
          ++count;
        }
      }
      std::map<LearnedKind, double> error;
      for (const auto& [kind, sum] : log_error) error[kind] = std::exp(sum / count);
      double best = 1e300;
      for (const auto kind : {LearnedKind::kCme, LearnedKind::kNw, LearnedKind::kPlugIn, LearnedKind::kShift})
        best = std::min(best, error[kind]);
      std::printf("| %s | %ld |", name, static_cast<long>(n));
      for (const LearnedKind kind : kinds) std::printf(" %.3f |", error[kind]);
      std::printf(" %.2f |\n", error[LearnedKind::kAuto] / best);
      std::fflush(stdout);
      shift_over_cme += std::log(error[LearnedKind::kShift] / error[LearnedKind::kCme]);
      ++cells;
    }
  std::printf("\nshift / cme, geometric mean over families and N: %.2f\n", std::exp(shift_over_cme / cells));
}
