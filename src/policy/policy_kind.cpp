#include "iqbo/policy/policy_kind.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "core/nearest.hpp"
#include "iqbo/core/check.hpp"

namespace iqbo {

using namespace internal;

namespace {

using enum PolicyKind;

constexpr std::array<std::pair<PolicyKind, std::string_view>, 22> kNames{{{kRandom, "random"},
                                                                          {kMaxVariance, "max-variance"},
                                                                          {kCmes, "cmes"},
                                                                          {kCmesGumbel, "cmes-gumbel"},
                                                                          {kCmesNoisy, "cmes-noisy"},
                                                                          {kCmesF, "cmes-f"},
                                                                          {kCkg, "ckg"},
                                                                          {kCjes, "cjes"},
                                                                          {kThompson, "thompson"},
                                                                          {kMes, "mes"},
                                                                          {kEi, "ei"},
                                                                          {kUcb, "ucb"},
                                                                          {kPi, "pi"},
                                                                          {kEst, "est"},
                                                                          {kMesG, "mes-g"},
                                                                          {kEiG, "ei-g"},
                                                                          {kUcbG, "ucb-g"},
                                                                          {kPiG, "pi-g"},
                                                                          {kEstG, "est-g"},
                                                                          {kMfmes, "mfmes"},
                                                                          {kLevelSet, "level-set"},
                                                                          {kAuto, "auto"}}};

}  // namespace

std::string to_string(PolicyKind kind) {
  if (kind == kCustom) return "custom";
  const auto* found = std::find_if(kNames.begin(), kNames.end(), [&](const auto& name) { return name.first == kind; });
  return std::string(found->second);
}

PolicyKind policy_kind(std::string_view name) {
  std::vector<std::string> known;
  for (const auto& [kind, text] : kNames) {
    if (text == name) return kind;
    known.emplace_back(text);
  }
  refuse("policy", in_quotes(name), expected_names(name, known));
}

const std::vector<PolicyKind>& all_policies() {
  static const std::vector<PolicyKind> all = [] {
    std::vector<PolicyKind> out;
    out.reserve(kNames.size());
    for (const auto& [kind, name] : kNames) out.push_back(kind);
    return out;
  }();
  return all;
}

bool is_plain(PolicyKind kind) {
  return kind == kMes || kind == kEi || kind == kUcb || kind == kPi || kind == kEst || kind == kMfmes;
}

}  // namespace iqbo
