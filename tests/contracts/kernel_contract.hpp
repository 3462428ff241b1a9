// What every Kernel must do. To run it on a kernel of your own, link tests/contracts/kernel_contract.cpp and write
//
//   struct MakeMine {
//     static KernelPtr make() { return std::make_shared<Mine>(...); }
//   };
//   using MineCases = ::testing::Types<MakeMine>;
//   INSTANTIATE_TYPED_TEST_SUITE_P(Mine, KernelContract, MineCases);
//
// Hyperparameters should be of order 1; each test also tries random ones around them, on points a few units apart.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>

#include "iqbo/core/rng.hpp"
#include "iqbo/kernel/kernel.hpp"

namespace iqbo::test {

using KernelPtr = std::shared_ptr<const Kernel>;

// Calls `law` with the kernel as made and with random hyperparameters around those.
void for_random_parameters(const Kernel& made, const std::function<void(const Kernel&, Rng&)>& law);

void expect_symmetric(const Kernel& kernel, Rng& rng);
void expect_semi_definite(const Kernel& kernel, Rng& rng);
void expect_diagonal_of_gram(const Kernel& kernel, Rng& rng);
void expect_entries_on_their_own(const Kernel& kernel, Rng& rng);
void expect_same_on_queries(const Kernel& kernel, Rng& rng);
void expect_parameter_pull_back(const Kernel& kernel, Rng& rng);
void expect_input_pull_back(const Kernel& kernel, Rng& rng);
void expect_finite_gradients(const Kernel& kernel, Rng& rng);
void expect_named_parameters(const Kernel& kernel, Rng& rng);
void expect_parameter_round_trip(const Kernel& kernel, Rng& rng);
void expect_equal_clone(const Kernel& kernel, Rng& rng);
void expect_empty_batches(const Kernel& kernel, Rng& rng);
void expect_refusals(const Kernel& kernel, Rng& rng);
void expect_parameter_refusals(const Kernel& kernel, Rng& rng);

// Also of use to tests that go beyond the contract.
double largest(const Matrix& a);  // absolute entry; 0 if there is none
Matrix random_weight(Rng& rng, Index rows, Index columns);

template <class Maker>
class KernelContract : public ::testing::Test {
 protected:
  static void check(const std::function<void(const Kernel&, Rng&)>& law) {
    const KernelPtr kernel = Maker::make();
    for_random_parameters(*kernel, law);
  }
};

TYPED_TEST_SUITE_P(KernelContract);

TYPED_TEST_P(KernelContract, GramIsSymmetric) { this->check(expect_symmetric); }
TYPED_TEST_P(KernelContract, GramIsSemiDefinite) { this->check(expect_semi_definite); }
TYPED_TEST_P(KernelContract, DiagonalIsThatOfGram) { this->check(expect_diagonal_of_gram); }
TYPED_TEST_P(KernelContract, EntriesDoNotDependOnTheBatch) { this->check(expect_entries_on_their_own); }
TYPED_TEST_P(KernelContract, QueriesAreTreatedAsInputs) { this->check(expect_same_on_queries); }
TYPED_TEST_P(KernelContract, PullBackIsTheDerivative) { this->check(expect_parameter_pull_back); }
TYPED_TEST_P(KernelContract, InputPullBackIsTheDerivative) { this->check(expect_input_pull_back); }
TYPED_TEST_P(KernelContract, GradientsAreFiniteAtCoincidentPoints) { this->check(expect_finite_gradients); }
TYPED_TEST_P(KernelContract, EveryParameterHasItsName) { this->check(expect_named_parameters); }
TYPED_TEST_P(KernelContract, ParametersGoRoundTrip) { this->check(expect_parameter_round_trip); }
TYPED_TEST_P(KernelContract, CloneIsEqual) { this->check(expect_equal_clone); }
TYPED_TEST_P(KernelContract, TakesEmptyBatches) { this->check(expect_empty_batches); }
TYPED_TEST_P(KernelContract, RefusesWrongSizes) { this->check(expect_refusals); }
TYPED_TEST_P(KernelContract, RefusesBadParameters) { this->check(expect_parameter_refusals); }

REGISTER_TYPED_TEST_SUITE_P(KernelContract, GramIsSymmetric, GramIsSemiDefinite, DiagonalIsThatOfGram,
                            EntriesDoNotDependOnTheBatch, QueriesAreTreatedAsInputs, PullBackIsTheDerivative,
                            InputPullBackIsTheDerivative, GradientsAreFiniteAtCoincidentPoints,
                            EveryParameterHasItsName, ParametersGoRoundTrip, CloneIsEqual, TakesEmptyBatches,
                            RefusesWrongSizes, RefusesBadParameters);

}  // namespace iqbo::test
