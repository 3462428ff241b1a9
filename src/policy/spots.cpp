#include "spots.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "core/chance.hpp"
#include "iqbo/core/check.hpp"

namespace iqbo {

using namespace internal;

namespace {

constexpr Index kFewestAnswers = 5;
constexpr Index kProbes = 4096;  // queries among which sizes are compared
constexpr Index kMostPaths = 400;

enum Purpose : std::uint64_t { kSizes = 71 };

std::string in_percent(double probability) {
  if (probability < 0.001) return "less than 0.1 %";
  char text[32];
  std::snprintf(text, sizeof text, "%.2g %%", 100.0 * probability);
  return text;
}

std::string short_number(double value) { return value >= 100.0 ? readable(std::round(value)) : two_digits(value); }

// Queries of every size: a list, or the levels of a tree that are small enough, and some of its finest nodes.
Queries probes(const QueryDomain& domain, std::uint64_t seed) {
  Rng rng(seed, {kSizes});
  return domain.overview(kProbes).joined(domain.sample(kProbes / 16, rng));
}

ExpectedRegret regret_of(const SpotRecommendation& found) {
  const Vector lost = (found.largest - found.here).cwiseMax(0.0);
  return expected_regret({lost.begin(), lost.end()});
}

// By the spread of the forecasts alone. That f is expected to exceed every answer is what a spot is about, and no reason.
void widen_by(const Hindsight& hindsight, Recommendation& out) {
  out.widened = hindsight.spread_factor();
  out.low = out.mean - out.widened * (out.mean - out.low);
  out.high = out.mean + out.widened * (out.high - out.mean);
  out.sd *= out.widened;
  for (std::string& each : hindsight.findings(out.widened, 0)) out.notes.push_back(std::move(each));
}

}  // namespace

PolicySpots::PolicySpots(const Setting& setting, SpotGrid grid, const SpotOptions& options, std::uint64_t seed)
    : setting_(setting),
      seed_(seed),
      grid_(std::make_shared<SpotGrid>(std::move(grid))),
      model_(grid_, options, seed) {}

std::unique_ptr<PolicySpots> PolicySpots::of(const Setting& setting, const PolicyOptions& options, std::uint64_t seed) {
  if (options.spots == SpotSearch::kOff || options.policy != PolicyKind::kAuto || options.members == 1 ||
      is_linked(setting) || setting.kernel != nullptr || dimension(setting.targets) > 2 ||
      setting.queries->is_continuum())
    return nullptr;
  auto grid = SpotGrid::of(setting.targets, *setting.conditional, probes(*setting.queries, seed));
  if (!grid) return nullptr;
  SpotOptions own;
  own.noise_var = setting.noise_var;
  return std::unique_ptr<PolicySpots>(new PolicySpots(setting, *std::move(grid), own, seed));
}

// Sizes that differ by less than kAlike in area count as one: blocks at an edge are a little smaller.
std::vector<WindowSize> PolicySpots::sizes(const Queries& a) {
  constexpr double kAlike = 1.5;
  const auto rows = grid_->rows(*setting_.conditional, a);
  if (!rows) return {};
  const Vector cost = setting_.queries->cost(a);
  std::vector<WindowSize> each;
  for (std::size_t i = 0; i < rows->size(); ++i) {
    WindowSize one{1.0, 1.0, cost[static_cast<Index>(i)]};
    for (int axis = 0; axis < axes(); ++axis) {
      const double width = grid_->width(axis, (*rows)[i].row[static_cast<std::size_t>(axis)]);
      one.share *= std::min(width / grid_->extent(axis), 1.0);
      one.width *= width;
    }
    each.push_back(one);
  }
  std::sort(each.begin(), each.end(), [](const auto& left, const auto& right) { return left.share > right.share; });
  std::vector<WindowSize> out;
  for (std::size_t i = 0, end = 0; i < each.size(); i = end) {
    WindowSize sum{0.0, 0.0, 0.0};
    for (; end < each.size() && each[i].share < kAlike * each[end].share; ++end) {
      sum.width += each[end].width;
      sum.share += each[end].share;
      sum.cost += each[end].cost;
    }
    const auto count = static_cast<double>(end - i);
    out.push_back({std::pow(sum.width / count, 1.0 / axes()), sum.share / count, sum.cost / count});
  }
  return out;
}

std::string PolicySpots::foreseen(const PolicyOptions& options) {
  if (!options.budget) return "";
  const bool in_turn = setting_.queries->open({})->grows();
  const auto reach = spot_reach(sizes(probes(*setting_.queries, seed_)), axes(), *options.budget, in_turn);
  const std::string budget = "rare spots: a budget of " + short_number(*options.budget);
  if (!reach)
    return budget + " can cover less than half of X with windows of at most a quarter of X: most spots will be missed";
  std::string width;
  for (const double unit : grid_->unit())
    if (const std::string side = short_number(reach->window.width * unit); width.find(side) == std::string::npos)
      width += (width.empty() ? "" : " x ") + side;
  return budget + " can cover " + (reach->covered < 1.0 ? in_percent(reach->covered) + " of X" : "all of X") +
         " with windows " + width +
         " wide. A spot as wide as such a window can be found there if its height is at least " +
         short_number(reach->height) +
         " times the unpredictable part of an answer (its noise, and the background that other answers do not "
         "determine), and a spot half as wide if its height is at least " +
         short_number(reach->half_height) + " times that. Narrower spots may be missed.";
}

std::optional<SpotAnswer> PolicySpots::answer(const Datum& datum) {
  std::optional<GridQuery> row;
  if (const auto* x = std::get_if<Inputs>(&datum.at)) {
    row = grid_->row(x->row(0));
  } else if (const auto rows = grid_->rows(*setting_.conditional, std::get<Queries>(datum.at))) {
    row = rows->front();
  }
  if (!row) return std::nullopt;
  return SpotAnswer{*row, datum.z, datum.noise_var, datum.noise_share};
}

bool PolicySpots::update(const Answers& answers) {
  for (std::size_t i = answers_.size(); possible_ && i < answers.size(); ++i) {
    const auto next = answer(answers[i]);
    possible_ = next.has_value();
    if (next) answers_.push_back(*next);
  }
  if (!possible_) return false;
  for (const Index size : Policy::fit_sizes(static_cast<Index>(answers_.size()))) {
    const auto count = static_cast<std::size_t>(size);
    if (size < kFewestAnswers || count <= fitted_on_) continue;
    model_.fit({answers_.begin(), answers_.begin() + static_cast<std::ptrdiff_t>(count)});
    fitted_on_ = count;
  }
  return model_.fitted() && model_.long_lengthscale() > 1.0;
}

// NaN where the noise is the usual one, which is fitted or given for all.
Vector PolicySpots::noise_given(const Queries& a) const { return setting_.queries->noise_var(a); }

std::optional<PolicySpots::Worth> PolicySpots::worth(const Queries& a, const Queries& pending) {
  const auto rows = grid_->rows(*setting_.conditional, a);
  const auto waiting = grid_->rows(*setting_.conditional, pending);
  if (!rows || !waiting) return std::nullopt;
  std::vector<SpotAnswer> answers = answers_;
  if (!pending.empty()) {
    const Vector mean = model_.belief(answers_).mean(*waiting);
    const Vector noise = noise_given(pending);
    for (Index i = 0; i < pending.size(); ++i)
      answers.push_back({(*waiting)[static_cast<std::size_t>(i)], mean[i],
                         std::isnan(noise[i]) ? std::nullopt : std::optional(noise[i])});
  }
  const SpotBelief belief = model_.belief(answers);
  return Worth{belief.score(*rows, noise_given(a)), belief.spot_probability(), belief.settled().size()};
}

Marginals PolicySpots::ahead(const SpotBelief& belief) {
  std::vector<Marginals> members;
  for (const auto& [mean, var] : belief.ahead()) members.push_back({mean, var});
  const auto count = static_cast<Index>(members.size());
  return mixture(members, Vector::Constant(count, 1.0 / static_cast<double>(count)));
}

Vector PolicySpots::z(std::size_t count) const {
  Vector out(static_cast<Index>(count));
  for (std::size_t i = 0; i < count; ++i) out[static_cast<Index>(i)] = answers_[i].z;
  return out;
}

// Noise may bring some answers about a positive f below 0.
bool PolicySpots::is_skewed(Vector z) {
  if (z.size() == 0) return false;
  const double largest = z.maxCoeff();
  const auto quarter = z.begin() + z.size() / 4;
  std::nth_element(z.begin(), quarter, z.end());
  return z.minCoeff() > -largest / 20.0 && kSkewed * *quarter < largest;
}

bool PolicySpots::is_clear(Model& model) {
  const Vector all = z(answers_.size());
  if (is_skewed(all)) return false;
  const bool doubtful = all.size() > 0 && all.minCoeff() > 0.0 && all.maxCoeff() > kWideRange * all.minCoeff();
  return compared(model).lead - compared(model).hindsight >= (doubtful ? kClearInDoubt : kClear);
}

const PolicySpots::Comparison& PolicySpots::compared(Model& model) {
  const std::array<std::size_t, 2> now{fitted_on_, model.assumed_on()};
  if (!compared_ || compared_->first != now) {
    const SpotBelief then =
        model_.stated({answers_.begin(), answers_.begin() + static_cast<std::ptrdiff_t>(fitted_on_)});
    compared_.emplace(
        now, Comparison{log_score(z(fitted_on_), ahead(then)) - model.log_score(fitted_on_), then.hindsight()});
  }
  return compared_->second;
}

std::vector<Index> PolicySpots::known(const Inputs& x) {
  const Matrix nothing = Matrix::Zero(grid_->points(0).size(), grid_->points(1).size());
  const bool all = grid_->at(nothing, x).has_value();
  std::vector<Index> out;
  for (Index i = 0; i < x.size(); ++i)
    if (all || grid_->at(nothing, x.slice(i, 1))) out.push_back(i);
  return out;
}

std::vector<Index> PolicySpots::known(const Queries& a) {
  const bool all = grid_->rows(*setting_.conditional, a).has_value();
  std::vector<Index> out;
  for (Index i = 0; i < a.size(); ++i)
    if (all || grid_->rows(*setting_.conditional, a.slice(i, 1))) out.push_back(i);
  return out;
}

// Kept, as maps, intervals and the recommendation are asked for one after another. Its tables have the rows of the grid.
const SpotBelief& PolicySpots::stated() {
  const std::array<Index, 3> now{static_cast<Index>(answers_.size()), grid_->laws(0).rows(), grid_->laws(1).rows()};
  if (!stated_ || stated_after_ != now) {
    stated_.emplace(model_.stated(answers_));
    stated_after_ = now;
  }
  return *stated_;
}

// Variances at a few inputs need none of the others.
std::optional<Marginals> PolicySpots::marginals(const Inputs& x) {
  constexpr Index kFew = 16;  // times as many cells
  const bool known = field_ && field_->first == answers_.size();
  if (!known && kFew * x.size() < static_cast<Index>(grid_->cells().size()))
    if (const auto cells = grid_->cells_at(x)) {
      const auto [mean, var] = stated().marginals(*cells);
      return Marginals{mean, var};
    }
  if (!field_ || field_->first != answers_.size()) field_.emplace(answers_.size(), stated().field());
  const auto mean = grid_->at(field_->second.mean, x), var = grid_->at(field_->second.var, x);
  if (!mean || !var) return std::nullopt;
  return Marginals{*mean, *var};
}

std::optional<Vector> PolicySpots::mean(const Inputs& x) {
  const bool known = field_ && field_->first == answers_.size();
  return grid_->at(known ? field_->second.mean : stated().mean_field(), x);
}

// Rows that a new query adds to the grid come before the belief, whose tables have as many.
std::optional<Marginals> PolicySpots::marginals(const Queries& a) {
  const auto rows = grid_->rows(*setting_.conditional, a);
  if (!rows) return std::nullopt;
  const auto [mean, var] = stated().marginals(*rows);
  return Marginals{mean, var};
}

bool PolicySpots::draw(const Inputs& x, Index most, Rng& rng, const std::function<void(const Vector&)>& take) {
  const Matrix nothing = Matrix::Zero(grid_->points(0).size(), grid_->points(1).size());
  if (!grid_->at(nothing, x)) return false;
  stated().draw(std::min(most, most_paths()), rng,
                [&](Index /*path*/, const Matrix& field) { take(*grid_->at(field, x)); });
  return true;
}

bool PolicySpots::draw(const Queries& a, Index most, Rng& rng, const std::function<void(const Vector&)>& take) {
  const auto rows = grid_->rows(*setting_.conditional, a);
  if (!rows) return false;
  Vector g(a.size());
  stated().draw(std::min(most, most_paths()), rng, [&](Index /*path*/, const Matrix& field) {
    const Matrix averages = grid_->laws(0) * field * grid_->laws(1).transpose();
    for (Index i = 0; i < g.size(); ++i) {
      const GridQuery& query = (*rows)[static_cast<std::size_t>(i)];
      g[i] = averages(query.row[0], query.row[1]);
    }
    take(g);
  });
  return true;
}

// Whole paths over a large scene are dear: fewer of them, and the errors that are stated are larger.
Index PolicySpots::most_paths() const {
  constexpr Index kNumbers = Index{1} << 23;
  return std::clamp<Index>(kNumbers / static_cast<Index>(grid_->cells().size()), 32, kMostPaths);
}

Recommendation PolicySpots::best(Index paths, double error, Rng& rng) {
  const Index draws = paths > 0 ? std::min(most_paths(), static_cast<Index>(std::ceil(0.25 / (error * error)))) : 0;
  const SpotBelief& belief = stated();
  const SpotRecommendation found = belief.recommend(draws, rng, widening());
  constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  const auto* list = std::get_if<InputSet>(&setting_.targets);
  Recommendation out{list != nullptr ? list->points().slice(found.row, 1) : found.x,
                     list != nullptr ? std::optional(found.row) : std::nullopt,
                     found.mean,
                     found.sd,
                     found.low,
                     found.high,
                     kUnknown,
                     found.tolerance,
                     {}};
  out.unseen = found.unseen;
  if (draws > 0) {
    const auto n = static_cast<double>(draws);
    const double share = (n * found.probability + 1.0) / (n + 2.0);  // not 0 where all draws agree
    out.probability = found.probability;
    out.max_low = found.max_low;
    out.max_high = found.max_high;
    out.probability_error = std::sqrt(share * (1.0 - share) / n);
  }
  widen_by(hindsight(), out);
  if (draws > 0) regret_.emplace(answers_.size(), regret_of(found));
  out.notes.push_back("a better spot that no answer has shown exists elsewhere with a probability of " +
                      internal::chance_text(found.unseen) + ", assuming that one scene in two has a further spot");
  return out;
}

const Hindsight& PolicySpots::hindsight() {
  if (!hindsight_ || hindsight_->first != answers_.size())
    hindsight_.emplace(answers_.size(), Hindsight(z(answers_.size()), ahead(stated())));
  return hindsight_->second;
}

ExpectedRegret PolicySpots::regret(Rng& rng) {
  if (!regret_ || regret_->first != answers_.size())
    regret_.emplace(answers_.size(), regret_of(stated().recommend(most_paths(), rng, widening())));
  return regret_->second;
}

}  // namespace iqbo
