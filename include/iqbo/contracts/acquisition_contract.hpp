// What every Acquisition must do. To run it on a score of your own, link iqbo::iqbo and GoogleTest and write
//
//   struct MakeMine {
//     static std::unique_ptr<iqbo::Acquisition> make() { return std::make_unique<Mine>(...); }
//   };
//   using MineCases = ::testing::Types<MakeMine>;
//   namespace iqbo::contracts {
//   INSTANTIATE_TYPED_TEST_SUITE_P(Mine, AcquisitionContract, MineCases);
//   }
//
// Scores are evaluated for beliefs of order 1.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>

#include "iqbo/acquisition/acquisition.hpp"
#include "iqbo/contracts/errors.hpp"
#include "iqbo/contracts/matrices.hpp"
#include "iqbo/contracts/score_gradient.hpp"
#include "iqbo/contracts/tolerance.hpp"

namespace iqbo::contracts {

template <class Maker>
class AcquisitionContract : public ::testing::Test {
 protected:
  static constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

  std::unique_ptr<Acquisition> score_ = Maker::make();
  Rng rng_{1};

  // n queries, some with noise; covariances() gives them various correlations, up to 1/2, with the references.
  Outlook outlook(Index n) {
    Outlook out{rng_.normals(n), (0.3 * rng_.normals(n)).array().exp(), Vector::Zero(n)};
    for (Index j = 0; j < n; j += 2) out.noise_var[j] = 0.1 + rng_.uniform();
    return out;
  }
  Matrix covariances(const Outlook& of) {
    const Index n = score_->references().size();
    Matrix out(n, of.size());
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < of.size(); ++j)
        out(i, j) =
            std::sqrt(of.q[j]) * ((static_cast<double>(i) + 0.3 * rng_.uniform()) / static_cast<double>(n) - 0.5);
    return out;
  }
};

TYPED_TEST_SUITE_P(AcquisitionContract);

TYPED_TEST_P(AcquisitionContract, GradientIsTheDerivative) {
  for (int trial = 0; trial < 5; ++trial) {
    const Outlook outlook = this->outlook(4);
    const Matrix c = this->covariances(outlook);
    if (this->score_->has_gradient()) {
      expect_gradient(*this->score_, outlook, c);
    } else {
      OutlookGradient gradient;
      EXPECT_THROW(this->score_->score(outlook, c, &gradient), std::logic_error);
    }
  }
}

TYPED_TEST_P(AcquisitionContract, EntriesDoNotDependOnTheBatch) {
  const Outlook all = this->outlook(5);
  const Matrix c = this->covariances(all);
  const Vector together = this->score_->score(all, c);
  ASSERT_EQ(together.size(), all.size());
  for (Index j = 0; j < all.size(); ++j) {
    const Outlook one{all.nu.segment(j, 1), all.q.segment(j, 1), all.noise_var.segment(j, 1)};
    const double alone = this->score_->score(one, c.col(j))[0];
    EXPECT_NEAR(alone, together[j], kRounding * std::max(1.0, std::abs(alone)));
  }
}

TYPED_TEST_P(AcquisitionContract, BatchesAreChecked) {
  const Vector one{{1.0}};
  const Vector two{{1.0, 1.0}};
  const Matrix c = Matrix::Ones(this->score_->references().size(), 2);
  const auto refused = [&](const Outlook& outlook, std::initializer_list<std::string_view> pieces) {
    expect_refusal([&] { this->score_->score(outlook, c); }, pieces);
  };
  refused({two, one, two}, {"q", "1 row", "expected 2"});
  refused({two, two, one}, {"noise_var", "1 row", "expected 2"});
  refused({Vector{{0.0, this->kNaN}}, two, two}, {"nu", "row 1", "nan", "finite"});
  refused({two, Vector{{0.0, -1e-9}}, two}, {"q", "row 1", "-1e-09", ">= 0"});
  refused({two, two, Vector{{this->kNaN, 0.0}}}, {"noise_var", "row 0", "nan"});
}

TYPED_TEST_P(AcquisitionContract, CovariancesAreChecked) {
  const Index n = this->score_->references().size();
  if (n == 0) return;
  const Outlook outlook{Vector{{0.0, 0.0}}, Vector{{1.0, 1.0}}, Vector{{0.0, 0.0}}};
  const std::string rows = "expected " + std::to_string(n);
  expect_refusal([&] { this->score_->score(outlook, Matrix::Zero(n + 1, 2)); }, {"c", "rows", rows});
  expect_refusal([&] { this->score_->score(outlook, Matrix::Zero(n, 1)); }, {"c", "1 column", "expected 2"});
  Matrix c = Matrix::Zero(n, 2);
  c(n - 1, 0) = this->kNaN;
  expect_refusal([&] { this->score_->score(outlook, c); }, {"c", "row " + std::to_string(n - 1) + ", column 0", "nan"});
}

TYPED_TEST_P(AcquisitionContract, AnEmptyBatchIsNoMistake) {
  const Matrix none(this->score_->references().size(), 0);
  EXPECT_EQ(this->score_->score(Outlook{}, none).size(), 0);
  if (!this->score_->has_gradient()) return;
  OutlookGradient gradient;
  EXPECT_EQ(this->score_->score(Outlook{}, none, &gradient).size(), 0);
  EXPECT_EQ(gradient.q.size(), 0);
}

REGISTER_TYPED_TEST_SUITE_P(AcquisitionContract, GradientIsTheDerivative, EntriesDoNotDependOnTheBatch,
                            BatchesAreChecked, CovariancesAreChecked, AnEmptyBatchIsNoMistake);

}  // namespace iqbo::contracts
