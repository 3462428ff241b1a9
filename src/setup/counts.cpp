#include "counts.hpp"

#include "iqbo/core/check.hpp"

namespace iqbo::internal {

LikelihoodPtr likelihood_of(const Spec& spec) {
  switch (spec.answers) {
    case AnswerFamily::kGaussian:
      return nullptr;
    case AnswerFamily::kPoisson:
      return poisson_answers();
    case AnswerFamily::kBinomial:
      return binomial_answers();
    case AnswerFamily::kNegativeBinomial:
    case AnswerFamily::kAuto:
      break;
  }
  return spec.dispersion ? negative_binomial_answers(*spec.dispersion) : iqbo::likelihood_of("negative-binomial");
}

std::vector<Link> links_of(const Spec& spec) {
  switch (spec.link) {
    case LinkKind::kAuto:
      return {};
    case LinkKind::kIdentity:
      return {Link::kIdentity};
    case LinkKind::kLog:
      return {Link::kLog};
    case LinkKind::kLogit:
      break;
  }
  return {Link::kLogit};
}

bool counts_complements(const Spec& spec) { return is_count(spec.answers) && spec.goal == Goal::kMinimize; }

void require_counted(const Spec& spec, const Answer& answer, const std::string& where) {
  if (!is_count(spec.answers)) {
    if (answer.count || answer.exposure)
      refuse(where, "a count was told",
             R"(a value: answers of this study are measured averages (counts need "answers": "poisson" in the spec))");
    return;
  }
  if (!answer.count)
    refuse(where, "a value was told", "a count and its exposure, 12/2000: answers of this study are counts");
  if (answer.noise_sd || answer.replicates != 1)
    refuse(where, answer.noise_sd ? "noise_sd was told" : "replicates were told",
           "a count and its exposure only, from which the noise follows");
  if (!answer.exposure)
    refuse(where, "count " + std::to_string(*answer.count) + " has no exposure",
           "one (12/2000), or \"exposure\" in the spec");
  likelihood_of(spec)->check({static_cast<double>(*answer.count), *answer.exposure}, where);
}

Answer with_rate(const Spec& spec, Answer answer) {
  if (answer.count && answer.exposure)
    answer.value = spec.value.per * static_cast<double>(*answer.count) / *answer.exposure;
  return answer;
}

}  // namespace iqbo::internal
