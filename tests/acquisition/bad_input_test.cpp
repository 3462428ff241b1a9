#include <gtest/gtest.h>

#include <limits>
#include <memory>
#include <vector>

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

// One of each, with two references where there are any.
std::vector<std::unique_ptr<Acquisition>> all_scores() {
  std::vector<std::unique_ptr<Acquisition>> all;
  all.push_back(std::make_unique<Cmes>(Vector{{1.0}}));
  all.push_back(std::make_unique<NoisyCmes>(Vector{{1.0}}));
  all.push_back(std::make_unique<Est>(1.0));
  all.push_back(std::make_unique<ExpectedImprovement>(1.0));
  all.push_back(std::make_unique<ProbabilityOfImprovement>(1.0));
  all.push_back(std::make_unique<Ucb>());
  all.push_back(std::make_unique<MaxVariance>());
  all.push_back(std::make_unique<Cjes>(kX, Vector{{1.0, 1.0}}));
  all.push_back(std::make_unique<ThompsonCorrelation>(kX));
  all.push_back(std::make_unique<Ckg>(kX, Vector{{1.0, 1.0}}));
  return all;
}

TEST(BadInput, BatchesAreChecked) {
  const Vector one{{1.0}};
  const Vector two{{1.0, 1.0}};
  for (const auto& score : all_scores()) {
    const Matrix c = Matrix::Ones(score->references().size(), 2);
    const auto refused = [&](const Outlook& outlook, std::initializer_list<std::string_view> pieces) {
      expect_refusal([&] { score->score(outlook, c); }, pieces);
    };
    refused({two, one, two}, {"q", "1 row", "expected 2"});
    refused({two, two, one}, {"noise_var", "1 row", "expected 2"});
    refused({Vector{{0.0, kNaN}}, two, two}, {"nu", "row 1", "nan", "finite"});
    refused({two, Vector{{0.0, -1e-9}}, two}, {"q", "row 1", "-1e-09", ">= 0"});
    refused({two, two, Vector{{kNaN, 0.0}}}, {"noise_var", "row 0", "nan"});
  }
}

TEST(BadInput, CovariancesAreChecked) {
  const Outlook outlook{Vector{{0.0, 0.0}}, Vector{{1.0, 1.0}}, Vector{{0.0, 0.0}}};
  for (const auto& score : all_scores()) {
    if (score->references().empty()) continue;
    expect_refusal([&] { score->score(outlook, Matrix::Zero(3, 2)); }, {"c", "3 rows", "expected 2"});
    expect_refusal([&] { score->score(outlook, Matrix::Zero(2, 1)); }, {"c", "1 column", "expected 2"});
    Matrix c = Matrix::Zero(2, 2);
    c(1, 0) = kNaN;
    expect_refusal([&] { score->score(outlook, c); }, {"c", "row 1, column 0", "nan"});
  }
}

TEST(BadInput, AnEmptyBatchIsNoMistake) {
  for (const auto& score : all_scores()) {
    OutlookGradient gradient;
    EXPECT_EQ(score->score(Outlook{}, Matrix(score->references().size(), 0), &gradient).size(), 0);
    EXPECT_EQ(gradient.q.size(), 0);
    EXPECT_TRUE(score->has_gradient());
  }
}

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
