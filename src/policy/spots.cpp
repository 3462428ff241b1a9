#include "spots.hpp"

#include <algorithm>
#include <cmath>

#include "iqbo/core/check.hpp"

namespace iqbo {
namespace {

constexpr Index kFirstFit = 5;
constexpr Index kProbes = 4096;  // queries among which sizes are compared
constexpr Index kMostPaths = 400;

enum Purpose : std::uint64_t { kSizes = 71 };

std::string in_percent(double probability) {
  if (probability < 0.001) return "less than 0.1 %";
  char text[32];
  std::snprintf(text, sizeof text, "%.2g %%", 100.0 * probability);
  return text;
}

// Queries of every size: a list, or the levels of a tree that are small enough, and some of its finest nodes.
Queries probes(const QueryDomain& domain, std::uint64_t seed) {
  Rng rng(seed, {kSizes});
  return domain.overview(kProbes).joined(domain.sample(kProbes / 16, rng));
}

}  // namespace

PolicySpots::PolicySpots(const Setting& setting, SpotGrid grid, const SpotOptions& options, std::uint64_t seed)
    : setting_(setting), grid_(std::make_shared<SpotGrid>(std::move(grid))), model_(grid_, options, seed) {}

std::unique_ptr<PolicySpots> PolicySpots::of(const Setting& setting, const PolicyOptions& options, std::uint64_t seed) {
  const auto* x = std::get_if<InputSet>(&setting.targets);
  if (options.spots == SpotSearch::kOff || options.policy != PolicyKind::kAuto || options.members == 1 ||
      setting.kernel != nullptr || x == nullptr || x->dimension() > 2 || setting.queries->is_continuum() ||
      setting.conditional->support() == nullptr)
    return nullptr;
  auto grid = SpotGrid::of(*x, *setting.conditional, probes(*setting.queries, seed));
  if (!grid) return nullptr;
  SpotOptions own;
  own.noise_var = setting.noise_var;
  return std::unique_ptr<PolicySpots>(new PolicySpots(setting, *std::move(grid), own, seed));
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
    if (size < kFirstFit || count <= fitted_on_) continue;
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

Recommendation PolicySpots::best(Index paths, double error, Rng& rng) {
  const Index draws = paths > 0 ? std::min(kMostPaths, static_cast<Index>(std::ceil(0.25 / (error * error)))) : 0;
  const SpotRecommendation found = model_.stated(answers_).recommend(draws, rng);
  constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  const auto& list = std::get<InputSet>(setting_.targets);
  Recommendation out{list.points().slice(found.row, 1),
                     found.row,
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
  out.notes.push_back("a better spot that was not seen yet exists elsewhere with a probability of " +
                      in_percent(found.unseen) + ", if one scene in two has a further spot");
  return out;
}

}  // namespace iqbo
