// The nearest of listed points, against a search through all of them.
#include "learned/thinning.hpp"

#include <gtest/gtest.h>

#include "iqbo/core/rng.hpp"

namespace iqbo {
namespace {

Index nearest_of_all(const Rows& listed, const Eigen::RowVectorXd& point) {
  Index best = 0;
  (listed.rowwise() - point).rowwise().squaredNorm().minCoeff(&best);  // the first of equals
  return best;
}

TEST(NearestRows, AreTheFirstOfThoseAtTheLeastDistance) {
  Rng rng(5);
  for (const Index d : {1, 2, 4}) {
    for (const bool on_lattice : {false, true}) {  // on a lattice many rows are equally near
      Rows listed = Rows::NullaryExpr(150, d, [&] { return rng.normal(); });
      Rows points = Rows::NullaryExpr(200, d, [&] { return 2.0 * rng.normal(); });
      if (on_lattice) {
        listed = (2.0 * listed).array().round().matrix();
        points = (2.0 * points).array().round().matrix() * 0.5;
      }
      const std::vector<Index> found = nearest_rows(listed, points);
      ASSERT_EQ(found.size(), 200U);
      for (Index i = 0; i < points.rows(); ++i)
        EXPECT_EQ(found[static_cast<std::size_t>(i)], nearest_of_all(listed, points.row(i))) << d << " " << i;
    }
  }
  EXPECT_EQ(nearest_rows(Rows{{1.0, 2.0}}, Rows{{9.0, 9.0}, {1.0, 2.0}}), (std::vector<Index>{0, 0}));
}

}  // namespace
}  // namespace iqbo
