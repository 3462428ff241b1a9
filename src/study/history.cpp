#include <algorithm>
#include <cmath>
#include <limits>

#include "iqbo/core/lists.hpp"
#include "setup/footprints.hpp"
#include "setup/slices.hpp"
#include "setup/snapshot_of.hpp"
#include "state.hpp"

namespace iqbo {

using namespace internal;

namespace {

std::optional<double> known(double value) { return std::isfinite(value) ? std::optional(value) : std::nullopt; }

void add_footprints(const StudySetup& setup, History& out) {
  std::map<std::vector<double>, std::int64_t> places;
  std::vector<std::vector<double>> queries;
  for (PastTrial& one : out.trials) {
    const auto [found, fresh] = places.emplace(one.trial.query, static_cast<std::int64_t>(queries.size()));
    if (fresh) queries.push_back(one.trial.query);
    one.footprint = found->second;
  }
  for (PastImport& one : out.surveys) {
    const std::vector<double>& query = one.logged.observation.point;
    const auto [found, fresh] = places.emplace(query, static_cast<std::int64_t>(queries.size()));
    if (fresh) queries.push_back(query);
    one.footprint = found->second;
  }
  if (!queries.empty()) out.footprints = footprints(setup, setup.policy_query(rows_of(queries)));
}

void add_answers(const Ledger& ledger, const Timeline& timeline, const Past& past, const StudySetup& setup,
                 History& out) {
  for (std::size_t i = 0; i < ledger.answers().size(); ++i) {
    const LoggedObservation& logged = ledger.answers()[i];
    if (logged.trial) {
      PastTrial& one = out.trials[static_cast<std::size_t>(*logged.trial)];
      one.expected = known(past.expected()[i]);
      one.expected_sd = known(past.expected_sd()[i]);
      continue;
    }
    const Rows at = rows_of({logged.observation.point});
    out.imported.push_back(logged);
    out.imported.back().observation.name =
        logged.is_value ? setup.input_name(Inputs(at)) : setup.query_name(setup.policy_query(at));
    if (logged.is_value) continue;
    out.surveys.push_back(
        {out.imported.back(), timeline.handed_out[i], known(past.expected()[i]), known(past.expected_sd()[i]), {}});
  }
}

// The last frame is now. Cells of a tree that the search had not reached by then have no number.
void add_frames(const Past& past, const Timeline& timeline, History& out) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  for (const auto& each : past.frames()) {
    if (each.first >= out.now.observations) break;
    out.frames.push_back(each.second);
    FrameRecord& frame = out.frames.back();
    frame.trial = timeline.handed_out[static_cast<std::size_t>(each.first - 1)];
    frame.g_mean.resize(out.now.a.mean.size(), kNone);
    frame.g_sd.resize(out.now.a.mean.size(), kNone);
  }
  const Snapshot& now = out.now;
  FrameRecord last{now.observations, static_cast<std::int64_t>(out.trials.size()), {}, now.x.mean, now.x.sd, now.a.mean,
                   now.a.sd};
  if (now.observations > 0) last.best = now.best;
  out.frames.push_back(std::move(last));
}

}  // namespace

// One fit per size at which the policy fits: the one that trials used, else the nearest earlier one, else the first.
std::map<std::int64_t, Hyperparameters> Study::State::fits_for_the_past() {
  std::map<std::int64_t, Hyperparameters> used = timeline_.fits;
  for (const auto& [observations, record] : ledger_.fits()) used[observations] = record;
  if (const auto now = fit()) used[now->observations] = *now;
  std::map<std::int64_t, Hyperparameters> out;
  if (used.empty()) return out;
  for (const Index size : policy().fit_sizes()) {
    auto found = used.upper_bound(size);
    if (found != used.begin()) --found;
    out[size] = found->second;
    out[size].observations = size;
  }
  return out;
}

bool Study::State::noise_is_told() {
  const StudySetup& current = setup();
  if (current.counts() || ledger_.answers().empty()) return false;
  return std::all_of(ledger_.answers().begin(), ledger_.answers().end(), [&](const LoggedObservation& each) {
    if (each.observation.answer.noise_sd) return true;
    if (each.is_value) return false;
    const Queries at = current.policy_query(rows_of({each.observation.point}));
    return !std::isnan(current.setting().queries->noise_var(at)[0]);
  });
}

// Where rare spots are searched for, draws of a whole scene are dear: only what is above the limit is said.
ChanceRecord Study::State::chances_of(const ShownPoints& shown) {
  constexpr Index kNumbers = Index{1} << 19;  // of a large scene fewer paths, as the errors say
  ChanceOptions options;
  options.draws = std::clamp<Index>(kNumbers / std::max<Index>(shown.x.size(), 1), 64, 512);
  const auto& limit = setup().spec().policy.above;
  const auto listed = [&](Vector p) {
    if (setup().sign() < 0) p = 1.0 - p.array();
    return list_of(p);
  };
  const Recommendation best = policy().best();
  const bool with_spots = std::isfinite(best.unseen);
  ChanceRecord out;
  if (limit) {
    out.above = listed(policy().above(shown.x, setup().policy_threshold(*limit)));
    if (!shown.a.empty()) out.above_g = listed(policy().above(shown.a, setup().policy_threshold(*limit)));
  }
  if (!with_spots) {
    const Chances found = policy().chances(shown.x, options);
    out.draws = found.draws;
    out.regret = setup().user_difference(found.regret);
    out.regret_error = setup().user_difference(found.regret_error);
    out.smallest.assign(found.smallest.begin(), found.smallest.end());
    out.smallest_probability = found.smallest_probability;
    out.best = list_of(found.best);
  }
  if (with_spots || best.widened != 1.0 || setup().spec().stop) {
    const Stopping now = stopping();
    out.regret = now.regret;
    out.regret_error = now.regret_error;
    out.stop = now.why;
  }
  return out;
}

History Study::State::history(const StudyStatus& status) {
  History out;
  out.status = status;
  const ShownPoints shown = shown_points(setup(), policy());
  out.now = snapshot(shown, true);
  if (!past_) past_.emplace(setup());
  past_->go_on(ledger_.answers(), fits_for_the_past(), shown);
  for (std::size_t i = 0; i < ledger_.trials().size(); ++i)
    out.trials.push_back({ledger_.trials()[i], timeline_.asked[i], timeline_.settled[i], {}, {}, {}});
  add_answers(ledger_, timeline_, *past_, setup(), out);
  add_footprints(setup(), out);
  if (const auto found = shown.a.empty() ? std::nullopt : tiles(setup(), shown.a)) out.tiles = *found;
  out.noise_told = noise_is_told();
  out.limit = setup().spec().policy.above;
  if (!shown.x.empty() && out.now.observations > 0) out.chances = chances_of(shown);
  add_frames(*past_, timeline_, out);
  if (out.now.best) out.f = slices_of_f(setup(), policy(), out.now.best->x);
  out.g = slices_of_g(setup(), policy(), out.now.next_query);
  for (const auto& [observations, record] : timeline_.fits) out.fits.push_back(record);
  if (out.now.fit && (out.fits.empty() || out.fits.back().observations < out.now.fit->observations))
    out.fits.push_back(*out.now.fit);
  out.learned = learning_record(setup(), policy());
  if (const auto& geojson = setup_->spec().queries.geojson) out.geojson = storage_.bundle().files.at(geojson->file);
  return out;
}

}  // namespace iqbo
