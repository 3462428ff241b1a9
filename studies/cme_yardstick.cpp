// Should leave-one-out judge the CME under k itself, or under a yardstick that needs no k?
//
// The ridge and lengthscales of the CME are chosen by the error of the left-out embedding under a kernel of x. `default` is the mean of RBFs of five lengthscales and of RBFs of the
// place (docs/learned.md), which needs nothing but the pairs; `k` is the kernel of f, which is known only if it is given; `sds` is an RBF whose lengthscales are the sds of the logged
// x. Families of learned_families.hpp whose queries are not classes, and the linear map of figure 3 scaled to the unit square; f from RBF GPs of lengthscales 0.15, 0.3 and 0.6. Root mean square error of the
// averages at 40 queries in units of their sd: geometric means over draws and f. The last line has geometric means over rows.
//
//   cme_yardstick [--draws 10] [--seed 1]
#include <cstdio>
#include <memory>

#include "iqbo/average/expectation.hpp"
#include "iqbo/kernel/stationary.hpp"
#include "iqbo/learned/learned.hpp"
#include "learned_families.hpp"
#include "study.hpp"

namespace {

using namespace iqbo;
using namespace iqbo::study;

constexpr int kCloud = 2000;
constexpr double kLengthscales[] = {0.15, 0.3, 0.6};

double relative_error(const Vector& got, const Vector& truth) {
  const double sd = std::sqrt((truth.array() - truth.mean()).square().mean());
  return std::sqrt((got - truth).squaredNorm() / static_cast<double>(truth.size())) / sd;
}

struct LogErrors {
  double usual = 0.0, k = 0.0, sds = 0.0;
};

LogErrors errors_of(const Family& family, Index n, std::uint64_t seed, std::uint64_t draw) {
  Rng rng(seed, {draw, std::hash<std::string>{}(family.name)});
  const Queries a = test_queries(family, rng);
  Rows logged_a(n, family.query_dimension), logged_x(n, 2);
  for (Index j = 0; j < n; ++j) {
    logged_a.row(j) = family.query(rng);
    const Point x = family.x(logged_a.row(j), rng);
    logged_x(j, 0) = x[0];
    logged_x(j, 1) = x[1];
  }
  const auto learned = [&](std::shared_ptr<const Kernel> yardstick) {
    LearnedOptions options;
    options.model = LearnedKind::kCme;
    options.yardstick = std::move(yardstick);
    return LearnedConditional(Inputs(logged_x), Queries(logged_a), options).laws(a);
  };
  const Vector sd =
      (logged_x.rowwise() - logged_x.colwise().mean()).array().square().colwise().mean().sqrt().transpose();
  const Laws usual = learned(nullptr), by_sds = learned(Rbf(1.0, sd).clone());
  LogErrors out;
  for (const double lengthscale : kLengthscales) {
    const Draw f(rng, lengthscale, 0);
    Vector truth = Vector::Zero(a.size());
    for (Index i = 0; i < a.size(); ++i) {
      Rows cloud(kCloud, 2);
      for (int j = 0; j < kCloud; ++j) {
        const Point x = family.x(a.row(i), rng);
        cloud(j, 0) = x[0];
        cloud(j, 1) = x[1];
      }
      truth[i] =
          (((cloud * f.frequency.transpose()).rowwise() + f.phase.transpose()).array().cos().matrix() * f.amplitude)
              .mean();
    }
    const auto error = [&](const Laws& laws) {
      return std::log(relative_error(expect_cosines(laws, f.frequency, f.phase) * f.amplitude, truth)) /
             std::size(kLengthscales);
    };
    out.usual += error(usual);
    out.sds += error(by_sds);
    out.k += error(learned(Rbf(1.0, Vector{{lengthscale, lengthscale}}).clone()));
  }
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  const Arguments options = parse(argc, argv, 10);
  std::vector<Family> families = looked_at();
  families.push_back({"linear map of figure 3",
                      false,
                      2,
                      {},
                      [](Rng& rng) { return uniform_query(rng, 2); },
                      [](const Eigen::RowVectorXd& a, Rng& rng) { return blurred(a[0], a[1], 0.067, rng); }});
  std::printf(
      "| p(x given a) | N | default | k | sds | k / default | sds / default |\n|---|---|---|---|---|---|---|\n");
  std::vector<double> k_ratio, sds_ratio;
  for (const Family& family : families) {
    if (!family.classes.empty() || !family.categories.empty()) continue;
    for (const Index n : {100, 400}) {
      std::vector<LogErrors> all(static_cast<std::size_t>(options.draws));
      parallel(options.draws, family.name, [&](int d) {
        all[static_cast<std::size_t>(d)] = errors_of(family, n, options.seed, static_cast<std::uint64_t>(d));
      });
      LogErrors mean;
      for (const LogErrors& each : all) {
        mean.usual += each.usual / options.draws;
        mean.k += each.k / options.draws;
        mean.sds += each.sds / options.draws;
      }
      k_ratio.push_back(mean.k - mean.usual);
      sds_ratio.push_back(mean.sds - mean.usual);
      std::printf("| %s | %ld | %.3f | %.3f | %.3f | %.2f | %.2f |\n", family.name.c_str(), static_cast<long>(n),
                  std::exp(mean.usual), std::exp(mean.k), std::exp(mean.sds), std::exp(k_ratio.back()),
                  std::exp(sds_ratio.back()));
      std::fflush(stdout);
    }
  }
  std::printf("| geometric mean | | | | | %.2f | %.2f |\n", std::exp(summarise(k_ratio).mean),
              std::exp(summarise(sds_ratio).mean));
}
