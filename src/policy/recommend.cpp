#include "recommend.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "chances.hpp"
#include "core/chance.hpp"
#include "finite/race.hpp"
#include "iqbo/maxvalue/paths.hpp"
#include "iqbo/search/search.hpp"
#include "mixed_normal.hpp"
#include "pairs_advice.hpp"
#include "policy/scene/scene.hpp"
#include "search/argmax.hpp"
#include "widened_maxima.hpp"

namespace iqbo {

using namespace internal;

namespace {

constexpr double kNormal975 = 1.959963984540054;
constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
constexpr double kToleranceShare = 0.05;  // of the prior sd of f

using Opinions = MixedNormal;  // f(x), or eta(x), as each member believes it

Recommendation described(const Inputs& x, const Opinions& f) {
  const double mean = f.mean.dot(f.weight);
  const double sd = std::sqrt((f.sd.array().square() + (f.mean.array() - mean).square()).matrix().dot(f.weight));
  Recommendation out{x, {}, mean, sd, mean - kNormal975 * sd, mean + kNormal975 * sd, kUnknown, 0.0, {}, kUnknown};
  if (f.mean.size() > 1) {
    out.low = f.quantile(0.025);
    out.high = f.quantile(0.975);
  }
  return out;
}

// Of f = h(eta), `f` being opinions about eta: quantiles are h of those of eta, moments are those of f.
Recommendation described(const Inputs& x, const Opinions& eta, Link link, double widened) {
  if (link == Link::kIdentity && widened == 1.0) return described(x, eta);
  const LinkMoments each = moments(link, eta.mean, eta.sd.cwiseAbs2());
  Recommendation out = described(x, {each.mean, each.var.cwiseSqrt(), eta.weight});
  const double middle = eta.quantile(0.5);
  out.low = apply(link, middle - widened * (middle - eta.quantile(0.025)));
  out.high = apply(link, middle + widened * (eta.quantile(0.975) - middle));
  out.sd *= widened;
  return out;
}

// Of the members of an ensemble, of(member) being the marginals of one input.
template <class Members, class MarginalsOf>
Opinions opinions(const Members& members, const Vector& weights, MarginalsOf of) {
  Opinions out{Vector(weights.size()), Vector(weights.size()), weights};
  for (Index s = 0; s < weights.size(); ++s) {
    const auto [mean, var] = of(members[static_cast<std::size_t>(s)]);
    out.mean[s] = mean;
    out.sd[s] = std::sqrt(std::max(var, 0.0));
  }
  return out;
}

Opinions opinions(const FiniteEnsemble& belief, Index row) {
  return opinions(belief.members(), belief.weights(),
                  [row](const FiniteBelief& member) { return std::pair(member.f().mean[row], member.f().var[row]); });
}

Opinions opinions(const Ensemble& belief, const Inputs& one) {
  return opinions(belief.members(), belief.weights(), [&](const Posterior& member) {
    const Marginals f = member.f(one);
    return std::pair(f.mean[0], f.var[0]);
  });
}

// How exactly the probability is wanted.
struct Wanted {
  Index paths;  // at most
  double error;
};

Recommendation on_list(Model& model, const InputSet& x, Rng& rng) {
  const bool finite = model.is_finite();
  const Vector mean = model.is_linked() ? model.rates_f(x.points()).mean
                      : finite          ? model.finite().f().mean
                                        : model.belief().f(x.points()).mean;
  const Index row = argmax(mean, rng);
  const Inputs best = x.points().slice(row, 1);
  Recommendation out = described(best, finite ? opinions(model.finite(), row) : opinions(model.belief(), best));
  out.row = row;
  return out;
}

// Of being the best of a list. Without an engine, only inputs that can win are given to one, which needs a query too, of which
// nothing is used.
FiniteBelief::WinProbability win_probability(Model& model, const Inputs& x, Index row, const Wanted& wanted, Rng& rng) {
  if (model.is_finite()) {
    const Vector widening = f_widening(model, x, model.finite().f());
    return model.finite().win_probability(row, wanted.error, wanted.paths, rng, widening);
  }
  const Ensemble& belief = model.belief();
  Marginals f = belief.f(x);
  const Vector widening = f_widening(model, x, f);
  f.var = f.var.cwiseProduct(widening.cwiseAbs2());
  const Vector cov = widening[row] * widening.cwiseProduct(belief.f_cov(x, x.slice(row, 1)).col(0));
  const std::vector<Index> rows = rivals_of(row, f, cov);
  return listed(belief, Inputs(Rows(x.coordinates()(rows, Eigen::all))), model.setting().queries->any())
      .win_probability(0, wanted.error, wanted.paths, rng, widening(rows));
}

// P(f* - f(x) <= tolerance), by paths over the box. Most paths that exceed f(x) + tolerance somewhere do so at one of
// the points from which a search would start; only the others have to be maximised.
Tally count_paths(const Posterior& posterior, const PathWidening& widening, const Wanted& wanted, Index draws,
                  double tolerance, Rng& rng) {
  const Paths paths(posterior, Queries(), draws, rng);
  const WidenedMaxima maxima(widening, paths, rng);
  const Vector enough = maxima.here().array() + tolerance;
  Tally tally{.draws = draws};
  for (Index s = 0; s < draws; ++s) {
    if (maxima.at_points()[s] > enough[s]) continue;
    ++tally.ahead;
    if (tally.continued == wanted.paths || (tally.continued > 0 && tally.error() <= wanted.error)) continue;
    ++tally.continued;
    if (maxima.search(s) <= enough[s]) tally.wins += 1.0;
  }
  return tally;
}

void add_probability(const Ensemble& belief, const InputBox& box, double widened, const Wanted& wanted,
                     Recommendation& out, Rng& rng) {
  constexpr Index kDraws = 100;
  const auto count = static_cast<Index>(belief.members().size());
  const Wanted of_one{std::max<Index>(count > 1 ? 2 : 1, wanted.paths / count),
                      wanted.error * std::sqrt(belief.effective_members())};
  out.probability = 0.0;
  out.probability_error = 0.0;
  const std::vector<Index> shares = shares_of(kDraws, belief.weights());
  const PathWidening widening(belief, box, out.x, widened, rng);
  for (Index s = 0; s < count; ++s) {
    const auto at = static_cast<std::size_t>(s);
    if (shares[at] == 0) continue;
    const Tally tally =
        count_paths(belief.members()[at], widening, count > 1 ? of_one : wanted, shares[at], out.tolerance, rng);
    out.probability += belief.weights()[s] * tally.value();
    out.probability_error = std::hypot(out.probability_error, belief.weights()[s] * tally.error());
  }
  std::string note = std::to_string(kDraws);
  note.insert(
      0,
      "the probability that f there is within the tolerance of the best (for the smooth part of f, if it has a nugget) "
      "is from ");
  out.notes.push_back(note.append(" paths"));
}

Recommendation in_box(Model& model, const InputBox& box, Rng& rng) {
  const Ensemble& belief = model.belief();
  const InputScore mean{[&](const Inputs& x, Rows* gradient) -> Vector {
                          if (model.is_linked()) return model.rates_f(x).mean;
                          if (gradient != nullptr)
                            *gradient = belief.f_pull_back(x, {Vector::Ones(x.size()), Vector()});
                          return belief.f(x).mean;
                        },
                        !model.is_linked()};
  SearchOptions options;
  options.points = 1024;
  const BestInput best = search(mean, box, Inputs(), rng, options);
  Recommendation out = described(best.point, opinions(belief, best.point));
  out.tolerance = kToleranceShare * std::sqrt(model.amplitude_var());
  return out;
}

// As sure as the interval is wide. Of f = h(eta), the probability is one about eta, which h does not change.
void add_probability(Model& model, double widened, const Wanted& wanted, Recommendation& out, Rng& rng) {
  if (wanted.paths == 0) return;
  const TargetSpace& x = model.setting().targets;
  if (const auto* box = std::get_if<InputBox>(&x))
    return add_probability(model.belief(), *box, widened, wanted, out, rng);
  const auto found = win_probability(model, std::get<InputSet>(x).points(), *out.row, wanted, rng);
  out.probability = found.value;
  out.probability_error = found.error;
}

// Averages of f as if they were values of eta: no less than a tenth of the usual one, and no more than nine tenths of all.
Vector as_eta(Link link, const Vector& z) {
  if (link == Link::kIdentity || z.size() == 0) return z;
  const double least = std::max(0.1 * z.mean(), 1e-12);
  const double most = link == Link::kLogit ? 1.0 - std::min(0.1, least) : std::numeric_limits<double>::infinity();
  return z.unaryExpr([&](double each) { return inverse(link, std::clamp(each, least, most)); });
}

bool is_unfitted(Model& model) {
  return model.setting().kernel == nullptr && model.fit() == nullptr && !model.hyperparameters();
}

void add_least_noise(Model& model, std::vector<std::string>& notes) {
  if (const auto least = model.least_noise_sd())
    notes.push_back(
        "the stated noise of some answers is smaller than the accuracy to which averages are computed: for these, "
        "iqbo assumes a noise sd of up to " +
        two_digits(*least));
}

// What was found about eta, said about f.
Recommendation in_rates(Model& model, const Hindsight& hindsight, const Vector& recent, const Wanted& wanted,
                        Recommendation out, Rng& rng) {
  const Opinions eta = opinions(model.belief(), out.x);
  const Link link = model.link();
  const double widened =
      hindsight.widening(eta.mean.dot(eta.weight), as_eta(link, recent), model.setting().kernel == nullptr);
  add_probability(model, widened, wanted, out, rng);
  const Recommendation rates = described(out.x, eta, link, widened);
  out.mean = rates.mean;
  out.sd = rates.sd;
  out.low = rates.low;
  out.high = rates.high;
  if (model.counts()) {
    out.mean = std::clamp(out.mean, 0.0, model.most());
    out.low = std::clamp(out.low, 0.0, model.most());
    out.high = std::clamp(out.high, 0.0, model.most());
  }
  out.widened = widened;
  if (out.tolerance > 0.0) {  // of eta so far
    const double middle = eta.mean.dot(eta.weight);
    out.tolerance = apply(link, middle + out.tolerance) - apply(link, middle);
  }
  const std::size_t before = model.size() - static_cast<std::size_t>(recent.size());
  for (std::string& each : hindsight.findings(widened, before)) out.notes.push_back(std::move(each));
  const std::string worst = hindsight.is_surprised() ? hindsight.most_surprising(before) : "";
  const auto& members = model.linked().members();
  const bool settled =
      std::all_of(members.begin(), members.end(), [](const LinkedPosterior& each) { return each.settled(); });
  if (!settled && !model.counts() && worst.empty())
    out.notes.emplace_back("what is believed could not be computed exactly on the " + to_string(link) +
                           " scale of f: the numbers are approximate");
  else if (!settled)
    out.notes.push_back(
        "some answers are so surprising that the posterior could not be computed exactly: check them" +
        (worst.empty() ? "" : ", " + worst + " first") +
        std::string(model.setting().likelihood != nullptr && !model.setting().likelihood->has_parameter()
                        ? R"(, or allow for more variation with "answers": "auto")"
                        : ""));
  add_least_noise(model, out.notes);
  if (is_unfitted(model))
    out.notes.emplace_back(
        model.size() == 0
            ? "there are fewer than two answers: nothing could be fitted, and the interval is that of a unit prior"
            : "there is only one answer: nothing could be fitted, and the interval is a guess from that answer");
  return out;
}

void widen(Recommendation& out, double factor) {
  out.widened = factor;
  if (factor == 1.0) return;
  out.low = out.mean - factor * (out.mean - out.low);
  out.high = out.mean + factor * (out.high - out.mean);
  out.sd *= factor;
}

// Of a fit to two or three answers.
double few_widening(Model& model) {
  return model.setting().kernel != nullptr || model.is_linked() ? 1.0 : few_factor(model.size());
}

double reach_of(const Vector& z) { return 2.0 * z.cwiseAbs().maxCoeff(); }

// Without a fit one answer says how large f may be, and nothing about how it varies.
Vector guessed_widening(const Marginals& belief, const Vector& z) {
  if (z.size() == 0) return Vector::Ones(belief.mean.size());
  return (reach_of(z) / (kNormal975 * belief.var.array().max(1e-300).sqrt())).max(1.0);
}

// Each of so many places may be the best.
void guess(Recommendation& out, const Vector& z, double places) {
  const std::string few = "there are fewer than two answers: nothing could be fitted, and the interval is ";
  if (z.size() == 0) {
    out.notes.push_back(few + "that of a unit prior");
    return;
  }
  const double reach = reach_of(z);
  out.low = std::min(out.low, out.mean - reach);
  out.high = std::max(out.high, out.mean + reach);
  out.sd = std::max(out.sd, 0.5 * reach);
  out.probability = std::min(out.probability, 1.0 / places);
  out.notes.push_back(few + "a guess from the size of the answer");
}

// Fields that are never negative mostly vary in proportion to their level, and where they are high by more than a fit to all
// answers says: as many times as the level exceeds the usual one.
double proportion(double mean, const Vector& z) {
  if (z.size() == 0 || z.minCoeff() <= 0.0) return 1.0;
  return std::max(1.0, mean / std::sqrt(z.array().square().mean()));
}

}  // namespace

Recommendation recommend(Model& model, Index paths, double error, Rng& rng) {
  const Wanted wanted{paths, error};
  const auto* list = std::get_if<InputSet>(&model.setting().targets);
  Recommendation out =
      list != nullptr ? on_list(model, *list, rng) : in_box(model, std::get<InputBox>(model.setting().targets), rng);
  const Vector recent = model.recent();
  const Hindsight hindsight = model.hindsight();
  if (model.is_linked()) return in_rates(model, hindsight, recent, wanted, std::move(out), rng);
  const double few = few_widening(model);
  widen(out, few * hindsight.widening(out.mean, recent, model.setting().kernel == nullptr));
  add_probability(model, out.widened, wanted, out, rng);
  if (few > 1.0)
    out.notes.push_back("there are only " + std::to_string(model.size()) +
                        " answers, which hardly say how much f varies: the interval is " + two_digits(few) +
                        " times as wide as the fit's own");
  for (std::string& each : hindsight.findings(out.widened, model.size() - static_cast<std::size_t>(recent.size())))
    out.notes.push_back(std::move(each));
  if (is_unfitted(model)) {
    constexpr double kInBox = 100.0;
    guess(out, recent, list != nullptr ? static_cast<double>(list->size()) : kInBox);
  }
  add_least_noise(model, out.notes);
  if (paths > 0)  // somebody reads it
    if (std::string advice = pairs_advice(model, rng); !advice.empty()) out.notes.push_back(std::move(advice));
  return out;
}

Vector f_widening(Model& model, const Inputs& x, const Marginals& f) {
  const Vector recent = model.recent();
  const Hindsight hindsight = model.hindsight();
  const Vector mean = model.is_linked() ? model.belief().f(x).mean : f.mean;
  const Vector z = model.is_linked() ? as_eta(model.link(), recent) : recent;
  if (is_unfitted(model) && !model.is_linked()) return guessed_widening(f, recent);
  const double few = few_widening(model);
  return few * hindsight.widening(mean, z, model.setting().kernel == nullptr);
}

// Forecasts of answers are forecasts of g: how often they were off is all that is to be known.
Vector g_widening(Model& model, const Marginals& g) {
  if (is_unfitted(model) && !model.is_linked()) return guessed_widening(g, model.recent());
  return Vector::Constant(g.mean.size(), few_widening(model) * model.hindsight().spread_factor());
}

Vector admitted_widening(Model& model, const Vector& mean) {
  const Vector z = model.recent();
  return model.hindsight()
      .widening(mean, z, model.setting().kernel == nullptr)
      .cwiseMax(mean.unaryExpr([&](double each) { return proportion(each, z); }));
}

// What is believed at one input needs no belief about all of them.
void admit(Model& model, Index draws, Recommendation& out, Rng& rng) {
  Recommendation here = described(out.x, opinions(model.belief(), out.x));
  widen(here, admitted_widening(model, Vector::Constant(1, here.mean))[0]);
  if (here.low < out.low || here.high > out.high)
    out.notes.emplace_back("the interval also covers what a model without spots allows");
  out.low = std::min(out.low, here.low);
  out.high = std::max(out.high, here.high);
  out.sd = std::max(out.sd, here.sd);
  if (std::isnan(out.probability) || draws == 0) return;
  out.max_low = std::min(out.max_low, out.low);
  out.max_high = std::max(out.max_high, out.high);
  const EstimatedShare own = within_tolerance(drawn_regrets(model, out, here.widened, draws, rng), out.tolerance);
  if (own.value >= out.probability) return;
  out.probability = own.value;
  out.probability_error = own.error;
}

}  // namespace iqbo
