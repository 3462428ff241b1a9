#include "windows.hpp"

#include <numeric>
#include <string>
#include <vector>

#include "at_path.hpp"
#include "iqbo/conditional/spread.hpp"
#include "iqbo/conditional/truncated.hpp"
#include "iqbo/core/check.hpp"
#include "study_setup.hpp"

namespace iqbo::internal {
namespace {

using Kind = MapSpec::Kind;

// Looks up the values that belong to the listed queries.
QueryMap listed(const Rows& queries, const Rows& values) {
  const QuerySet list{Queries(queries)};
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

// `shift`: how many coordinates precede the location.
QueryMap map_of(const MapSpec& s, const Rows& values, const SpecData& data, Index d, Index shift) {
  const auto inputs = static_cast<Index>(coordinate_names(data.spec.targets).size());
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
      return listed(data.queries.coordinates, values);
    case Kind::kResolution:
      return QueryMap::columns({shift > 0 ? 0 : d - 1});
  }
  throw std::logic_error("a map of an unknown kind");
}

// The part of a uniform window inside the box is uniform, too: this gives its middle and half its length. Both follow
// from its two ends, which are c -+ h or those of the box.
class WindowInBox {
 public:
  WindowInBox(QueryMap mu, QueryMap width, InputBox box)
      : mu_(std::move(mu)), width_(std::move(width)), box_(std::move(box)) {}

  UniformConditional window(Index queries) const {
    const Index d = box_.dimension();
    const auto map = [&](double sign) {
      return QueryMap::function(
          queries, d, [it = *this, sign](const Queries& a) { return it.value(a, sign); },
          [it = *this, sign](const Queries& a) { return it.jacobian(a, sign); });
    };
    return {map(1.0), map(-1.0)};
  }

 private:
  Rows half_width(const Queries& a) const {
    const Rows h = width_(a);
    return h.cols() == 1 ? Rows(h.replicate(1, box_.dimension())) : h;
  }
  Rows lower(const Queries& a) const { return mu_(a) - half_width(a); }
  Rows upper(const Queries& a) const { return mu_(a) + half_width(a); }

  // (upper + sign lower) / 2.
  Rows value(const Queries& a, double sign) const {
    const Rows from = lower(a).cwiseMax(box_.lower().transpose().replicate(a.size(), 1));
    const Rows to = upper(a).cwiseMin(box_.upper().transpose().replicate(a.size(), 1));
    const Rows h = half_width(a);
    for (Index i = 0; i < a.size(); ++i)
      for (Index c = 0; c < h.cols(); ++c)
        if (from(i, c) > to(i, c) || (from(i, c) == to(i, c) && h(i, c) > 0.0))
          refuse("window",
                 "of query row " + std::to_string(i) + " has no mass inside the domain in column " + std::to_string(c),
                 "some mass to renormalise, or truncation by clipping");
    return 0.5 * (to + sign * from);
  }

  std::vector<Matrix> jacobian(const Queries& a, double sign) const {
    const Index d = box_.dimension();
    const Rows from = lower(a);
    const Rows to = upper(a);
    std::vector<Matrix> out(static_cast<std::size_t>(a.size()), Matrix::Zero(d, a.dimension()));
    for (Index c = 0; c < d; ++c) {
      const Rows centre = gradient(mu_, a, c);
      const Rows half = gradient(width_, a, width_.output_dimension() == 1 ? 0 : c);
      for (Index i = 0; i < a.size(); ++i) {
        auto row = out[static_cast<std::size_t>(i)].row(c);
        if (to(i, c) < box_.upper()[c]) row += 0.5 * (centre.row(i) + half.row(i));
        if (from(i, c) > box_.lower()[c]) row += 0.5 * sign * (centre.row(i) - half.row(i));
      }
    }
    return out;
  }

  static Rows gradient(const QueryMap& map, const Queries& a, Index output) {
    Rows weight = Rows::Zero(a.size(), map.output_dimension());
    weight.col(output).setOnes();
    return map.pull_back(a, weight);
  }

  QueryMap mu_;
  QueryMap width_;
  InputBox box_;
};

template <class Window>
std::shared_ptr<const Conditional> cut(const Window& window, const Spec& spec) {
  using Truncate = ConditionalSpec::Truncate;
  if (spec.conditional.truncate == Truncate::kNone) return window.clone();
  const InputBox box = box_of<InputSpace>(spec.targets.axes);
  const bool clip = spec.conditional.truncate == Truncate::kClip;
  return TruncatedConditional(window, box, clip ? Truncation::kClip : Truncation::kRenormalise).clone();
}

}  // namespace

std::shared_ptr<const Conditional> window_conditional(const SpecData& data, Index query_dimension,
                                                      bool resolution_first) {
  const ConditionalSpec& s = data.spec.conditional;
  const Index d = query_dimension, shift = resolution_first ? 1 : 0;
  const QueryMap mu = at_path("conditional.mu", [&] { return map_of(s.mu, data.mu, data, d, shift); });
  const QueryMap width = at_path("conditional.width", [&] { return map_of(s.width, data.width, data, d, shift); });
  return at_path("conditional", [&] {
    if (s.kind == ConditionalSpec::Kind::kUniform && s.truncate == ConditionalSpec::Truncate::kRenormalise)
      return WindowInBox(mu, width, box_of<InputSpace>(data.spec.targets.axes)).window(d).clone();
    return s.kind == ConditionalSpec::Kind::kGaussian ? cut(GaussianConditional(mu, width), data.spec)
                                                      : cut(UniformConditional(mu, width), data.spec);
  });
}

}  // namespace iqbo::internal
