#include "iqbo/space/box.hpp"

#include <string>
#include <utility>

namespace iqbo {
namespace {

constexpr Index kMostPoints = Index{1} << 30;

}  // namespace

template <class Space>
Box<Space>::Box(Vector lower, Vector upper) : lower_(std::move(lower)), upper_(std::move(upper)) {
  require_not_empty(lower_.size(), "lower");
  require_rows(upper_.size(), lower_.size(), "upper");
  require_finite(lower_, "lower");
  require_finite(upper_, "upper");
  for (Index j = 0; j < dimension(); ++j)
    if (lower_[j] >= upper_[j])
      refuse("upper", "row " + std::to_string(j) + " is " + readable(upper_[j]),
             "more than lower, " + readable(lower_[j]));
}

template <class Space>
bool Box<Space>::contains(const Eigen::Ref<const Eigen::RowVectorXd>& point) const {
  require_columns(point.size(), dimension(), Space::kName);
  return (point.transpose().array() >= lower_.array()).all() && (point.transpose().array() <= upper_.array()).all();
}

template <class Space>
void Box<Space>::require_inside(const Points<Space>& points, std::string_view name) const {
  require_columns(points.dimension(), dimension(), name);
  for (Index i = 0; i < points.size(); ++i)
    for (Index j = 0; j < dimension(); ++j) {
      const double value = points.coordinates()(i, j);
      if (value < lower_[j] || value > upper_[j])
        refuse(name, "row " + std::to_string(i) + ", column " + std::to_string(j) + " is " + readable(value),
               "a value in [" + readable(lower_[j]) + ", " + readable(upper_[j]) + "]");
    }
}

template <class Space>
Points<Space> Box<Space>::clipped(const Points<Space>& points) const {
  require_columns(points.dimension(), dimension(), Space::kName);
  Rows out = points.coordinates();
  for (Index j = 0; j < dimension(); ++j) out.col(j) = out.col(j).cwiseMax(lower_[j]).cwiseMin(upper_[j]);
  return Points<Space>(std::move(out));
}

template <class Space>
Points<Space> Box<Space>::grid(const std::vector<Index>& counts) const {
  require_rows(static_cast<Index>(counts.size()), dimension(), "counts");
  Index total = 1;
  for (std::size_t j = 0; j < counts.size(); ++j) {
    if (counts[j] < 1) refuse("counts", "row " + std::to_string(j) + " is " + std::to_string(counts[j]), "at least 1");
    if (counts[j] > kMostPoints / total)
      refuse("counts", "make more than " + std::to_string(kMostPoints) + " points", "a coarser grid");
    total *= counts[j];
  }
  Rows out(total, dimension());
  Index repeat = total;
  for (Index j = 0; j < dimension(); ++j) {
    const Index count = counts[static_cast<std::size_t>(j)];
    repeat /= count;  // rows over which this axis is constant
    const Vector ticks = count == 1 ? Vector(Vector::Constant(1, 0.5 * (lower_[j] + upper_[j])))
                                    : Vector(Vector::LinSpaced(count, lower_[j], upper_[j]));
    for (Index i = 0; i < total; ++i) out(i, j) = ticks[(i / repeat) % count];
  }
  return Points<Space>(std::move(out));
}

template class Box<InputSpace>;
template class Box<QuerySpace>;

}  // namespace iqbo
