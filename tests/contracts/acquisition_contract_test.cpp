// Every score through the installed contract, with two references where it has any.
#include "iqbo/contracts/acquisition_contract.hpp"

#include "iqbo/acquisition/improvement.hpp"
#include "iqbo/acquisition/knowledge_gradient.hpp"
#include "iqbo/acquisition/level_set.hpp"
#include "iqbo/acquisition/location.hpp"
#include "iqbo/acquisition/max_value.hpp"
#include "iqbo/acquisition/pointwise_cut.hpp"

namespace iqbo::contracts {
namespace {

using Made = std::unique_ptr<Acquisition>;
const Inputs kX = Inputs{{0.0}, {1.0}};

struct MakeCmes {
  static Made make() { return std::make_unique<Cmes>(Vector{{1.0, 1.7}}); }
};
struct MakeNoisyCmes {
  static Made make() { return std::make_unique<NoisyCmes>(Vector{{1.0, 1.7}}); }
};
struct MakeEst {
  static Made make() { return std::make_unique<Est>(1.0); }
};
struct MakeImprovement {
  static Made make() { return std::make_unique<ExpectedImprovement>(1.0); }
};
struct MakeProbability {
  static Made make() { return std::make_unique<ProbabilityOfImprovement>(1.0); }
};
struct MakeUcb {
  static Made make() { return std::make_unique<Ucb>(); }
};
struct MakeMaxVariance {
  static Made make() { return std::make_unique<MaxVariance>(); }
};
struct MakeCjes {
  static Made make() { return std::make_unique<Cjes>(kX, Vector{{1.0, 1.2}}); }
};
struct MakeThompson {
  static Made make() { return std::make_unique<ThompsonCorrelation>(kX); }
};
struct MakeCkg {
  static Made make() { return std::make_unique<Ckg>(kX, Vector{{1.0, 0.8}}); }
};
struct MakeLevelSet {
  static Made make() { return std::make_unique<LevelSet>(kX, Vector{{1.0, 0.8}}, Vector{{1.0, 1.2}}, 0.6); }
};
struct MakePointwiseCut {
  static Made make() {
    return std::make_unique<PointwiseCut>(kX, Vector{{1.0, 0.8}}, Vector{{1.0, 1.2}}, Vector{{1.0, 1.7}});
  }
};
using Scores = ::testing::Types<MakeCmes, MakeNoisyCmes, MakeEst, MakeImprovement, MakeProbability, MakeUcb,
                                MakeMaxVariance, MakeCjes, MakeThompson, MakeCkg, MakeLevelSet, MakePointwiseCut>;
INSTANTIATE_TYPED_TEST_SUITE_P(Every, AcquisitionContract, Scores);

// By differences of its own it may have none.
class WithoutGradient final : public Acquisition {
 public:
  bool logarithmic() const override { return false; }
  bool has_gradient() const override { return false; }
  Vector score(const Outlook& outlook, const Eigen::Ref<const Matrix>& c, OutlookGradient* gradient) const override {
    if (gradient != nullptr) throw std::logic_error("no gradient");
    OutlookGradient unused;
    return Ucb().score(outlook, c, &unused);
  }
};
struct MakeWithoutGradient {
  static Made make() { return std::make_unique<WithoutGradient>(); }
};
using Plain = ::testing::Types<MakeWithoutGradient>;
INSTANTIATE_TYPED_TEST_SUITE_P(WithoutGradient, AcquisitionContract, Plain);

}  // namespace
}  // namespace iqbo::contracts
