#include "local_averages.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "engine.hpp"
#include "iqbo/average/expectation.hpp"
#include "sampler.hpp"

namespace iqbo {

using namespace internal;

namespace {

constexpr double kJitter = 1e-10;  // of the variance

// Means and standard deviations of laws, along every axis.
struct Extent {
  Rows mean, sd;
};

struct ExtentOf {
  Extent operator()(const Inputs& x) const { return {x.coordinates(), Rows::Zero(x.size(), x.dimension())}; }
  Extent operator()(const SpreadLaws& laws) const {
    return {laws.centre, (laws.sd.cwiseAbs2() + laws.half_width.cwiseAbs2() / 3.0).cwiseSqrt()};
  }
  Extent operator()(const DiscreteLaws& laws) const {
    const Rows& x = laws.support->coordinates();
    const Rows mean = laws.weight * x;
    const Rows squares = laws.weight * Rows(x.cwiseAbs2());
    return {mean, (squares - mean.cwiseAbs2()).cwiseMax(0.0).cwiseSqrt()};
  }
  Extent operator()(const AxisLaws& laws) const {
    const auto d = static_cast<Index>(laws.node.size());
    Extent out{Rows(laws.node.front().rows(), d), Rows(laws.node.front().rows(), d)};
    for (Index c = 0; c < d; ++c) {
      const auto at = static_cast<std::size_t>(c);
      out.mean.col(c) = laws.node[at].cwiseProduct(laws.weight[at]).rowwise().sum();
      const Vector squares = laws.node[at].cwiseAbs2().cwiseProduct(laws.weight[at]).rowwise().sum();
      out.sd.col(c) = (squares - out.mean.col(c).cwiseAbs2()).cwiseMax(0.0).cwiseSqrt();
    }
    return out;
  }
};

// Points of the lattice by their cells.
class Cells {
 public:
  explicit Cells(const LatticePoints& points) : points_(points) {
    const auto& cells = points.lattice().cells;
    Index all = 1;
    for (const Index count : cells) all *= count;
    at_.assign(static_cast<std::size_t>(all), -1);
    for (Index i = 0; i < points.size(); ++i) at_[static_cast<std::size_t>(place(points.lattice().cell.row(i)))] = i;
  }

  // At most `count` cells along an axis, evenly spread over [low, high] and inside of the lattice.
  std::vector<Index> along(Index axis, double low, double high, Index count) const {
    const double most = static_cast<double>(points_.lattice().cells[static_cast<std::size_t>(axis)] - 1);
    const double begin = std::clamp(std::floor(low), 0.0, most), end = std::clamp(std::ceil(high), 0.0, most);
    std::vector<Index> out;
    const Index steps = std::min<Index>(count - 1, static_cast<Index>(end - begin));
    for (Index k = 0; k <= steps; ++k)
      out.push_back(static_cast<Index>(std::lround(
          begin + (steps > 0 ? (end - begin) * static_cast<double>(k) / static_cast<double>(steps) : 0.0))));
    return out;
  }

  // All combinations that are points.
  std::vector<Index> points(const std::vector<std::vector<Index>>& axes) const {
    std::vector<Index> out, cell(axes.size(), 0);
    for (;;) {
      Eigen::Matrix<Index, 1, Eigen::Dynamic> at(static_cast<Index>(axes.size()));
      for (std::size_t c = 0; c < axes.size(); ++c)
        at[static_cast<Index>(c)] = axes[c][static_cast<std::size_t>(cell[c])];
      if (const Index point = at_[static_cast<std::size_t>(place(at))]; point >= 0) out.push_back(point);
      std::size_t c = 0;
      while (c < axes.size() && ++cell[c] == static_cast<Index>(axes[c].size())) cell[c++] = 0;
      if (c == axes.size()) return out;
    }
  }

 private:
  template <class Row>
  Index place(const Row& cell) const {
    Index out = 0;
    for (Index c = 0; c < cell.size(); ++c) out = out * points_.lattice().cells[static_cast<std::size_t>(c)] + cell[c];
    return out;
  }

