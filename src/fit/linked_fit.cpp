#include "iqbo/fit/linked_fit.hpp"

#include <algorithm>
#include <cmath>

#include "draws.hpp"
#include "iqbo/core/check.hpp"
#include "iqbo/fit/ensemble.hpp"

namespace iqbo {

using namespace internal;

namespace {

// The rates that were seen, with about their noise: enough to tell how f varies, and over what distances.
Posterior as_observations(Posterior prior, const std::vector<CountedAnswer>& answers, const Likelihood& likelihood) {
  double y = 0.0, exposure = 0.0;
  for (const CountedAnswer& each : answers) {
    y += each.count.y;
    exposure += each.count.exposure;
  }
  const double rate = (y + 0.5) / (exposure + 1.0);
  for (const CountedAnswer& each : answers) {
    const double noise = likelihood.counts() ? likelihood.variance(each.count, rate) : each.count.noise_var;
    std::visit(
        [&](const auto& at) {
          prior = prior.condition(at, Vector::Constant(1, each.count.rate()), std::max(noise, 0.0));
        },
        each.at);
  }
  return prior;
}

// One link's fit, before it is reported.
struct LinkRun {
  Link link;
  FitRun run;
  double log_posterior;
};

LinkRun run_link(Link link, const Posterior& observed, const LinkedData& data, const NodeReadings& nodes,
                 const FitOptions& options, std::uint64_t seed) {
  const FitReadings readings{{}, data.likelihood, link};
  FitRun run = run_fit(std::make_shared<const FitData>(observed, options, readings, nodes), options, seed);
  const double value = run.objective().evaluate(run.laplace.mode.theta, nullptr).log_posterior;
  return {link, std::move(run), value};
}

void add_members(const FitRun& run, int members, std::uint64_t seed, const std::string& link, Fit& out) {
  const FitDraws drawn = draw(run, members, seed);
  out.evaluations += drawn.evaluations;
  for (const FitDraw& each : drawn.members) {
    const FamilyRun& family = run.families[each.family];
    out.members.push_back(numbers_at(*family.objective, family.name, each.theta, each.beta));
    out.members.back().isotropic = out.isotropic;
    out.members.back().weight = each.weight;
    out.members.back().link = link;
  }
}

// The Gaussian posterior of answers that are Gaussian, under the identity: the ordinary fit.
LinkedFit plainly(const Posterior& observed, const FitOptions& options, std::uint64_t seed, int members) {
  Fit found = members > 1 ? fit_ensemble(observed, options, seed, members).fit : fit(observed, options, seed);
  const double value = found.families.front().second;
  return {std::move(found), gaussian_answers(), Link::kIdentity, {{Link::kIdentity, value}}};
}

LinkedFit reported(LinkRun found, const Posterior& prior, const LinkedData& data, std::uint64_t seed, int members) {
  const std::string name = to_string(found.link);
  const FitRun run = found.run;
  LikelihoodPtr likelihood = run.objective().likelihood(run.laplace.mode.theta);
  Fit fit = report_fit(std::move(found.run));
  fit.link = name;
  if (members > 1) add_members(run, members, seed, name, fit);
  const Posterior eta(fit.posterior.kernel(), prior.conditional(), fit.posterior.mean());
  auto answers = data.answers;
  if (!data.likelihood->counts())  // the factor that was fitted is on proportions of mean 1
    for (std::size_t i = 0; i < answers.size(); ++i)
      answers[i].count.noise_var = run.data->noise()[static_cast<Index>(i)];
  fit.posterior = LinkedPosterior(eta, answers, likelihood, found.link).eta();
  return {std::move(fit), std::move(likelihood), found.link, {{found.link, found.log_posterior}}};
}

}  // namespace

std::vector<Link> usual_links(const Likelihood& likelihood) {
  std::vector<Link> out;
  for (const Link link : {Link::kLogit, Link::kLog, Link::kIdentity})
    if (likelihood.admits(link) && (likelihood.counts() || link != Link::kLogit)) out.push_back(link);
  return out;
}

LinkedFit fit_linked(const Posterior& prior, const LinkedData& data, const FitOptions& options, std::uint64_t seed,
                     int members) {
  check_options(options);
  if (members < 1) refuse("members", "is " + std::to_string(members), "at least 1");
  require_not_empty(static_cast<Index>(data.answers.size()), "answers");
  std::vector<Link> links;
  for (const Link link : data.links)
    if (data.likelihood->admits(link)) links.push_back(link);
  if (links.empty()) refuse("links", "none that " + data.likelihood->name() + " answers admit", "one of them");
  const Posterior observed = as_observations(prior, data.answers, *data.likelihood);
  constexpr Index kMostNodes = 200;  // a fit sees a few hundred covariances of them; 500 take five times as long
  const NodeReadings nodes(prior.conditional(), data.answers, *data.likelihood, kMostNodes);
  std::optional<LinkedFit> plain;
  std::vector<LinkRun> runs;
  std::vector<std::pair<Link, double>> values;
  for (const Link link : links) {
    if (link == Link::kIdentity && !data.likelihood->counts()) {
      plain = plainly(observed, options, seed, members);
      values.push_back(plain->links.front());
      continue;
    }
    runs.push_back(run_link(link, observed, data, nodes, options, seed));
    values.emplace_back(link, runs.back().log_posterior);
  }
  std::stable_sort(values.begin(), values.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  LinkedFit out = [&] {
    for (LinkRun& each : runs)
      if (each.link == values.front().first) return reported(std::move(each), prior, data, seed, members);
    return *std::move(plain);
  }();
  out.links = std::move(values);
  return out;
}

}  // namespace iqbo
