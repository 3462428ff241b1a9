#include "iqbo/theory/information.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <queue>
#include <string>
#include <utility>

#include "iqbo/core/check.hpp"
#include "iqbo/core/stop.hpp"

namespace iqbo {
namespace {

Vector positive_noise(const NoiseVar& noise_var, Index size) {
  Vector out = noise_var.of(size);
  require_positive(out, "noise_var");
  return out;
}

double nats(double var, double noise_var) { return 0.5 * std::log1p(var / noise_var); }

// The remaining variance of each candidate after some of them were answered; a candidate is updated only when needed.
//
// Row i of factor_ is row i of L^-1 Cov in the columns up to which candidate i is updated, plain covariances beyond.
class Variances {
 public:
  Variances(const QueryBelief& belief, const Queries& a, Vector noise_var, Index steps)
      : belief_(belief), a_(a), noise_var_(std::move(noise_var)), var_(belief.g(a).var), factor_(a.size(), steps) {
    seen_.assign(static_cast<std::size_t>(a.size()), 0);
  }

  Index answered() const { return static_cast<Index>(answered_.size()); }
  bool is_current(Index i) const { return seen_[static_cast<std::size_t>(i)] == answered(); }

  double gain(Index i) {
    for (Index& s = seen_[static_cast<std::size_t>(i)]; s < answered(); ++s) {
      const Answered& at = answered_[static_cast<std::size_t>(s)];
      factor_(i, s) = (factor_(i, s) - at.row.dot(factor_.row(i).head(s))) / at.sd;
      var_[i] = std::max(0.0, var_[i] - factor_(i, s) * factor_(i, s));
    }
    return nats(var_[i], noise_var_[i]);
  }

  void answer(Index i) {
    gain(i);
    const Index s = answered();
    answered_.push_back({factor_.row(i).head(s), std::sqrt(var_[i] + noise_var_[i])});
    factor_.col(s) = belief_.g_cov(a_, a_.slice(i, 1));
  }

 private:
  struct Answered {
    Eigen::RowVectorXd row;
    double sd;  // of the answer
  };

  const QueryBelief& belief_;
  const Queries& a_;
  Vector noise_var_;
  Vector var_;
  Rows factor_;
  std::vector<Index> seen_;
  std::vector<Answered> answered_;
};

void require_selection(const Queries& candidates, Index steps, bool repeats) {
  require_not_empty(candidates.size(), "candidates");
  if (steps < 1) refuse("steps", std::to_string(steps), "at least 1");
  if (!repeats && steps > candidates.size())
    refuse("steps", std::to_string(steps),
           "at most " + std::to_string(candidates.size()) + ", the number of candidates, without repeats");
}

Vector upper_bounds(const Vector& gain) {
  Vector out(gain.size());
  for (Index t = 1; t <= gain.size(); ++t) {
    double least = static_cast<double>(t) * gain[0];
    for (Index k = 1; k < gain.size(); ++k)
      least = std::min(least, gain[k - 1] + static_cast<double>(t) * (gain[k] - gain[k - 1]));
    out[t - 1] = least;
  }
  return out;
}

// Tries all ascending selections of `steps` rows, each extending the factor of I + R^-1/2 Q R^-1/2 by one row.
class Enumeration {
 public:
  Enumeration(Matrix scaled_cov, Index steps, bool repeats)
      : cov_(std::move(scaled_cov)), lower_(Matrix::Zero(steps, steps)), gain_(steps), repeats_(repeats) {}

  InformationChoice best() {
    extend(0);
    return std::move(best_);
  }

 private:
  void extend(Index from) {
    const auto depth = static_cast<Index>(rows_.size());
    if (depth == lower_.rows()) {
      if (best_.chosen.empty() || gain_[depth - 1] > best_.gain[depth - 1]) best_ = {rows_, gain_, Vector()};
      return;
    }
    for (Index i = from; i < cov_.rows(); ++i) {
      double pivot = 1.0 + cov_(i, i);
      for (Index s = 0; s < depth; ++s) {
        const Index other = rows_[static_cast<std::size_t>(s)];
        lower_(depth, s) = (cov_(i, other) - lower_.row(depth).head(s).dot(lower_.row(s).head(s))) / lower_(s, s);
        pivot -= lower_(depth, s) * lower_(depth, s);
      }
      lower_(depth, depth) = std::sqrt(pivot);
      gain_[depth] = (depth > 0 ? gain_[depth - 1] : 0.0) + 0.5 * std::log(pivot);
      rows_.push_back(i);
      extend(repeats_ ? i : i + 1);
      rows_.pop_back();
    }
  }

