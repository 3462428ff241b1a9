// What a model rests on: what the setting gives, and what is fitted to the answers.
#include <algorithm>
#include <array>
#include <cmath>

#include "fit_schedule.hpp"
#include "iqbo/conditional/spread.hpp"
#include "iqbo/core/check.hpp"
#include "iqbo/kernel/stationary.hpp"
#include "iqbo/learned/learned.hpp"
#include "model.hpp"

namespace iqbo {

using namespace internal;

namespace {

// A kernel to start from: fitting replaces all of its numbers. It follows the widths of X, in case there is no fit.
Rbf placeholder(const TargetSpace& x) {
  const Vector width = bounds(x).width();
  return Rbf(1.0, 0.2 * (width.array() > 0.0).select(width, 1.0));
}

// Chooses tau / sd(z) by evidence, for a prior that is given; a fit finds tau by itself.
Posterior with_best_discrepancy(const Posterior& prior, const LearnedConditional& learned, const Answers& answers,
                                std::size_t count, double noise_var) {
  constexpr std::array kShares{0.05, 0.1, 0.2, 0.4};
  const double sd = spread_of({answers.begin(), answers.begin() + static_cast<std::ptrdiff_t>(count)});
  Posterior best = prior;
  if (sd == 0.0) return best;
  const Posterior data = condition_at_once(prior, answers, count, noise_var);
  double evidence = data.log_evidence();
  for (const double share : kShares) {
    const auto l = learned.discrepancy(share * share * sd * sd);
    const double other = data.with_discrepancy(*l).log_evidence();
    if (other <= evidence) continue;
    evidence = other;
    best = prior.with_discrepancy(*l);
  }
  return best;
}

}  // namespace

// A unit prior. Of eta it is about the first answer, as a unit of eta is a factor of e; elsewhere a huge first answer would
// contradict it.
Model::Unfitted Model::unfitted() const {
  constexpr double kHuge = 1e6;
  if (setting_.kernel != nullptr || answers_.empty()) return {};
  const Datum& first = answers_.front();
  const Link link = iqbo::is_linked(setting_) ? setting_.links.front() : Link::kIdentity;
  if (!counts() && link == Link::kIdentity) return {0.0, std::max(1.0, std::pow(first.z / kHuge, 2))};
  if (!counts()) {
    const bool in_range = first.z > 0.0 && (link == Link::kLog || first.z < 1.0);
    return {in_range ? inverse(link, first.z) : 0.0, 1.0};
  }
  const double events = first.count.y + 0.5;  // not 0
  const double rate = events / (first.count.exposure + (link == Link::kLogit ? 1.0 : 0.0));
  return {inverse(link, rate), link == Link::kIdentity ? std::max(1.0, rate * rate) : 1.0};
}

Model::Assumptions Model::given(std::size_t count) const {
  const auto [level, unit] = count == 0 ? unfitted() : Unfitted{};
  const auto mean = setting_.mean != nullptr ? setting_.mean : std::make_shared<const ConstantMean>(level);
  const Rbf start(unit, placeholder(setting_.targets).lengthscale());
  Assumptions out{Posterior(setting_.kernel != nullptr ? *setting_.kernel : start, *setting_.conditional, *mean),
                  setting_.noise_var.value_or(setting_.queries->has_noise_var() ? setting_.queries->usual_noise_var()
                                                                                : 1e-2 * unit),
                  {},
                  {},
                  {}};
  const auto* learned = learned_conditional();
  if (learned != nullptr && count > 0)
    out.prior = with_best_discrepancy(out.prior, *learned, answers_, count, out.noise_var);
  out.members = {{out.prior, out.noise_var, 1.0}};
  if (iqbo::is_linked(setting_)) {
    out.members.front().likelihood = counts() ? setting_.likelihood : gaussian_answers();
    out.members.front().link = setting_.links.front();
  }
  return out;
}

Model::Assumptions Model::fitted(std::size_t count) const {
  if (counts()) return fitted_linked(count, setting_.links);
  const bool log_only =
      !setting_.links.empty() && !std::count(setting_.links.begin(), setting_.links.end(), Link::kIdentity);
  if (log_only) return fitted_linked(count, setting_.links);
  Assumptions plain = fitted_plainly(count);
  if (plain.values) {
    plain.values->link = to_string(Link::kIdentity);
    for (Hyperparameters& each : plain.values->members) each.link = plain.values->link;
  }
  const bool compares = !setting_.links.empty() ? setting_.links.size() > 1 : may_be_log(first(count));
  if (!compares || !plain.fit || plain.fit->families.empty()) return plain;
  std::vector<Link> others;
  for (const Link link : setting_.links.empty() ? std::vector{Link::kLog} : setting_.links)
    if (link != Link::kIdentity) others.push_back(link);
  std::optional<Assumptions> made;
  try {
    made = fitted_linked(count, others);
  } catch (const NumericalError&) {
    return plain;  // answers that f = h(eta) cannot be computed with are no evidence for it
  }
  Assumptions& linked = *made;
  const std::pair identity{Link::kIdentity, plain.fit->families.front().second};
  const bool better = linked.links.front().second > identity.second;
  (better ? linked : plain).links =
      better ? std::vector{linked.links.front(), identity} : std::vector{identity, linked.links.front()};
  return better ? linked : plain;
}

bool Model::may_be_log(const Answers& answers) const {
  constexpr std::size_t kLeast = 9;
  constexpr Index kMostPoints = 1200;  // reweighted laws have no short cuts: beyond, every answer would take seconds
  constexpr double kNarrow = 0.1;      // sd over mean: below, exp(eta) is as good as straight
  if (setting_.kernel != nullptr || !setting_.links.empty() || counts() || identity_only_) return false;
  const Inputs* support = setting_.conditional->support();
  if (grows() || answers.size() < kLeast || support == nullptr || support->size() > kMostPoints) return false;
  double sum = 0.0, squares = 0.0;
  for (const Datum& each : answers) {
    if (!(each.z > 0.0)) return false;
    sum += each.z;
    squares += each.z * each.z;
  }
  const auto t = static_cast<double>(answers.size());
  return squares / t > (1.0 + kNarrow * kNarrow) * std::pow(sum / t, 2);
}

Model::Assumptions Model::fitted_plainly(std::size_t count) const {
  const double spread = spread_of(first(count));
  const double scale = spread > 0.0 ? spread : 1.0;
  Posterior data(placeholder(setting_.targets), *setting_.conditional);
  if (const auto* learned = learned_conditional())
    data = data.with_discrepancy(*learned->discrepancy(0.01 * scale * scale));
  const double start = setting_.queries->has_noise_var() ? setting_.queries->usual_noise_var() : 0.01 * scale * scale;
  data = condition_at_once(data, answers_, count, setting_.noise_var.value_or(start));
  FitOptions options = options_.fit;
  const auto usual = std::find_if(answers_.begin(), answers_.begin() + static_cast<std::ptrdiff_t>(count),
                                  [](const Datum& answer) { return !answer.noise_var; });
  const auto at = static_cast<std::size_t>(usual - answers_.begin());
  if (at == count) options.noise = FitOptions::Noise::kKnown;
  const bool averages = options_.members > 1 && !point_only_;
  std::vector<Posterior> members;  // none of a point fit
  const auto fit_now = [&] {
    if (const auto last = last_fit(count)) return fit_from(*last, data, options, seed_);
    if (!averages) return iqbo::fit(data, options, seed_);
    EnsembleFit several = fit_ensemble(data, options, seed_, options_.members);
    members = several.ensemble.members();
    return std::move(several.fit);
  };
  Fit made = fit_now();
  const auto usual_noise_var = [&](const Posterior& found) {
    if (at == count && !setting_.noise_var && !setting_.queries->has_noise_var() && !grows())
      return found.noise_var().mean();  // all were given: the next is assumed to be like these
    if (options.noise == FitOptions::Noise::kFitted)
      return found.noise_var()[static_cast<Index>(at)] / usual->noise_share;
    return setting_.noise_var.value_or(start);
  };
  const Posterior& found = made.posterior;
  const double noise_var = usual_noise_var(found);
  auto values = hyperparameters_of(made, noise_var);
  if (!values) {  // a kernel of its own structure
    Posterior prior(found.kernel(), *setting_.conditional, found.mean());
    if (found.discrepancy() != nullptr) prior = prior.with_discrepancy(*found.discrepancy());
    return {prior, noise_var, std::move(made), {}, {{prior, noise_var, 1.0}}};
  }
  for (std::size_t s = 0; s < values->members.size(); ++s) values->members[s].noise_var = usual_noise_var(members[s]);
  Assumptions out = remembered(*values);
  out.fit = std::move(made);
  return out;
}

// Where every answer is followed by a fit, the search is global at the usual numbers of answers and goes on from the fit
// before in between. What was fitted there follows from the answers alone, not from when somebody asked.
std::optional<Hyperparameters> Model::last_fit(std::size_t count) const {
  if (!options_.refit_always || options_.members > 1 || fitted_size(answers_, count) == count) return std::nullopt;
  const auto before = remembered_.find(count - 1);
  std::optional<Hyperparameters> last = assumed_on_ + 1 == count      ? values_
                                        : before != remembered_.end() ? before->second
                                                                      : fitted(count - 1).values;
  const bool of_f = last && (last->link.empty() || last->link == to_string(Link::kIdentity));
  return of_f ? last : std::nullopt;  // numbers of eta are no start for a fit of f
}

Model::Assumptions Model::remembered(const Hyperparameters& values) const {
  const auto prior = [&](const Hyperparameters& one) {
    return prior_of(one, *setting_.conditional, learned_conditional());
  };
  const auto noise_var = [](const Hyperparameters& one) { return one.noise_var ? one.noise_var->value : 0.0; };
  const auto member = [&](const Hyperparameters& one, double weight) {
    Member made{prior(one), noise_var(one), weight};
    made.link = one.link.empty() ? Link::kIdentity : link_of(one.link);
    if (counts())
      made.likelihood = one.dispersion ? setting_.likelihood->with_log_parameter(std::log(one.dispersion->value))
                                       : setting_.likelihood;
    else if (made.link != Link::kIdentity)
      made.likelihood = gaussian_answers();
    return made;
  };
  Assumptions out{prior(values), noise_var(values), {}, values, {}};
  for (const Hyperparameters& one : values.members) out.members.push_back(member(one, one.weight));
  if (out.members.empty()) out.members = {member(values, 1.0)};
  return out;
}

Model::Assumptions Model::assumptions(std::size_t count) const {
  if (setting_.kernel != nullptr || count == 0) return given(count);
  const auto before = remembered_.find(count);
  return before != remembered_.end() ? remembered(before->second) : fitted(count);
}

}  // namespace iqbo
