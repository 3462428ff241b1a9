// A kernel that the library has never heard of, as a stranger writes it: one class, registered by one line. It goes through the
// installed contract, and works with windows, paths, fits and specs.
#include <gtest/gtest.h>

#include <cmath>
#include <iqbo/conditional/spread.hpp>
#include <iqbo/contracts/kernel_contract.hpp>
#include <iqbo/fit/fit.hpp>
#include <iqbo/kernel/family.hpp>
#include <iqbo/kernel/stationary.hpp>
#include <iqbo/maxvalue/paths.hpp>
#include <iqbo/record/spec.hpp>

namespace {

using iqbo::Vector;

// Half of f varies over the lengthscale and half over `ratio` times that: (exp(-r^2 / 2) + exp(-r^2 / (2 ratio^2))) / 2.
class TwoRbfs final : public iqbo::RadialPart {
 public:
  TwoRbfs(const iqbo::StationaryFamily& family, Vector lengthscale, Vector shape)
      : RadialPart(family, std::move(lengthscale), std::move(shape)), ratio2_(this->shape()[0] * this->shape()[0]) {
    const double ratio = this->shape()[0];
    const bool rises = ratio > 1.0;  // scales must
    mixture_.scale = rises ? Vector{{1.0, ratio}} : Vector{{ratio, 1.0}};
    mixture_.weight = Vector{{0.5, 0.5}};
    mixture_.scale_slope = rises ? Vector{{0.0, 1.0}} : Vector{{1.0, 0.0}};
  }

  const iqbo::ScaleMixture* mixture() const override { return &mixture_; }

 private:
  void correlate(Batch r2) const override { r2 = 0.5 * ((-0.5 * r2).exp() + (-0.5 / ratio2_ * r2).exp()); }
  void steepness(Batch r2) const override { r2 = 0.5 * ((-0.5 * r2).exp() + (-0.5 / ratio2_ * r2).exp() / ratio2_); }
  Eigen::ArrayXXd shape_slopes(const Eigen::ArrayXd& r2) const override {
    return 0.5 * (-0.5 / ratio2_ * r2).exp() * r2 / ratio2_;
  }

  double ratio2_;
  iqbo::ScaleMixture mixture_;
};

const auto& kTwoRbfs =
    iqbo::register_family({.name = "two-rbfs",
                           .class_name = "TwoRbfs",
                           .words = "two RBFs",
                           .shape = {{.name = "ratio", .meaning = "of the second lengthscale to the first"}},
                           .make = iqbo::make_part<TwoRbfs>});

struct OnLine {
  static std::shared_ptr<const iqbo::Kernel> make() {
    return iqbo::Stationary("two-rbfs", 1.3, Vector{{0.9}}, Vector{{2.5}}).clone();
  }
};
struct OnPlane {
  static std::shared_ptr<const iqbo::Kernel> make() {
    return iqbo::Stationary("two-rbfs", 0.7, Vector{{1.9, 1.1}}, Vector{{0.4}}).clone();
  }
};
using TwoRbfsCases = ::testing::Types<OnLine, OnPlane>;

}  // namespace

namespace iqbo::contracts {
INSTANTIATE_TYPED_TEST_SUITE_P(TwoRbfs, KernelContract, TwoRbfsCases);
}

namespace {

// A Gaussian window of sd s leaves l / sqrt(l^2 + 2 s^2) of the variance of an RBF of lengthscale l.
TEST(Stranger, WorksWithWindows) {
  const iqbo::Stationary kernel("two-rbfs", 2.0, Vector{{0.3}}, Vector{{4.0}});
  const iqbo::GaussianConditional window(iqbo::QueryMap::identity(1), 0.2);
  const iqbo::Posterior prior(kernel, window);
  const double want = 0.3 / std::hypot(0.3, 0.2 * std::sqrt(2.0)) + 1.2 / std::hypot(1.2, 0.2 * std::sqrt(2.0));
  EXPECT_NEAR(prior.g(iqbo::Queries{{0.5}}).var[0], want, 1e-12);
  iqbo::Rng rng(1);
  const iqbo::Queries a{{0.5}};
  const iqbo::Paths paths(prior.condition(a, Vector{{1.0}}, 1e-8), a, 3, rng);
  for (iqbo::Index s = 0; s < paths.size(); ++s)
    EXPECT_NEAR(paths.g()(0, s), 1.0, 1e-2);  // every path passes the answer
}

TEST(Stranger, IsFitted) {
  iqbo::Rng rng(2);
  const iqbo::Queries a(rng.uniforms(30, 1));
  const Vector z = (6.0 * a.coordinates().col(0).array()).sin();
  const iqbo::UniformConditional window(iqbo::QueryMap::identity(1), 0.05);
  const iqbo::Posterior data = iqbo::Posterior(iqbo::Rbf(1.0, Vector{{1.0}}), window).condition(a, z, 1e-4);
  iqbo::FitOptions options;
  options.families = {"rbf", "two-rbfs"};
  const iqbo::Fit found = iqbo::fit(data, options, 1);
  EXPECT_EQ(found.families.size(), 2U);
  options.families = {"two-rbfs"};
  EXPECT_GT(iqbo::fit(data, options, 1).parameter("ratio").value, 0.0);
}

TEST(Stranger, IsKnownToSpecs) {
  const iqbo::Spec spec = iqbo::parse_spec(R"({"version": 2,
    "targets": {"kind": "box", "axes": [{"name": "x", "from": 0, "to": 1}]},
    "queries": {"kind": "box", "axes": [{"name": "a", "from": 0, "to": 1}]},
    "conditional": {"kind": "gaussian", "width": 0.1},
    "kernel": {"family": "two-rbfs", "lengthscale": 0.2, "ratio": 3, "variance": 1}, "noise_sd": 0.1})");
  EXPECT_EQ(spec.kernel->shape.at("ratio"), std::vector<double>{3.0});
}

}  // namespace
