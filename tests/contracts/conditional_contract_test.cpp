// Every model of p(x|a) through the installed contract.
#include "iqbo/contracts/conditional_contract.hpp"

#include "iqbo/conditional/bag.hpp"
#include "iqbo/conditional/sampled.hpp"
#include "iqbo/conditional/spread.hpp"
#include "iqbo/conditional/truncated.hpp"
#include "iqbo/learned/learned.hpp"

namespace iqbo::contracts {
namespace {

Queries some_queries(Index d) {
  Rng rng(7);
  return Queries(rng.uniforms(4, d));
}

struct GaussianWindows {
  static ConditionalCase make() {
    return {GaussianConditional(QueryMap::columns({0, 1}), QueryMap::columns({2})).clone(), some_queries(3)};
  }
};
struct Boxes {
  static ConditionalCase make() {
    return {UniformConditional(QueryMap::columns({0, 1}), QueryMap::columns({2})).clone(), some_queries(3)};
  }
};
struct TruncatedWindows {
  static ConditionalCase make() {
    return {TruncatedConditional(GaussianConditional(QueryMap::identity(2), 0.3),
                                 InputBox(Vector{{0.0, 0.0}}, Vector{{1.0, 1.0}}), Truncation::kRenormalise)
                .clone(),
            some_queries(2)};
  }
};
struct Bags {
  static ConditionalCase make() {
    const BagConditional bags(Inputs({{0.0, 0.1}, {0.4, 0.9}, {1.0, 0.5}, {0.2, 0.2}}),
                              {{0, 0, 1.0}, {0, 1, 3.0}, {1, 2, 1.0}, {2, 1, 1.0}, {2, 2, 1.0}, {2, 3, 1.0}});
    return {bags.clone(), bags.queries()};
  }
};
struct Rules {
  static ConditionalCase make() {
    return {SampledConditional::rule(2, 2,
                                     [](const Queries& batch) {
                                       std::vector<WeightedPoints> out;
                                       for (Index i = 0; i < batch.size(); ++i) {
                                         const Rows at = batch.coordinates().row(i);
                                         Rows points(2, 2);
                                         points << at, at.array().square();
                                         out.push_back({points, Vector{{1.0, 0.5 + at(0, 0)}}});
                                       }
                                       return out;
                                     })
                .clone(),
            some_queries(2)};
  }
};
struct Draws {
  static ConditionalCase make() {
    return {SampledConditional::sampler(
                1, 2, [](const Queries&, Index n, Rng& rng) -> Rows { return rng.uniforms(n, 2); }, 3, 1)
                .clone(),
            some_queries(1)};
  }
};
template <LearnedKind kKind>
struct Learned {
  static ConditionalCase make() {
    Rng rng(3);
    const Rows a = rng.uniforms(80, 1);
    Rows x(80, 2);
    x << a + 0.1 * rng.normals(80), 0.5 * a + 0.2 * rng.normals(80);
    LearnedOptions options;
    options.model = kKind;
    return {LearnedConditional(Inputs(x), Queries(a), options).clone(), some_queries(1)};
  }
};
using Models =
    ::testing::Types<GaussianWindows, Boxes, TruncatedWindows, Bags, Rules, Draws, Learned<LearnedKind::kShift>,
                     Learned<LearnedKind::kCme>, Learned<LearnedKind::kNw>, Learned<LearnedKind::kPlugIn>>;
INSTANTIATE_TYPED_TEST_SUITE_P(Every, ConditionalContract, Models);

}  // namespace
}  // namespace iqbo::contracts
