#include "held_out.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cstddef>

#include "iqbo/conditional/expectation.hpp"

namespace iqbo {
namespace {

constexpr Index kFolds = 5;

bool same_support(const Laws& left, const Laws& right) {
  const auto* p = std::get_if<DiscreteLaws>(&left.parts().front().kind);
  const auto* r = std::get_if<DiscreteLaws>(&right.parts().front().kind);
  return p != nullptr && r != nullptr && p->support == r->support;
}

// sum_i E k(X_i, Y_i), law i of each.
double sum_of_diagonal(const Kernel& kernel, const Laws& left, const Laws& right) {
  if (&left == &right) return expect_diagonal(kernel, left).sum();
  if (same_support(left, right)) return expect(kernel, left, right).diagonal().sum();
  double sum = 0.0;  // each law has points of its own: no kernel value serves two of them
  for (Index i = 0; i < left.size(); ++i) sum += expect(kernel, left.slice(i, 1), right.slice(i, 1))(0, 0);
  return sum;
}

}  // namespace

HeldOut hold_out(const Pairs& all, const std::vector<LearnedKind>& kinds, const ModelSettings& settings,
                 const InputDomain& domain, const Kernel& kappa) {
  const Pairs pairs = all.subset(some_rows(all.size(), kHeldOutPairs));
  const auto m = static_cast<Index>(kinds.size());
  const Index folds = std::min(kFolds, pairs.size());
  HeldOut out;
  out.cross = Vector::Zero(m);
  out.inner = Matrix::Zero(m, m);
  Index count = 0;
  for (Index fold = 0; fold < folds; ++fold) {
    std::vector<Index> train_rows;
    std::vector<Index> test_rows;
    for (Index i = 0; i < pairs.size(); ++i) (i % folds == fold ? test_rows : train_rows).push_back(i);
    const Pairs known = pairs.subset(train_rows);
    const Pairs test =
        pairs.subset(test_rows).subset(some_rows(static_cast<Index>(test_rows.size()), kHeldOutScores / folds));
    std::vector<Laws> laws;
    laws.reserve(kinds.size());
    for (const LearnedKind kind : kinds) laws.push_back(train(kind, known, settings, domain)->laws(test.a));
    for (Index i = 0; i < m; ++i) {
      const Laws& left = laws[static_cast<std::size_t>(i)];
      out.cross[i] += sum_of_diagonal(kappa, left, test.x());
      for (Index j = 0; j <= i; ++j) out.inner(i, j) += sum_of_diagonal(kappa, left, laws[static_cast<std::size_t>(j)]);
    }
    out.self += kappa.diagonal(test.x()).sum();
    out.ignore += static_cast<double>(test.size()) * kappa.gram(known.x()).mean() -
                  2.0 * kappa.gram(test.x(), known.x()).rowwise().mean().sum();
    count += test.size();
  }
  const auto total = static_cast<double>(count);
  out.inner.triangularView<Eigen::StrictlyUpper>() = out.inner.transpose();
  out.cross /= total;
  out.inner /= total;
  out.self /= total;
  out.ignore = out.self + out.ignore / total;
  return out;
}

Vector stacking_weights(const HeldOut& held_out) {
  const Index m = held_out.cross.size();
  Vector best = Vector::Unit(m, 0);
  for (Index set = 1; set < (Index{1} << m); ++set) {
    std::vector<Index> used;
    for (Index i = 0; i < m; ++i)
      if ((set >> i) & 1) used.push_back(i);
    const auto n = static_cast<Index>(used.size());
    // Stationary point of the score with the weights of `used` summing to one.
    Matrix system = Matrix::Zero(n + 1, n + 1);
    Vector right(n + 1);
    system.topLeftCorner(n, n) = held_out.inner(used, used);
    system.col(n).head(n).setOnes();
    system.row(n).head(n).setOnes();
    right.head(n) = held_out.cross(used);
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
