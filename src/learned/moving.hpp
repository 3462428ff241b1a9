// Laws whose points move with the query.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "iqbo/average/laws.hpp"
#include "iqbo/learned/learned.hpp"
#include "thinning.hpp"

namespace iqbo {

// Points that fall outside X go to the nearest point of it.
class Moving {
 public:
  explicit Moving(InputDomain domain) : domain_(std::move(domain)) {
    if (const auto* set = std::get_if<InputSet>(&domain_)) listed_ = std::make_shared<const Inputs>(set->points());
  }

  // The m points of law i are rows i m .. (i + 1) m - 1, weighted by row i of `weight`.
  Laws laws(Rows points, const Matrix& weight) const {
    if (listed_) return on_listed_points(points, weight);
    if (const auto* box = std::get_if<InputBox>(&domain_)) points = box->clipped(Inputs(points)).coordinates();
    const Index n = weight.rows();
    const Index m = weight.cols();
    SparseRows sparse(n, n * m);
    sparse.reserve(n * m);
    for (Index i = 0; i < n; ++i) {
      sparse.startVec(i);
      for (Index j = 0; j < m; ++j) sparse.insertBack(i, i * m + j) = weight(i, j);
    }
    sparse.finalize();
    return DiscreteLaws{std::make_shared<const Inputs>(std::move(points)), sparse, true};
  }

 private:
  Laws on_listed_points(const Rows& points, const Matrix& weight) const {
    const std::vector<Index> nearest = nearest_rows(listed_->coordinates(), points);
    std::vector<Eigen::Triplet<double, Index>> entries;
    for (Index i = 0; i < weight.rows(); ++i)
      for (Index j = 0; j < weight.cols(); ++j)
        entries.emplace_back(i, nearest[static_cast<std::size_t>(i * weight.cols() + j)], weight(i, j));
    SparseRows sparse(weight.rows(), listed_->size());
    sparse.setFromTriplets(entries.begin(), entries.end());
    return DiscreteLaws{listed_, sparse};
  }

  InputDomain domain_;
  std::shared_ptr<const Inputs> listed_;
};

}  // namespace iqbo
