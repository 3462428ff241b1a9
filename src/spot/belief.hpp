// Rare spots: what a stationary prior cannot believe in, because thirty quiet tiles prove to it that there are none.
//
// The belief is a mixture: a few backgrounds (background.hpp) times "none or one more spot" (hypotheses.hpp), spots being
// found one after another. When more than 0.95 of the mass is within a third of the smallest window, the spot becomes
// part of the background (a bump of unknown height, and 5 x 5 smaller ones that let its shape differ), and "none or one
// more" starts afresh, four times at most. Given the hyperparameters, everything is a function of the answers alone.
//
//   score(a) = CKG(a) + E I(a) / H
//
// CKG is that of the background with the leading hypothesis, if that is likelier than not. E is the expected gain if a
// spot that beats the best mean were known, H the entropy of which one it is, I(a) about how much an answer tells of it:
//
//   need_h = max(best mean - m(p_h), 0),   P_h = P(h) P(A > need_h),   E = sum P_h (E[A | A > need_h] - need_h)
//   d_h(a) = E[A | A > need_h] (g_h(a) - k(a)' S^-1 g_h), less its mean;   v = Var z(a);   e_h = exp(-d_h^2 / (2 v))
//   I = min(-sum P_h log(P + (1 - P) e_h), log(1 + Var d / v) / 2),   P = sum P_h (1 - e_h), "none of these" included
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "hypotheses.hpp"

namespace iqbo {

struct SpotAnswer {
  GridQuery query;
  double z;
  std::optional<double> noise_var = {};  // where that is known to differ
  double noise_share = 1.0;              // else: of the usual noise variance
};

std::unique_ptr<const SpotData> data_of(const std::vector<SpotAnswer>& answers);

struct SpotRecommendation {
  Index row = 0;  // of the grid's cells of X
  Inputs x = {};  // there, or next to it where X is a box
  double mean = 0.0, sd = 0.0;
  double low = 0.0, high = 0.0;          // 95 % interval of f there
  double max_low = 0.0, max_high = 0.0;  // of f*
  double tolerance = 0.0;                // a quarter of the range of the mean
  double probability = 0.0;              // that f* - f(x) is at most that
  double unseen = 0.0;                   // that a spot elsewhere beats f(x)
  Vector here, largest;                  // joint draws of f(x) and f*
};

struct SpotMarginals {
  Vector mean, var;
};

// Of f on the grid.
struct SpotField {
  Matrix mean, var;
};

class SpotBelief {
 public:
  // One member for each theta. `shape`: sd of the bumps that change a spot's shape, in heights of the spot.
  SpotBelief(std::shared_ptr<const SpotGrid> grid, std::vector<SpotTheta> thetas,
             const std::vector<SpotAnswer>& answers, double shape);

  // Of each query, in units of f and before costs. noise: as data of it would have; NaN where it is the usual one.
  Vector score(const std::vector<GridQuery>& a, const Vector& noise_given) const;

  Vector mean(const std::vector<GridQuery>& a) const;              // of an answer
  Matrix mean_field() const;                                       // of f on the grid
  SpotMarginals marginals(const std::vector<GridQuery>& a) const;  // of g
  SpotMarginals marginals(const std::vector<GridCell>& x) const;   // of f at some cells
  SpotField field() const;
  // `widened`: in joint draws, deviations from the mean are so many times as large as believed.
  SpotRecommendation recommend(Index paths, Rng& rng, double widened = 1.0) const;
  void draw(Index paths, Rng& rng, const std::function<void(Index path, const Matrix& field)>& take) const;

  // Each answer as those before it predict it, given the spots that were found and the leader: one for each member.
  std::vector<SpotMarginals> ahead() const;

  double spot_probability() const { return spot_; }  // of one more, beyond those that are settled
  const std::vector<Spot>& settled() const { return settled_; }
  std::optional<Spot> leader() const;  // the leading hypothesis, if it is likelier than not that there is one more
  SpotTerms leading_terms() const;     // the constant, settled spots and the leader

  // Nats that ahead() owes to knowing afterwards where these spots are: log(2 places) for each of them.
  double hindsight() const;

 private:
  struct Member {
    std::unique_ptr<const SpotBackground> background;
    std::unique_ptr<const SpotPosterior> spots;
  };
  struct Rivals;
  void consider(SpotHypotheses hypotheses);
  double mass_close_to(const Spot& spot) const;
  template <class At>
  SpotMarginals marginals_at(const std::vector<At>& all) const;
  Matrix mean_field(const Member& one) const;
  Matrix var_field(const Member& one) const;
  SpotTerms terms() const;
  std::vector<GridCell> centres() const;  // of the hypotheses
  Rivals rivals(const Member& one, const std::vector<GridCell>& centres, double best) const;
  Vector search_worth(const Member& one, const Rivals& rivals, const std::vector<GridQuery>& a,
                      const Vector& noise) const;
  void add_marginal(const GridCell& cell, SpotRecommendation& out, Rng& rng) const;
  void add_maximum(const Vector& mean, double widened, Index paths, SpotRecommendation& out, Rng& rng) const;
  double unseen(const GridCell& cell, double best) const;
  Index pick(const Member& one, Rng& rng) const;  // a hypothesis by its probability; -1: none

  std::shared_ptr<const SpotGrid> grid_;
  std::unique_ptr<const SpotData> data_;
  double scale_;  // a, of heights
  double shape_;
  std::vector<SpotTheta> thetas_;
  std::vector<Spot> settled_;
  std::vector<double> settled_height_;
  std::optional<SpotHypotheses> hypotheses_;
  std::vector<Member> members_;
  Vector probability_;  // of hypotheses, over members
  double spot_ = 0.0;
  std::size_t leader_ = 0;
};

}  // namespace iqbo