  Matrix cov_;
  Matrix lower_;
  Vector gain_;
  bool repeats_;
  std::vector<Index> rows_;
  InformationChoice best_;
};

// C(n, k) as a double.
double choose(double n, double k) { return std::exp(std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1)); }

Matrix scaled(Matrix cov, const Vector& noise_var) {
  const Vector sd = noise_var.cwiseSqrt();
  return sd.cwiseInverse().asDiagonal() * cov * sd.cwiseInverse().asDiagonal();
}

}  // namespace

double information_gain(const QueryBelief& belief, const Queries& a, const NoiseVar& noise_var) {
  const Vector noise = positive_noise(noise_var, a.size());
  if (a.empty()) return 0.0;
  Matrix m = scaled(belief.g_cov(a), noise);
  m.diagonal().array() += 1.0;  // eigenvalues are at least 1, so no jitter is needed
  return Matrix(m.llt().matrixL()).diagonal().array().log().sum();
}

Vector information_along(const QueryBelief& belief, const Queries& a, const NoiseVar& noise_var) {
  Vector out(a.size());
  if (a.empty()) return out;
  Variances left(belief, a, positive_noise(noise_var, a.size()), a.size());
  for (Index t = 0; t < a.size(); ++t) {
    out[t] = (t > 0 ? out[t - 1] : 0.0) + left.gain(t);
    left.answer(t);
  }
  return out;
}

Vector target_information_along(const Posterior& prior, const Queries& a, const Inputs& xi, const NoiseVar& noise_var) {
  require_rows(xi.size(), a.size(), "xi");
  const Vector noise = positive_noise(noise_var, a.size());
  Vector out(a.size());
  Posterior posterior = prior;
  for (Index t = 0; t < a.size(); ++t) {
    out[t] = (t > 0 ? out[t - 1] : 0.0) + nats(posterior.f(xi.slice(t, 1)).var[0], noise[t]);
    posterior = posterior.condition(a.slice(t, 1), Vector::Zero(1), noise[t]);  // variances do not depend on z
  }
  return out;
}

InformationChoice greedy_information(const QueryBelief& belief, const Queries& candidates, Index steps,
                                     const NoiseVar& noise_var, bool repeats) {
  require_selection(candidates, steps, repeats);
  Variances left(belief, candidates, positive_noise(noise_var, candidates.size()), steps);
  // Largest gain first; among equal ones the candidate listed first.
  std::priority_queue<std::pair<double, Index>> queue;
  for (Index i = 0; i < candidates.size(); ++i) queue.emplace(left.gain(i), -i);
  InformationChoice out;
  out.gain.resize(steps);
  for (Index t = 0; t < steps;) {
    stop_point();
    const auto [gain, minus_i] = queue.top();
    queue.pop();
    const Index i = -minus_i;
    if (!left.is_current(i)) {
      queue.emplace(left.gain(i), -i);
      continue;
    }
    out.chosen.push_back(i);
    out.gain[t] = (t > 0 ? out.gain[t - 1] : 0.0) + gain;
    left.answer(i);
    if (repeats) queue.emplace(gain, -i);  // out of date, hence an upper bound
    ++t;
  }
  out.upper = upper_bounds(out.gain);
  return out;
}

InformationChoice exact_information(const QueryBelief& belief, const Queries& candidates, Index steps,
                                    const NoiseVar& noise_var, bool repeats) {
  require_selection(candidates, steps, repeats);
  const Vector noise = positive_noise(noise_var, candidates.size());
  const auto n = static_cast<double>(candidates.size() + (repeats ? steps - 1 : 0));
  constexpr Index kMostSteps = 1000;  // its factor takes 8 MB
  if (steps > kMostSteps) refuse("steps", std::to_string(steps), "at most " + std::to_string(kMostSteps));
  const double selections = std::round(choose(n, static_cast<double>(steps)));
  if (!(selections <= kMostSelections))
    refuse("candidates", readable(selections) + " selections",
           "at most " + readable(kMostSelections) + "; use greedy_information");
  return Enumeration(scaled(belief.g_cov(candidates), noise), steps, repeats).best();
}

}  // namespace iqbo
