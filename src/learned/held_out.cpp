#include "held_out.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "iqbo/average/expectation.hpp"
#include "iqbo/core/stop.hpp"

namespace iqbo {
namespace {

constexpr Index kFolds = 5;
constexpr double kLeastApart = 1e-6;  // relative to the lengthscale under which models differ most

bool same_support(const Laws& left, const Laws& right) {
  const auto* p = std::get_if<DiscreteLaws>(&left.parts().front().kind);
  const auto* r = std::get_if<DiscreteLaws>(&right.parts().front().kind);
  return p != nullptr && r != nullptr && p->support == r->support;
}

// E k(X_i, Y_i), where X_i and Y_i have law i of each side.
Vector expect_rowwise(const Kernel& kernel, const Laws& left, const Laws& right) {
  if (&left == &right) return expect_diagonal(kernel, left);
  if (same_support(left, right)) return expect(kernel, left, right).diagonal();
  Vector out(left.size());  // each law has its own points: no kernel value is used twice
  for (Index i = 0; i < left.size(); ++i) {
    stop_point();
    out[i] = expect(kernel, left.slice(i, 1), right.slice(i, 1))(0, 0);
  }
  return out;
}

// One fold: models trained without it, and its held-out pairs.
struct Fold {
  Inputs known;
  Inputs x;
  std::vector<Laws> laws;       // of each model, for the fold's queries
  std::vector<Laws> some_laws;  // for some of them, on which models are compared with one another
  std::vector<Laws> refits;     // for queries that are the same for every fold
};

std::vector<Fold> make_folds(const LoggedPairs& pairs, const std::vector<LearnedKind>& kinds,
                             const ModelSettings& settings, const InputDomain& domain) {
  const Index count = std::min(kFolds, pairs.size());
  const Queries common = pairs.subset(some_rows(pairs.size(), kRefitQueries)).a;
  std::vector<Fold> folds;
  for (Index fold = 0; fold < count; ++fold) {
    std::vector<Index> train_rows;
    std::vector<Index> test_rows;
    for (Index i = 0; i < pairs.size(); ++i) (i % count == fold ? test_rows : train_rows).push_back(i);
    const LoggedPairs known = pairs.subset(train_rows);
    const LoggedPairs test = pairs.subset(test_rows);
    Fold& out = folds.emplace_back(Fold{known.x(), test.x(), {}, {}, {}});
    const Queries some_a = test.subset(some_rows(test.size(), kHeldOutDistances / count)).a;
    for (const LearnedKind kind : kinds) {
      stop_point();
      const auto model = train(kind, known, settings, domain);
      out.laws.push_back(model->laws(test.a));
      out.some_laws.push_back(model->laws(some_a));
      out.refits.push_back(model->laws(common));
    }
  }
  return folds;
}

// |mu_m - mu_n|^2, averaged over some pairs of each fold.
Matrix distances(const std::vector<Fold>& folds, const Kernel& kernel) {
  const std::size_t m = folds.front().some_laws.size();
  Matrix inner = Matrix::Zero(static_cast<Index>(m), static_cast<Index>(m));
  Index count = 0;
  for (const Fold& fold : folds) {
    const auto& some_laws = fold.some_laws;
    for (std::size_t i = 0; i < m; ++i)
      for (std::size_t j = 0; j <= i; ++j)
        inner(static_cast<Index>(i), static_cast<Index>(j)) += expect_rowwise(kernel, some_laws[i], some_laws[j]).sum();
    count += some_laws.front().size();
  }
  inner.triangularView<Eigen::StrictlyUpper>() = inner.transpose();
  Matrix out = -2.0 * inner;
  out.colwise() += inner.diagonal();
  out.rowwise() += inner.diagonal().transpose();
  return out.cwiseMax(0.0) / static_cast<double>(count);
}

// The weight of each lengthscale; the mean is one.
Vector balance(const std::vector<Matrix>& distance) {
  Vector apart(static_cast<Index>(distance.size()));
  std::transform(distance.begin(), distance.end(), apart.begin(), [](const Matrix& d) { return d.sum(); });
  if (apart.maxCoeff() <= 0.0) return Vector::Ones(apart.size());  // all models agree
  const Vector inverse = apart.cwiseMax(kLeastApart * apart.maxCoeff()).cwiseInverse();
  return inverse / inverse.mean();
}

Sum reweighted(const Sum& kappa, const Vector& weight) {
  Sum::Terms terms;
  for (Index l = 0; l < weight.size(); ++l) {
    const Kernel& term = *kappa.terms()[static_cast<std::size_t>(l)];
    Vector theta = term.log_parameters();
    theta[0] += std::log(weight[l]);  // theta[0] is the log variance
    terms.push_back(term.with_log_parameters(theta));
  }
  return Sum(std::move(terms));
}

}  // namespace

HeldOut hold_out(const LoggedPairs& all, const std::vector<LearnedKind>& kinds, const ModelSettings& settings,
                 const InputDomain& domain, const Sum& kappa) {
  const LoggedPairs pairs = all.subset(some_rows(all.size(), kHeldOutPairs));
  const auto folds = make_folds(pairs, kinds, settings, domain);
  const auto m = static_cast<Index>(kinds.size());
  HeldOut out{Vector::Zero(m), Matrix::Zero(m, m)};
  Vector weight = Vector::Ones(static_cast<Index>(kappa.terms().size()));
  if (m > 1) {
    std::vector<Matrix> distance;
    for (const auto& term : kappa.terms()) distance.push_back(distances(folds, *term));
    weight = balance(distance);
    for (Index l = 0; l < weight.size(); ++l) out.distance += weight[l] * distance[static_cast<std::size_t>(l)];
  }
  const Sum yardstick = reweighted(kappa, weight);
  for (const auto& [known, x, laws, some_laws, refits] : folds) {
    out.refits.push_back(refits);
    const double self = yardstick.diagonal(x).sum();
    for (Index i = 0; i < m; ++i) {
      const Laws& p = laws[static_cast<std::size_t>(i)];
      out.scores[i] += self - 2.0 * expect_rowwise(yardstick, p, x).sum() + expect_diagonal(yardstick, p).sum();
    }
    out.ignore += self - 2.0 * yardstick.gram(x, known).rowwise().mean().sum() +
                  static_cast<double>(x.size()) * yardstick.gram(known).mean();
  }
  out.scores /= static_cast<double>(pairs.size());
  out.ignore /= static_cast<double>(pairs.size());
  return out;
}

Vector stacking_weights(const HeldOut& held_out) {
  const Index m = held_out.scores.size();
  Vector best = Vector::Unit(m, 0);
  for (Index set = 1; set < (Index{1} << m); ++set) {
    std::vector<Index> used;
    for (Index i = 0; i < m; ++i)
      if ((set >> i) & 1) used.push_back(i);
    const auto n = static_cast<Index>(used.size());
    // Stationary point of the score with the weights of `used` summing to one.
    Matrix system = Matrix::Zero(n + 1, n + 1);
    Vector right(n + 1);
    system.topLeftCorner(n, n) = held_out.distance(used, used);
    system.col(n).head(n).setOnes();
    system.row(n).head(n).setOnes();
    right.head(n) = held_out.scores(used);
    right[n] = 1.0;
    const Vector solved = system.fullPivLu().solve(right);
    if (!solved.allFinite() || solved.head(n).minCoeff() < 0.0) continue;
    Vector weight = Vector::Zero(m);
    weight(used) = solved.head(n) / solved.head(n).sum();
    if (held_out.score(weight) < held_out.score(best)) best = weight;
  }
  return best;
}

}  // namespace iqbo
