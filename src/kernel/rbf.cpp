#include <utility>

#include "families.hpp"
#include "iqbo/kernel/stationary.hpp"

namespace iqbo {
namespace {

class RbfPart final : public RadialPart {
 public:
  using RadialPart::RadialPart;

  void correlate(Batch r2) const override { r2 = (-0.5 * r2).exp(); }
  void steepness(Batch r2) const override { r2 = (-0.5 * r2).exp(); }
  const ScaleMixture* mixture() const override {
    static const ScaleMixture kOne{Vector::Ones(1), Vector::Ones(1), {}, {}};
    return &kOne;
  }
};

}  // namespace

StationaryFamily rbf_family() {
  return {.name = "rbf", .class_name = "Rbf", .words = "RBF", .make = make_part<RbfPart>};
}

Rbf::Rbf(double variance, Vector lengthscale) : Stationary("rbf", variance, std::move(lengthscale)) {}

}  // namespace iqbo
