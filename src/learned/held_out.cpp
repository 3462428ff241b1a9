#include "held_out.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cstddef>
#include <utility>

#include "iqbo/core/stop.hpp"
#include "query_folds.hpp"

namespace iqbo {
namespace {

constexpr Index kFolds = 5;

struct Split {
  std::vector<Index> train, test;
};

// Folds that leave something out and something in.
std::vector<Split> splits(const std::vector<Index>& fold) {
  std::vector<Split> out;
  for (Index k = 0; k < kFolds; ++k) {
    Split split;
    for (std::size_t i = 0; i < fold.size(); ++i)
      (fold[i] == k ? split.test : split.train).push_back(static_cast<Index>(i));
    if (!split.test.empty() && !split.train.empty()) out.push_back(std::move(split));
  }
  return out;
}

// E f(X) under a model for some queries. Two models put their weight on the logged x, where the values are known.
Matrix averages(LearnedKind kind, const LearnedModel& model, const Queries& a, const Matrix& at_logged,
                const TrialFunctions& functions) {
  const Laws laws = model.laws(a);
  if (kind == LearnedKind::kCme || kind == LearnedKind::kNw)
    return std::get<DiscreteLaws>(laws.parts().front().kind).weight * at_logged;
  return functions.average(laws);
}

// Sums of products of residuals become scores and distances.
void finish(Matrix& products, double scored, HeldOut& out) {
  products.triangularView<Eigen::StrictlyUpper>() = products.transpose();
  products /= scored;
  out.ignore /= scored;
  out.scores = products.diagonal();
  out.distance = -2.0 * products;
  out.distance.colwise() += out.scores;
  out.distance.rowwise() += out.scores.transpose();
  out.distance = out.distance.cwiseMax(0.0);
}

void add_products(const std::vector<Matrix>& residual, Matrix& products) {
  for (Index i = 0; i < products.rows(); ++i)
    for (Index j = 0; j <= i; ++j)
      products(i, j) += residual[static_cast<std::size_t>(i)].cwiseProduct(residual[static_cast<std::size_t>(j)]).sum();
}

}  // namespace

HeldOut hold_out(const LoggedPairs& all, const std::vector<LearnedKind>& kinds, const ModelSettings& settings,
                 const InputDomain& domain, const TrialFunctions& functions) {
  const LoggedPairs pairs = all.subset(some_rows(all.size(), kHeldOutPairs));
  const Matrix values = functions.at(pairs);
  const auto m = static_cast<Index>(kinds.size());
  Matrix products = Matrix::Zero(m, m);  // of residuals k(x, .) - mu_m
  HeldOut out{Vector::Zero(m), Matrix::Zero(m, m)};
  Index scored = 0;
  for (const auto& [train_rows, all_test_rows] : splits(query_folds(pairs, std::min(kFolds, pairs.size())))) {
    std::vector<Index> test_rows;
    for (const Index i : some_rows(static_cast<Index>(all_test_rows.size()), kScoredPairs / kFolds))
      test_rows.push_back(all_test_rows[static_cast<std::size_t>(i)]);
    const LoggedPairs known = pairs.subset(train_rows);
    const LoggedPairs test = pairs.subset(test_rows);
    const Matrix at_known = values(train_rows, Eigen::all);
    const Matrix at_test = values(test_rows, Eigen::all);
    std::vector<Matrix> residual;
    for (const LearnedKind kind : kinds) {
      stop_point();
      residual.push_back(at_test - averages(kind, *train(kind, known, settings, domain), test.a, at_known, functions));
    }
    add_products(residual, products);
    out.ignore += (at_test.rowwise() - at_known.colwise().mean()).squaredNorm();
    scored += test.size();
  }
  finish(products, static_cast<double>(scored), out);
  return out;
}

HeldOut judged_by(const LoggedPairs& others, const LoggedPairs& pairs, const std::vector<LearnedKind>& kinds,
                  const ModelSettings& settings, const InputDomain& domain, const TrialFunctions& functions) {
  constexpr Index kAtOnce = 256;  // queries: a model may have thousands of points for each
  const LoggedPairs judges = others.subset(some_rows(others.size(), kJudges));
  const Matrix at_known = functions.at(pairs), wanted = functions.at(judges);
  const auto m = static_cast<Index>(kinds.size());
  std::vector<std::shared_ptr<const LearnedModel>> models;
  for (const LearnedKind kind : kinds) {
    stop_point();
    models.push_back(train(kind, pairs, settings, domain, settings.trained_mean));
  }
  Matrix products = Matrix::Zero(m, m);
  HeldOut out{Vector::Zero(m), Matrix::Zero(m, m)};
  for (Index begin = 0; begin < judges.size(); begin += kAtOnce) {
    const Index count = std::min(kAtOnce, judges.size() - begin);
    const Queries some = judges.a.slice(begin, count);
    std::vector<Matrix> residual;
    for (std::size_t i = 0; i < kinds.size(); ++i) {
      stop_point();
      residual.push_back(wanted.middleRows(begin, count) - averages(kinds[i], *models[i], some, at_known, functions));
    }
    add_products(residual, products);
    out.ignore += (wanted.middleRows(begin, count).rowwise() - at_known.colwise().mean()).squaredNorm();
  }
  finish(products, static_cast<double>(judges.size()), out);
  return out;
}

std::vector<Laws> refits(const LoggedPairs& all, const std::vector<LearnedKind>& kinds, const Vector& weight,
                         const ModelSettings& settings, const InputDomain& domain) {
  const LoggedPairs pairs = all.subset(some_rows(all.size(), kHeldOutPairs));
  const Queries common = pairs.subset(some_rows(pairs.size(), kRefitQueries)).a;
  std::vector<Index> fold(static_cast<std::size_t>(pairs.size()));
  for (std::size_t i = 0; i < fold.size(); ++i) fold[i] = static_cast<Index>(i) % kFolds;
  std::vector<Laws> out;
  for (const Split& split : splits(fold)) {
    std::vector<Laws> of_models;
    std::vector<double> shares;
    const LoggedPairs known = pairs.subset(split.train);
    for (std::size_t i = 0; i < kinds.size(); ++i) {
      if (weight[static_cast<Index>(i)] == 0.0) continue;
      stop_point();
      of_models.push_back(train(kinds[i], known, settings, domain)->laws(common));
      shares.push_back(weight[static_cast<Index>(i)]);
    }
    out.push_back(Laws::mixture(Eigen::Map<Vector>(shares.data(), static_cast<Index>(shares.size())), of_models));
  }
  return out;
}

Vector stacking_weights(const HeldOut& held_out, double price) {
  const Index m = held_out.scores.size();
  Vector best = Vector::Unit(m, 0);
  double least = held_out.score(best) + price;
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
    const double total = held_out.score(weight) + price * static_cast<double>(n);
    if (total < least) {
      least = total;
      best = weight;
    }
  }
  return best;
}

}  // namespace iqbo
