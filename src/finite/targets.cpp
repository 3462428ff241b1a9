#include "targets.hpp"

#include <algorithm>
#include <utility>

#include "average/smooth_features.hpp"
#include "average/thinned.hpp"
#include "posterior/least_noise.hpp"

namespace iqbo {

using namespace internal;

namespace {

// nu(a) = c + E[m(X) - c | a]; over listed points by one column of averages, so that weights need not be formed.
Vector mean_of_g(const Prior& prior, const Conditional& conditional, const Queries& a) {
  if (conditional.support() == nullptr) return conditional.nu(*prior.mean, a);
  const double c = prior.mean->constant_part();
  const Vector rest = prior.mean->at(*conditional.support()).array() - c;
  if ((rest.array() == 0.0).all()) return Vector::Constant(a.size(), c);
  return conditional.average(a, rest).array() + c;
}

constexpr Index kFewestOnLattice = 64;  // points that are worth a table by lag

// Where laws are clouds of points, features replace products of their numbers of points by sums.
constexpr Index kMostFeatures = 3000;

}  // namespace

FiniteTargets::FiniteTargets(Prior assumed, std::shared_ptr<const Conditional> p_x_given_a, Inputs inputs,
                             Queries queries, std::shared_ptr<SharedLaws> common)
    : prior(std::move(assumed)),
      conditional(std::move(p_x_given_a)),
      x(std::move(inputs)),
      a(std::move(queries)),
      laws(std::move(common)) {
  require_not_empty(x.size(), InputSpace::kName);
  require_not_empty(a.size(), QuerySpace::kName);
  require_columns(x.dimension(), prior.kernel->dimension(), InputSpace::kName);
  require_columns(a.dimension(), conditional->query_dimension(), QuerySpace::kName);
  f_mean = prior.mean->at(x);
  g_mean = mean_of_g(prior, *conditional, a);
  amplitude = prior.kernel->diagonal(x).maxCoeff();
  support_is_x = support() != nullptr && *support() == x;
  const Laws first = conditional->laws(a.slice(0, 1));
  windows = std::all_of(first.parts().begin(), first.parts().end(),
                        [](const Laws::Part& part) { return std::holds_alternative<SpreadLaws>(part.kind); });
  least_share = LeastNoise::share(first);
  if (x.size() < kFewestOnLattice || !is_stationary(*prior.kernel)) return;
  const auto* listed = support_is_x ? std::get_if<DiscreteLaws>(&first.parts().front().kind) : nullptr;
  lattice = listed != nullptr && listed->support->size() == x.size() ? LatticePoints::of(listed->support)
                                                                     : LatticePoints::of(x);
}

std::shared_ptr<const FiniteTargets> FiniteTargets::with(const Queries& more) const {
  auto out = std::make_shared<FiniteTargets>(*this);
  out->a = a.joined(more);
  out->g_mean.resize(out->a.size());
  out->g_mean << g_mean, mean_of_g(prior, *conditional, more);
  return out;
}

JointPrior::JointPrior(Prior prior, std::shared_ptr<const Conditional> conditional, Inputs x, const Queries& a)
    : prior_(std::move(prior)), conditional_(std::move(conditional)), x_(std::move(x)), a_(a) {
  if (a.empty()) return;
  averages_.push_back(averages(*conditional_, a));
  const Laws& laws = averages_.front().laws;
  if (points_per_law(laws) <= kCloud) return;
  const Laws at_x(x_);
  if (const auto features = SmoothFeatures::of(kernel(), {&at_x, &laws}, kMostFeatures)) {
    features_.resize(size(), features->size());
    features_ << features->average(at_x), features->average(laws);
  }
}

// Which of the rows are inputs and which are queries, and their positions in the list.
struct JointPrior::Split {
  std::vector<std::pair<Functionals, std::vector<Index>>> parts;
};

JointPrior::Split JointPrior::split(const std::vector<Index>& which) const {
  std::vector<Index> rows_x;
  std::vector<Index> rows_a;
  std::vector<Index> at_x;
  std::vector<Index> at_a;
  for (Index i = 0; i < static_cast<Index>(which.size()); ++i) {
    const Index row = which[static_cast<std::size_t>(i)];
    (row < inputs() ? rows_x : rows_a).push_back(row < inputs() ? row : row - inputs());
    (row < inputs() ? at_x : at_a).push_back(i);
  }
  Split out;
  if (!rows_x.empty()) out.parts.emplace_back(looks(Inputs(x_.coordinates()(rows_x, Eigen::all))), at_x);
  if (!rows_a.empty())
    out.parts.emplace_back(averages(*conditional_, Queries(a_.coordinates()(rows_a, Eigen::all))), at_a);
  return out;
}

Vector JointPrior::diagonal() const {
  if (features_.size() > 0) return features_.rowwise().squaredNorm();
  Vector out(size());
  out.head(inputs()) = prior_.variance(looks(x_));
  for (const auto& averaged : averages_) out.tail(a_.size()) = prior_.variance(averaged);
  return out;
}

Matrix JointPrior::columns(const std::vector<Index>& which) const {
  if (features_.size() > 0) return features_ * features_(which, Eigen::all).transpose();
  Matrix out(size(), static_cast<Index>(which.size()));
  for (const auto& [some, at] : split(which).parts) {
    out(Eigen::seqN(0, inputs()), at) = prior_.covariance(looks(x_), some);
    for (const auto& averaged : averages_)
      out(Eigen::seqN(inputs(), a_.size()), at) = prior_.covariance(averaged, some);
  }
  return out;
}

Matrix JointPrior::covariance(const std::vector<Index>& which, const Functionals& others) const {
  Matrix out(static_cast<Index>(which.size()), others.size());
  for (const auto& [some, at] : split(which).parts) out(at, Eigen::all) = prior_.covariance(some, others);
  return out;
}

Matrix JointPrior::block(const std::vector<Index>& which) const {
  if (features_.size() > 0) {
    const Matrix rows = features_(which, Eigen::all);
    return rows * rows.transpose();
  }
  Matrix out(static_cast<Index>(which.size()), static_cast<Index>(which.size()));
  for (const auto& [some, at] : split(which).parts) out(Eigen::all, at) = covariance(which, some);
  return out;
}

}  // namespace iqbo
