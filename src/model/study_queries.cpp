// StudyModel: queries and inputs, as the user has them and as the policy does.
#include <algorithm>

#include "core/nearest.hpp"
#include "iqbo/core/check.hpp"
#include "snap.hpp"
#include "study_model.hpp"

namespace iqbo::internal {
namespace {

// Inside the box, or on its edge but for rounding.
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

Queries StudyModel::policy_query(const Rows& a) const {
  require_columns(a.cols(), dimension(setting_.a), "a");
  Rows out = a;
  if (resolution_first_) {
    out.rightCols(a.cols() - 1) = a.leftCols(a.cols() - 1);
    out.col(0) = a.col(a.cols() - 1);
  }
  if (const auto* list = std::get_if<QuerySet>(&setting_.a)) return Queries(snapped(*list, std::move(out)));
  if (const auto* mixed = std::get_if<MixedQueries>(&setting_.a))
    for (Index j = 0; j < mixed->choices().dimension(); ++j)
      out.col(j) = snapped(mixed->choices().points().coordinates().col(j), out.col(j));
  const auto* tree = std::get_if<QueryTree>(&setting_.a);
  if (tree == nullptr) return Queries(std::move(out));
  if (spec().query.kind != QuerySpec::Kind::kCells) return Queries(snapped(*tree, std::move(out)));
  for (Index i = 0; i < a.rows(); ++i) {
    const auto level = static_cast<Index>(a(i, a.cols() - 1));
    if (level < 0 || level > tree->l_max() || static_cast<double>(level) != a(i, a.cols() - 1))
      refuse("level", readable(a(i, a.cols() - 1)), "0 to " + std::to_string(tree->l_max()));
    out(i, a.cols() - 1) = tree->resolution({level, 0});
  }
  out = snapped(*tree, std::move(out));
  for (Index i = 0; i < a.rows(); ++i)
    if (!tree->find(out.row(i)))
      refuse("a", "row " + std::to_string(i) + " is not the centre of a cell of level " + readable(a(i, a.cols() - 1)),
             "one");
  return Queries(std::move(out));
}

Queries StudyModel::measured_query(const Rows& one) const {
  require_rows(one.rows(), 1, "a");
  const QuerySpec& s = spec().query;
  Queries a = policy_query(one);
  if (s.kind == QuerySpec::Kind::kPoints && !std::get<QuerySet>(setting_.a).find(a.row(0)))
    refuse("a", "is not in query.points",
           "the coordinates of one of its " + std::to_string(data_.query.ids.size()) + " rows");
  if (s.kind == QuerySpec::Kind::kBox) {
    const Rows user = user_query(a);
    require_inside(s.axes, user.row(0), "query.axes");
    const auto* tree = std::get_if<QueryTree>(&setting_.a);
    if (tree != nullptr && !tree->find(a.row(0)))
      refuse("a", "is not a cell of query.tree", "the centre of one, and the resolution of its level");
    const double delta = user(0, user.cols() - 1);
    if (!s.resolutions.empty() && std::find(s.resolutions.begin(), s.resolutions.end(), delta) == s.resolutions.end())
      refuse("column \"resolution\"", "is " + readable(delta), "one of query.resolutions");
  }
  setting_.conditional->laws(a);
  return a;
}

Inputs StudyModel::measured_input(const Rows& one) const {
  require_rows(one.rows(), 1, "x");
  require_columns(one.cols(), dimension(setting_.x), "x");
  const auto* list = std::get_if<InputSet>(&setting_.x);
  Inputs x(list != nullptr ? snapped(*list, one) : one);
  if (spec().target.kind == TargetSpec::Kind::kBox)
    require_inside(spec().target.axes, x.row(0), "target.axes");
  else if (!list->find(x.row(0)))
    refuse("x", "is not in target.points", "the coordinates of one of its " + std::to_string(list->size()) + " rows");
  return x;
}

Rows StudyModel::user_query(const Queries& a) const {
  Rows out = a.coordinates();
  if (resolution_first_) {
    out.leftCols(a.dimension() - 1) = a.coordinates().rightCols(a.dimension() - 1);
    out.col(a.dimension() - 1) = a.coordinates().col(0);
  }
  if (spec().query.kind == QuerySpec::Kind::kCells)
    for (Index i = 0; i < a.size(); ++i) out(i, a.dimension() - 1) = static_cast<double>(*level(a.slice(i, 1)));
  return out;
}

std::string StudyModel::query_name(const Queries& one) const {
  if (spec().query.kind != QuerySpec::Kind::kPoints) return {};
  const auto row = std::get<QuerySet>(setting_.a).find(one.row(0));
  return row ? data_.query.ids[static_cast<std::size_t>(*row)] : std::string();
}

std::string StudyModel::input_name(const Inputs& one) const {
  if (spec().target.kind != TargetSpec::Kind::kPoints) return {};
  const auto row = std::get<InputSet>(setting_.x).find(one.row(0));
  return row ? data_.target.ids[static_cast<std::size_t>(*row)] : std::string();
}

std::optional<Index> StudyModel::level(const Queries& one) const {
  const auto* tree = std::get_if<QueryTree>(&setting_.a);
  const auto node = tree == nullptr ? std::nullopt : tree->find(one.row(0));
  return node ? std::optional(node->level) : std::nullopt;
}

double StudyModel::cost(const Queries& one) const {
  if (const auto* tree = std::get_if<QueryTree>(&setting_.a)) {
    const auto node = tree->find(one.row(0));
    return node ? tree->cost(*node) : 0.0;
  }
  return setting_.cost ? setting_.cost(one)[0] : 1.0;
}

}  // namespace iqbo::internal
