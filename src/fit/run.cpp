#include "run.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "average/thinned.hpp"
#include "core/activity.hpp"
#include "core/parallel.hpp"
#include "iqbo/core/rng.hpp"

namespace iqbo {

using namespace internal;

namespace {

constexpr double kRough = 1e-3;  // nats: enough to compare families
constexpr double kFine = 1e-8;
constexpr double kScatter = 0.7;  // of random starts, in logarithms
constexpr int kLeastBudget = 100;

// Where there are many rows, starts are compared on some of them.
constexpr Index kMany = 200;
constexpr Index kCoarse = 128;

// Where laws are clouds of points, on fewer rows and with thinned clouds.
constexpr Index kCoarseClouds = 48;
constexpr Index kThinned = 32;

// One family, or the user's kernel.
struct Candidate {
  std::string name;
  std::shared_ptr<const FitObjective> objective;
  std::vector<FitPoint> starts;
  FitClimb found;
  int other_evaluations = 0;  // on other samples
  bool is_thinned = false;    // found with thinned clouds

  double log_posterior() const { return found.best.log_posterior; }
  int evaluations() const { return other_evaluations + objective->evaluations(); }
};

class Search {
 public:
  Search(std::shared_ptr<const FitData> data, const FitOptions& options, std::uint64_t seed,
         const Hyperparameters* last)
      : options_(options), seed_(seed), data_(std::move(data)), last_(last) {
    const FitSample& all = data_->sample();
    if (all.linked) return;  // rows are nodes, all of which every answer needs
    const bool clouds = all.points_per_row() > kCloud && !all.is_quick(Matern32(1.0, data_->location_sd()));
    if (clouds) {
      coarse_ = std::make_unique<FitSample>(all.chosen(some_rows(kCoarseClouds), kThinned));
      thinned_ = std::make_shared<FitSample>(all.chosen(some_rows(all.size()), kThinned));
    } else if (all.size() > kMany) {
      coarse_ = std::make_unique<FitSample>(all.chosen(some_rows(kCoarse), 0));
    }
  }

  FitRun run() {
    const Activity activity("fitting the model to " + std::to_string(data_->size()) + " answers");
    make_candidates();
    in_parallel(static_cast<Index>(candidates_.size()),
                [this](Index i) { search(candidates_[static_cast<std::size_t>(i)]); });
    std::stable_sort(candidates_.begin(), candidates_.end(),
                     [](const Candidate& a, const Candidate& b) { return a.log_posterior() > b.log_posterior(); });
    Candidate& leader = candidates_.front();
    if (!coarse_) {
      if (!is_known(leader.name)) try_other_starts(leader, *leader.objective, left() / 2);
      leader.found = climb(*leader.objective, leader.found.best.theta, leader.found.inverse_curvature, left(), kFine);
    }
    const FitObjective curved = leader.is_thinned ? leader.objective->on(*thinned_) : *leader.objective;
    Laplace certainty = laplace(leader.is_thinned ? curved : *leader.objective, leader.found.best);
    if (leader.is_thinned) {
      leader.other_evaluations += curved.evaluations();
      certainty.mode.log_posterior = leader.objective->evaluate(certainty.mode.theta, nullptr).log_posterior;
    }
    leader.found.best = certainty.mode;
    FitRun out{data_, {}, thinned_, std::move(certainty), spent(), {}};
    out.found.observations = data_->size();
    out.found.family = options_.families.empty() ? own_family() : leader.name;
    out.found.isotropic = !options_.families.empty() && !options_.ard;
    out.found.notes = data_->notes();
    if (leader.is_thinned)
      out.found.notes.emplace_back(
          "hyperparameters were fitted with a few points for each p(x|a); everything else uses all points");
    for (const auto& each : candidates_)
      out.families.push_back({each.name, each.objective, each.found.best, each.is_thinned});
    return out;
  }

 private:
  // The family of the posterior's own kernel; "" if it has another structure.
  std::string own_family() const {
    const StationaryPart* part = single_part(data_->posterior().kernel());
    return part == nullptr ? "" : part->family().name;
  }

  std::vector<Index> some_rows(Index most) const {
    std::vector<Index> rows(static_cast<std::size_t>(data_->sample().size()));
    std::iota(rows.begin(), rows.end(), 0);
    if (static_cast<Index>(rows.size()) <= most) return rows;
    Rng rng(seed_, {kCoarseStream});
    for (std::size_t i = 0; i < static_cast<std::size_t>(most); ++i)
      std::swap(rows[i], rows[i + static_cast<std::size_t>(rng.below(static_cast<Index>(rows.size() - i)))]);
    rows.resize(static_cast<std::size_t>(most));
    std::sort(rows.begin(), rows.end());
    return rows;
  }

  void make_candidates() {
    if (options_.families.empty()) {
      add("kernel", data_->posterior().kernel());
      const Vector given = data_->posterior().kernel().log_parameters();
      const FitObjective& objective = *candidates_.front().objective;
      Vector theta = objective.centre();
      theta.head(given.size()) = given;
      candidates_.front().starts = {{theta, 0.0}, {objective.centre(), 0.0}};
      return;
    }
    for (const std::string& name : options_.families) {
      const StationaryFamily& family = family_of(name, "families");
      add(name, Stationary(name, 1.0, data_->location_sd(), Vector::Ones(family.shape_size(data_->dimension()))));
    }
  }

