// A belief on given X and A as a policy sees it: samples to build a score from, and the query that maximises a score.
//
// There are two: for lists (FiniteBelief has every candidate) and for continua (Posterior, evaluated where the search
// goes). Where X or A is a continuum and a list is needed, shifted Sobol points stand for it, and notes() says so.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "../model.hpp"
#include "candidates.hpp"
#include "iqbo/acquisition/acquisition.hpp"
#include "iqbo/acquisition/multi_fidelity.hpp"
#include "iqbo/maxvalue/max_samples.hpp"
#include "iqbo/policy/setting.hpp"
#include "iqbo/search/search.hpp"

namespace iqbo {

// Inputs at which f is evaluated; if X is a list, also as rows of it.
struct ScenePoints {
  Inputs x;
  std::vector<Index> rows;
  bool all = false;  // of the list, in its order
};

struct Chosen {
  Queries query;  // one row
  Index row;      // in the list, or -1
  double score;
};

// The belief of the last choice of a batch, from which the next one continues: where the queries that count as answered
// then are the first of those that do now, only the others have to be added.
struct Fantasy {
  std::optional<FiniteEnsemble> belief = {};
  Queries pending = {};
};

class Scene {
 public:
  virtual ~Scene() = default;
  Scene(const Scene&) = delete;
  Scene& operator=(const Scene&) = delete;

  virtual MaxSamples sample_max(Index count, Rng& rng) = 0;     // of f*, by paths
  virtual Vector sample_g_max(Index count, Rng& rng) = 0;       // of g* = max over A
  virtual Vector sample_finest_max(Index count, Rng& rng) = 0;  // of g at the finest resolution
  virtual Marginals f_all(Rng& rng) = 0;                        // on X, or on points that stand for it
  virtual Marginals g_all(Rng& rng) = 0;                        // on A, likewise
  virtual Marginals f(const ScenePoints& at) = 0;
  virtual ScenePoints points(const Inputs& x) const = 0;  // refuses inputs that are not in a list of targets
  virtual ScenePoints knowledge_points(Index samples, Rng& rng) = 0;  // the inputs CKG compares
  virtual ScenePoints everywhere(Rng& rng) = 0;                       // X, or points that stand for it
  virtual double incumbent() = 0;                                     // largest mean of g where it was asked

  // Where f = h(eta): from now on scores see g itself, in rates, rather than averages of eta. Only for scores of g alone.
  virtual void see_rates() {}
  virtual Link link() const = 0;

  virtual Chosen best(const Acquisition& score, const ScenePoints& references, Rng& rng) = 0;
  virtual Chosen best(const Mfmes& score, Rng& rng) = 0;
  virtual Chosen random(Rng& rng) = 0;

  // From now on the queries `a` count as answered by their means.
  virtual void fantasise(const Queries& a) = 0;

  // What the last best() compared: the candidates with their scores or, if A is a continuum, the queries of look_at().
  struct Scores {
    Queries at;
    Vector score;
    bool logarithmic = false;
  };
  const Scores& scores() const { return scores_; }
  void look_at(const Queries& a) { scores_.at = a; }

  const std::vector<std::string>& notes() const { return notes_; }

 protected:
  Scene() = default;
  std::vector<std::string> notes_;
  Scores scores_;
};

// `candidates` where the query domain has some, `payable` where it is a continuum. `fantasy` must outlive the scene.
std::unique_ptr<Scene> make_scene(Model& model, const Answers& answers, Candidates candidates, const Payable& payable,
                                  Fantasy& fantasy);

// Samples of the largest g among these.
Vector sample_max_at(const Ensemble& belief, const Queries& a, Index count, Rng& rng);

// Cov(g(a_j), g(b_j)).
Vector paired_cov(const QueryBelief& belief, const Queries& a, const Queries& b);

// The belief on listed inputs and queries.
FiniteEnsemble listed(const Ensemble& belief, const Inputs& x, const Queries& a);

}  // namespace iqbo
