// Draws of f from its posterior, as functions that can be evaluated anywhere ([Wilson21], pathwise conditioning).
//
//   f_s(x) = prior_s(x) + Cov(f(x), observations) S^-1 (z - prior_s(observations) - noise_s)
//
// The correction is exact; the prior draw is a sum of cosines (kernel/spectral.hpp), and its error, the only one,
// decreases with their number. A query's path g_s(a) is the average of f_s under p(x|a), plus the discrepancy if there
// is one, drawn jointly at the observed queries and the listed ones. A White part of the kernel is left out: it has no
// maximum on a continuum.
#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "iqbo/average/laws.hpp"
#include "iqbo/core/rng.hpp"
#include "iqbo/maxvalue/max_samples.hpp"
#include "iqbo/posterior/posterior.hpp"
#include "iqbo/space/box.hpp"

namespace iqbo {

struct PathOptions {
  Index frequencies = 512;  // two cosines each
};

class Paths {
 public:
  // g() gives the paths at `a`.
  Paths(const Posterior& posterior, Queries a, Index count, Rng& rng, const PathOptions& options = {});

  Index size() const { return weights_.cols(); }
  Matrix f(const Inputs& x) const;        // |x| x size()
  const Matrix& g() const { return g_; }  // |a| x size()
  double f(Index path, const Vector& x, Vector* gradient) const;
  std::function<double(const Vector& x, Vector* gradient)> function(Index path) const;  // the same; refers to this

 private:
  Matrix features(const Inputs& x) const;

  Posterior posterior_;
  Rows frequency_;  // each twice, for a cosine and a sine
  Vector phase_;
  Matrix amplitude_;  // of each cosine in each path
  Matrix weights_;    // S^-1 (z - prior(observations) - noise), one column per path
  std::vector<std::pair<Laws, std::vector<Index>>> observed_;  // what the rows of weights_ belong to
  Matrix g_;
};

struct PathMaximumOptions {
  Index points = 1024;  // at which all paths are evaluated first
  int starts = 3;       // of the gradient search, from the best of these points
};

// Maxima over the box, path by path: Sobol points and the inputs in `also`, then gradient search.
class PathMaxima {
 public:
  // `paths` must outlive this.
  PathMaxima(const Paths& paths, const InputBox& box, const Inputs& also, Rng& rng,
             const PathMaximumOptions& options = {});
  // From these points, which may serve several sets of paths.
  PathMaxima(const Paths& paths, const InputBox& box, Inputs points, const PathMaximumOptions& options = {});
  static Inputs spread(const InputBox& box, const Inputs& also, Rng& rng, const PathMaximumOptions& options = {});

  struct Top {
    Vector x;
    double value;
  };
  const Matrix& values() const { return values_; }  // at the points, those in `also` last; one column per path
  Top search(Index path) const;

 private:
  const Paths& paths_;
  InputBox box_;
  int starts_;
  Inputs points_;
  Matrix values_;
};

// All of them. f*_s is raised to the largest g_s.
MaxSamples max_of_paths(const Paths& paths, const InputBox& box, const Inputs& also, Rng& rng,
                        const PathMaximumOptions& options = {});

}  // namespace iqbo