  void add(const std::string& name, const Kernel& kernel) {
    candidates_.push_back(
        {name, std::make_shared<const FitObjective>(*data_, data_->sample(), kernel, options_), {}, {}});
    if (is_known(name)) candidates_.back().starts = {{candidates_.back().objective->at(*last_), 0.0}};
  }

  bool is_known(const std::string& family) const { return last_ != nullptr && last_->family == family; }

  // With many observations the starts are compared on some of them; all are needed only to go on from the best.
  void search(Candidate& candidate) const {
    const FitObjective& all = *candidate.objective;
    const int budget = options_.max_evaluations / (2 * static_cast<int>(candidates_.size()));
    const bool known = is_known(candidate.name);
    if (!coarse_ || known) {
      if (candidate.starts.empty()) candidate.starts = grid_starts(all, options_.starts, budget / 2);
      candidate.found = {candidate.starts.front(),
                         known ? inverse_curvature_of(all, *last_) : usual_inverse_curvature(all)};
      return climb_on(candidate, all, std::min(100, budget / 4));
    }
    const FitObjective some = all.on(*coarse_);
    if (candidate.starts.empty()) candidate.starts = grid_starts(some, options_.starts, budget / 2);
    candidate.found = {candidate.starts.front(), usual_inverse_curvature(some)};
    climb_from(candidate, some, std::min(100, budget / 4));
    try_other_starts(candidate, some, budget / 8);
    candidate.other_evaluations = some.evaluations();
    candidate.found.inverse_curvature *=
        static_cast<double>(some.sample().size()) / static_cast<double>(all.sample().size());
    climb_on(candidate, all, budget / 8);
  }

  // Thinned clouds are good enough to find the place, but families are compared as they are.
  void climb_on(Candidate& candidate, const FitObjective& all, int budget) const {
    candidate.is_thinned = thinned_ && !all.sample().is_quick(*all.kernel(candidate.found.best.theta));
    if (!candidate.is_thinned) return climb_from(candidate, all, budget);
    const FitObjective thin = all.on(*thinned_);
    climb_from(candidate, thin, budget);
    candidate.other_evaluations += thin.evaluations();
    candidate.found.best.log_posterior = all.evaluate(candidate.found.best.theta, nullptr).log_posterior;
  }

  static void climb_from(Candidate& candidate, const FitObjective& objective, int budget) {
    candidate.found = climb(objective, candidate.found.best.theta, candidate.found.inverse_curvature, budget, kRough);
  }

  // Climbs from the grid's next best points, and from a random one near the best: a grid of equal lengthscales is a poor
  // guide where they differ.
  void try_other_starts(Candidate& candidate, const FitObjective& objective, int budget) const {
    Rng rng(seed_, {kStartsStream});
    const FitClimb first = candidate.found;
    for (int i = 1; i < options_.starts; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const Vector start = at < candidate.starts.size() && i + 1 < options_.starts
                               ? candidate.starts[at].theta
                               : Vector(first.best.theta + kScatter * rng.normals(objective.size()));
      FitClimb found =
          climb(objective, start, usual_inverse_curvature(objective), budget / (options_.starts - 1), kRough);
      if (found.best.log_posterior > candidate.log_posterior()) candidate.found = std::move(found);
    }
  }

  int spent() const {
    int sum = 0;
    for (const auto& candidate : candidates_) sum += candidate.evaluations();
    return sum;
  }

  // For the report and for Laplace's approximation some evaluations are kept.
  int left() const {
    constexpr int kReserve = 16;
    const auto parameters = static_cast<int>(candidates_.front().objective->size());
    return std::max(1, options_.max_evaluations - spent() - 2 * parameters - kReserve);
  }

  const FitOptions& options_;
  std::uint64_t seed_;
  std::shared_ptr<const FitData> data_;
  const Hyperparameters* last_;               // may be null
  std::unique_ptr<const FitSample> coarse_;   // null if there are few rows
  std::shared_ptr<const FitSample> thinned_;  // all rows with thinned clouds; null unless laws are clouds
  std::vector<Candidate> candidates_;
};

}  // namespace

const StationaryPart* single_part(const Kernel& kernel) {
  const auto terms = kernel.stationary_terms();
  return terms.size() == 1 && terms[0].factors.size() == 1 ? terms[0].factors.front().part.get() : nullptr;
}

void check_options(const FitOptions& options) {
  if (options.starts < 1) refuse("starts", "is " + std::to_string(options.starts), "at least 1");
  if (options.max_evaluations < kLeastBudget)
    refuse("max_evaluations", "is " + std::to_string(options.max_evaluations),
           "at least " + std::to_string(kLeastBudget));
  for (std::size_t i = 0; i < options.families.size(); ++i) {
    family_of(options.families[i], "families");
    for (std::size_t j = 0; j < i; ++j)
      if (options.families[i] == options.families[j])
        refuse("families", "row " + std::to_string(i) + " is the same as row " + std::to_string(j), "each family once");
  }
}

FitRun run_fit(std::shared_ptr<const FitData> data, const FitOptions& options, std::uint64_t seed,
               const Hyperparameters* last) {
  return Search(std::move(data), options, seed, last).run();
}

FitRun run_fit(const Posterior& data, const FitOptions& options, std::uint64_t seed, const Hyperparameters* last) {
  return run_fit(std::make_shared<const FitData>(data, options), options, seed, last);
}

}  // namespace iqbo
