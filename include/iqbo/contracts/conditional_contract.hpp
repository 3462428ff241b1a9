// What every Conditional must do. To run it on your own, link iqbo::iqbo and GoogleTest and write
//
//   struct MakeMine {
//     static iqbo::contracts::ConditionalCase make() { return {std::make_shared<Mine>(...), iqbo::Queries{{0.1}, {0.7}}}; }
//   };
//   using MineCases = ::testing::Types<MakeMine>;
//   namespace iqbo::contracts {
//   INSTANTIATE_TYPED_TEST_SUITE_P(Mine, ConditionalContract, MineCases);
//   }
//
// The queries must be distinct and known to the conditional; inputs and queries should be of order 1.
#pragma once

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "iqbo/average/average_sum.hpp"
#include "iqbo/average/expectation.hpp"
#include "iqbo/conditional/conditional.hpp"
#include "iqbo/contracts/errors.hpp"
#include "iqbo/contracts/finite_difference.hpp"
#include "iqbo/contracts/matrices.hpp"
#include "iqbo/contracts/tolerance.hpp"
#include "iqbo/kernel/stationary.hpp"

namespace iqbo::contracts {

struct ConditionalCase {
  std::shared_ptr<const Conditional> model;
  Queries queries;
};

template <class Maker>
class ConditionalContract : public ::testing::Test {
 protected:
  ConditionalCase case_ = Maker::make();
  const Conditional& model_ = *case_.model;
  const Queries& a_ = case_.queries;
  Rng rng_{1};
  Index d_ = model_.input_dimension();
  std::vector<std::shared_ptr<const Kernel>> kernels_ = {Rbf(1.3, Vector::Constant(d_, 0.8)).clone(),
                                                         Matern32(0.9, Vector::Constant(d_, 1.1)).clone()};
  Inputs x_{rng_.uniforms(5, d_)};
};

TYPED_TEST_SUITE_P(ConditionalContract);

TYPED_TEST_P(ConditionalContract, LawsAreOfItsQueriesAndInputs) {
  const Laws laws = this->model_.laws(this->a_);
  EXPECT_EQ(laws.size(), this->a_.size());
  EXPECT_EQ(laws.dimension(), this->d_);
  EXPECT_EQ(this->model_.query_dimension(), this->a_.dimension());
}

// A query has the same law at every position in a batch, and in a copy of the conditional.
TYPED_TEST_P(ConditionalContract, AveragesDoNotDependOnTheBatch) {
  const auto copy = this->model_.clone();
  for (const auto& kernel : this->kernels_) {
    const Matrix q = this->model_.q(*kernel, this->a_, this->a_);
    const Matrix c = this->model_.c(*kernel, this->x_, this->a_);
    EXPECT_EQ(copy->q(*kernel, this->a_, this->a_), q);
    for (Index i = 0; i < this->a_.size(); ++i) {
      const Queries one = this->a_.slice(i, 1);
      EXPECT_LE(largest(this->model_.c(*kernel, this->x_, one) - c.col(i)), kFiniteDifference);
      for (Index j = 0; j < this->a_.size(); ++j)
        EXPECT_NEAR(this->model_.q(*kernel, one, this->a_.slice(j, 1))(0, 0), q(i, j), kFiniteDifference);
    }
  }
}

// f at points and the averages of f together have a covariance matrix.
TYPED_TEST_P(ConditionalContract, AveragesAreACovariance) {
  const Index n = this->x_.size(), m = this->a_.size();
  for (const auto& kernel : this->kernels_) {
    const Matrix q = this->model_.q(*kernel, this->a_, this->a_);
    EXPECT_LE(largest(q - q.transpose()), kFiniteDifference);
    EXPECT_LE(largest(q.diagonal() - this->model_.q_diagonal(*kernel, this->a_)), kFiniteDifference);
    Matrix joint(n + m, n + m);
    joint.topLeftCorner(n, n) = kernel->gram(this->x_);
    joint.topRightCorner(n, m) = this->model_.c(*kernel, this->x_, this->a_);
    joint.bottomLeftCorner(m, n) = joint.topRightCorner(n, m).transpose();
    joint.bottomRightCorner(m, m) = q;
    const Vector eigenvalues = Eigen::SelfAdjointEigenSolver<Matrix>(joint).eigenvalues();
    EXPECT_GT(eigenvalues.minCoeff(), -kFiniteDifference * eigenvalues.maxCoeff());
  }
}

TYPED_TEST_P(ConditionalContract, ConstantsPassUnchanged) {
  EXPECT_LE(largest(this->model_.nu(ConstantMean(2.5), this->a_).array() - 2.5), kRounding);
  const Rows none = Rows::Zero(1, this->d_);
  const Matrix cosines = this->model_.cosines(this->a_, none, Vector::Constant(1, 0.4));
  const Matrix mass = this->model_.cosines(this->a_, none, Vector::Zero(1));
  EXPECT_LE(largest(cosines - std::cos(0.4) * mass), kRounding * std::max(1.0, largest(mass)));
}

// If p(x|a) has a listed support, averages of tabulated functions equal those of the functions.
TYPED_TEST_P(ConditionalContract, TabulatedFunctionsHaveTheSameAverages) {
  const Inputs* support = this->model_.support();
  if (support == nullptr) return;
  for (const auto& kernel : this->kernels_)
    EXPECT_LE(largest(this->model_.average(this->a_, kernel->gram(*support, this->x_)).transpose() -
                      this->model_.c(*kernel, this->x_, this->a_)),
              kFiniteDifference);
}

// d/da of everything that a posterior says at a query: nu, q(a, a) and c(x, a).
TYPED_TEST_P(ConditionalContract, PullBackIsTheDerivative) {
  const Index n = this->a_.size();
  const LinearMean mean(0.3, this->rng_.normals(this->d_));
  const AverageSum sum{*this->kernels_[0],
                       mean,
                       this->rng_.normals(n),
                       this->rng_.normals(n),
                       {{Laws(this->x_), random_weight(this->rng_, this->x_.size(), n)}}};
  if (this->model_.gradients() == Gradients::kNone) {
    expect_refusal([&] { this->model_.pull_back(this->a_, sum); }, {"conditional", "gradient"});
    return;
  }
  const Rows got = this->model_.pull_back(this->a_, sum);
  ASSERT_EQ(got.rows(), n);
  ASSERT_EQ(got.cols(), this->a_.dimension());
  for (Index j = 0; j < n; ++j) {
    const auto at = [&](const Vector& value) {
      Rows moved = this->a_.coordinates();
      moved.row(j) = value.transpose();
      return sum.at(this->model_.laws(Queries(moved)))[j];
    };
    const Vector want = finite_difference(at, this->a_.row(j).transpose(), 2e-3);
    for (Index c = 0; c < want.size(); ++c) {
      if (got(j, c) == 0.0 && this->model_.gradients() == Gradients::kDifferences)
        continue;  // a code has no neighbours
      EXPECT_NEAR(got(j, c), want[c], kDifferenced * std::max(1.0, std::abs(want[c]))) << "query " << j;
    }
  }
}

REGISTER_TYPED_TEST_SUITE_P(ConditionalContract, LawsAreOfItsQueriesAndInputs, AveragesDoNotDependOnTheBatch,
                            AveragesAreACovariance, ConstantsPassUnchanged, TabulatedFunctionsHaveTheSameAverages,
                            PullBackIsTheDerivative);

}  // namespace iqbo::contracts
