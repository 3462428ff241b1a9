#include "mixture.hpp"

#include <algorithm>
#include <utility>

namespace iqbo {
namespace {

const DiscreteLaws& points_in(const Laws& laws) { return std::get<DiscreteLaws>(laws.parts().front().kind); }

}  // namespace

Mixture::Mixture(std::vector<Mixed> parts, bool exact_constant)
    : parts_(std::move(parts)), exact_constant_(exact_constant) {
  if (std::any_of(parts_.begin(), parts_.end(), [](const Mixed& part) { return part.of.points == nullptr; })) return;
  std::vector<const Inputs*> lists;  // each once: models may share theirs
  Index size = 0;
  for (const Mixed& part : parts_) {
    const auto same = [&](const Inputs* list) { return *list == *part.of.points; };
    const auto known = std::find_if(lists.begin(), lists.end(), same);
    Index before = 0;
    for (auto list = lists.begin(); list != known; ++list) before += (*list)->size();
    first_.push_back(before);
    if (known != lists.end()) continue;
    lists.push_back(part.of.points.get());
    size += part.of.points->size();
  }
  Rows all(size, parts_.front().of.points->dimension());
  Index at = 0;
  for (const Inputs* list : lists) {
    all.middleRows(at, list->size()) = list->coordinates();
    at += list->size();
  }
  support_ = std::make_shared<const Inputs>(std::move(all));
}

Laws Mixture::laws(const Queries& a) const {
  Vector share(static_cast<Index>(parts_.size()));
  std::vector<Laws> laws;
  for (const Mixed& part : parts_) {
    share[static_cast<Index>(laws.size())] = part.share;
    laws.push_back(part.of.model->laws(a));
  }
  if (support_ == nullptr) return Laws::mixture(share, laws);
  std::vector<Eigen::Triplet<double, Index>> entries;
  for (std::size_t p = 0; p < laws.size(); ++p) {
    const SparseRows& weight = points_in(laws[p]).weight;
    for (Index i = 0; i < weight.rows(); ++i)
      for (SparseRows::InnerIterator it(weight, i); it; ++it)
        entries.emplace_back(i, first_[p] + it.col(), parts_[p].share * it.value());
  }
  SparseRows weight(a.size(), support_->size());
  weight.setFromTriplets(entries.begin(), entries.end());
  return DiscreteLaws{support_, weight, false, exact_constant_};
}

std::optional<Matrix> Mixture::average(const Queries& a, const Matrix& values) const {
  if (support_ == nullptr) return std::nullopt;
  Matrix out = Matrix::Zero(a.size(), values.cols());
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    const auto& [share, of] = parts_[p];
    const Matrix own = values.middleRows(first_[p], of.points->size());
    if (const auto direct = of.model->average(a, own))
      out += share * *direct;
    else
      out += share * (points_in(of.model->laws(a)).weight * own);
  }
  return out;
}

}  // namespace iqbo
