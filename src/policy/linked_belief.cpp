#include "linked_belief.hpp"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>

#include "core/parallel.hpp"
#include "predictive_count.hpp"

namespace iqbo {

using namespace internal;

LinkedBelief::LinkedBelief(const std::vector<LinkedMember>& members, const Answers& answers)
    : weights_(static_cast<Index>(members.size())) {
  std::vector<std::optional<LinkedPosterior>> made(members.size());
  in_parallel(weights_.size(), [&](Index s) {
    const LinkedMember& each = members[static_cast<std::size_t>(s)];
    weights_[s] = each.weight;
    made[static_cast<std::size_t>(s)].emplace(
        each.prior, counted(answers, answers.size(), *each.likelihood, each.noise_var), each.likelihood, each.link);
  });
  for (auto& each : made) posteriors_.push_back(*std::move(each));
  weights_ /= weights_.sum();
}

Ensemble LinkedBelief::eta() const {
  std::vector<Posterior> members;
  for (const LinkedPosterior& each : posteriors_) members.push_back(each.eta());
  return {std::move(members), weights_};
}

Marginals LinkedBelief::f(const Inputs& x) const {
  std::vector<Marginals> of;
  for (const LinkedPosterior& each : posteriors_) of.push_back(each.f(x));
  return mixture(of, weights_);
}

Marginals LinkedBelief::g(const Queries& a) const {
  std::vector<Marginals> of;
  for (const LinkedPosterior& each : posteriors_) of.push_back(each.g(a));
  return mixture(of, weights_);
}

Matrix LinkedBelief::member_noise_var(const Queries& a, const std::vector<Count>& like) const {
  Matrix out(a.size(), weights_.size());
  for (Index s = 0; s < out.cols(); ++s) out.col(s) = posteriors_[static_cast<std::size_t>(s)].noise_var(a, like);
  return out;
}

Vector LinkedBelief::rate_noise_var(const Queries& a, const std::vector<Count>& like) const {
  Vector out = Vector::Zero(a.size());
  for (Index s = 0; s < weights_.size(); ++s) {
    const LinkedPosterior& each = posteriors_[static_cast<std::size_t>(s)];
    out += weights_[s] * each.noise_var(a, like).cwiseProduct(each.scale(a).slope.cwiseAbs2());
  }
  return out;
}

double linked_noise(const Datum& answer, double usual) {
  constexpr double kLeastSd = 1e-4;  // of the answer
  return std::max(answer.noise(usual), std::pow(kLeastSd * answer.z, 2));
}

std::vector<CountedAnswer> counted(const Answers& answers, std::size_t count, const Likelihood& likelihood,
                                   double noise_var) {
  std::vector<CountedAnswer> out;
  for (std::size_t i = 0; i < count; ++i) {
    const Datum& each = answers[i];
    out.push_back({each.at, likelihood.counts() ? each.count : Count{each.z, 1.0, linked_noise(each, noise_var)}});
  }
  return out;
}

namespace {

// What is believed of a rate, without the noise of an answer, from the answers before it.
Marginals believed_ahead(const LinkedMember& member, const Answers& answers, std::size_t at) {
  const LinkedPosterior before(member.prior, counted(answers, at, *member.likelihood, member.noise_var),
                               member.likelihood, member.link);
  if (const auto* a = std::get_if<Queries>(&answers[at].at)) return before.g(*a);
  return before.f(std::get<Inputs>(answers[at].at));
}

}  // namespace

Marginals rate_ahead(const LinkedMember& member, const Answers& answers, std::size_t at) {
  const Count like = counted(answers, at + 1, *member.likelihood, member.noise_var).back().count;
  Marginals out = believed_ahead(member, answers, at);
  out.var[0] += member.likelihood->variance(like, std::max(out.mean[0], 1e-12));
  return out;
}

Vector deviates_ahead(const LinkedMember& member, const Answers& answers, std::size_t begin) {
  constexpr double kEdge = 1e-9;
  Vector out(static_cast<Index>(answers.size() - begin));
  in_parallel(out.size(), [&](Index i) {
    const std::size_t at = begin + static_cast<std::size_t>(i);
    if (!member.likelihood->counts()) {
      const Marginals ahead = rate_ahead(member, answers, at);
      out[i] = (answers[at].z - ahead.mean[0]) / std::sqrt(ahead.var[0]);
      return;
    }
    const Marginals believed = believed_ahead(member, answers, at);
    const auto [y, exposure, unused] = answers[at].count;
    const PredictiveCount count(*member.likelihood, exposure, believed.mean[0], believed.var[0]);
    out[i] = boost::math::quantile(boost::math::normal(), std::clamp(count.middle(y), kEdge, 1.0 - kEdge));
  });
  return out;
}

CountForecast LinkedBelief::counts(const Queries& a, const std::vector<Count>& like, double probability) const {
  std::vector<Marginals> of;
  for (const LinkedPosterior& each : posteriors_) of.push_back(each.g(a));
  CountForecast out{Vector(a.size()), Vector(a.size()), Vector(a.size()), Vector(a.size())};
  for (Index i = 0; i < a.size(); ++i) {
    std::vector<PredictiveCount> each;
    out.exposure[i] = like[static_cast<std::size_t>(i)].exposure;
    for (std::size_t s = 0; s < of.size(); ++s)
      each.emplace_back(posteriors_[s].likelihood(), out.exposure[i], of[s].mean[i], of[s].var[i]);
    out.mean[i] = 0.0;
    for (std::size_t s = 0; s < of.size(); ++s) out.mean[i] += weights_[static_cast<Index>(s)] * each[s].mean();
    out.low[i] = quantile(each, weights_, 0.5 - 0.5 * probability);
    out.high[i] = quantile(each, weights_, 0.5 + 0.5 * probability);
  }
  return out;
}

}  // namespace iqbo
