#include "nodes.hpp"

#include <cmath>
#include <utility>

#include "iqbo/numerics/gauss_rule.hpp"
#include "numerics/measure_rule.hpp"

namespace iqbo::internal {

namespace {

using Triplets = std::vector<Eigen::Triplet<double, Index>>;

int nodes_along(Index dimension) {
  if (dimension == 1) return 9;
  return dimension == 2 ? 5 : 3;
}

// centre + sd N + half_width U, as a Gauss rule.
Rule rule_of(double centre, double sd, double half_width, int nodes) {
  constexpr int kFine = 24;
  Rule fine;
  if (sd == 0.0 && half_width == 0.0) {
    fine = {Vector::Constant(1, centre), Vector::Ones(1)};
    return fine;
  }
  if (half_width == 0.0 || sd == 0.0) {
    const Rule& plain = sd > 0.0 ? gauss_hermite(nodes) : gauss_legendre(nodes);
    fine = plain;
    fine.node = (centre + (sd > 0.0 ? sd : half_width) * plain.node.array()).matrix();
    return fine;
  }
  const Rule& normal = gauss_hermite(kFine);
  const Rule& flat = gauss_legendre(kFine);
  fine.node.resize(static_cast<Index>(kFine) * kFine);
  fine.weight.resize(fine.node.size());
  for (Index i = 0; i < kFine; ++i)
    for (Index j = 0; j < kFine; ++j) {
      fine.node[i * kFine + j] = centre + sd * normal.node[i] + half_width * flat.node[j];
      fine.weight[i * kFine + j] = normal.weight[i] * flat.weight[j];
    }
  return measure_rule(fine, nodes);
}

// Points and weights of all laws, law by law.
struct Collected {
  std::vector<Eigen::RowVectorXd> points;
  Triplets weight;

  void add_grid(Index law, double share, const std::vector<Rule>& axes) {
    const auto d = static_cast<Index>(axes.size());
    std::vector<Index> at(axes.size(), 0);
    while (true) {
      Eigen::RowVectorXd point(d);
      double amount = share;
      for (Index c = 0; c < d; ++c) {
        const Rule& axis = axes[static_cast<std::size_t>(c)];
        point[c] = axis.node[at[static_cast<std::size_t>(c)]];
        amount *= axis.weight[at[static_cast<std::size_t>(c)]];
      }
      weight_to(law, amount, point);
      std::size_t c = 0;
      while (c < at.size() && ++at[c] == axes[c].node.size()) at[c++] = 0;
      if (c == at.size()) return;
    }
  }

  void weight_to(Index law, double value, const Eigen::RowVectorXd& point) {
    weight.emplace_back(law, static_cast<Index>(points.size()), value);
    points.push_back(point);
  }

  void add(double share, const Inputs& x) {
    for (Index i = 0; i < x.size(); ++i) weight_to(i, share, x.row(i));
  }

  void add(double share, const SpreadLaws& laws) {
    const Index d = laws.centre.cols();
    for (Index i = 0; i < laws.centre.rows(); ++i) {
      std::vector<Rule> axes;
      for (Index c = 0; c < d; ++c)
        axes.push_back(rule_of(laws.centre(i, c), laws.sd(i, c), laws.half_width(i, c), nodes_along(d)));
      add_grid(i, share, axes);
    }
  }

  void add(double share, const DiscreteLaws& laws) {
    const auto first = static_cast<Index>(points.size());
    for (Index j = 0; j < laws.support->size(); ++j) points.emplace_back(laws.support->row(j));
    for (Index i = 0; i < laws.weight.rows(); ++i)
      for (SparseRows::InnerIterator it(laws.weight, i); it; ++it)
        weight.emplace_back(i, first + it.col(), share * it.value());
  }

  void add(double share, const AxisLaws& laws) {
    const auto d = static_cast<Index>(laws.node.size());
    for (Index i = 0; i < laws.node.front().rows(); ++i) {
      std::vector<Rule> axes;
      for (std::size_t c = 0; c < laws.node.size(); ++c)
        axes.push_back(
            measure_rule({laws.node[c].row(i).transpose(), laws.weight[c].row(i).transpose()}, nodes_along(d)));
      add_grid(i, share, axes);
    }
  }
};

bool is_density(const Laws::Kind& kind) {
  const auto* discrete = std::get_if<DiscreteLaws>(&kind);
  return discrete != nullptr ? discrete->of_density : !std::holds_alternative<Inputs>(kind);
}

}  // namespace

DiscreteLaws as_points(const Laws& laws) {
  const auto& parts = laws.parts();
  if (parts.size() == 1 && parts.front().weight == 1.0)
    if (const auto* discrete = std::get_if<DiscreteLaws>(&parts.front().kind)) return *discrete;
  Collected all;
  DiscreteLaws out;
  for (const auto& [share, kind] : parts) {
    std::visit([&, part = share](const auto& some) { all.add(part, some); }, kind);
    out.of_density = out.of_density || is_density(kind);
  }
  Rows points(static_cast<Index>(all.points.size()), laws.dimension());
  for (Index i = 0; i < points.rows(); ++i) points.row(i) = all.points[static_cast<std::size_t>(i)];
  out.support = std::make_shared<const Inputs>(std::move(points));
  out.weight.resize(laws.size(), out.support->size());
  out.weight.setFromTriplets(all.weight.begin(), all.weight.end());
  return out;
}

}  // namespace iqbo::internal
