#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <limits>

#include "begin_bench.hpp"
#include "field.hpp"
#include "iqbo/core/check.hpp"
#include "iqbo/kernel/family.hpp"
#include "setup/logged_pairs.hpp"
#include "setup/snapshot_of.hpp"
#include "simulated.hpp"

namespace iqbo {

using namespace internal;

namespace {

enum DrawStream : std::uint64_t { kField = 201, kSummit };

// Everything that replications share.
struct Simulation {
  StudySetup setup;
  FieldPrior prior;  // of eta
  Link link;
  double noise_var;  // where a query has none of its own
  std::optional<SimulatedCounts> counts;
};

Vector widths(const TargetSpace& x) {
  if (const auto* box = std::get_if<InputBox>(&x)) return box->upper() - box->lower();
  const Rows& points = std::get<InputSet>(x).points().coordinates();
  const Vector out = (points.colwise().maxCoeff() - points.colwise().minCoeff()).transpose();
  return (out.array() > 0.0).select(out, 1.0);
}

// What f is drawn from, and in words where that comes from.
struct Source {
  Hyperparameters values;
  std::string words;
};

std::string brief(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

constexpr double kUsualEvents = 10.0;  // expected in an answer, where nothing is known of its size
constexpr double kUsualShare = 0.2;
constexpr double kUsualExposure = 1000.0;

// The median exposure that the spec gives to queries; none if it gives none.
std::optional<double> given_exposure(const Setting& setting) {
  constexpr Index kAbout = 256;
  if (!setting.exposure) return std::nullopt;
  const Vector each = setting.exposure(setting.queries->overview(kAbout));
  std::vector<double> known;
  std::copy_if(each.begin(), each.end(), std::back_inserter(known), [](double one) { return one > 0.0; });
  if (known.empty()) return std::nullopt;
  std::nth_element(known.begin(), known.begin() + static_cast<std::ptrdiff_t>(known.size() / 2), known.end());
  return known[known.size() / 2];
}

// Nothing is known of f = h(eta) but what answers are.
Source made_up_link(const StudySetup& setup) {
  const Setting& setting = setup.setting();
  const bool share = setup.counts() && setting.likelihood->admits(Link::kLogit);
  const Link link = setting.links.size() == 1 ? setting.links.front() : share ? Link::kLogit : Link::kLog;
  const double exposure = given_exposure(setting).value_or(kUsualExposure);
  const double rate = !setup.counts() ? 1.0 : share ? kUsualShare : kUsualEvents / exposure;
  const double sd = link == Link::kIdentity ? 0.3 * rate : 1.0;
  const Vector lengthscale = 0.2 * widths(setting.targets);
  Hyperparameters out{.family = "rbf",
                      .variance = sd * sd,
                      .lengthscale = {lengthscale.begin(), lengthscale.end()},
                      .mean = {inverse(link, rate)},
                      .link = to_string(link)};
  if (!setup.counts()) out.noise_var = 0.01;
  const std::string about = link == Link::kLog ? "log f" : link == Link::kLogit ? "the logit of f" : "f";
  return {std::move(out),
          "an assumed kernel, as the spec leaves it to the data: lengthscales of a fifth of X, an sd of " +
              readable(sd) + " for " + about + ", and a typical f of " + brief(rate) +
              ". A study with answers (--study) has a fitted one"};
}

Source source_of(const StudySetup& setup, const std::optional<Hyperparameters>& fit) {
  if (auto given = setup.given()) return {*std::move(given), "the kernel that the spec gives"};
  if (fit)
    return {setup.policy_fit(*fit), "the kernel, mean and " + std::string(setup.counts() ? "link" : "noise") +
                                        " that the study fitted to " + std::to_string(fit->observations) + " answers"};
  if (setup.counts() || setup.spec().link == LinkKind::kLog) return made_up_link(setup);
  const auto noise_sd = setup.spec().noise_sd;
  const double sd = noise_sd && *noise_sd > 0.0 ? 10.0 * *noise_sd : 1.0;
  const Vector lengthscale = 0.2 * widths(setup.setting().targets);
  return {{.family = "rbf",
           .variance = sd * sd,
           .lengthscale = {lengthscale.begin(), lengthscale.end()},
           .noise_var = noise_sd ? *noise_sd * *noise_sd : 0.01 * sd * sd,
           .mean = {0.0}},
          "an assumed kernel, as the spec leaves it to the data: lengthscales of a fifth of X, an sd of " +
              std::string(noise_sd ? "ten times the noise" : "1 and a noise of a tenth of that") +
              ". A study with answers (--study) has a fitted one"};
}

std::string listed(const Vector& values) {
  std::string out;
  for (const double value : values) out += (out.empty() ? "" : ", ") + readable(value);
  return out;
}

// What a family has beyond lengthscales: ", alpha 0.5".
std::string in_words(const std::vector<FittedParameter>& shape) {
  std::string out;
  for (const FittedParameter& each : shape) out += ", " + each.name + " " + readable(each.value);
  return out;
}

World world_of(const std::shared_ptr<const Simulation>& shared, std::uint64_t seed) {
  const StudySetup& setup = shared->setup;
  Rng rng(seed, {kField});
  constexpr double kNone = std::numeric_limits<double>::infinity();
  const bool counts = shared->counts.has_value();
  const auto field = std::make_shared<const LinkedField>(
      shared->prior.draw(rng), shared->link, setup.setting().conditional->clone(), counts ? 0.0 : -kNone,
      counts && shared->counts->likelihood->admits(Link::kLogit) ? 1.0 : kNone);
  Rng searching(seed, {kSummit});
  World out{.setting = setup.setting(),
            .options = setup.options(),
            .f = [field](const Inputs& x) { return field->f(x); },
            .g = [field](const Queries& a) { return field->g(a); },
            .cost = [shared](const Queries& a) { return Vector(Vector::Constant(1, shared->setup.cost(a))); },
            .noise_sd =
                [shared](const Queries& a) {
                  return Vector(shared->setup.setting().queries->noise_var(a, shared->noise_var).cwiseSqrt());
                },
            .max = field->largest(setup.setting().targets, searching),
            .written_query = [shared](const Queries& a) { return shared->setup.user_query(a); },
            .written_value = [shared](double z) { return shared->setup.user_value(z); }};
  if (counts)
    out.counted = [shared, field](const Queries& a, double u) { return shared->counts->at(a, field->g(a)[0], u); };
  out.options.recommend_paths = 0;  // probabilities are not used
  return out;
}

// "; noise sd 0.2", or how counts vary.
std::string noise_in_words(const Simulation& it) {
  if (!it.counts) return "; noise sd " + readable(std::sqrt(it.noise_var)) + ".";
  const Likelihood& family = *it.counts->likelihood;
  return "; answers are " + family.name() + " counts" +
         (family.has_parameter() ? " of dispersion " + brief(std::exp(family.log_parameter())) : "") + ".";
}

std::vector<std::string> assumptions(const Simulation& it, const Source& source, const BenchOptions& options) {
  const Hyperparameters& h = source.values;
  const Spec& spec = it.setup.spec();
  std::vector<std::string> out;
  out.push_back("f is drawn anew for each seed, from " + source.words + ".");
  std::string prior = "That is: " + family_of(h.family).words + ", variance " + readable(h.variance->value) +
                      ", lengthscale " + listed(values_of(h.lengthscale)) + in_words(h.others) +
                      (h.nugget ? ", nugget " + readable(h.nugget->value) : "") +
                      (it.link == Link::kIdentity ? "" : ", of the " + to_string(it.link) + " of f") +
                      noise_in_words(it);
  if (it.setup.setting().queries->has_noise_var())
    prior += spec.queries.tree ? " Where a level has its own noise, that is used."
                               : " Where a query has its own noise, that is used.";
  out.push_back(prior);
  if (it.prior.unresolved() > 1e-3)
    out.push_back("f is a draw at " + std::to_string(it.prior.size()) + " points and smooth in between: up to " +
                  readable(std::ceil(100.0 * it.prior.unresolved())) + " % of its variance is missing there.");
  if (it.counts && !given_exposure(it.setup.setting()))
    out.push_back("Exposures are not in the spec: each is " + readable(it.counts->usual) + ".");
  const bool learned = spec.conditional.kind == ConditionalSpec::Kind::kLearned;
  out.emplace_back(learned ? "Answers are averages under p(x given a) as it was learned from the pairs: its errors are "
                             "not simulated."
                           : "Answers are averages under the spec's own p(x given a).");
  out.emplace_back(spec.kernel ? "Policies know kernel, mean and noise, as the spec gives them."
                               : "Policies fit what the spec does not give, as a study would.");
  if (spec.queries.tree)
    out.emplace_back("The tree is asked as a tree, by algorithm 2 with the policy's score per cost.");
  out.push_back(options.budget ? "Campaigns end when " + readable(*options.budget) + " is spent."
                               : "Campaigns end after " + std::to_string(options.steps) + " answers.");
  return out;
}

// Tells a changed spec or table, or further pairs, from those that a folder was begun with.
std::string fingerprint(const SpecBundle& bundle, const PairTable& more) {
  std::uint64_t hash = 14695981039346656037ULL;  // FNV-1a
  const auto add = [&](const std::string& text) {
    for (const char letter : text) hash = (hash ^ static_cast<unsigned char>(letter)) * 1099511628211ULL;
    hash = (hash ^ 0xFFU) * 1099511628211ULL;
  };
  add(bundle.text);
  for (const auto& [name, text] : bundle.files) {
    add(name);
    add(text);
  }
  for (const Rows* rows : {&more.x, &more.a})
    for (Index i = 0; i < rows->rows(); ++i)
      for (const double value : rows->row(i)) add(csv_number(value));
  return std::to_string(hash);
}

// A list without repeats comes to an end.
Index most_steps(const StudySetup& setup) {
  const auto open = setup.setting().queries->open({});
  return open == nullptr || open->grows() || setup.options().repeats ? std::numeric_limits<Index>::max() : open->size();
}

// The sd of f.
double unit_of(const Hyperparameters& values, Link link) {
  const double var = values.variance->value + (values.nugget ? values.nugget->value : 0.0);
  if (link == Link::kIdentity) return std::sqrt(values.variance->value);
  return std::sqrt(moments(link, values_of(values.mean).head(1), Vector::Constant(1, var)).var[0]);
}

// Counts as the study would have them; where nothing says how large, such that some events are expected.
std::optional<SimulatedCounts> counts_of(const StudySetup& setup, const Hyperparameters& values, Link link) {
  if (!setup.counts()) return std::nullopt;
  LikelihoodPtr likelihood = setup.setting().likelihood;
  if (values.dispersion) likelihood = negative_binomial_answers(values.dispersion->value);
  double usual = 100.0;
  if (!likelihood->admits(Link::kLogit)) {
    const double rate = apply(link, values.mean.front().value);
    usual = rate > 0.0 ? std::ceil(kUsualEvents / rate) : kUsualExposure;
  }
  return SimulatedCounts{std::move(likelihood), setup.setting().exposure,
                         given_exposure(setup.setting()).value_or(usual)};
}

SpecBench bench_of(SpecData data, const StudyPast& past, const std::string& print, const BenchOptions& given) {
  if (std::find(given.policies.begin(), given.policies.end(), kScheduledUcb) != given.policies.end())
    refuse("policies", kScheduledUcb + std::string(" with a spec"), "it with a problem that has resolutions");
  const std::vector<PolicyKind> kinds = bench_policies(given);
  StudySetup setup(std::move(data), past.pairs);
  Source source = source_of(setup, past.fit);
  // A white part of f has no largest value on a continuum.
  if (std::holds_alternative<InputBox>(setup.setting().targets)) source.values.nugget.reset();
  BenchOptions options = given;
  if (!options.budget) options.budget = setup.spec().budget;
  if (options.budget) require_positive(*options.budget, "budget");
  if (options.steps < 2) refuse("steps", std::to_string(options.steps), "at least 2");
  options.steps = std::min(options.steps, most_steps(setup));
  const FieldPrior prior(prior_of(source.values, *setup.setting().conditional, nullptr),
                         where_f_matters(setup.setting()));
  const Hyperparameters& values = source.values;
  const Link link = values.link.empty() ? Link::kIdentity : link_of(values.link);
  auto counts = counts_of(setup, values, link);
  const double unit = unit_of(values, link);
  const auto shared = std::make_shared<const Simulation>(
      Simulation{std::move(setup), prior, link, values.noise_var ? values.noise_var->value : 0.0, std::move(counts)});

  SpecBench out{{}, assumptions(*shared, source, options)};
  const Spec& spec = shared->setup.spec();
  const std::string name = spec.name.empty() ? "spec" : spec.name;
  begin_bench(out.figure, options,
              std::min(shared->setup.setting().queries->most_expensive(), options.budget.value_or(1.0) / 2.0));
  out.figure.panels.push_back({name, name, Panel::kLeast * unit});
  for (const PolicyKind kind : kinds) {
    Entry entry{name, to_string(kind)};
    entry.world = [shared](std::uint64_t seed) { return world_of(shared, seed); };
    for (const std::string& each : out.assumptions) entry.details += each + " ";
    entry.details += "Spec " + print + ".";
    entry.kind = kind;
    entry.initial = 0;
    entry.samples = shared->setup.options().samples;
    entry.steps = options.steps;
    entry.budget = options.budget;
    PolicyOptions tried = shared->setup.options();
    tried.policy = kind;
    tried.budget = options.budget;
    Policy(shared->setup.setting(), tried, 0);  // refuses what it cannot do before anything is written
    out.figure.experiment.entries.push_back(std::move(entry));
  }
  return out;
}

}  // namespace

SpecBench spec_bench(const SpecBundle& bundle, const BenchOptions& options) {
  SpecData data = load(bundle, policy_names());
  require_learnable(data, bundle);
  return bench_of(std::move(data), {}, fingerprint(bundle, {}), options);
}

SpecBench spec_bench(const SpecBundle& stored, const StudyPast& past, const BenchOptions& options) {
  return bench_of(load(stored, policy_names(), SpecAge::kStored), past, fingerprint(stored, past.pairs), options);
}

}  // namespace iqbo
