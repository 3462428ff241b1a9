// StudySetup: queries and inputs, as the user has them and as the policy does.
#include <algorithm>

#include "core/nearest.hpp"
#include "iqbo/core/check.hpp"
#include "study_setup.hpp"

namespace iqbo::internal {
namespace {

// By how much numbers that went through a spreadsheet may be off, as a share of an axis.
constexpr double kSnap = 1e-9;

// Requires a point inside the box, or on its edge up to rounding.
void require_inside(const std::vector<AxisSpec>& axes, const Eigen::RowVectorXd& place, const char* path) {
  for (std::size_t j = 0; j < axes.size(); ++j) {
    const double value = place[static_cast<Index>(j)];
    const double most = kSnap * (axes[j].to - axes[j].from);
    if (!(value >= axes[j].from - most && value <= axes[j].to + most))
      refuse("column " + in_quotes(axes[j].name), "is " + readable(value),
             readable(axes[j].from) + " to " + readable(axes[j].to) + ", as " + path + " says");
  }
}

}  // namespace

Queries StudySetup::policy_query(const Rows& a) const {
  require_columns(a.cols(), setting_.queries->dimension(), "a");
  Rows out = a;
  const Index last = a.cols() - 1;
  if (resolution_first_) {
    out.rightCols(last) = a.leftCols(last);
    out.col(0) = a.col(last);
  }
  if (!cells_) return setting_.queries->snapped(Queries(std::move(out)), kSnap);
  for (Index i = 0; i < a.rows(); ++i) {
    const auto level = static_cast<Index>(a(i, last));
    if (level < 0 || level > cells_->l_max() || static_cast<double>(level) != a(i, last))
      refuse("level", readable(a(i, last)), "0 to " + std::to_string(cells_->l_max()));
    out(i, last) = cells_->resolution({level, 0});
  }
  Queries found = setting_.queries->snapped(Queries(std::move(out)), kSnap);
  for (Index i = 0; i < a.rows(); ++i)
    if (!setting_.queries->contains(found.row(i)))
      refuse("a", "row " + std::to_string(i) + " is not the centre of a cell of level " + readable(a(i, last)), "one");
  return found;
}

Queries StudySetup::measured_query(const Rows& one) const {
  require_rows(one.rows(), 1, "a");
  const QuerySpec& s = spec().queries;
  Queries a = policy_query(one);
  if (s.kind == QuerySpec::Kind::kPoints && !setting_.queries->contains(a.row(0)))
    refuse("a", "is not in queries.points",
           "the coordinates of one of its " + std::to_string(data_->queries.ids.size()) + " rows");
  if (s.kind == QuerySpec::Kind::kBox) {
    const Rows user = user_query(a);
    require_inside(s.axes, user.row(0), "queries.axes");
    if (s.tree && !setting_.queries->contains(a.row(0)))
      refuse("a", "is not a cell of queries.tree", "the centre of one, and the resolution of its level");
    const double delta = user(0, user.cols() - 1);
    if (!s.resolutions.empty() && std::find(s.resolutions.begin(), s.resolutions.end(), delta) == s.resolutions.end())
      refuse("column \"resolution\"", "is " + readable(delta), "one of queries.resolutions");
  }
  setting_.conditional->laws(a);
  return a;
}

Inputs StudySetup::measured_input(const Rows& one) const {
  require_rows(one.rows(), 1, "x");
  require_columns(one.cols(), dimension(setting_.targets), "x");
  const auto* list = std::get_if<InputSet>(&setting_.targets);
  const Inputs x = list != nullptr ? list->snapped(Inputs(one), kSnap) : Inputs(one);
  if (spec().targets.kind == TargetSpec::Kind::kBox)
    require_inside(spec().targets.axes, x.row(0), "targets.axes");
  else if (!list->find(x.row(0)))
    refuse("x", "is not in targets.points", "the coordinates of one of its " + std::to_string(list->size()) + " rows");
  return x;
}

Rows StudySetup::user_query(const Queries& a) const {
  Rows out = a.coordinates();
  if (resolution_first_) {
    out.leftCols(a.dimension() - 1) = a.coordinates().rightCols(a.dimension() - 1);
    out.col(a.dimension() - 1) = a.coordinates().col(0);
  }
  if (spec().queries.kind == QuerySpec::Kind::kCells)
    for (Index i = 0; i < a.size(); ++i) out(i, a.dimension() - 1) = static_cast<double>(*level(a.slice(i, 1)));
  return out;
}

std::string StudySetup::query_name(const Queries& one) const {
  if (spec().queries.kind != QuerySpec::Kind::kPoints) return {};
  const auto row = setting_.queries->find(one.row(0));
  if (!row) return {};
  const Index choices =
      chooses_exposure(spec().queries) ? static_cast<Index>(spec().queries.exposure->choices.size()) : 1;
  return data_->queries.ids[static_cast<std::size_t>(*row / choices)];
}

std::string StudySetup::input_name(const Inputs& one) const {
  if (spec().targets.kind != TargetSpec::Kind::kPoints) return {};
  const auto row = std::get<InputSet>(setting_.targets).find(one.row(0));
  return row ? data_->targets.ids[static_cast<std::size_t>(*row)] : std::string();
}

std::optional<Index> StudySetup::level(const Queries& one) const {
  const auto cell = setting_.queries->cell(one.row(0));
  return cell ? std::optional(cell->node.level) : std::nullopt;
}

double StudySetup::cost(const Queries& one) const { return setting_.queries->cost(one)[0]; }

}  // namespace iqbo::internal
