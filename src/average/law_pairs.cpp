#include "law_pairs.hpp"

namespace iqbo {
namespace {

std::vector<bool> same_in_all(const Columns& values) {
  std::vector<bool> out;
  for (Index c = 0; c < values.cols(); ++c) out.push_back(values.rows() > 0 && (values.col(c) == values(0, c)).all());
  return out;
}

}  // namespace

PairColumns::PairColumns(const SpreadLaws& left, const SpreadLaws& right)
    : left_centre_(left.centre), left_var_(left.sd.array().square()), right_(right) {
  const Index n = left.centre.rows();
  const Index d = left.centre.cols();
  pairs_ = {Columns(n, d), Columns(n, d), left.half_width.array(), Columns::Zero(n, d), {}, same_in_all(left_var_)};
  pairs_.boxed.resize(static_cast<std::size_t>(d));
  for (Index c = 0; c < d; ++c)
    pairs_.boxed[static_cast<std::size_t>(c)] =
        (left.half_width.col(c).array() > 0.0).any() || (right.half_width.col(c).array() > 0.0).any();
}

const LawPairs& PairColumns::column(Index j) {
  if (j == current_) return pairs_;
  current_ = j;
  for (Index c = 0; c < left_centre_.cols(); ++c) {
    const double var = right_.sd(j, c) * right_.sd(j, c);
    pairs_.delta.col(c) = left_centre_.col(c) - right_.centre(j, c);
    pairs_.var.col(c) = left_var_.col(c) + var;
    if (pairs_.boxed[static_cast<std::size_t>(c)]) pairs_.v.col(c).setConstant(right_.half_width(j, c));
  }
  return pairs_;
}

LawPairs diagonal_pairs(const SpreadLaws& laws) {
  LawPairs out{Columns::Zero(laws.centre.rows(), laws.centre.cols()),
               2.0 * laws.sd.array().square(),
               laws.half_width.array(),
               laws.half_width.array(),
               {},
               same_in_all(laws.sd.array())};
  for (Index c = 0; c < laws.centre.cols(); ++c) out.boxed.push_back((laws.half_width.col(c).array() > 0.0).any());
  return out;
}

}  // namespace iqbo
