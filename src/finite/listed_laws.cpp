#include "listed_laws.hpp"

namespace iqbo {

using namespace internal;

SparseRows weights_over(const Inputs& support, const Laws& laws) {
  SparseRows out(laws.size(), support.size());
  for (const auto& [share, kind] : laws.parts()) {
    const auto* discrete = std::get_if<DiscreteLaws>(&kind);
    if (discrete == nullptr || discrete->support->size() != support.size())
      refuse("conditional", "has laws that are not over its support()", "laws over the points it lists");
    out = laws.parts().size() == 1 && share == 1.0 ? discrete->weight : SparseRows(out + share * discrete->weight);
  }
  return out;
}

ListedLaws::ListedLaws(const FiniteTargets& targets, Index begin, Index count)
    : averaged_(averages(*targets.conditional, targets.a.slice(begin, count))) {
  if (targets.support() == nullptr) return;
  const auto& parts = averaged_.laws.parts();
  const auto* one =
      parts.size() == 1 && parts.front().weight == 1.0 ? std::get_if<DiscreteLaws>(&parts.front().kind) : nullptr;
  if (one != nullptr && one->weight.cols() == targets.support()->size())
    weight_ = &one->weight;
  else
    own_weight_ = std::make_shared<const SparseRows>(weights_over(*targets.support(), averaged_.laws));
  by_lag_ = targets.by_lag();
  if (!by_lag_) return;
  runs_ = runs_of(*targets.lattice, weight());
  blocks_ = blocks_of(*targets.lattice, runs_);
}

bool ListedLaws::are_of(const FiniteTargets& targets, Index begin, Index count) const {
  return by_lag_ == targets.by_lag() && averaged_.queries == targets.a.slice(begin, count);
}

std::shared_ptr<const ListedLaws> SharedLaws::of(const FiniteTargets& targets, Index begin, Index count) {
  const std::lock_guard lock(mutex_);
  std::erase_if(known_, [](const auto& each) { return each.expired(); });
  for (const auto& each : known_)
    if (auto laws = each.lock(); laws != nullptr && laws->are_of(targets, begin, count)) return laws;
  auto made = std::make_shared<const ListedLaws>(targets, begin, count);
  known_.push_back(made);
  last_ = made;
  return made;
}

std::shared_ptr<SharedLaws> shared_laws() { return std::make_shared<SharedLaws>(); }

std::shared_ptr<const ListedLaws> listed_laws(const FiniteTargets& targets, Index begin, Index count) {
  return targets.laws ? targets.laws->of(targets, begin, count)
                      : std::make_shared<const ListedLaws>(targets, begin, count);
}

// Works by rows, so that each weight is applied to contiguous memory: 1.7 times faster for 16 columns, copies included, unless
// there are hardly more weights than points to copy.
Matrix ListedLaws::average(const Eigen::Ref<const Matrix>& on_support) const {
  if (on_support.cols() == 1) return weight() * on_support;
  if (weight().nonZeros() < 2 * weight().cols()) {
    Matrix out(weight().rows(), on_support.cols());
    for (Index j = 0; j < out.cols(); ++j) out.col(j) = weight() * on_support.col(j);
    return out;
  }
  const Rows by_row = on_support;
  const Rows out = weight() * by_row;
  return out;
}

}  // namespace iqbo
