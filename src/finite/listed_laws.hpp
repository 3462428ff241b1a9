// The laws of listed queries as a finite belief uses them. They do not depend on the prior of f.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "average/lattice_laws.hpp"
#include "targets.hpp"

namespace iqbo {

// Some successive queries of the list. Where p(x|a) lists its points, g = W f + discrepancy.
class ListedLaws {
 public:
  // Queries `begin` to `begin + count - 1` of `targets`.
  ListedLaws(const FiniteTargets& targets, Index begin, Index count);

  Index size() const { return averaged_.size(); }
  const Functionals& averaged() const { return averaged_; }

  // Only where p(x|a) lists its points.
  const SparseRows& weight() const { return own_weight_ ? *own_weight_ : *weight_; }
  Matrix average(const Eigen::Ref<const Matrix>& on_support) const;  // W times it

  // Only where these are all of x, on a lattice.
  const std::vector<internal::LatticeRuns>& runs() const { return runs_; }
  const std::vector<internal::LatticeBlocks>& blocks() const { return blocks_; }

  // Whether these are the laws of those queries, under the same p(x|a).
  bool are_of(const FiniteTargets& targets, Index begin, Index count) const;

 private:
  Functionals averaged_;
  bool by_lag_ = false;
  const SparseRows* weight_ = nullptr;            // of averaged_, if that is one part
  std::shared_ptr<const SparseRows> own_weight_;  // else
  std::vector<internal::LatticeRuns> runs_;
  std::vector<internal::LatticeBlocks> blocks_;
};

// Of beliefs with the same p(x|a). Keeps what somebody still uses, and what was made last.
class SharedLaws {
 public:
  std::shared_ptr<const ListedLaws> of(const FiniteTargets& targets, Index begin, Index count);

 private:
  std::mutex mutex_;
  std::vector<std::weak_ptr<const ListedLaws>> known_;
  std::shared_ptr<const ListedLaws> last_;
};

// Shared if the targets say so.
std::shared_ptr<const ListedLaws> listed_laws(const FiniteTargets& targets, Index begin, Index count);

// The weights of laws over a common support.
SparseRows weights_over(const Inputs& support, const Laws& laws);

}  // namespace iqbo
