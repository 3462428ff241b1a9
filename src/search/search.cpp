#include "iqbo/search/search.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "argmax.hpp"
#include "iqbo/core/check.hpp"
#include "numerics/maximise.hpp"
#include "numerics/sobol.hpp"

namespace iqbo {

using namespace internal;

namespace {

constexpr double kDifference = 6e-6;  // of the box's width: the cube root of rounding

// Points whose last coordinates run through a box, the first ones fixed.
template <class Space>
class Slice {
 public:
  Slice(const Score<Space>& score, const Box<Space>& box, Eigen::RowVectorXd fixed)
      : score_(score),
        lower_(box.lower().transpose()),
        width_((box.upper() - box.lower()).transpose()),
        upper_(box.upper().transpose()),
        fixed_(std::move(fixed)) {}

  // u in the unit cube, one point per row.
  Points<Space> points(const Rows& u) const {
    Rows out(u.rows(), fixed_.size() + width_.size());
    out.leftCols(fixed_.size()).rowwise() = fixed_;
    auto inside = out.rightCols(width_.size());
    inside = u * width_.asDiagonal();
    inside.rowwise() += lower_;
    for (Index j = 0; j < width_.size(); ++j) inside.col(j) = inside.col(j).cwiseMax(lower_[j]).cwiseMin(upper_[j]);
    return Points<Space>(std::move(out));
  }

  Rows unit(const Points<Space>& a) const {
    Rows out = a.coordinates().rightCols(width_.size());
    out.rowwise() -= lower_;
    return out * width_.cwiseInverse().asDiagonal();
  }

  double at(const Vector& u, Vector* gradient) const {
    if (gradient == nullptr) return score_.evaluate(points(u.transpose()), nullptr)[0];
    return score_.has_gradient ? analytic(u, *gradient) : differenced(u, *gradient);
  }

 private:
  double analytic(const Vector& u, Vector& gradient) const {
    Rows in_space;
    const double value = score_.evaluate(points(u.transpose()), &in_space)[0];
    gradient = in_space.row(0).tail(width_.size()).cwiseProduct(width_).transpose();
    return value;
  }

  // All neighbours in one batch; one-sided at the edges of the box.
  double differenced(const Vector& u, Vector& gradient) const {
    Rows around = u.transpose().replicate(2 * u.size() + 1, 1);
    for (Index j = 0; j < u.size(); ++j) {
      around(2 * j + 1, j) = std::min(1.0, u[j] + kDifference);
      around(2 * j + 2, j) = std::max(0.0, u[j] - kDifference);
    }
    const Vector value = score_.evaluate(points(around), nullptr);
    for (Index j = 0; j < u.size(); ++j)
      gradient[j] = (value[2 * j + 1] - value[2 * j + 2]) / (around(2 * j + 1, j) - around(2 * j + 2, j));
    return value[0];
  }

  const Score<Space>& score_;
  Eigen::RowVectorXd lower_, width_, upper_;
  Eigen::RowVectorXd fixed_;
};

// A start: a point of a slice and its score.
template <class Space>
struct Start {
  const Slice<Space>* slice;
  Vector u;
  double score;
};

template <class Space>
Best<Space> climb(std::vector<Start<Space>> starts, Rng& rng, const SearchOptions& options) {
  Vector scores(static_cast<Index>(starts.size()));
  for (std::size_t i = 0; i < starts.size(); ++i) scores[static_cast<Index>(i)] = starts[i].score;
  const auto& first = starts[static_cast<std::size_t>(argmax(scores, rng))];  // breaks ties, refuses NaN
  Best<Space> best{first.slice->points(first.u.transpose()), first.score};
  if (std::isinf(best.score)) return best;

  const auto count = std::min(starts.size(), static_cast<std::size_t>(options.starts));
  std::partial_sort(starts.begin(), starts.begin() + static_cast<std::ptrdiff_t>(count), starts.end(),
                    [](const Start<Space>& p, const Start<Space>& q) { return p.score > q.score; });
  starts.resize(count);
  for (const auto& start : starts) {
    if (std::isinf(start.score)) continue;
    const Slice<Space>* slice = start.slice;
    MaximiseOptions climbing;
    climbing.max_evaluations = options.max_evaluations;
    const Maximum found = maximise([&](const Vector& point, Vector* gradient) { return slice->at(point, gradient); },
                                   start.u, Vector::Zero(start.u.size()), Vector::Ones(start.u.size()), climbing);
    if (found.value > best.score) best = {slice->points(found.point.transpose()), found.value};
  }
  return best;
}

template <class Space>
void add_starts(const Score<Space>& score, const Slice<Space>& slice, const Rows& u,
                std::vector<Start<Space>>& starts) {
  const Vector scores = score.evaluate(slice.points(u), nullptr);
  require_rows(scores.size(), u.rows(), "score");
  for (Index i = 0; i < u.rows(); ++i) starts.push_back({&slice, u.row(i).transpose(), scores[i]});
}

void require_options(const SearchOptions& options) {
  if (options.points < 1) refuse("points", std::to_string(options.points), "at least 1");
  if (options.starts < 1) refuse("starts", std::to_string(options.starts), "at least 1");
}

template <class Space>
Best<Space> search_box(const Score<Space>& score, const Box<Space>& box, const Points<Space>& also, Rng& rng,
                       const SearchOptions& options) {
  require_options(options);
  if (!also.empty()) box.require_inside(also, "also");
  const Slice<Space> slice(score, box, Eigen::RowVectorXd(0));
  Rows u = sobol(options.points, box.dimension(), rng);
  if (!also.empty()) u = stacked(u, slice.unit(also));
  std::vector<Start<Space>> starts;
  add_starts(score, slice, u, starts);
  return climb(std::move(starts), rng, options);
}

}  // namespace

BestQuery search(const QueryScore& score, const QueryBox& box, const Queries& also, Rng& rng,
                 const SearchOptions& options) {
  return search_box(score, box, also, rng, options);
}

BestInput search(const InputScore& score, const InputBox& box, const Inputs& also, Rng& rng,
                 const SearchOptions& options) {
  return search_box(score, box, also, rng, options);
}

BestQuery search(const QueryScore& score, const MixedQueries& space, const Queries& also, Rng& rng,
                 const SearchOptions& options) {
  require_options(options);
  if (!also.empty()) space.require_inside(also, "also");
  const Index fixed = space.choices().dimension();
  std::vector<Slice<QuerySpace>> slices;
  slices.reserve(static_cast<std::size_t>(space.choices().size()));
  std::vector<Start<QuerySpace>> starts;
  for (Index choice = 0; choice < space.choices().size(); ++choice) {
    const auto& slice = slices.emplace_back(score, space.box(), space.choices().points().row(choice));
    Rows u = sobol(options.points, space.box().dimension(), rng);
    for (Index i = 0; i < also.size(); ++i)
      if (also.row(i).head(fixed) == space.choices().points().row(choice)) u = stacked(u, slice.unit(also.slice(i, 1)));
    add_starts(score, slice, u, starts);
  }
  return climb(std::move(starts), rng, options);
}

}  // namespace iqbo
