#include "iqbo/space/mixed.hpp"

namespace iqbo {

template <class Space>
Points<Space> Mixed<Space>::with_choice(Index choice, const Points<Space>& in_box) const {
  if (choice < 0 || choice >= choices_.size())
    refuse("choice", std::to_string(choice), "0 to " + std::to_string(choices_.size() - 1));
  require_columns(in_box.dimension(), box_.dimension(), Space::kName);
  Rows out(in_box.size(), dimension());
  out.leftCols(choices_.dimension()).rowwise() = choices_.points().row(choice);
  out.rightCols(box_.dimension()) = in_box.coordinates();
  return Points<Space>(std::move(out));
}

template <class Space>
void Mixed<Space>::require_inside(const Points<Space>& points, std::string_view name) const {
  require_columns(points.dimension(), dimension(), name);
  choices_.positions(Points<Space>(points.coordinates().leftCols(choices_.dimension())), name);
  box_.require_inside(Points<Space>(points.coordinates().rightCols(box_.dimension())), name);
}

template class Mixed<QuerySpace>;

}  // namespace iqbo
