#include "honesty.hpp"

#include <cmath>

namespace iqbo::internal {
namespace {

constexpr double kNormal75 = 0.6744897501960817;  // 50 % lie within +- this
constexpr double kNormal95 = 1.644853626951472;   // 90 % lie within +- this
constexpr int kFewAnswers = 8;

std::string percent(double share) { return std::to_string(std::lround(100.0 * share)) + " %"; }

// -1 or 1 if the share is more than two standard errors below or above the wanted one; else 0.
int off(double share, double wanted, double n) {
  const double errors = (share - wanted) / std::sqrt(wanted * (1.0 - wanted) / n);
  return errors < -2.0 ? -1 : errors > 2.0 ? 1 : 0;
}

std::string verdict(int n, double share50, double share90) {
  if (n == 0) return "No answer has come yet for which there was a prediction.";
  const std::string found = "Of " + std::to_string(n) + (n == 1 ? " answer, " : " answers, ") + percent(share50) +
                            " lay within the 50 % intervals stated before they came, and " + percent(share90) +
                            " within the 90 % intervals.";
  if (n < kFewAnswers) return found + " That is too few answers to judge by.";
  if (off(share90, 0.9, n) < 0 || off(share50, 0.5, n) < 0)
    return found + " The intervals are too narrow: predictions are less certain than stated.";
  if (off(share50, 0.5, n) > 0)
    return found + " The intervals are wider than necessary: predictions are more certain than stated.";
  return found + " The answers agree with the intervals.";
}

bool same_place(const Spec& spec, const std::vector<double>& x, const std::vector<double>& y) {
  if (spec.targets.kind == TargetSpec::Kind::kPoints) return x == y;
  for (std::size_t j = 0; j < x.size(); ++j)
    if (std::abs(x[j] - y[j]) > kStill * (spec.targets.axes[j].to - spec.targets.axes[j].from)) return false;
  return true;
}

}  // namespace

Json checks_json(const std::vector<PastTrial>& trials) {
  Json residuals = Json::array();
  int n = 0, in50 = 0, in90 = 0;
  for (const PastTrial& one : trials) {
    const bool judged = one.trial.answer && one.expected && one.expected_sd && *one.expected_sd > 0.0;
    const double r = judged ? (one.trial.answer->value - *one.expected) / *one.expected_sd : std::nan("");
    residuals.push_back(seen(r));
    n += judged;
    in50 += judged && std::abs(r) <= kNormal75;
    in90 += judged && std::abs(r) <= kNormal95;
  }
  const double share50 = n > 0 ? static_cast<double>(in50) / n : std::nan("");
  const double share90 = n > 0 ? static_cast<double>(in90) / n : std::nan("");
  return {{"n", n},
          {"cover50", seen(share50)},
          {"cover90", seen(share90)},
          {"residuals", std::move(residuals)},
          {"text", verdict(n, share50, share90)}};
}

Json moving_json(const Spec& spec, std::span<const FrameRecord> frames) {
  const FrameRecord& now = frames.back();
  std::int64_t since = now.told;
  for (auto frame = frames.rbegin(); frame != frames.rend() && frame->best; ++frame) {
    if (!same_place(spec, frame->best->x, now.best->x)) break;
    since = frame->told;
  }
  const std::string of = "answer " + std::to_string(since) + " of " + std::to_string(now.told);
  std::string text;
  if (now.told < kFewAnswers)
    text = "There are few answers so far: it may still move anywhere.";
  else if (2 * since <= now.told)
    text = "It has been here since " + of + ".";
  else
    text = "It moved here by " + of + ", and may move again.";
  return {{"since", since}, {"text", text}};
}

}  // namespace iqbo::internal
