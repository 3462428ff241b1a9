#include "honesty.hpp"

#include <cctype>
#include <cmath>
#include <limits>

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

// What the recommendation says about forecasts, in its own words; "" if they agree with the answers.
std::string finding(const History& history) {
  if (!history.now.best) return {};
  for (const std::string& note : history.now.best->notes)
    if (note.starts_with("the model is too sure") || note.starts_with("the model is less sure")) return note;
  return {};
}

std::string as_sentence(std::string text) {
  text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text + ".";
}

std::string verdict(int n, double share50, double share90, const std::string& said) {
  if (n == 0) return "No answer has been predicted yet, so there is nothing to compare.";
  const std::string found = "Of " + std::to_string(n) + (n == 1 ? " answer, " : " answers, ") + percent(share50) +
                            " lay within the 50 % intervals that were stated before they arrived, and " +
                            percent(share90) + " within the 90 % intervals.";
  if (!said.empty()) return found + " " + as_sentence(said);
  if (n < kFewAnswers) return found + " That is too few answers to judge by.";
  if (off(share90, 0.9, n) < 0 || off(share50, 0.5, n) < 0)
    return found +
           " Earlier forecasts, based on few answers, were too sure; those of the present model agree with the "
           "answers.";
  if (off(share50, 0.5, n) > 0)
    return found +
           " Earlier forecasts were less sure than necessary; those of the present model agree with the answers.";
  return found + " The answers agree with the intervals.";
}

bool same_place(const Spec& spec, const std::vector<double>& x, const std::vector<double>& y) {
  if (spec.targets.kind == TargetSpec::Kind::kPoints) return x == y;
  for (std::size_t j = 0; j < x.size(); ++j)
    if (std::abs(x[j] - y[j]) > kStill * (spec.targets.axes[j].to - spec.targets.axes[j].from)) return false;
  return true;
}

}  // namespace

Json checks_json(const History& history) {
  Json residuals = Json::array();
  int n = 0, in50 = 0, in90 = 0;
  const auto add = [&](const Answer* answer, const std::optional<double>& expected, const std::optional<double>& sd) {
    const bool judged = answer != nullptr && expected && sd && *sd > 0.0;
    const double r = judged ? (answer->value - *expected) / *sd : std::nan("");
    residuals.push_back(seen(r));
    n += judged;
    in50 += judged && std::abs(r) <= kNormal75;
    in90 += judged && std::abs(r) <= kNormal95;
  };
  auto survey = history.surveys.begin();
  const auto add_surveys = [&](std::int64_t number) {
    for (; survey != history.surveys.end() && survey->before <= number; ++survey)
      add(&survey->logged.observation.answer, survey->expected, survey->expected_sd);
  };
  for (const PastTrial& one : history.trials) {
    add_surveys(one.trial.number);
    add(one.trial.answer ? &*one.trial.answer : nullptr, one.expected, one.expected_sd);
  }
  add_surveys(std::numeric_limits<std::int64_t>::max());
  const double share50 = n > 0 ? static_cast<double>(in50) / n : std::nan("");
  const double share90 = n > 0 ? static_cast<double>(in90) / n : std::nan("");
  return {{"n", n},
          {"cover50", seen(share50)},
          {"cover90", seen(share90)},
          {"residuals", std::move(residuals)},
          {"text", verdict(n, share50, share90, finding(history))}};
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
    text = "There are few answers so far, so it may still move anywhere.";
  else if (frames.size() == 1)
    text =
        "What was recommended earlier is not computed for so large a scene, so it is not known whether it still moves.";
  else if (2 * since <= now.told)
    text = "It has been here since " + of + ".";
  else
    text = "It moved here with " + of + ", and may move again.";
  return {{"since", since}, {"text", text}};
}

}  // namespace iqbo::internal
