// What every Kernel must do. To run it on a kernel of your own, link iqbo::iqbo and GoogleTest and write
//
//   #include <iqbo/contracts/kernel_contract.hpp>
//
//   struct MakeMine {
//     static std::shared_ptr<const iqbo::Kernel> make() { return std::make_shared<Mine>(...); }
//   };
//   using MineCases = ::testing::Types<MakeMine>;
//   namespace iqbo::contracts {
//   INSTANTIATE_TYPED_TEST_SUITE_P(Mine, KernelContract, MineCases);
//   }
//
// Hyperparameters should be of order 1; each test also tries random ones around them, on points a few units apart. If a
// kernel says what it is made of (Kernel::stationary_terms), its averages under windows are also tested, along one axis
// by brute force, and its spectrum is compared with it.
#pragma once

#include <gtest/gtest.h>

#include <functional>

#include "iqbo/contracts/kernel_averages.hpp"
#include "iqbo/contracts/kernel_laws.hpp"

namespace iqbo::contracts {

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
TYPED_TEST_P(KernelContract, TermsAddUpToIt) { this->check(expect_terms_that_add_up); }
TYPED_TEST_P(KernelContract, AveragesAlongAnAxisAreIntegrals) { this->check(expect_averages_along_axes); }
TYPED_TEST_P(KernelContract, OnlyTheWidthsTogetherMatter) { this->check(expect_averages_of_sums); }
TYPED_TEST_P(KernelContract, RulesAlongAxesAreTheirGrid) { this->check(expect_averages_of_grids); }
TYPED_TEST_P(KernelContract, PullBackOfAveragesIsTheDerivative) { this->check(expect_average_pull_back); }
TYPED_TEST_P(KernelContract, WithoutAveragesSaysWhatToUse) { this->check(expect_averages_or_refusal); }
TYPED_TEST_P(KernelContract, SpectrumAddsUpToIt) { this->check(expect_spectrum); }

REGISTER_TYPED_TEST_SUITE_P(KernelContract, GramIsSymmetric, GramIsSemiDefinite, DiagonalIsThatOfGram,
                            EntriesDoNotDependOnTheBatch, QueriesAreTreatedAsInputs, PullBackIsTheDerivative,
                            InputPullBackIsTheDerivative, GradientsAreFiniteAtCoincidentPoints,
                            EveryParameterHasItsName, ParametersGoRoundTrip, CloneIsEqual, TakesEmptyBatches,
                            RefusesWrongSizes, RefusesBadParameters, TermsAddUpToIt, AveragesAlongAnAxisAreIntegrals,
                            OnlyTheWidthsTogetherMatter, RulesAlongAxesAreTheirGrid, PullBackOfAveragesIsTheDerivative,
                            WithoutAveragesSaysWhatToUse, SpectrumAddsUpToIt);

}  // namespace iqbo::contracts
