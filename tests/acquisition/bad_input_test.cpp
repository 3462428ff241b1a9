#include <gtest/gtest.h>

#include <limits>

#include "iqbo/acquisition/improvement.hpp"
#include "iqbo/acquisition/knowledge_gradient.hpp"
#include "iqbo/acquisition/location.hpp"
#include "iqbo/acquisition/max_value.hpp"
#include "iqbo/acquisition/multi_fidelity.hpp"
#include "support/errors.hpp"

namespace iqbo {
namespace {

using test::expect_refusal;
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
const Inputs kX = Inputs{{0.0}, {1.0}};

TEST(BadInput, ConstructorsRefuse) {
  expect_refusal([] { Cmes{Vector()}; }, {"fstar", "empty"});
  expect_refusal([] { NoisyCmes{Vector()}; }, {"fstar", "empty"});
  expect_refusal([] { Mfmes{Vector()}; }, {"gstar", "empty"});
  expect_refusal([] { Cmes{Vector{{1.0, kNaN}}}; }, {"fstar", "row 1", "nan"});
  expect_refusal([] { Cmes(Vector{{1.0}}, -1); }, {"q_floor", "-1", ">= 0"});
  expect_refusal([] { Est{kNaN}; }, {"m", "nan"});
  expect_refusal([] { ExpectedImprovement{kNaN}; }, {"incumbent", "nan"});
  expect_refusal([] { ProbabilityOfImprovement{kNaN}; }, {"incumbent", "nan"});
  expect_refusal([] { Ucb{kNaN}; }, {"root_beta", "nan"});
  expect_refusal([] { Cjes(Inputs(), Vector()); }, {"x_star", "empty"});
  expect_refusal([] { Cjes(kX, Vector{{1.0}}); }, {"f_var", "1 row", "expected 2"});
  expect_refusal([] { Cjes(kX, Vector{{1.0, -1.0}}); }, {"f_var", "row 1", "-1"});
  expect_refusal([] { ThompsonCorrelation{Inputs()}; }, {"x_star", "empty"});
  expect_refusal([] { Ckg(Inputs(), Vector()); }, {"references", "empty"});
  expect_refusal([] { Ckg(kX, Vector{{1.0}}); }, {"mean", "1 row", "expected 2"});
  expect_refusal([] { Ckg(kX, Vector{{1.0, kNaN}}); }, {"mean", "row 1", "nan"});
}

TEST(BadInput, MultiFidelityChecksItsPartners) {
  const Mfmes mfmes(Vector{{1.0}});
  const Outlook two{Vector{{0.0, 0.0}}, Vector{{1.0, 1.0}}, Vector{{0.0, 0.0}}};
  const Outlook one{Vector{{0.0}}, Vector{{1.0}}, Vector{{0.0}}};
  expect_refusal([&] { mfmes.score(two, one, Vector::Zero(2)); }, {"finest", "1 row", "expected 2"});
  expect_refusal([&] { mfmes.score(two, two, Vector::Zero(1)); }, {"cov", "1 row", "expected 2"});
  expect_refusal([&] { mfmes.score(one, one, Vector{{kNaN}}); }, {"cov", "row 0", "nan"});
}

}  // namespace
}  // namespace iqbo
