// g against integrals of the textbook's f, in long double.
#include <gtest/gtest.h>

#include <boost/math/distributions/beta.hpp>
#include <cmath>
#include <numbers>
#include <utility>

#include "iqbo/kernel/mean.hpp"
#include "iqbo/problem/registry.hpp"
#include "support/tolerance.hpp"
#include "textbook.hpp"

namespace iqbo::test {
namespace {

constexpr Real kPi = std::numbers::pi_v<Real>;

struct Windowed {
  std::string name;
  std::optional<Truncation> truncation;
};

std::vector<Windowed> windowed() {
  std::vector<Windowed> out;
  for (const char* name : {"branin-linear", "branin-nonlinear", "camel-linear", "camel-nonlinear", "levy-linear",
                           "levy-nonlinear", "goldstein-price-linear", "goldstein-price-nonlinear",
                           "branin-multires-linear", "branin-multires-nonlinear", "two-peaks", "resolution-line"})
    for (const auto& cut :
         {std::optional<Truncation>(), std::optional(Truncation::kClip), std::optional(Truncation::kRenormalise)})
      out.push_back({name, cut});
  return out;
}

const Textbook& textbook(const std::string& name) {
  for (const Textbook& one : textbooks())
    if (name.starts_with(one.name)) return one;
  throw std::logic_error(name);
}

// Where the window of a query is centred, and its sd.
std::vector<NormalAxis> axes(const Problem& problem, const Eigen::RowVectorXd& a, std::optional<Truncation> cut) {
  const InputBox& box = *problem.x_box();
  const bool resolved = !problem.resolutions().empty();
  const Real sd = resolved                                  ? a[a.size() - 1]
                  : problem.name() == "two-peaks"           ? 0.05L
                  : problem.name().starts_with("branin")    ? 0.5L
                  : problem.name().starts_with("camel")     ? 2.0L / 30
                  : problem.name().starts_with("goldstein") ? 4.0L / 30
                                                            : 20.0L / 30;
  std::vector<NormalAxis> out;
  for (Index c = 0; c < box.dimension(); ++c) {
    const Real lower = box.lower()[c];
    const Real side = box.upper()[c] - lower;
    const Real at = a[c];
    const Real centre = problem.name().ends_with("nonlinear") ? lower + side * std::cos(kPi * at / 2)
                        : problem.name().ends_with("linear")  ? lower + side * at
                                                              : at;
    out.push_back({centre, sd, lower, lower + side, cut, box.dimension() == 1 ? 8 : 5});
  }
  return out;
}

class ExactAverages : public testing::TestWithParam<Windowed> {};

TEST_P(ExactAverages, EqualIntegralsOfTheTextbook) {
  const auto& [name, cut] = GetParam();
  const Problem p = problem(name, {.truncation = cut});
  const Formula& f = textbook(name).f;
  const QueryBox& box = *p.a_box();
  Rng rng(1, {static_cast<std::uint64_t>(name.size())});
  Rows a = rng.uniforms(4, box.dimension());
  a.row(0).setZero();  // a corner, where windows are cut most
  a = (a * (box.upper() - box.lower()).asDiagonal()).rowwise() + box.lower().transpose();
  const Queries queries(a);
  const Vector g = p.g(queries);
  for (Index i = 0; i < a.rows(); ++i) {
    const Real expected = average(f, axes(p, a.row(i), cut));
    EXPECT_NEAR(g[i], static_cast<double>(expected), kProblemAverage * p.unit()) << "a = " << a.row(i);
  }
}

INSTANTIATE_TEST_SUITE_P(, ExactAverages, testing::ValuesIn(windowed()), [](const auto& each) {
  std::string out = each.param.name;
  std::replace(out.begin(), out.end(), '-', '_');
  return out + (!each.param.truncation                        ? ""
                : *each.param.truncation == Truncation::kClip ? "_clipped"
                                                              : "_renormalised");
});

// At the largest delta the registry takes.
TEST(WidestWindows, AreAveragedAsExactly) {
  for (const auto& [name, sd] :
       {std::pair{"branin-linear", 1.5}, {"levy-linear", 2.0}, {"goldstein-price-linear", 0.4}})
    for (const auto& cut :
         {std::optional<Truncation>(), std::optional(Truncation::kClip), std::optional(Truncation::kRenormalise)}) {
      const Problem p = problem(name, {.x_counts = {5, 5}, .a_counts = {5, 5}, .delta = sd, .truncation = cut});
      const Queries a({{0.1, 0.7}});
      std::vector<NormalAxis> wide = axes(p, a.row(0), cut);
      for (NormalAxis& axis : wide) axis.sd = sd;
      EXPECT_NEAR(p.g(a)[0], static_cast<double>(average(textbook(name).f, wide)), kProblemAverage * p.unit()) << name;
    }
}

// In polar coordinates around its tip the cone is smooth.
TEST(AckleyAverage, EqualsAnIntegralInPolarCoordinates) {
  const Problem p = problem("ackley-linear");
  constexpr Real kSd = 10.0L / 30;
  const Formula& f = textbook("ackley").f;
  const Queries a({{0.35, 0.35}, {0.37, 0.34}, {0.8, 0.3}, {0.0, 1.0}});  // the first looks at the tip
  const Vector g = p.g(a);
  for (Index i = 0; i < a.size(); ++i) {
    const Real cx = -3.5L + 10 * Real(a.row(i)[0]);
    const Real cy = -3.5L + 10 * Real(a.row(i)[1]);
    const Real distance = std::hypot(cx, cy);
    const auto ring = [&](const Real& r) {
      return integrate(
          [&](const Real& angle) {
            const Real x = r * std::cos(angle);
            const Real y = r * std::sin(angle);
            const Real t = ((x - cx) * (x - cx) + (y - cy) * (y - cy)) / (kSd * kSd);
            return r * std::exp(-t / 2) / (2 * kPi * kSd * kSd) * f({x, y});
          },
          0, 2 * kPi, 40);
    };
    const Real expected = integrate(ring, std::max(Real(0), distance - 11 * kSd), distance + 11 * kSd, 10);
    EXPECT_NEAR(g[i], static_cast<double>(expected), kProblemAverage * p.unit());
  }
}

// A product of one-dimensional integrals for each hill. Rows: height, then steepness, then 10^4 places.
void expect_hartmann(const Problem& p, const std::vector<std::vector<Real>>& steepness,
                     const std::vector<std::vector<Real>>& place) {
  const std::vector<Real> height{1, 1.2L, 3, 3.2L};
  const Index d = p.x().dimension();
  Rng rng(3);
  const Queries a(rng.uniforms(5, d));
  const Vector g = p.g(a);
  const Vector f = p.f(Inputs(a.coordinates()));
  for (Index i = 0; i < a.size(); ++i) {
    Real averaged = 0;
    Real direct = 0;
    for (std::size_t t = 0; t < height.size(); ++t) {
      Real product = height[t];
      Real exponent = 0;
      for (Index c = 0; c < d; ++c) {
        const Real s = steepness[t][static_cast<std::size_t>(c)];
        const Real at = place[t][static_cast<std::size_t>(c)] / 10000;
        const Real centre = p.name().ends_with("nonlinear") ? std::cos(kPi * Real(a.row(i)[c]) / 2) : Real(a.row(i)[c]);
        product *= NormalAxis{centre, 1.0L / 30, 0, 1}.average(
            [&](const Real& x) { return std::exp(-s * (x - at) * (x - at)); });
        exponent += s * (a.row(i)[c] - at) * (a.row(i)[c] - at);
      }
      averaged += product;
      direct += height[t] * std::exp(-exponent);
    }
    EXPECT_NEAR(g[i], static_cast<double>(averaged), kProblemAverage * p.unit());
    EXPECT_NEAR(f[i], static_cast<double>(direct), kRounding);
  }
}

TEST(HartmannAverage, EqualsProductsOfIntegrals) {
  for (const char* map : {"-linear", "-nonlinear"}) {
    expect_hartmann(problem(std::string("hartmann3") + map), {{3, 10, 30}, {0.1L, 10, 35}, {3, 10, 30}, {0.1L, 10, 35}},
                    {{3689, 1170, 2673}, {4699, 4387, 7470}, {1091, 8732, 5547}, {381, 5743, 8828}});
    expect_hartmann(problem(std::string("hartmann6") + map),
                    {{10, 3, 17, 3.5L, 1.7L, 8},
                     {0.05L, 10, 17, 0.1L, 8, 14},
                     {3, 3.5L, 1.7L, 10, 17, 8},
                     {17, 8, 0.05L, 10, 0.1L, 14}},
                    {{1312, 1696, 5569, 124, 8283, 5886},
                     {2329, 4135, 8307, 3736, 1004, 9991},
                     {2348, 1451, 3522, 2883, 3047, 6650},
                     {4047, 8828, 8732, 5743, 1091, 381}});
  }
}

TEST(GpDrawAverage, EqualsIntegralsOfTheDraw) {
  for (const auto& cut :
       {std::optional<Truncation>(), std::optional(Truncation::kClip), std::optional(Truncation::kRenormalise)}) {
    const Problem p = problem("gp-draw", {.x_counts = {9, 9}, .a_counts = {5, 5}, .truncation = cut, .seed = 4});
    const Queries a({{0.03, 0.9}});
    const Vector g = p.g(a);
    for (Index i = 0; i < a.size(); ++i) {
      // The inner integral over whole batches: a draw is a thousand kernels.
      const NormalAxis first{a.row(i)[0], 0.08L, 0, 1, cut, 4};
      const NormalAxis second{a.row(i)[1], 0.08L, 0, 1, cut, 4};
      const auto along = [&](const Real& x) {
        std::vector<double> at;
        second.average([&](const Real& y) { return at.push_back(static_cast<double>(y)), Real(0); });
        Rows points(static_cast<Index>(at.size()), 2);
        for (Index k = 0; k < points.rows(); ++k)
          points.row(k) << static_cast<double>(x), at[static_cast<std::size_t>(k)];
        const Vector f = p.f(Inputs(points));
        Index k = 0;
        return second.average([&](const Real&) { return Real(f[k++]); });
      };
      EXPECT_NEAR(g[i], static_cast<double>(first.average(along)), kProblemAverage);
    }
  }
}

TEST(BetaAverage, EqualsAnIntegralOverTheLaw) {
  const Problem p = problem("beta-entropy");
  const Queries a = Queries::line(Vector{{0.0, 0.1, 0.35, 0.66, 1.0}});
  const Vector g = p.g(a);
  const Vector cube = p.conditional()->nu(
      CallbackMean([](const Inputs& x) -> Vector { return x.coordinates().col(0).array().cube(); }), a);
  for (Index i = 0; i < a.size(); ++i) {
    const Real t = a.row(i)[0];
    const boost::math::beta_distribution<Real> law(std::exp(0.1L * t + 2), std::exp(4 * t));
    const auto mean_of = [&](const std::function<Real(Real)>& h) {
      // x = 1 - u^4 takes the root at x = 1 out of the density.
      return integrate(
          [&](const Real& u) { return 4 * u * u * u * pdf(law, 1 - u * u * u * u) * h(1 - u * u * u * u); }, 0, 1, 60);
    };
    EXPECT_NEAR(g[i], static_cast<double>(mean_of([](Real x) { return x > 0 ? -x * std::log(x) : 0; })),
                kProblemAverage * p.unit());
    EXPECT_NEAR(cube[i], static_cast<double>(mean_of([](Real x) { return x * x * x; })), kProblemAverage);
  }
}

TEST(SineAverage, EqualsTheDifferenceOfCosines) {
  const Problem p = problem("sine-bins");
  const Vector g = p.g(p.a().points());
  for (Index i = 0; i < g.size(); ++i) {
    const Real from = 0.5L * static_cast<Real>(i);
    EXPECT_NEAR(g[i], static_cast<double>(8 * (std::cos(from) - std::cos(from + 0.5L))), kRounding);
  }
}

// What the paper's figure 2 shows.
TEST(ResolutionLine, HasItsBestCoarseQueriesOnTheWrongHill) {
  const Problem p = problem("resolution-line");
  const auto best_place = [&](double delta) {
    Rows a(1001, 2);
    a << Vector::LinSpaced(1001, 0.0, 10.0), Vector::Constant(1001, delta);
    Index best = 0;
    p.g(Queries(a)).maxCoeff(&best);
    return a(best, 0);
  };
  EXPECT_NEAR(best_place(0.5), 3.0, 0.1);
  for (std::size_t level = 0; level < p.resolutions().size(); ++level)
    EXPECT_NEAR(best_place(p.resolutions()[level]), level < 3 ? 3.0 : 6.5, 0.15) << "level " << level;
}

TEST(Bandit, IsBestAskedWhereTheBestArmIsNotCommonest) {
  const Problem p = problem("bandit");
  const Vector by_hand{{0.35, 0.465, 0.49, 0.6, 0.67, 0.48}};
  EXPECT_LT((p.g(p.a().points()) - by_hand).cwiseAbs().maxCoeff(), kRounding);
  EXPECT_EQ(p.optimum().argmax.row(0)[0], 4.0);
  EXPECT_EQ(p.best_query().argmax.row(0)[0], 5.0);
}

}  // namespace
}  // namespace iqbo::test
