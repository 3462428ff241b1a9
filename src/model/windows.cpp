#include "windows.hpp"

#include <numeric>

#include "at_path.hpp"
#include "iqbo/conditional/spread.hpp"
#include "iqbo/conditional/truncated.hpp"
#include "iqbo/model/study_model.hpp"

namespace iqbo {
namespace {

using Kind = MapSpec::Kind;

// Values that stand beside the listed queries.
QueryMap listed(const AskSpace& a, const Rows& values) {
  const QuerySet& list = std::get<QuerySet>(a);
  return QueryMap::function(list.dimension(), values.cols(), [list, values](const Queries& some) {
    return Rows(values(list.positions(some), Eigen::all));
  });
}

QueryMap affine(const MapSpec& s, Index dimension, Index shift) {
  const auto rows = static_cast<Index>(s.slope.size());
  Matrix slope = Matrix::Zero(rows, dimension);
  for (Index i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < s.slope[static_cast<std::size_t>(i)].size(); ++j)
      slope(i, shift + static_cast<Index>(j)) = s.slope[static_cast<std::size_t>(i)][j];
  Vector offset = Vector::Zero(rows);
  for (std::size_t i = 0; i < s.offset.size(); ++i) offset[static_cast<Index>(i)] = s.offset[i];
  return QueryMap::affine(std::move(slope), std::move(offset));
}

QueryMap map_of(const MapSpec& s, const Rows& values, const AskSpace& a, Index inputs, Index shift) {
  const Index d = dimension(a);
  switch (s.kind) {
    case Kind::kIdentity: {
      std::vector<Index> columns(static_cast<std::size_t>(inputs));
      std::iota(columns.begin(), columns.end(), shift);
      return QueryMap::columns(std::move(columns));
    }
    case Kind::kConstant:
      return QueryMap::constant(Eigen::Map<const Vector>(s.offset.data(), static_cast<Index>(s.offset.size())));
    case Kind::kAffine:
      return affine(s, d, shift);
    case Kind::kColumns:
      return listed(a, values);
    case Kind::kResolution:
      return QueryMap::columns({shift > 0 ? 0 : d - 1});
  }
  throw std::logic_error("a map of an unknown kind");
}

template <class Window>
std::shared_ptr<const Conditional> cut(const Window& window, const Spec& spec) {
  using Truncate = ConditionalSpec::Truncate;
  if (spec.conditional.truncate == Truncate::kNone) return window.clone();
  const InputBox box = box_of<InputSpace>(spec.target.axes);
  const bool clip = spec.conditional.truncate == Truncate::kClip;
  return TruncatedConditional(window, box, clip ? Truncation::kClip : Truncation::kRenormalise).clone();
}

}  // namespace

std::shared_ptr<const Conditional> window_conditional(const SpecData& data, const AskSpace& a, Index shift) {
  const ConditionalSpec& s = data.spec.conditional;
  const auto inputs = static_cast<Index>(coordinate_names(data.spec.target).size());
  const QueryMap mu = at_path("conditional.mu", [&] { return map_of(s.mu, data.mu, a, inputs, shift); });
  const QueryMap width = at_path("conditional.width", [&] { return map_of(s.width, data.width, a, inputs, shift); });
  return at_path("conditional", [&] {
    return s.kind == ConditionalSpec::Kind::kGaussian ? cut(GaussianConditional(mu, width), data.spec)
                                                      : cut(UniformConditional(mu, width), data.spec);
  });
}

}  // namespace iqbo
