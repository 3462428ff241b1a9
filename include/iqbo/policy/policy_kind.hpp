// Ways of choosing the next query, by name.
//
//   random, max-variance            controls
//   cmes                            the paper's: nats about f*, from joint paths [Zhang26] eq. 9
//   cmes-gumbel                     the same with Gumbel samples of f*
//   cmes-noisy                      noise-aware [Zhang26] appendix B, corrected
//   cmes-f                          the same information from f(x) <= f*, not g(a) <= f*: where narrow peaks may hide
//   ckg                             conditional knowledge gradient: the rise of the best mean
//   cjes                            conditional joint entropy search: nats about f at sampled maximisers
//   thompson                        variance reduction at one sampled maximiser
//   mes, ei, ucb, pi, est           on a plain GP of (a, z) that ignores p(x|a): the paper's baselines
//   mes-g, ei-g, ucb-g, pi-g, est-g the same on the conditional mean process
//   level-set                       all inputs with f above a threshold: the expected number on the wrong side
//   mfmes                           multi-fidelity MES on the plain GP [Takeno20]
//   auto                            cjes or ckg, by a rule computed from the data: docs/policies.md
//   custom                          a score of your own (custom_score.hpp); not in all_policies(), as you provide it
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace iqbo {

enum class PolicyKind {
  kRandom,
  kMaxVariance,
  kCmes,
  kCmesGumbel,
  kCmesNoisy,
  kCmesF,
  kCkg,
  kCjes,
  kThompson,
  kMes,
  kEi,
  kUcb,
  kPi,
  kEst,
  kMesG,
  kEiG,
  kUcbG,
  kPiG,
  kEstG,
  kMfmes,
  kLevelSet,
  kAuto,
  kCustom
};

std::string to_string(PolicyKind kind);
PolicyKind policy_kind(std::string_view name);  // refuses an unknown name, with the nearest of the known ones
const std::vector<PolicyKind>& all_policies();

// Whether it chooses with the plain GP on (a, z) instead of the conditional mean process.
bool is_plain(PolicyKind kind);

}  // namespace iqbo
