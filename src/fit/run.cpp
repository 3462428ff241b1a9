#include "run.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "iqbo/core/rng.hpp"

namespace iqbo {
namespace {

constexpr double kRough = 1e-3;  // nats: enough to compare families
constexpr double kFine = 1e-8;
constexpr double kScatter = 0.7;  // of random starts, in logarithms
constexpr int kLeastBudget = 100;
constexpr int kReserve = 16;  // for the report

struct Candidate {
  std::string name;
  std::shared_ptr<const FitObjective> objective;
  std::vector<FitPoint> starts;
  FitPoint best;
};

class Search {
 public:
  Search(const Posterior& posterior, const FitOptions& options, std::uint64_t seed)
      : options_(options), rng_(seed, {kStartsStream}), data_(std::make_shared<const FitData>(posterior, options)) {}

  FitRun run() {
    make_candidates();
    for (auto& candidate : candidates_) {
      const int share = left() / (static_cast<int>(candidates_.size()) + options_.starts);
      candidate.best = climb(*candidate.objective, candidate.starts.front().theta, std::min(share, 100), kRough);
    }
    std::stable_sort(candidates_.begin(), candidates_.end(), [](const Candidate& a, const Candidate& b) {
      return a.best.log_posterior > b.best.log_posterior;
    });
    Candidate& leader = candidates_.front();
    for (int i = 1; i < options_.starts; ++i) {
      const FitPoint found = climb(*leader.objective, start(leader, i), left() / (options_.starts - i + 1), kRough);
      if (found.log_posterior > leader.best.log_posterior) leader.best = found;
    }
    leader.best = climb(*leader.objective, leader.best.theta, left(), kFine);
    Laplace certainty = laplace(*leader.objective, leader.best);
    leader.best = certainty.mode;
    FitRun out{data_, leader.objective, std::move(certainty), {}, spent(), {}};
    out.found.observations = data_->size();
    out.found.family = options_.families.empty() ? own_family() : leader.name;
    out.found.isotropic = !options_.families.empty() && !options_.ard;
    out.found.notes = data_->notes();
    for (const auto& candidate : candidates_) out.families.emplace_back(candidate.name, candidate.best.log_posterior);
    return out;
  }

 private:
  // The family of the posterior's own kernel; "" if it has another structure.
  std::string own_family() const {
    const StationaryPart* part = single_part(data_->posterior().kernel());
    return part == nullptr ? "" : part->family().name;
  }

  void make_candidates() {
    if (options_.families.empty()) {
      const auto objective = std::make_shared<const FitObjective>(*data_, data_->posterior().kernel(), options_);
      const Vector given = data_->posterior().kernel().log_parameters();
      Vector theta = objective->centre();
      theta.head(given.size()) = given;
      candidates_.push_back({"kernel", objective, {{theta, 0.0}, {objective->centre(), 0.0}}, {}});
      return;
    }
    const int budget = left() / (3 * static_cast<int>(options_.families.size()));
    for (const std::string& name : options_.families) {
      const StationaryFamily& family = family_of(name, "families");
      const Stationary kernel(name, 1.0, data_->location_sd(), Vector::Ones(family.shape_size(data_->dimension())));
      auto objective = std::make_shared<const FitObjective>(*data_, kernel, options_);
      auto starts = grid_starts(*objective, options_.starts, budget);
      candidates_.push_back({name, std::move(objective), std::move(starts), {}});
    }
  }

  // The grid's next best point if it has one, otherwise a random point near the best.
  Vector start(const Candidate& candidate, int i) {
    const auto at = static_cast<std::size_t>(i);
    // The last one is always random: a grid of equal lengthscales is a poor guide where they differ.
    if (at < candidate.starts.size() && i + 1 < options_.starts) return candidate.starts[at].theta;
    return candidate.best.theta + kScatter * rng_.normals(candidate.objective->size());
  }

  int spent() const {
    int sum = 0;
    for (const auto& candidate : candidates_) sum += candidate.objective->evaluations();
    return sum;
  }

  int left() const {
    const int parameters = candidates_.empty() ? static_cast<int>(data_->dimension()) + 4
                                               : static_cast<int>(candidates_.front().objective->size());
    return std::max(1, options_.max_evaluations - spent() - 2 * parameters - kReserve);
  }

  const FitOptions& options_;
  Rng rng_;
  std::shared_ptr<const FitData> data_;
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

FitRun run_fit(const Posterior& data, const FitOptions& options, std::uint64_t seed) {
  return Search(data, options, seed).run();
}

}  // namespace iqbo
