// A mixture of models whose laws are made of points.
//
// If every model has a list of points of its own (the logged x or clusters of them, or the points of X), the mixture has one list too: all of
// them, one after the other. Beliefs on finite sets then work with values of f there, and the mixture may be asked about a
// white part of f.
#pragma once

#include <memory>
#include <vector>

#include "models.hpp"

namespace iqbo {

struct Mixed {
  double share;
  PointsModel of;
};

class Mixture final : public LearnedModel {
 public:
  Mixture(std::vector<Mixed> parts, bool exact_constant);

  std::shared_ptr<const Inputs> support() const { return support_; }  // null if there is none
  Laws laws(const Queries& a) const override;
  std::optional<Matrix> average(const Queries& a, const Matrix& values) const override;

 private:
  std::vector<Mixed> parts_;
  std::vector<Index> first_;  // where the points of each part begin in support()
  std::shared_ptr<const Inputs> support_;
  bool exact_constant_;
};

}  // namespace iqbo
