#include <boost/math/special_functions/digamma.hpp>
#include <boost/random/beta_distribution.hpp>
#include <cmath>
#include <numbers>
#include <utility>

#include "beta_rule.hpp"
#include "functions.hpp"
#include "iqbo/conditional/sampled.hpp"
#include "iqbo/kernel/stationary.hpp"
#include "makers.hpp"
#include "window_truth.hpp"

namespace iqbo {
namespace {

InputBox interval(double lower, double upper) { return {Vector{{lower}}, Vector{{upper}}}; }
QueryBox queries(double lower, double upper) { return {Vector{{lower}}, Vector{{upper}}}; }

ProblemParts two_peaks(const ProblemOptions& options) {
  constexpr double kWindow = 0.05;
  const InputBox x = interval(0.0, 1.0);
  const QueryBox a = queries(0.02, 0.98);
  const GaussianConditional window(QueryMap::identity(1), kWindow);
  return {.name = "two-peaks",
          .title = "Two peaks",
          .map = "identity, N(a, 0.05^2)",
          .description =
              "A broad hill, 0.8 high and 0.12 wide at 0.3, and a narrow one, 1 high and 0.03 wide at 0.75, seen "
              "through windows "
              "wider than the narrow one: the best query is at the broad hill, the maximum is on the other. A "
              "policy that takes g "
              "for f never finds it. The problem is ours.",
          .x_names = {"x"},
          .a_names = {"a"},
          .truth = std::make_shared<WindowTruth>(hills({{0.8, 0.3, 0.12}, {1.0, 0.75, 0.03}}), window, x,
                                                 options.truncation),
          .conditional = window_conditional(window, x, options.truncation),
          .x = x_grid(x, options),
          .a = a_grid(a, options),
          .x_box = x,
          .a_box = a,
          .known_argmax = Inputs({{0.75}}),
          .noise_sd = 0.005,
          .kernel = Rbf(0.1, Vector{{0.035}}).clone()};
}

ProblemParts resolution_line(const ProblemOptions& options) {
  const InputBox x = interval(0.0, 10.0);
  const QueryBox place = queries(0.0, 10.0);
  const GaussianConditional window(QueryMap::columns({0}), QueryMap::columns({1}));
  const Expansion f = hills({{0.8, 3.0, 1.2}, {1.0, 6.5, 0.3}, {0.6, 8.5, 0.6}});
  return {.name = "resolution-line",
          .title = "A line by resolution",
          .map = "identity, N(xi, delta^2)",
          .description =
              "The one-dimensional illustration of [Zhang26], figure 2: f and its averages under Gaussian windows of "
              "several sd "
              "delta. The paper does not print its f; ours has the property it shows, that at delta = 0.5 f and g have "
              "their "
              "maxima in different places. Three hills, (height, centre, width) = (0.8, 3, 1.2), (1, 6.5, 0.3), (0.6, "
              "8.5, 0.6); "
              "delta = 1 / (l + 1), l = 0 .. 6: from l = 3 on g points to the right hill.",
          .x_names = {"x"},
          .a_names = {"xi", "delta"},
          .truth = std::make_shared<WindowTruth>(f, window, x, options.truncation),
          .conditional = window_conditional(window, x, options.truncation),
          .x = x_grid(x, options),
          .a = tree_nodes(place),
          .x_box = x,
          .a_box = with_resolutions(place),
          .known_argmax = Inputs({{6.5}}),
          .resolutions = tree_resolutions(),
          .relative_noise = 0.05};
}

ProblemParts sine_bins(const ProblemOptions& options) {
  constexpr Index kBins = 20;
  constexpr double kHalf = 0.25;
  const InputBox x = interval(0.0, 10.0);
  const UniformConditional window(QueryMap::identity(1), kHalf);
  const auto sine = [](Index, const Vector& at) -> Matrix { return 4.0 * at.array().sin(); };
  return {.name = "sine-bins",
          .title = "Sine in bins",
          .map = "U(a - 0.25, a + 0.25)",
          .description =
              "f(x) = 4 sin x averaged over bins, an early test of the authors of [Zhang26]; the interval [0, 10] and "
              "its 20 bins "
              "of width 0.5 are our choice. Two equal maxima. A query is the centre of a bin, and there is nothing "
              "between bins.",
          .x_names = {"x"},
          .a_names = {"bin"},
          .truth = std::make_shared<WindowTruth>(Expansion{sine}, window, x, std::nullopt),
          .conditional = window.clone(),
          .x = x_grid(x, options),
          .a = QuerySet(queries(kHalf, 10.0 - kHalf).grid({kBins})),
          .x_box = x,
          .known_argmax = Inputs({{0.5 * std::numbers::pi}, {2.5 * std::numbers::pi}})};
}

// Beta(alpha, beta) of query a.
BetaLaw beta_law(double a) { return {std::exp(0.1 * a + 2.0), std::exp(4.0 * a)}; }

class BetaEntropy final : public Truth {
 public:
  Vector f(const Inputs& x) const override {
    const Vector at = x.coordinates().col(0);
    return at.unaryExpr([](double t) { return t > 0.0 ? -t * std::log(t) : 0.0; });
  }
  // E[-X log X] = -alpha / (alpha + beta) (psi(alpha + 1) - psi(alpha + beta + 1))
  Vector g(const Queries& a) const override {
    using boost::math::digamma;
    const Vector at = a.coordinates().col(0);
    return at.unaryExpr([](double t) {
      const auto [alpha, beta] = beta_law(t);
      return alpha / (alpha + beta) * (digamma(alpha + beta + 1.0) - digamma(alpha + 1.0));
    });
  }
  Inputs sample(const Queries& a, Rng& rng) const override {
    Rows out(a.size(), 1);
    for (Index i = 0; i < a.size(); ++i) {
      const auto [alpha, beta] = beta_law(a.row(i)[0]);
      out(i, 0) = boost::random::beta_distribution<double>(alpha, beta)(rng);
    }
    return Inputs(std::move(out));
  }
};

ProblemParts beta_entropy(const ProblemOptions& options) {
  constexpr int kNodes = 16;  // of the Gauss rule policies average kernels with
  const InputBox x = interval(0.0, 1.0);
  const QueryBox a = queries(0.0, 1.0);
  const auto rule = [](const Queries& at) {
    std::vector<WeightedPoints> out;
    for (Index i = 0; i < at.size(); ++i) {
      const Rule gauss = beta_rule(beta_law(at.row(i)[0]), kNodes);
      out.push_back({Rows(gauss.node), gauss.weight});
    }
    return out;
  };
  return {.name = "beta-entropy",
          .title = "Entropy under Beta laws",
          .map = "Beta(exp(0.1 a + 2), exp(4 a))",
          .description =
              "f(x) = -x log x on [0, 1], maximum 1 / e at 1 / e, with X given a from Beta(exp(0.1 a + 2), exp(4 a)): "
              "an early test "
              "of the authors of [Zhang26], and of [Chau21]. a in [0, 1] is our choice: the mean of X falls from 0.88 "
              "to 0.13. "
              "Windows are skewed and of changing width, and no query comes close to seeing a point.",
          .x_names = {"x"},
          .a_names = {"a"},
          .truth = std::make_shared<BetaEntropy>(),
          .conditional = SampledConditional::rule(1, 1, rule).clone(),
          .x = x_grid(x, options),
          .a = a_grid(a, options),
          .x_box = x,
          .a_box = a,
          .known_argmax = Inputs({{std::exp(-1.0)}})};
}

}  // namespace

std::vector<ProblemMaker> line_makers() {
  return {{"two-peaks", {.x_counts = true, .a_counts = true, .truncation = true}, two_peaks},
          {"resolution-line", {.x_counts = true, .truncation = true}, resolution_line},
          {"sine-bins", {.x_counts = true}, sine_bins},
          {"beta-entropy", {.x_counts = true, .a_counts = true}, beta_entropy}};
}

}  // namespace iqbo
