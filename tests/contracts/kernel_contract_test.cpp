// Our own kernels, and some that know less of themselves, through the installed contract.
#include "iqbo/contracts/kernel_contract.hpp"

#include "iqbo/kernel/product.hpp"
#include "iqbo/kernel/stationary.hpp"
#include "iqbo/kernel/sum.hpp"
#include "iqbo/kernel/white.hpp"

namespace iqbo::contracts {
namespace {

template <class K>
struct OnPlane {
  static KernelPtr make() { return std::make_shared<K>(1.7, Vector{{0.8, 1.5}}); }
};
template <class K>
struct OnLine {
  static KernelPtr make() { return std::make_shared<K>(0.4, Vector{{1.1}}); }
};
struct RbfOfFive {
  static KernelPtr make() { return Rbf(2.0, Vector{{2.0, 1.0, 3.0, 1.5, 2.5}}).clone(); }
};
using RbfCases = ::testing::Types<OnLine<Rbf>, OnPlane<Rbf>, RbfOfFive>;
INSTANTIATE_TYPED_TEST_SUITE_P(Rbf, KernelContract, RbfCases);
using Matern12Cases = ::testing::Types<OnLine<Matern12>, OnPlane<Matern12>>;
INSTANTIATE_TYPED_TEST_SUITE_P(Matern12, KernelContract, Matern12Cases);
using Matern32Cases = ::testing::Types<OnLine<Matern32>, OnPlane<Matern32>>;
INSTANTIATE_TYPED_TEST_SUITE_P(Matern32, KernelContract, Matern32Cases);
using Matern52Cases = ::testing::Types<OnLine<Matern52>, OnPlane<Matern52>>;
INSTANTIATE_TYPED_TEST_SUITE_P(Matern52, KernelContract, Matern52Cases);

template <int kTenthsOfAlpha>
struct QuadraticOnPlane {
  static KernelPtr make() { return RationalQuadratic(1.7, Vector{{0.8, 1.5}}, 0.1 * kTenthsOfAlpha).clone(); }
};
struct QuadraticOnLine {
  static KernelPtr make() { return RationalQuadratic(0.4, Vector{{1.1}}, 1.0).clone(); }
};
using QuadraticCases =
    ::testing::Types<QuadraticOnLine, QuadraticOnPlane<3>, QuadraticOnPlane<20>, QuadraticOnPlane<90>>;
INSTANTIATE_TYPED_TEST_SUITE_P(RationalQuadratic, KernelContract, QuadraticCases);

struct PeriodicOnLine {
  static KernelPtr make() { return Periodic(0.4, Vector{{1.1}}, Vector{{2.3}}).clone(); }
};
struct PeriodicOnPlane {
  static KernelPtr make() { return Periodic(1.7, Vector{{0.7, 1.5}}, Vector{{3.1, 1.9}}).clone(); }
};
using PeriodicCases = ::testing::Types<PeriodicOnLine, PeriodicOnPlane>;
INSTANTIATE_TYPED_TEST_SUITE_P(Periodic, KernelContract, PeriodicCases);

// Location (columns 0 and 2) times resolution (column 1).
struct SmoothProduct {
  static KernelPtr make() {
    return Product({{Rbf(2.0, Vector{{0.8, 1.4}}), {0, 2}}, {Matern52(3.0, Vector{{1.2}}), {1}}}).clone();
  }
};
struct RoughProduct {
  static KernelPtr make() {
    return Product({{Matern12(0.5, Vector{{0.8}}), {1}}, {Matern32(2.0, Vector{{1.2}}), {0}}}).clone();
  }
};
// A season that changes from year to year, at some place.
struct Season {
  static KernelPtr make() {
    return Product({{Periodic(0.5, Vector{{0.9}}, Vector{{2.2}}), {1}},
                    {RationalQuadratic(1.0, Vector{{1.3, 0.9}}, 1.5), {2, 0}}})
        .clone();
  }
};
using ProductCases = ::testing::Types<SmoothProduct, RoughProduct, Season>;
INSTANTIATE_TYPED_TEST_SUITE_P(Product, KernelContract, ProductCases);

struct SmoothAndWhite {
  static KernelPtr make() { return Sum(Rbf(1.5, Vector{{0.9, 1.3}}), White(0.4, 2)).clone(); }
};
struct SumOfThree {
  static KernelPtr make() {
    return std::make_shared<Sum>(Sum::Terms{Rbf(1, Vector{{2, 2}}).clone(), RoughProduct::make(),
                                            Sum(Matern12(0.3, Vector{{0.7, 0.9}}), White(0.1, 2)).clone()});
  }
};
using SumCases = ::testing::Types<SmoothAndWhite, SumOfThree>;
INSTANTIATE_TYPED_TEST_SUITE_P(Sum, KernelContract, SumCases);

template <int kDimension>
struct OnlyWhite {
  static KernelPtr make() { return std::make_shared<White>(0.6, kDimension); }
};
using WhiteCases = ::testing::Types<OnlyWhite<1>, OnlyWhite<3>>;
INSTANTIATE_TYPED_TEST_SUITE_P(White, KernelContract, WhiteCases);

// variance * (1 + x.y)^2: a kernel of which only values are known, its gradients by differences.
class Polynomial final : public Kernel {
 public:
  explicit Polynomial(double variance) : variance_(variance) {}
  std::shared_ptr<const Kernel> clone() const override { return std::make_shared<Polynomial>(*this); }
  Index dimension() const override { return 2; }
  std::vector<std::string> parameter_names() const override { return {"variance"}; }
  Vector log_parameters() const override { return Vector::Constant(1, std::log(variance_)); }
  std::shared_ptr<const Kernel> with_log_parameters(const Vector& theta) const override {
    return std::make_shared<Polynomial>(positive_parameters(theta)[0]);
  }
  Matrix evaluate(const Rows& x, const Rows& y) const override {
    return variance_ * (1.0 + (x * y.transpose()).array()).square();
  }
  Vector evaluate_diagonal(const Rows& x) const override {
    return variance_ * (1.0 + x.rowwise().squaredNorm().array()).square();
  }

 private:
  double variance_;
};
struct OfValuesAlone {
  static KernelPtr make() { return std::make_shared<Polynomial>(0.3); }
};
// With a term of which more is known.
struct PartlyKnown {
  static KernelPtr make() { return Sum(Polynomial(0.3), Rbf(1.0, Vector{{0.9, 1.3}})).clone(); }
};
using OpaqueCases = ::testing::Types<OfValuesAlone, PartlyKnown>;
INSTANTIATE_TYPED_TEST_SUITE_P(Opaque, KernelContract, OpaqueCases);

}  // namespace
}  // namespace iqbo::contracts
