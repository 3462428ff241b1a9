#include "chances.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "core/chance.hpp"
#include "iqbo/core/check.hpp"
#include "iqbo/core/stop.hpp"
#include "iqbo/maxvalue/paths.hpp"
#include "mixed_normal.hpp"
#include "policy/scene/scene.hpp"
#include "recommend.hpp"
#include "search/spread_points.hpp"
#include "stand_ins.hpp"
#include "widened_maxima.hpp"

namespace iqbo {

using namespace internal;

namespace {

constexpr Index kNumbers = Index{1} << 24;  // of draws, at once: 128 MB

Index draws_at_once(Index n) { return std::clamp<Index>(kNumbers / n, 2, 128); }

double share_error(double share, double n) {
  const double p = (share * n + 1.0) / (n + 2.0);
  return std::sqrt(p * (1.0 - p) / n);
}

Vector share_errors(const Vector& shares, double n) {
  return shares.unaryExpr([n](double share) { return share_error(share, n); });
}

// Where f never reaches the threshold, or always exceeds it.
std::optional<double> certain(const Model& model, Link link, double threshold) {
  if (threshold >= model.most()) return 0.0;
  if (link == Link::kIdentity) return model.counts() && threshold < 0.0 ? std::optional(1.0) : std::nullopt;
  if (threshold <= 0.0) return 1.0;
  return link == Link::kLogit && threshold >= 1.0 ? std::optional(0.0) : std::nullopt;
}

// P(widened eta > limit), eta being distributed as the members say and widened as intervals are.
Vector above(const std::vector<Marginals>& eta, const Vector& weights, bool about_median, const Vector& widening,
             double limit) {
  const Index n = eta.front().mean.size();
  Vector out(n);
  for (Index i = 0; i < n; ++i) {
    MixedNormal one{Vector(weights.size()), Vector(weights.size()), weights};
    for (Index s = 0; s < weights.size(); ++s) {
      one.mean[s] = -eta[static_cast<std::size_t>(s)].mean[i];  // of -eta: small probabilities keep their digits
      one.sd[s] = std::sqrt(std::max(eta[static_cast<std::size_t>(s)].var[i], 0.0));
    }
    double beyond = -limit;
    if (widening.size() > 0 && widening[i] != 1.0) {
      const double middle = one.middle(about_median);
      beyond = middle + (beyond - middle) / widening[i];
    }
    out[i] = one.below(beyond);
  }
  return out;
}

// Draws of every member, each as many as its weight says: take(paths, s) gets them batch by batch.
template <class Take>
void draw(const FiniteEnsemble& belief, Index draws, Rng& rng, const Take& take) {
  const std::vector<Index> shares = shares_of(draws, belief.weights());
  const Index at_once = draws_at_once(belief.x().size() + belief.a().size());
  for (std::size_t s = 0; s < shares.size(); ++s)
    for (Index done = 0; done < shares[s]; done += at_once) {
      stop_point();
      take(belief.members()[s].draw(std::min(at_once, shares[s] - done), rng), s);
    }
}

// Deviations from the mean are so many times as large in each row (none: once).
void widen(const Vector& mean, const Vector& widening, Matrix& draws) {
  if (widening.size() == 0 || (widening.array() == 1.0).all()) return;
  draws = (widening.asDiagonal() * (draws.colwise() - mean)).colwise() + mean;
}

}  // namespace

double certified_regret(std::vector<double>& draws) {
  require_not_empty(static_cast<Index>(draws.size()), "draws");
  const auto n = static_cast<double>(draws.size());
  const double rank = std::ceil(kCertified * n + 2.33 * std::sqrt(n * kCertified * (1.0 - kCertified)));
  const auto at = draws.begin() + (static_cast<std::ptrdiff_t>(std::min(rank, n)) - 1);
  std::nth_element(draws.begin(), at, draws.end());
  return *at;
}

ChanceTally::ChanceTally(Vector mean, const ChanceOptions& options) : options_(options), mean_(std::move(mean)) {
  const Index n = mean_.size();
  if (options.among < 1 || options.among > n)
    refuse("among", std::to_string(options.among), "1 to " + std::to_string(n) + ", as so many are compared");
  if (!(options.holds > 0.0 && options.holds < 1.0))
    refuse("holds", readable(options.holds), "more than 0 and less than 1");
  if (options.draws < 2) refuse("draws", std::to_string(options.draws), "at least 2");
  if (options.above && !std::isfinite(*options.above)) refuse("above", readable(*options.above), "a finite number");
  mean_.maxCoeff(&leader_);
  for (Vector& each : wins_) each = Vector::Zero(n);
  among_ = Vector::Zero(n);
}

void ChanceTally::add(const Matrix& draws) {
  const auto k = static_cast<std::ptrdiff_t>(options_.among);
  Vector sorted;
  for (Index s = 0; s < draws.cols(); ++s, ++count_) {
    const auto f = draws.col(s);
    const double largest = f.maxCoeff();
    const auto winners = static_cast<double>((f.array() == largest).count());
    wins_[count_ % 2].array() += (f.array() == largest).cast<double>() / winners;
    const double regret = largest - f[leader_];
    sum_ += regret;
    squares_ += regret * regret;
    regrets_.push_back(regret);
    if (k == 1) continue;
    sorted = f;
    std::nth_element(sorted.begin(), sorted.begin() + (k - 1), sorted.end(), std::greater<>());
    among_.array() += (f.array() >= sorted[k - 1]).cast<double>();
  }
}

Vector above(const Marginals& f, const Vector& widening, double threshold) {
  return above({f}, Vector::Ones(1), false, widening, threshold);
}

Chances ChanceTally::result() const {
  const auto n = static_cast<double>(count_);
  Chances out;
  out.mean = mean_;
  out.draws = count_;
  out.leader = leader_;
  out.best = (wins_[0] + wins_[1]) / n;
  out.best_error = share_errors(out.best, n);
  out.among = options_.among == 1 ? out.best : Vector(among_ / n);
  out.among_error = share_errors(out.among, n);
  out.regret = sum_ / n;
  out.regret_error = std::sqrt(std::max(squares_ / n - out.regret * out.regret, 0.0) / n);

  std::vector<double> regrets = regrets_;
  out.regret_bound = certified_regret(regrets);
  std::vector<Index> order(static_cast<std::size_t>(mean_.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index i, Index j) {
    return wins_[0][i] != wins_[0][j] ? wins_[0][i] > wins_[0][j] : mean_[i] > mean_[j];
  });
  const double judged = std::floor(n / 2.0);
  double wins = 0.0;
  for (const Index i : order) {
    out.smallest.push_back(i);
    wins += wins_[1][i];
    if (wins >= options_.holds * judged) break;
  }
  out.smallest_probability = std::min(wins / judged, 1.0);
  out.smallest_error = share_error(out.smallest_probability, judged);
  return out;
}

Vector above(Model& model, const Inputs& x, double threshold, const Vector& widening) {
  const Link link = model.link();
  if (const auto all = certain(model, link, threshold)) return Vector::Constant(x.size(), *all);
  const auto [eta, weights] = model.members(x);
  return above(eta, weights, model.is_linked(), widening, inverse(link, threshold));
}

// Where f = h(eta), averages of f are not averages of eta: each is taken to be h of a normal variable with its moments
// (Model::behind_g).
Vector above(Model& model, const Queries& a, double threshold, const Vector& widening) {
  const Link link = model.link();
  if (const auto all = certain(model, link, threshold)) return Vector::Constant(a.size(), *all);
  return above(model.behind_g(a), model.belief().weights(), model.is_linked(), widening, inverse(link, threshold));
}

void add_draws(Model& model, const Inputs& x, Index draws, Rng& rng, ChanceTally& tally, const Vector& widening) {
  const Link link = model.link();
  constexpr Index kFew = 4;  // draws are of the whole list
  const auto rows = model.positions(x, kFew);
  const auto count = [&](const FiniteEnsemble& belief) {
    const Vector mean = rows ? Vector(belief.f().mean(*rows)) : belief.f().mean;
    draw(belief, draws, rng, [&](FiniteBelief::Paths paths, std::size_t /*member*/) {
      Matrix f = rows ? Matrix(paths.f(*rows, Eigen::all)) : std::move(paths.f);
      widen(mean, widening, f);
      if (link != Link::kIdentity) f = f.unaryExpr([link](double eta) { return apply(link, eta); });
      tally.add(f);
    });
  };
  if (rows)
    count(model.finite());
  else
    count(listed(model.belief(), x, model.setting().queries->any()));
}

Chances chances(Model& model, const Inputs& x, const ChanceOptions& options, Rng& rng, const Vector& widening) {
  require_not_empty(x.size(), InputSpace::kName);
  ChanceTally tally(model.is_linked() ? model.rates_f(x).mean : model.marginals(x).mean, options);
  add_draws(model, x, options.draws, rng, tally, widening);
  Chances out = tally.result();
  if (options.above) out.above = above(model, x, *options.above, widening);
  return out;
}

// Where f = h(eta), the normal variables behind averages are taken to be correlated as the averages of eta are.
void add_draws(Model& model, const Queries& a, Index draws, Rng& rng, ChanceTally& tally, const Vector& widening) {
  const Link link = model.link();
  const std::vector<Marginals> behind = model.behind_g(a);
  const Inputs one(Rows::Zero(1, dimension(model.setting().targets)));  // the engine needs an input
  const FiniteEnsemble belief = listed(model.belief(), one, a);
  const Vector middle = mixture(behind, belief.weights()).mean;
  draw(belief, draws, rng, [&](const FiniteBelief::Paths& paths, std::size_t s) {
    Matrix g = paths.g;
    if (model.is_linked()) {
      const Marginals& eta = belief.members()[s].g();
      const Vector scale = (behind[s].var.array() / eta.var.array().max(1e-300)).sqrt();
      g = scale.asDiagonal() * (paths.g.colwise() - eta.mean);
      g.colwise() += behind[s].mean;
    }
    widen(middle, widening, g);
    if (link != Link::kIdentity) g = g.unaryExpr([link](double eta) { return apply(link, eta); });
    tally.add(g);
  });
}

Chances chances(Model& model, const Queries& a, const ChanceOptions& options, Rng& rng, const Vector& widening) {
  require_not_empty(a.size(), QuerySpace::kName);
  ChanceTally tally(model.rates_g(a).mean, options);
  add_draws(model, a, options.draws, rng, tally, widening);
  Chances out = tally.result();
  if (options.above) out.above = above(model, a, *options.above, widening);
  return out;
}

namespace {

Inputs everywhere(const TargetSpace& x, Rng& rng) {
  constexpr Index kStandIns = 1024;
  if (const auto* list = std::get_if<InputSet>(&x)) return list->points();
  return spread_points(std::get<InputBox>(x), kStandIns, rng);
}

// f* - f(x) in each of so many draws.
std::vector<double> regrets_in_box(Model& model, const InputBox& box, const Inputs& x, double widened, Index draws,
                                   Rng& rng) {
  const Ensemble& belief = model.belief();
  const Link link = model.link();
  const std::vector<Index> shares = shares_of(draws, belief.weights());
  const PathWidening widening(belief, box, x, widened, rng);
  std::vector<double> out;
  for (std::size_t s = 0; s < shares.size(); ++s) {
    if (shares[s] == 0) continue;
    const Paths paths(belief.members()[s], Queries(), shares[s], rng);
    const WidenedMaxima maxima(widening, paths, rng);
    for (Index i = 0; i < shares[s]; ++i) {
      stop_point();
      out.push_back(std::max(apply(link, maxima.search(i)) - apply(link, maxima.here()[i]), 0.0));
    }
  }
  return out;
}

std::vector<double> regrets_on_list(const FiniteEnsemble& belief, Index row, double widened, Index draws, Rng& rng) {
  const Vector& mean = belief.f().mean;
  std::vector<double> out;
  draw(belief, draws, rng, [&](const FiniteBelief::Paths& paths, std::size_t /*member*/) {
    const Matrix f = (widened * (paths.f.colwise() - mean)).colwise() + mean;
    for (Index i = 0; i < f.cols(); ++i) out.push_back(f.col(i).maxCoeff() - f(row, i));
  });
  return out;
}

}  // namespace

ExpectedRegret expected_regret(std::vector<double> regrets) {
  const Eigen::Map<const Eigen::ArrayXd> each(regrets.data(), static_cast<Index>(regrets.size()));
  const double mean = each.mean(), n = static_cast<double>(each.size());
  const double error = std::sqrt((each - mean).square().mean() / n);
  return {mean, error, certified_regret(regrets)};
}

ExpectedRegret expected_regret(Model& model, const Recommendation& at, Rng& rng) {
  constexpr Index kPathDraws = 64;
  const TargetSpace& x = model.setting().targets;
  if (const auto* box = std::get_if<InputBox>(&x))
    return expected_regret(regrets_in_box(model, *box, at.x, at.widened, kPathDraws, rng));
  const Inputs all = everywhere(x, rng);
  ChanceOptions options;
  options.draws =
      std::clamp<Index>(kNumbers / all.size(), 32, options.draws);  // of a large scene fewer, as the error says
  const Chances found = chances(model, all, options, rng, f_widening(model, all, model.marginals(all)));
  return {found.regret, found.regret_error, found.regret_bound};
}

// On a large lattice by inputs that stand for others, if these are off by at most a fifth of the tolerance: many draws of them cost
// less than a few whole paths.
std::vector<double> drawn_regrets(Model& model, const Recommendation& at, double widened, Index draws, Rng& rng) {
  constexpr Index kStandInDraws = 256;
  constexpr double kApart = 0.2;
  if (const auto* box = std::get_if<InputBox>(&model.setting().targets))
    return regrets_in_box(model, *box, at.x, widened, draws, rng);
  const Inputs& x = std::get<InputSet>(model.setting().targets).points();
  if (const auto few = StandIns::of(model.belief(), x, kApart * at.tolerance))
    return few->regrets(model.belief(), *at.row, widened, std::max(draws, kStandInDraws), rng);
  return regrets_on_list(model.finite(), *at.row, widened, draws, rng);
}

EstimatedShare within_tolerance(const std::vector<double>& regrets, double tolerance) {
  const auto met = std::count_if(regrets.begin(), regrets.end(), [&](double each) { return each <= tolerance; });
  const auto n = static_cast<double>(regrets.size());
  const double share = static_cast<double>(met) / n;
  return {share, share_error(share, n)};
}

double rightly_placed(Model& model, double threshold, Rng& rng) {
  const Inputs x = everywhere(model.setting().targets, rng);
  const Vector p = above(model, x, threshold, f_widening(model, x, model.marginals(x)));
  return p.array().max(1.0 - p.array()).mean();
}

void judge(const StopRule& rule, bool level_set, Stopping& out) {
  const bool sure = rule.probability && out.probability >= *rule.probability;
  const bool close = rule.regret && out.regret <= *rule.regret;
  const bool certified = rule.bound && out.bound <= *rule.bound;
  out.reached = sure || close || certified;
  if (certified && !close)
    out.why = "the regret of stopping now is at most " + two_digits(out.bound) + " with a probability of " +
              chance_text(kCertified) + ", which is within the limit of " + readable(*rule.bound) +
              " at which the search stops";
  else if (close)
    out.why = "the expected regret of stopping now is " + two_digits(out.regret) + ", which is within the limit of " +
              readable(*rule.regret) + " at which the search stops";
  else if (sure)
    out.why = (level_set ? "the expected share of X that is put on the right side of the threshold is "
                         : "the recommendation is right with a probability of ") +
              chance_text(out.probability) + ", which reaches the " +
              readable(std::round(1e8 * *rule.probability) / 1e6) + " % at which the search stops";
}

}  // namespace iqbo
