// Do 90 % intervals for f cover 90 % where p(x|a) was learned, with and without the discrepancy?
//
// The problem of fit_calibration with one thing less known. f = 2 + Matern(variance 1, lengthscale 0.3) + white(0.25) on 24
// x 24 pixels of the unit square; noise sd 0.05. A query is a square of pixels, named by its centre (equal: 3 x 3 pixels) or by
// its centre and its width of 1 to 4 pixels (mixed); X given a is one of its pixels, all alike. p(x|a) is learned from pairs
// logged at random squares, everything is fitted from 64 other squares. Coverage: share of the 576 pixels inside mean +-
// 1.645 sd; standard errors are between draws. "Known": the same answers with the true p(x|a).
//
//   learned_calibration [--draws 50] [--seed 1]
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "iqbo/fit/ensemble.hpp"
#include "iqbo/kernel/stationary.hpp"
#include "iqbo/kernel/sum.hpp"
#include "iqbo/kernel/white.hpp"
#include "iqbo/learned/learned.hpp"
#include "pixels.hpp"
#include "study.hpp"

namespace {

using namespace iqbo;  // a program, not a header
constexpr Index kSide = 24;
constexpr double kSds90 = 1.644854;
constexpr double kNoiseSd = 0.05;
constexpr Index kQueries = 64;

double coverage(const Belief& belief, const Inputs& x, const Vector& f) {
  const auto [mean, var] = belief.f(x);
  return ((f - mean).array().abs() <= kSds90 * var.array().sqrt()).cast<double>().mean();
}

struct Square {
  Index row, column, width;
};

Square random_square(Rng& rng, bool equal) {
  const Index width = equal ? 3 : 1 + rng.below(4);
  return {rng.below(kSide - width + 1), rng.below(kSide - width + 1), width};
}

// As a query is named.
Queries names(const std::vector<Square>& squares, bool equal) {
  Rows out(static_cast<Index>(squares.size()), equal ? 2 : 3);
  for (Index t = 0; t < out.rows(); ++t) {
    const auto [row, column, width] = squares[static_cast<std::size_t>(t)];
    const double half = 0.5 * static_cast<double>(width);
    out(t, 0) = (static_cast<double>(row) + half) / kSide;
    out(t, 1) = (static_cast<double>(column) + half) / kSide;
    if (!equal) out(t, 2) = static_cast<double>(width) / kSide;
  }
  return Queries(out);
}

std::vector<Square> random_squares(Rng& rng, Index count, bool equal) {
  std::vector<Square> out;
  for (Index i = 0; i < count; ++i) out.push_back(random_square(rng, equal));
  return out;
}

LearnedConditional learn(Rng& rng, const Inputs& x, Index pairs, bool equal) {
  const std::vector<Square> squares = random_squares(rng, pairs, equal);
  Rows logged(pairs, 2);
  for (Index j = 0; j < pairs; ++j) {
    const auto [row, column, width] = squares[static_cast<std::size_t>(j)];
    logged.row(j) = x.row((row + rng.below(width)) * kSide + column + rng.below(width));
  }
  LearnedOptions options;
  options.model = LearnedKind::kShift;
  options.domain = InputSet(x);
  return {Inputs(logged), names(squares, equal), options};
}

struct Row {
  std::vector<double> with, ensemble, without, known, tau, error;
};

void add_draw(std::uint64_t seed, int draw, const study::Field& field, const Inputs& x, bool equal, Index pairs,
              Row& out) {
  Rng rng(seed, {static_cast<std::uint64_t>(draw), static_cast<std::uint64_t>(pairs), equal ? 0U : 1U});
  const Vector f = field.draw(rng).array() + 2.0;
  const LearnedConditional learned = learn(rng, x, pairs, equal);
  const std::vector<Square> asked = random_squares(rng, kQueries, equal);
  std::vector<BagRow> rows;
  for (Index t = 0; t < kQueries; ++t) {
    const auto [row, column, width] = asked[static_cast<std::size_t>(t)];
    study::add_block(rows, kSide, t, row, column, width, width);
  }
  const BagConditional bags(x, rows);
  const Vector g = bags.average(bags.queries(), f);
  const Vector z = g + kNoiseSd * rng.normals(kQueries);
  const Queries a = names(asked, equal);

  const Matern32 start(1.0, Vector{{0.3, 0.3}});
  const Posterior plain = Posterior(start, learned).condition(a, z, 1.0);
  const auto [fitted, mixture] = fit_ensemble(plain.with_discrepancy(*learned.discrepancy(0.01)), {}, seed);
  out.with.push_back(coverage(fitted.posterior, x, f));
  out.ensemble.push_back(coverage(mixture, x, f));
  out.without.push_back(coverage(fit(plain, {}, seed).posterior, x, f));
  out.known.push_back(
      coverage(fit(Posterior(start, bags).condition(bags.queries(), z, 1.0), {}, seed).posterior, x, f));
  out.tau.push_back(std::sqrt(fitted.parameter("discrepancy_var").value));
  out.error.push_back(std::sqrt((learned.average(a, f) - g).squaredNorm() / static_cast<double>(kQueries)));
}

}  // namespace

int main(int argc, char** argv) {
  const auto arguments = study::parse(argc, argv, 50);
  const Inputs x = study::pixel_grid(kSide, kSide);
  std::printf(
      "| f | squares | pairs | with discrepancy, %% | ensemble of 16, %% | without discrepancy, %% | p(x given a) "
      "known, %% "
      "| tau / error of g |\n|---|---|---|---|---|---|---|---|\n");
  for (const std::string_view family : {"matern12", "matern32"}) {
    const study::Field field(Sum(Stationary(family, 1.0, Vector{{0.3, 0.3}}), White(0.25, 2)), x);
    for (const bool equal : {true, false})
      for (const Index pairs : {100, 400}) {
        Row row;
        for (int d = 0; d < arguments.draws; ++d) {
          add_draw(arguments.seed, d, field, x, equal, pairs, row);
          study::progress("draws", d + 1, arguments.draws);
        }
        std::printf("| Matern %s + white | %s | %ld | %s | %s | %s | %s | %.3f / %.3f |\n",
                    family == "matern12" ? "1/2" : "3/2", equal ? "equal" : "mixed", static_cast<long>(pairs),
                    study::percent(row.with).c_str(), study::percent(row.ensemble).c_str(),
                    study::percent(row.without).c_str(), study::percent(row.known).c_str(),
                    study::summarise(row.tau).mean, study::summarise(row.error).mean);
        std::fflush(stdout);
      }
  }
}
