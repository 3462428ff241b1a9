// The targets or the queries, or both, are continua.
#pragma once

#include "scene.hpp"

namespace iqbo {

class ContinuousScene final : public Scene {
 public:
  ContinuousScene(Model& model, Candidates candidates, Payable payable);

  MaxSamples sample_max(Index count, Rng& rng) override;
  Vector sample_g_max(Index count, Rng& rng) override;
  Vector sample_finest_max(Index count, Rng& rng) override;
  Marginals f_all(Rng& rng) override;
  Marginals g_all(Rng& rng) override;
  Marginals f(const ScenePoints& at) override;
  ScenePoints points(const Inputs& x) const override { return {x, {}}; }
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
  Inputs some_inputs(Index count, Rng& rng) const;    // X itself if it is a list
  Queries some_queries(Index count, Rng& rng) const;  // A itself if it is a list
  Outlook outlook(const Queries& a) const;
  Outlook outlook(const Queries& a, Marginals g) const;
  Vector cost(const Queries& a) const;
  Chosen best(const QueryScore& score, bool logarithmic, Rng& rng);
  QueryScore affordable(const QueryScore& score) const;
  Queries any_affordable(Rng& rng) const;

  Model& model_;
  const TargetSpace& x_;
  const QueryDomain& domain_;
  Candidates candidates_;  // none if the query domain is a continuum
  Payable payable_;
  Ensemble belief_;
  bool rates_ = false;
};

}  // namespace iqbo
