// Counts, and f = h(eta): assumptions are fitted on the same schedule, but every answer changes the laws that averages of eta
// are taken under, so that beliefs are made anew.
#include <algorithm>
#include <cmath>

#include "core/parallel.hpp"
#include "iqbo/core/check.hpp"
#include "iqbo/kernel/stationary.hpp"
#include "model.hpp"

namespace iqbo {

using namespace internal;

namespace {

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// The normal variable whose image under the link has these moments: exactly for log, to first order for logit.
std::pair<double, double> behind(Link link, double mean, double var) {
  if (link == Link::kLog) {
    const double spread = std::log1p(var / (mean * mean));
    return {std::log(mean) - 0.5 * spread, std::sqrt(spread)};
  }
  if (link == Link::kLogit) return {inverse(link, mean), std::sqrt(var) / (mean * (1.0 - mean))};
  return {mean, std::sqrt(var)};
}

}  // namespace

// Of rates: each member's g is taken to be distributed like h of a normal variable with its moments.
std::vector<Marginals> Model::behind_g(const Queries& a) {
  std::vector<Marginals> out;
  if (!is_linked()) {
    for (const Posterior& each : belief().members()) out.push_back(each.g(a));
    return out;
  }
  for (const LinkedPosterior& each : linked().members()) {
    out.push_back(each.g(a));
    for (Index i = 0; i < a.size(); ++i) {
      const auto [mean, sd] = behind(link(), out.back().mean[i], out.back().var[i]);
      out.back().mean[i] = mean;
      out.back().var[i] = sd * sd;
    }
  }
  return out;
}

CountForecast Model::count_forecast(const Queries& a, const Vector& exposure, double probability) {
  if (!counts()) refuse("exposure", "given", "answers that are counts");
  std::vector<Count> of = like(a);
  for (Index i = 0; i < exposure.size(); ++i) of[static_cast<std::size_t>(i)].exposure = exposure[i];
  return linked().counts(a, of, probability);
}

std::string Model::assumed_exposure() const {
  if (!counts() || setting_.exposure || answers_.empty()) return {};
  return "the exposure of the next count is not known: " + readable(usual_exposure()) +
         ", the median of those told so far, is assumed";
}

double Model::usual_exposure() const {
  std::vector<double> told;
  for (const Datum& each : answers_) told.push_back(each.count.exposure);
  return told.empty() ? 1.0 : median(std::move(told));
}

const LinkedBelief& Model::linked() {
  if (linked_belief_ && in_linked_ == answers_.size()) return *linked_belief_;
  std::vector<LinkedMember> members;
  for (const Member& each : members_) members.push_back(each.as_linked());
  linked_belief_.emplace(members, answers_);
  in_linked_ = answers_.size();
  return *linked_belief_;
}

FiniteEnsemble Model::linked_finite() {
  const LinkedBelief& belief = linked();
  const Queries all = opened(0, answers_.size());
  const Inputs& x = std::get<InputSet>(setting_.targets).points();
  std::vector<std::optional<FiniteBelief>> made(belief.members().size());
  in_parallel(belief.weights().size(), [&](Index s) {
    const auto at = static_cast<std::size_t>(s);
    FiniteOptions options;
    options.queries = open_->most();
    made[at].emplace(belief.members()[at].eta(), x, all, options);
  });
  std::vector<FiniteBelief> members;
  for (auto& each : made) members.push_back(*std::move(each));
  return {std::move(members), belief.weights()};
}

std::vector<Count> Model::like(const Queries& a) const {
  std::vector<Count> out(static_cast<std::size_t>(a.size()));
  if (!counts()) {
    const Vector own = setting_.queries->noise_var(a, noise_var_);
    for (std::size_t i = 0; i < out.size(); ++i) out[i].noise_var = own[static_cast<Index>(i)];
    return out;
  }
  Vector exposure = Vector::Constant(a.size(), usual_exposure());
  if (setting_.exposure) {
    const Vector known = setting_.exposure(a);
    for (Index i = 0; i < a.size(); ++i)
      if (known[i] > 0.0) exposure[i] = known[i];
  }
  for (std::size_t i = 0; i < out.size(); ++i) out[i].exposure = exposure[static_cast<Index>(i)];
  return out;
}

Model::Assumptions Model::fitted_linked(std::size_t count, std::vector<Link> links) const {
  const LikelihoodPtr family = counts() ? setting_.likelihood : gaussian_answers();
  const Posterior start(Rbf(1.0, Vector::Ones(dimension(setting_.targets))), *setting_.conditional);
  const double scale = counts() ? 0.0 : spread_of(first(count));
  const double guess = scale > 0.0 ? 0.01 * scale * scale : 1.0;  // a proportion to those that are given
  const double usual =
      setting_.noise_var.value_or(setting_.queries->has_noise_var() ? setting_.queries->usual_noise_var() : guess);
  FitOptions options = options_.fit;
  const auto given = [](const Datum& each) { return each.noise_var.has_value(); };
  if (std::all_of(answers_.begin(), answers_.begin() + static_cast<std::ptrdiff_t>(count), given))
    options.noise = FitOptions::Noise::kKnown;
  const LinkedData data{counted(answers_, count, *family, usual), family, std::move(links)};
  LinkedFit made = fit_linked(start, data, options, seed_, point_only_ ? 1 : options_.members);
  double noise_var = usual;
  double mean = 0.0;  // of the noise variances, of which a fit finds a common factor
  for (const CountedAnswer& each : data.answers) mean += each.count.noise_var / static_cast<double>(count);
  const bool fits_noise = !counts() && options.noise == FitOptions::Noise::kFitted;
  const auto usual_noise = [&](const Hyperparameters& one) {
    return fits_noise ? one.noise_var->value * usual / mean : usual;
  };
  noise_var = usual_noise(made.fit);
  auto values = hyperparameters_of(made.fit, noise_var);
  if (!values) throw std::logic_error("a fit of counts has a family");
  for (Hyperparameters& each : values->members) each.noise_var = usual_noise(each);
  if (counts()) {
    values->noise_var.reset();
    for (Hyperparameters& each : values->members) each.noise_var.reset();
  }
  values->link = to_string(made.link);
  Assumptions out = remembered(*values);
  out.fit = std::move(made.fit);
  out.links = std::move(made.links);
  return out;
}

}  // namespace iqbo
