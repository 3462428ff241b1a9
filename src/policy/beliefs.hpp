// What a policy believes after the answers so far, and all that it says of f and of averages. Where rare spots are searched for
// (spots.hpp) they count, unless the stationary model has foreseen the answers clearly better.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "answers.hpp"
#include "iqbo/policy/policy.hpp"
#include "model.hpp"
#include "spots.hpp"

namespace iqbo {

// What the seed of a policy is used for.
enum Purpose : std::uint64_t { kInitialDesign = 1, kDecision, kRecommending, kPlainPoints, kChances };

class Beliefs {
 public:
  Beliefs(Setting setting, const PolicyOptions& options, std::uint64_t seed);

  const Setting& setting() const { return model_.setting(); }
  const Answers& answers() const { return answers_; }
  void add(const Answers& more) { answers_.insert(answers_.end(), more.begin(), more.end()); }
  void remember(const Hyperparameters& values);

  // The stationary model, which knows of no spots.
  Model& model() {
    model_.update(answers_);
    return model_;
  }
  bool grows() const { return model_.grows(); }
  // Null where they do not count now: not where f = exp(eta) explains the answers better either, as high values then need none.
  PolicySpots* spots();
  std::string foreseen_spots() { return spots_ ? spots_->foreseen(options_) : ""; }

  // Unless spots have foreseen the answers clearly better, both beliefs count, as at the recommendation: an interval covers those
  // of both, a probability is the mean of two, and the variance, widened, is that of the belief that leaves more open. Where
  // spots say nothing, as off the lattice, the stationary belief counts alone, each input or query by itself.
  Marginals marginals(const Inputs& x) { return marginals_at(x); }
  Marginals marginals(const Queries& a) { return marginals_at(a); }
  Band interval(const Inputs& x, double probability, const Vector& widening) {
    return interval_at(x, probability, widening);
  }
  Band interval(const Queries& a, double probability, const Vector& widening) {
    return interval_at(a, probability, widening);
  }
  std::optional<Vector> mean_with_spots(const Inputs& x);
  Vector f_widening(const Inputs& x, const Marginals& f);
  Vector g_widening(const Marginals& g);

  const Recommendation& best();  // kept, as those who ask for it ask for stopping() too
  Chances chances(const Inputs& x, const ChanceOptions& options) { return chances_at(x, options); }
  Chances chances(const Queries& a, const ChanceOptions& options) { return chances_at(a, options); }
  Vector above(const Inputs& x, double threshold) { return above_at(x, threshold); }
  Vector above(const Queries& a, double threshold) { return above_at(a, threshold); }
  const Stopping& stopping();  // not judged; kept likewise

 private:
  Recommendation recommended();
  Stopping stopping_now();
  Index admitted_draws() const;
  template <class Space>
  Marginals marginals_at(const Points<Space>& at);
  template <class Space>
  Band interval_at(const Points<Space>& at, double probability, const Vector& widening);
  Vector widening(const Inputs& x);
  Vector widening(const Queries& a);
  Vector stationary_widening(const Marginals& f, const Inputs&);
  Vector stationary_widening(const Marginals& g, const Queries&);
  template <class Space>
  Chances chances_at(const Points<Space>& at, const ChanceOptions& options);
  template <class Space>
  Vector above_at(const Points<Space>& at, double threshold);
  template <class Space>
  std::optional<Chances> chances_with(PolicySpots& spots, const Points<Space>& at, const ChanceOptions& options,
                                      Rng& rng);

  PolicyOptions options_;
  std::uint64_t seed_;
  Answers answers_;
  Model model_;
  std::unique_ptr<PolicySpots> spots_;                          // null where they are never searched for
  std::optional<std::pair<std::size_t, Recommendation>> best_;  // after so many answers
  std::optional<std::pair<std::size_t, Stopping>> stopping_;
};

}  // namespace iqbo
