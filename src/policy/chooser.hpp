// What a policy asks next: the initial design first, then the query that its score, or the search for rare spots, finds best among
// those that may be asked and paid for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "beliefs.hpp"
#include "policy/scene/scene.hpp"
#include "spending.hpp"

namespace iqbo {

class Chooser {
 public:
  // Keeps a reference to the beliefs. Refuses options that contradict each other or the setting.
  Chooser(Beliefs& beliefs, const PolicyOptions& options, std::uint64_t seed);

  Suggestion suggest(Index count, const Queries& pending, Queries avoid);
  Survey survey(const Queries& shown, const Queries& pending, const Queries& avoid);
  Candidates opened(const Queries& pending);
  bool has_finished_the_design() const { return asked({}) >= initial_.size(); }

  // Of the plain GP on (a, z), which some policies choose by.
  void remember_plain(const Hyperparameters& values);
  std::optional<Hyperparameters> plain_hyperparameters();

 private:
  // One decision: what was chosen, if anything could be, and what it rests on.
  struct Step {
    std::optional<Chosen> chosen = {};
    PolicyKind used = PolicyKind::kAuto;
    std::vector<std::string> why = {};
    bool avoided = false;  // nothing else was left than what was to be avoided

    Scene::Scores scores = {};       // none in the initial design
    std::vector<bool> allowed = {};  // the candidates; empty for a continuum
  };

  const QueryDomain& domain() const { return *beliefs_.setting().queries; }
  Index asked(const Queries& pending) const { return asked_in(beliefs_.answers()) + pending.size(); }
  bool is_asked(const Queries& query, const Queries& pending) const;
  Model& current_plain();
  Rng rng_for(const Queries& pending) const;
  Suggestion nothing_yet() const;
  double left_after(const Queries& pending) const;
  bool add(const Step& step, Suggestion& out) const;

  Step next(const Queries& pending, const Queries& avoid, const Queries& before, Fantasy& fantasy,
            const Queries& shown = {});
  Step choose(const Queries& pending, const Queries& avoid, const Purse& purse, Fantasy& fantasy, const Queries& shown);
  std::optional<Step> from_initial_design(const Queries& pending, const Purse& purse) const;
  std::optional<Step> by_spots(PolicySpots& spots, const Candidates& open, const Queries& pending) const;
  Step by_score(Model& model, Candidates open, const Payable& payable, const Queries& pending, Fantasy& fantasy,
                const Queries& shown) const;
  Step unaffordable(const Budget& purse) const;

  Beliefs& beliefs_;
  PolicyOptions options_;
  std::uint64_t seed_;
  Spending spending_;
  Queries initial_;
  std::optional<Model> plain_;  // where the policy chooses by the plain GP
};

}  // namespace iqbo
