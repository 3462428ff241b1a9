// What answers are: counts have a noise of their own and an exposure; a link keeps f in its range.
#include "iqbo/core/check.hpp"
#include "spec_check.hpp"

namespace iqbo {

namespace {

void check_exposure(const Spec& spec) {
  const ExposureSpec& s = *spec.queries.exposure;
  const QuerySpec& query = spec.queries;
  if (!is_count(spec.answers)) refuse("exposure", "is given", R"("answers": "poisson" or another family of counts)");
  if (!s.column.empty() && query.kind == QuerySpec::Kind::kBox)
    refuse("exposure", "names a column", "a number: a box has no file");
  if (s.choices.empty()) return;
  if (query.kind != QuerySpec::Kind::kPoints)
    refuse("exposure.choices", "is given", "queries of kind points: for others give one number");
  if (spec.conditional.kind == ConditionalSpec::Kind::kLearned)
    refuse("exposure.choices", "is given", "bags or windows: with a learned p(x given a) give one number or a column");
  for (std::size_t i = 0; i < s.choices.size(); ++i) {
    if (s.choices[i] > kLargestNumber)
      refuse("exposure.choices", "has " + readable(s.choices[i]), "at most " + readable(kLargestNumber));
    if (i > 0 && s.choices[i] <= s.choices[i - 1])
      refuse("exposure.choices", "has " + readable(s.choices[i]) + " after " + readable(s.choices[i - 1]),
             "rising numbers");
  }
}

// Counts say how noisy they are.
void refuse_noise(const Spec& spec) {
  const std::string expected = "none: the noise of counts follows from their exposure";
  if (spec.noise_sd) refuse("noise_sd", "is given", expected);
  if (spec.queries.noise_sd) refuse("queries.noise_sd", "is given", expected);
  if (spec.queries.tree && !spec.queries.tree->noise_sds.empty())
    refuse("queries.tree.noise_sds", "is given", expected);
}

void check_goal(const Spec& spec) {
  if (spec.goal == Goal::kMaximize) return;
  if (is_count(spec.answers) && spec.answers != AnswerFamily::kBinomial)
    refuse("goal", R"(is "minimize" with )" + to_string(spec.answers) + " answers",
           R"("maximize"; or "answers": "binomial", if the exposure is a number of trials: then both are possible)");
  if (!is_count(spec.answers) && spec.link == LinkKind::kLog)
    refuse("goal", R"(is "minimize" with "link": "log")", R"("maximize", or "link": "identity")");
}

void check_link(const Spec& spec) {
  const bool binomial = spec.answers == AnswerFamily::kBinomial;
  if (spec.link == LinkKind::kLogit && !binomial) refuse("link", R"(is "logit")", R"("answers": "binomial" with it)");
  if (spec.link == LinkKind::kLog && binomial)
    refuse("link", R"(is "log" with binomial answers)", R"("logit" or "identity": a share is at most 1)");
  const bool linked = is_count(spec.answers) || spec.link == LinkKind::kLog;
  if (!linked) return;
  if (!spec.kernel) {
    if (spec.mean.kind == MeanSpec::Kind::kFixed)
      refuse("mean", "is a number", R"("auto" or "linear": with this link the mean is fitted with the kernel)");
    return;
  }
  if (spec.link == LinkKind::kAuto)
    refuse("link", R"(is "auto")", "identity, log or logit, as the kernel, which is that of eta, is given");
  if (spec.mean.kind != MeanSpec::Kind::kFixed)
    refuse("mean", R"(is "auto")", "a number, the usual value of f, as the kernel is given and nothing is fitted");
  const double share = spec.mean.value / spec.value.per;
  if (spec.link != LinkKind::kIdentity && !(share > 0.0))
    refuse("mean", "is " + readable(spec.mean.value), "a number > 0, the usual value of f");
  if (spec.link == LinkKind::kLogit && !(share < 1.0))
    refuse("mean", "is " + readable(spec.mean.value), "less than " + readable(spec.value.per) + ", as f is a share");
}

void check_dispersion(const Spec& spec) {
  const bool has = spec.answers == AnswerFamily::kNegativeBinomial || spec.answers == AnswerFamily::kAuto;
  if (spec.dispersion && !has) refuse("dispersion", "is given", R"("answers": "negative-binomial")");
  if (spec.dispersion && !spec.kernel)
    refuse("dispersion", "is given", R"("auto", unless the kernel is given too: it is fitted with it)");
  if (!spec.dispersion && has && spec.kernel)
    refuse("dispersion", R"(is "auto")", "a number > 0, as the kernel is given and nothing is fitted");
}

}  // namespace

void check_answers(const Spec& spec) {
  if (spec.value.per != 1.0 && !is_count(spec.answers))
    refuse("value.per", "is " + readable(spec.value.per), R"("answers": "poisson" or another family of counts)");
  if (!(spec.value.per <= kLargestNumber))
    refuse("value.per", "is " + readable(spec.value.per), "at most " + readable(kLargestNumber));
  if (spec.queries.exposure) check_exposure(spec);
  if (is_count(spec.answers)) refuse_noise(spec);
  check_goal(spec);
  check_link(spec);
  check_dispersion(spec);
}

}  // namespace iqbo
