// The C++ of pages of docs/, as it stands there: CMake cuts it out of the page, and what the page leaves to the reader is here.
#include <gtest/gtest.h>

#include <cmath>

#include "iqbo/conditional/bag.hpp"
#include "iqbo/conditional/cell.hpp"
#include "iqbo/core/rng.hpp"
#include "iqbo/policy/policy.hpp"
#include "iqbo/policy/resolutions.hpp"
#include "iqbo/problem/registry.hpp"

namespace {

constexpr std::uint64_t seed = 1;

double hill(double u, double v) { return std::exp(-0.5 * (std::pow(u - 2.0, 2) + std::pow(v - 5.0, 2))); }

iqbo::Inputs grid(iqbo::Index n) {
  return iqbo::InputBox(iqbo::Vector{{0.0, 0.0}}, iqbo::Vector{{7.0, 7.0}}).grid({n, n});
}

iqbo::Vector field(const iqbo::Inputs& x) {
  iqbo::Vector out(x.size());
  for (iqbo::Index i = 0; i < x.size(); ++i) out[i] = hill(x.row(i)[0], x.row(i)[1]);
  return out;
}

TEST(Snippets, Policies) {
  const iqbo::Inputs pixels = grid(6);
  std::vector<iqbo::BagRow> rows;  // six districts, a column of pixels each
  for (iqbo::Index i = 0; i < pixels.size(); ++i) rows.push_back({i / 6, i, 1.0});
  const iqbo::Queries districts = iqbo::Queries::line(iqbo::Vector::LinSpaced(6, 0.0, 5.0));
  const iqbo::BagConditional bags(pixels, rows, districts);
  const auto survey = [&](const iqbo::Queries& a) -> iqbo::Vector { return bags.average(a, field(pixels)).col(0); };
#include "policies.inc"
  EXPECT_TRUE(std::isfinite(best.mean));
}

TEST(Snippets, Resolution) {
  const iqbo::Inputs pixels = grid(8);
  const iqbo::Vector population = iqbo::Vector::Ones(pixels.size());
  const auto buy = [&](const std::vector<iqbo::Node>& nodes) -> iqbo::Vector {
    return iqbo::Vector::Constant(static_cast<iqbo::Index>(nodes.size()), 0.5);
  };
#include "resolution.inc"
  EXPECT_LE(policy.suggest().left, 8.0);
}

TEST(Snippets, FlatResolutions) {
  const iqbo::Queries centres = iqbo::Queries::line(iqbo::Vector::LinSpaced(9, 0.1, 0.9));
  const iqbo::Inputs x = iqbo::InputBox(iqbo::Vector{{0.0}}, iqbo::Vector{{1.0}}).grid({41});
  const auto look = [](const iqbo::Rows& middle, const iqbo::Vector& delta) -> iqbo::Vector {
    return (middle.col(0).array() - 0.4).square().matrix() * -1.0 + delta;
  };
#include "resolution_flat.inc"
  EXPECT_TRUE(std::isfinite(policy.best().mean));
}

TEST(Snippets, Problems) {
  using namespace iqbo;
  const Inputs x = InputBox(Vector{{0.0, 0.0}}, Vector{{1.0, 1.0}}).grid({2, 2});
  const Queries a(Rows{{0.5, 0.5}});
  Rng rng(1);
#include "problems.inc"
  EXPECT_GT(p.instant_floor(), 0.0);
}

}  // namespace
