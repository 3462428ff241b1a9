// A test problem: f with a known maximum, queries that return averages of it, and regrets that no policy can undercut.
//
//   f(x)                   to be maximised over X, and g(a) = E[f(X) | a], exact (docs/problems.md says how)
//   optimum()              max f over X: over the box where there is one, not only over its grid
//   listed_optimum()       max f over the listed x
//   best_query()           max g over A, likewise; listed_best_query() over the listed a
//
//   instant regret  max f - g(a)  >= instant_floor()        = optimum - best query; listed_instant_floor() on the grid
//   simple regret   max f - f(x)  >= listed_simple_floor()  = optimum - listed optimum; zero off the grid
//
// The instant floor is negative where windows reach beyond X and average to more than max f. All numbers are in f's own
// units; (f - mean()) / unit() has variance 1 over X and mean 0, or for a drawn f the mean of the draw.
//
// Multi-resolution problems have a = (xi, delta), delta the last coordinate, and resolutions() from coarse to fine;
// their listed queries are the nodes of the tree of [Zhang26], level l at the centres of 2^l cells along every axis, or
// of a tree of their own.
//
// A Problem is immutable, cheap to copy, and may be asked from any thread.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "iqbo/conditional/conditional.hpp"
#include "iqbo/core/rng.hpp"
#include "iqbo/kernel/kernel.hpp"
#include "iqbo/space/box.hpp"
#include "iqbo/space/finite_set.hpp"
#include "iqbo/space/query_tree.hpp"

namespace iqbo {

// What a problem hides: f, its exact averages, and draws of X given a.
class Truth {
 public:
  virtual ~Truth() = default;
  virtual Vector f(const Inputs& x) const = 0;
  virtual Vector g(const Queries& a) const = 0;
  virtual Inputs sample(const Queries& a, Rng& rng) const = 0;  // one x for each query

 protected:
  Truth() = default;
  Truth(const Truth&) = default;
  Truth(Truth&&) = default;
  Truth& operator=(const Truth&) = default;
  Truth& operator=(Truth&&) = default;
};

template <class Space>
struct Optimum {
  Points<Space> argmax;  // all known, at least one
  double max = 0.0;
};

struct PairLog {
  Inputs x;
  Queries a;
};

// What a problem is made of. All else is computed from these: a problem of your own needs no more.
struct ProblemParts {
  std::string name;         // as the registry knows it
  std::string title;        // for figures
  std::string map;          // p(x|a), in a few words
  std::string description;  // a paragraph, with the source
  std::vector<std::string> x_names, a_names;

  std::shared_ptr<const Truth> truth;
  std::shared_ptr<const Conditional> conditional;  // p(x|a), as a policy may know it
  InputSet x;                                      // the grid of X, or all of it
  QuerySet a;
  std::optional<InputBox> x_box = {};  // the continuum; none: X is the list
  std::optional<QueryBox> a_box = {};

  std::optional<QueryTree> tree = {};  // whose nodes the listed queries are; the paper's where there is none

  Inputs known_argmax = {};                   // starts for the search of max f, besides the best of the list
  Queries near_best_query = {};               // likewise of g
  std::vector<double> resolutions = {};       // delta of each level, coarse to fine
  double relative_noise = 0.1;                // suggested, in units of f's deviation
  std::optional<double> noise_sd = {};        // instead, in units of f
  std::shared_ptr<const Kernel> kernel = {};  // what f - mean() was drawn from, or what suits it; none: to be fitted
  bool centred = true;                        // mean() is the mean of f over X; otherwise 0, what f was drawn with
};

class Problem {
 public:
  explicit Problem(ProblemParts given);

  const std::string& name() const { return data_->parts.name; }
  const std::string& title() const { return data_->parts.title; }
  const std::string& map() const { return data_->parts.map; }
  const std::string& description() const { return data_->parts.description; }
  const std::vector<std::string>& x_names() const { return data_->parts.x_names; }
  const std::vector<std::string>& a_names() const { return data_->parts.a_names; }

  Vector f(const Inputs& x) const;   // also beyond the box of X, where windows reach; of a list only its members
  Vector g(const Queries& a) const;  // inside A, otherwise refused

  const InputSet& x() const { return data_->parts.x; }
  const QuerySet& a() const { return data_->parts.a; }
  const std::optional<InputBox>& x_box() const { return data_->parts.x_box; }
  const std::optional<QueryBox>& a_box() const { return data_->parts.a_box; }
  const std::shared_ptr<const Conditional>& conditional() const { return data_->parts.conditional; }
  const std::shared_ptr<const Truth>& truth() const { return data_->parts.truth; }
  const std::shared_ptr<const Kernel>& kernel() const { return data_->parts.kernel; }  // may be null

  const Optimum<InputSpace>& optimum() const { return data_->optimum; }
  const Optimum<InputSpace>& listed_optimum() const { return data_->listed_optimum; }
  const Optimum<QuerySpace>& best_query() const { return data_->best_query; }
  const Optimum<QuerySpace>& listed_best_query() const { return data_->listed_best_query; }
  double instant_floor() const { return optimum().max - best_query().max; }
  double listed_instant_floor() const { return optimum().max - listed_best_query().max; }
  double listed_simple_floor() const { return optimum().max - listed_optimum().max; }

  double mean() const { return data_->mean; }
  double unit() const { return data_->unit; }  // the standard deviation of f over X
  double noise_sd() const { return data_->noise_sd; }

  // `count` >= 1 queries spread evenly over A at random (levels equally likely), and an input drawn for each.
  PairLog logged(Index count, Rng& rng) const;

  // delta of each level, coarse to fine, in units of X. Empty: there is one resolution.
  const std::vector<double>& resolutions() const { return data_->parts.resolutions; }
  const std::optional<QueryTree>& tree() const { return data_->parts.tree; }  // if it has one of its own
  Vector cost(const Queries& a) const;  // the tree's, else 1 / (2 delta) as in the paper; 1 if there is one resolution
  Queries finest(const Queries& a) const;  // the same locations at the finest level; the same queries if there is one

 private:
  struct Data {
    ProblemParts parts;
    Optimum<InputSpace> optimum = {}, listed_optimum = {};
    Optimum<QuerySpace> best_query = {}, listed_best_query = {};
    double mean = 0.0, unit = 1.0, noise_sd = 0.0;
  };
  std::shared_ptr<const Data> data_;
};

}  // namespace iqbo
