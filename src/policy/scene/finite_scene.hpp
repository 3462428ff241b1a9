// X is a list, and the query domain has candidates.
#pragma once

#include <optional>

#include "scene.hpp"

namespace iqbo {

class FiniteScene final : public Scene {
 public:
  FiniteScene(Model& model, const Answers& answers, Candidates candidates, Fantasy& fantasy);

  MaxSamples sample_max(Index count, Rng& rng) override;
  Vector sample_g_max(Index count, Rng& rng) override;
  Vector sample_finest_max(Index count, Rng& rng) override;
  Marginals f_all(Rng& rng) override;
  Marginals g_all(Rng& rng) override;
  Marginals f(const ScenePoints& at) override;
  ScenePoints points(const Inputs& x) const override;
  ScenePoints knowledge_points(Index samples, Rng& rng) override;
  ScenePoints everywhere(Rng& rng) override;
  double incumbent() override;
  void see_rates() override { rates_ = model_.is_linked(); }
  Link link() const override { return model_.link(); }
  Chosen best(const Acquisition& score, const ScenePoints& references, Rng& rng) override;
  Chosen best(const Mfmes& score, Rng& rng) override;
  Chosen random(Rng& rng) override;
  void fantasise(const Queries& a) override;

 private:
  FiniteEnsemble& belief();
  Ensemble exact();
  Outlook outlook();
  std::vector<Index> finest_rows();  // of each candidate, if they do not grow
  Chosen choose(const Vector& score, bool logarithmic, Rng& rng);

  Model& model_;
  const QueryDomain& domain_;
  bool grows_;  // whether answers open further queries, as in a tree
  const Answers& answers_;
  Candidates candidates_;  // in the order of the belief's queries
  Queries pending_;
  bool rates_ = false;
  bool drew_ = false;  // paths
  Fantasy& fantasy_;   // its belief is a copy, used once something is pending
};

}  // namespace iqbo
