// What is refused before a study is made, and with which words.
#include "setup/memory_need.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "iqbo/core/rng.hpp"

namespace iqbo::internal {
namespace {

constexpr double kPlenty = std::numeric_limits<double>::infinity();

// Listed targets and a thousand listed queries.
SpecData scene(const Rows& x) {
  SpecData out;
  out.spec.targets.kind = TargetSpec::Kind::kPoints;
  out.targets.coordinates = x;
  out.spec.queries.kind = QuerySpec::Kind::kPoints;
  out.queries.coordinates = Vector::LinSpaced(1000, 0.0, 999.0);
  return out;
}

SpecData pixels(Index side) {
  Rows x(side * side, 2);
  for (Index i = 0; i < x.rows(); ++i) x.row(i) << static_cast<double>(i / side), static_cast<double>(i % side);
  return scene(x);
}

std::string refusal(const SpecData& data, double free) {
  try {
    require_workable_size(data, free);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(MemoryNeed, GrowsWithTheSceneAndTheMembers) {
  const double small = memory_need(pixels(100)).bytes, large = memory_need(pixels(400)).bytes;
  EXPECT_LT(small, 3e8);
  EXPECT_GT(large, 4.0 * small);
  SpecData point = pixels(400);
  point.spec.fit = FitKind::kPoint;
  EXPECT_LT(memory_need(point).bytes, 0.6 * large);
}

// 708 x 708 pixels fit into 8 GB, as was measured with fewer answers.
TEST(MemoryNeed, OfHalfAMillionPixels) {
  const double need = memory_need(pixels(708)).bytes;
  EXPECT_GT(need, 1.2e9);
  EXPECT_LT(need, 8e9);
}

// Oracle: the largest resident memory of `ask`, `best`, `predict` and `report` by 100 answers, as measured.
TEST(MemoryNeed, IsNotBelowWhatWasMeasured) {
  SpecData tree = pixels(64);
  tree.spec.queries.kind = QuerySpec::Kind::kCells;
  tree.spec.queries.tree.emplace().levels = 7;
  EXPECT_GT(memory_need(tree).bytes, 1.13e8);
  SpecData districts = pixels(256);
  districts.bags.entries.resize(256 * 256);
  EXPECT_GT(memory_need(districts).bytes, 3.38e8);
  SpecData blocks = pixels(140);  // 19,600 cells
  blocks.queries.coordinates = Vector::LinSpaced(3745, 0.0, 3744.0);
  blocks.bags.entries.resize(539280);
  EXPECT_GT(memory_need(blocks).bytes, 3.45e8);
  EXPECT_LT(memory_need(blocks).bytes, 2 * 3.45e8);
}

TEST(MemoryNeed, RefusesWhatDoesNotFit) {
  EXPECT_EQ(refusal(pixels(300), kPlenty), "");
  const std::string said = refusal(pixels(300), 1e8);
  EXPECT_NE(said.find("needs about"), std::string::npos) << said;
  EXPECT_NE(said.find("90,000 targets"), std::string::npos) << said;
  EXPECT_NE(said.find("0.1 GB is free"), std::string::npos) << said;
  EXPECT_NE(said.find("coarser grid"), std::string::npos) << said;
}

TEST(MemoryNeed, RefusesManyPointsOffALattice) {
  Rng rng(1);
  EXPECT_EQ(refusal(scene(rng.uniforms(100000, 2)), kPlenty), "");
  const std::string said = refusal(scene(rng.uniforms(100001, 2)), kPlenty);
  EXPECT_NE(said.find("100,001 points that are not on a lattice"), std::string::npos) << said;
  EXPECT_NE(said.find("at most 100,000"), std::string::npos) << said;
}

}  // namespace
}  // namespace iqbo::internal
