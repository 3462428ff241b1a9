#include <algorithm>
#include <cmath>

#include "begin_bench.hpp"
#include "field.hpp"
#include "iqbo/core/check.hpp"
#include "iqbo/kernel/family.hpp"
#include "model/logged_pairs.hpp"
#include "model/snapshot_of.hpp"

namespace iqbo {

using namespace internal;

namespace {

enum Stream : std::uint64_t { kField = 201, kSummit };

// Everything that replications share.
struct Simulation {
  StudyModel model;
  FieldPrior prior;
  double noise_var;  // where a query has none of its own
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

Source source_of(const StudyModel& model, const std::optional<Hyperparameters>& fit) {
  if (auto given = model.given()) return {*std::move(given), "the kernel that the spec gives"};
  if (fit)
    return {model.policy_fit(*fit),
            "the kernel, mean and noise that the study fitted to " + std::to_string(fit->observations) + " answers"};
  const auto noise_sd = model.spec().noise_sd;
  const double sd = noise_sd && *noise_sd > 0.0 ? 10.0 * *noise_sd : 1.0;
  const Vector lengthscale = 0.2 * widths(model.setting().targets);
  return {{.family = "rbf",
           .variance = sd * sd,
           .lengthscale = {lengthscale.begin(), lengthscale.end()},
           .noise_var = noise_sd ? *noise_sd * *noise_sd : 0.01 * sd * sd,
           .mean = {0.0}},
          "a kernel that was made up, as the spec leaves it to the data: lengthscales of a fifth of X, a sd of " +
              std::string(noise_sd ? "ten times the noise" : "1 and a noise of a tenth of that") +
              ". A study with answers (--study) knows better"};
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
  const StudyModel& model = shared->model;
  Rng rng(seed, {kField});
  const auto field = std::make_shared<const Field>(shared->prior.draw(rng));
  Rng searching(seed, {kSummit});
  World out{.setting = model.setting(),
            .options = model.options(),
            .f = [field](const Inputs& x) { return field->f(x); },
            .g = [field](const Queries& a) { return field->g(a); },
            .cost = [shared](const Queries& a) { return Vector(Vector::Constant(1, shared->model.cost(a))); },
            .noise_sd =
                [shared](const Queries& a) {
                  return Vector(shared->model.setting().queries->noise_var(a, shared->noise_var).cwiseSqrt());
                },
            .max = largest(*field, model.setting().targets, searching),
            .written_query = [shared](const Queries& a) { return shared->model.user_query(a); },
            .written_value = [shared](double z) { return shared->model.user_value(z); }};
  out.options.recommend_paths = 0;  // probabilities are not used
  return out;
}

std::vector<std::string> assumptions(const Simulation& it, const Source& source, const BenchOptions& options) {
  const Hyperparameters& h = source.values;
  const Spec& spec = it.model.spec();
  std::vector<std::string> out;
  out.push_back("f is drawn anew for each seed, from " + source.words + ".");
  std::string prior = "That is: " + family_of(h.family).words + ", variance " + readable(h.variance->value) +
                      ", lengthscale " + listed(values_of(h.lengthscale)) + in_words(h.others) +
                      (h.nugget ? ", nugget " + readable(h.nugget->value) : "") + "; noise sd " +
                      readable(std::sqrt(it.noise_var)) + ".";
  if (it.model.setting().queries->has_noise_var())
    prior += spec.queries.tree ? " A level's own noise takes its place." : " A query's own noise takes its place.";
  out.push_back(prior);
  if (it.prior.unresolved() > 1e-3)
    out.push_back("f is a draw at " + std::to_string(it.prior.size()) + " places and smooth in between: up to " +
                  readable(std::ceil(100.0 * it.prior.unresolved())) + " % of its variance is missing there.");
  const bool learned = spec.conditional.kind == ConditionalSpec::Kind::kLearned;
  out.emplace_back(learned ? "Answers are averages under p(x given a) as it was learned from the pairs: what that is "
                             "wrong by does not show here."
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
Index most_steps(const StudyModel& model) {
  const auto open = model.setting().queries->open({});
  return open == nullptr || open->grows() || model.options().repeats ? std::numeric_limits<Index>::max() : open->size();
}

SpecBench bench_of(SpecData data, const StudyPast& past, const std::string& print, const BenchOptions& given) {
  const std::vector<PolicyKind> kinds = bench_policies(given);
  if (is_count(data.spec.answers) || data.spec.link == LinkKind::kLog)
    refuse("answers", "are counts, or f has a log link", "measured averages: a bench does not simulate others");
  StudyModel model(std::move(data), past.pairs);
  Source source = source_of(model, past.fit);
  // A white part of f has no largest value on a continuum.
  if (std::holds_alternative<InputBox>(model.setting().targets)) source.values.nugget.reset();
  BenchOptions options = given;
  if (!options.budget) options.budget = model.spec().budget;
  if (options.budget) require_positive(*options.budget, "budget");
  if (options.steps < 2) refuse("steps", std::to_string(options.steps), "at least 2");
  options.steps = std::min(options.steps, most_steps(model));
  const FieldPrior prior(prior_of(source.values, *model.setting().conditional, nullptr),
                         where_f_matters(model.setting()));
  const auto shared =
      std::make_shared<const Simulation>(Simulation{std::move(model), prior, source.values.noise_var->value});

  SpecBench out{{}, assumptions(*shared, source, options)};
  const Spec& spec = shared->model.spec();
  const std::string name = spec.name.empty() ? "spec" : spec.name;
  begin_bench(out.figure, options,
              std::min(shared->model.setting().queries->most_expensive(), options.budget.value_or(1.0) / 2.0));
  out.figure.panels.push_back({name, name, Panel::kLeast * std::sqrt(source.values.variance->value)});
  for (const PolicyKind kind : kinds) {
    Entry entry{name, to_string(kind)};
    entry.world = [shared](std::uint64_t seed) { return world_of(shared, seed); };
    for (const std::string& each : out.assumptions) entry.details += each + " ";
    entry.details += "Spec " + print + ".";
    entry.kind = kind;
    entry.initial = 0;
    entry.samples = shared->model.options().samples;
    entry.steps = options.steps;
    entry.budget = options.budget;
    PolicyOptions tried = shared->model.options();
    tried.policy = kind;
    tried.budget = options.budget;
    Policy(shared->model.setting(), tried, 0);  // refuses what it cannot do before anything is written
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
