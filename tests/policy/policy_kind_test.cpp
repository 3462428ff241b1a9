#include "iqbo/policy/policy_kind.hpp"

#include <gtest/gtest.h>

#include "support/errors.hpp"

namespace iqbo {
namespace {

TEST(PolicyKind, EveryNameComesBack) {
  EXPECT_EQ(all_policies().size(), 22U);
  for (const PolicyKind kind : all_policies()) EXPECT_EQ(policy_kind(to_string(kind)), kind) << to_string(kind);
}

TEST(PolicyKind, ListsTheNamesItKnows) {
  test::expect_refusal(
      [] { policy_kind("cmse"); },
      {"policy: \"cmse\", expected \"cmes\" (one of random, max-variance, cmes", "mfmes, level-set, auto)"});
}

TEST(PolicyKind, TellsThePapersBaselines) {
  EXPECT_TRUE(is_plain(PolicyKind::kMes));
  EXPECT_TRUE(is_plain(PolicyKind::kMfmes));
  EXPECT_FALSE(is_plain(PolicyKind::kMesG));
  EXPECT_FALSE(is_plain(PolicyKind::kCmes));
}

}  // namespace
}  // namespace iqbo