  const LatticePoints& points_;
  std::vector<Index> at_;
};

class WindowSampler final : public PriorSampler {
 public:
  WindowSampler(std::shared_ptr<const LazySampler> of_f, LocalAverages averages)
      : of_f_(std::move(of_f)), averages_(std::move(averages)) {}

  Matrix draw(Index count, Rng& rng) const override {
    const Matrix f = of_f_->get().draw(count, rng);
    Matrix out(f.rows() + averages_.sd.size(), count);
    out.topRows(f.rows()) = f;
    out.bottomRows(averages_.sd.size()) =
        averages_.weight * f + averages_.sd.asDiagonal() * normals(averages_.sd.size(), count, rng);
    return out;
  }
  std::string description() const override {
    return of_f_->get().description() + ", their averages from values nearby, which leave up to " + readable_share() +
           " of a variance open";
  }

 private:
  std::string readable_share() const {
    char text[32];
    std::snprintf(text, sizeof text, "%.0e", averages_.left);
    return text;
  }

  std::shared_ptr<const LazySampler> of_f_;
  LocalAverages averages_;
};

}  // namespace

LocalAverages LocalAverages::of(const FiniteTargets& targets, const Functionals& averaged) {
  constexpr Index kMany = 512;  // queries: then with fewer points each
  const Kernel& kernel = *targets.prior.kernel;
  const Lattice& lattice = targets.lattice->lattice();
  const Index d = targets.x.dimension();
  const double points = averaged.size() > kMany ? 16.0 : 64.0;
  const auto along =
      std::max<Index>(2, static_cast<Index>(std::lround(std::pow(points, 1.0 / static_cast<double>(d)))));
  const Vector origin = targets.x.coordinates().colwise().minCoeff().transpose();
  const Cells cells(*targets.lattice);
  const Extent extent = std::visit(ExtentOf{}, averaged.laws.parts().front().kind);
  const Vector var = targets.of_f().variance(averaged);
  LocalAverages out{SparseRows(averaged.size(), targets.x.size()), Vector(averaged.size())};
  std::vector<Eigen::Triplet<double, Index>> entries;
  for (Index j = 0; j < averaged.size(); ++j) {
    std::vector<std::vector<Index>> axes;
    for (Index c = 0; c < d; ++c) {
      const double middle = (extent.mean(j, c) - origin[c]) / lattice.spacing[c];
      const double half = std::sqrt(3.0) * extent.sd(j, c) / lattice.spacing[c];
      axes.push_back(cells.along(c, middle - half, middle + half, along));
    }
    const std::vector<Index> near = cells.points(axes);
    double left = var[j];
    if (!near.empty()) {
      const Inputs at(Rows(targets.x.coordinates()(near, Eigen::all)));
      Matrix k = kernel.gram(at);
      const Vector c = expect(kernel, Laws(at), averaged.laws.slice(j, 1)).col(0);
      k.diagonal().array() += kJitter * targets.amplitude;
      const Vector w = Eigen::LLT<Matrix>(k).solve(c);
      k.diagonal().array() -= kJitter * targets.amplitude;
      left = std::max(0.0, var[j] - w.dot(k * w));
      for (std::size_t i = 0; i < near.size(); ++i) entries.emplace_back(j, near[i], w[static_cast<Index>(i)]);
    }
    out.sd[j] = std::sqrt(left);
    if (var[j] > 0.0) out.left = std::max(out.left, left / var[j]);
  }
  out.weight.setFromTriplets(entries.begin(), entries.end());
  return out;
}

std::unique_ptr<const PriorSampler> window_sampler(std::shared_ptr<const LazySampler> of_f,
                                                   const FiniteTargets& targets, const Functionals& averaged) {
  return std::make_unique<WindowSampler>(std::move(of_f), LocalAverages::of(targets, averaged));
}

}  // namespace iqbo
