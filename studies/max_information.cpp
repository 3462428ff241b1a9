// How well do the scores know what an answer tells about f*? The true I(z; f*) by simulation as a yardstick.
//
// Posteriors of draws of f from an RBF GP after a few answers to random queries. Queries are windows of several widths at evenly spaced places; some are
// direct measurements. The truth is max_value_information() from 20,000 joint paths. Scores get 200 samples of f* from the same paths, so that what differs
// is the approximation, not the number of samples:
//
//   eq. 9        mean h(gamma), uses g(a) <= f*, no noise          [Zhang26]
//   appendix B   the same with the noise
//   cmes-f       f(x) <= f* at the most informative x, from variances
//   cjes         information about f at the sampled maximisers
//   I(z; f)      log(1 + q / noise_var) / 2, which asks for information about f and not about f*
//
// For each: the median over queries and posteriors of score / truth, where the truth is at least 0.01 nats; the same for direct measurements and for the
// widest windows; Spearman's rank correlation with the truth over the queries of a posterior; and what counts in the end, the truth at the query that the
// score chooses, as a share of the largest truth: mean, and mean of the worst tenth.
//
//   max_information [--draws 40] [--seed 1] [--only TEXT]
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>

#include "iqbo/acquisition/location.hpp"
#include "iqbo/acquisition/max_value.hpp"
#include "iqbo/acquisition/pointwise_cut.hpp"
#include "iqbo/conditional/spread.hpp"
#include "iqbo/finite/finite.hpp"
#include "iqbo/kernel/stationary.hpp"
#include "iqbo/theory/max_information.hpp"
#include "study.hpp"

namespace {

using namespace iqbo;

struct Case {
  const char* name;
  double lengthscale, noise_sd;
  std::vector<double> widths;
  Index answers;
};

constexpr Index kInputs = 101, kPlaces = 17, kPaths = 20000, kSamples = 200;

Queries queries_of(const Case& each) {
  Rows out(kPlaces * static_cast<Index>(each.widths.size()), 2);
  for (Index i = 0; i < out.rows(); ++i)
    out.row(i) << static_cast<double>(i % kPlaces) / static_cast<double>(kPlaces - 1),
        each.widths[static_cast<std::size_t>(i / kPlaces)];
  return Queries(std::move(out));
}

Vector ranks(const Vector& values) {
  std::vector<Index> order(static_cast<std::size_t>(values.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::sort(order.begin(), order.end(), [&](Index i, Index j) { return values[i] < values[j]; });
  Vector out(values.size());
  for (std::size_t r = 0; r < order.size(); ++r) out[order[r]] = static_cast<double>(r);
  return out;
}

double correlation(const Vector& u, const Vector& v) {
  const Vector a = u.array() - u.mean(), b = v.array() - v.mean();
  return a.dot(b) / std::sqrt(a.squaredNorm() * b.squaredNorm());
}

struct Scored {
  Vector truth;
  std::vector<Vector> scores;  // in nats
};

Scored play(const Case& each, std::uint64_t seed) {
  Rng rng(seed);
  const double noise_var = each.noise_sd * each.noise_sd;
  const Posterior prior(Rbf(1.0, Vector{{each.lengthscale}}),
                        GaussianConditional(QueryMap::columns({0}), QueryMap::columns({1})));
  const Inputs x = Inputs::line(Vector::LinSpaced(kInputs, 0.0, 1.0));
  const Queries a = queries_of(each);
  FiniteBelief belief(prior, x, a, {.noise_var = noise_var});
  const FiniteBelief::Paths truth = belief.draw(1, rng);
  for (Index i = 0; i < each.answers; ++i) {
    const Index row = rng.below(a.size());
    belief.observe(row, truth.g(row, 0) + each.noise_sd * rng.normal(), noise_var);
  }
  const FiniteBelief::Paths paths = belief.draw(kPaths, rng);
  const Vector fstar = paths.f.colwise().maxCoeff().transpose();
  const Vector noise = Vector::Constant(a.size(), noise_var);
  const Outlook outlook{belief.g().mean, belief.g().var, noise};
  std::vector<Index> some, all(static_cast<std::size_t>(kInputs));
  std::iota(all.begin(), all.end(), Index{0});
  Rows tops(kSamples, 1);
  Vector top_var(kSamples), sample(kSamples);
  for (Index s = 0; s < kSamples; ++s) {
    Index at = 0;
    paths.f.col(s).maxCoeff(&at);
    some.push_back(at);
    tops(s, 0) = x.row(at)[0];
    top_var[s] = belief.f().var[at];
    // As policies do: windows that reach beyond X may average more than f*.
    sample[s] = std::max(paths.f.col(s).maxCoeff(), paths.g.col(s).maxCoeff());
  }
  Scored out{max_value_information(fstar, paths.g, noise).nats, {}};
  out.scores.push_back(cmes(outlook.nu, outlook.q, sample));
  out.scores.push_back(noisy_cmes(outlook.nu, outlook.q, noise, sample));
  out.scores.push_back(
      PointwiseCut(x, belief.f().mean, belief.f().var, sample).score(outlook, belief.fg_cov(all)).array().exp());
  out.scores.push_back(Cjes(Inputs(tops), top_var).score(outlook, belief.fg_cov(some)).array().exp());
  out.scores.push_back(0.5 * (outlook.q / noise_var).array().log1p());
  return out;
}

double median(std::vector<double> values) {
  if (values.empty()) return std::nan("");
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

double worst_tenth(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t count = std::max<std::size_t>(1, values.size() / 10);
  return std::accumulate(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(count), 0.0) /
         static_cast<double>(count);
}

void print(const Case& each, const std::vector<Scored>& all) {
  const char* const names[] = {"eq. 9", "appendix B", "cmes-f", "cjes", "I(z; f)"};
  const Index widest = kPlaces * (static_cast<Index>(each.widths.size()) - 1);
  for (std::size_t k = 0; k < std::size(names); ++k) {
    std::vector<double> ratio, narrow, wide, rank, share;
    for (const Scored& one : all) {
      const Vector& score = one.scores[k];
      for (Index j = 0; j < score.size(); ++j) {
        if (one.truth[j] < 0.01) continue;
        ratio.push_back(score[j] / one.truth[j]);
        if (j < kPlaces) narrow.push_back(ratio.back());
        if (j >= widest) wide.push_back(ratio.back());
      }
      Index chosen = 0;
      score.maxCoeff(&chosen);
      rank.push_back(correlation(ranks(score), ranks(one.truth)));
      share.push_back(one.truth[chosen] / one.truth.maxCoeff());
    }
    const auto r = study::summarise(rank), s = study::summarise(share);
    std::printf("| %s | %s | %.2f | %.2f | %.2f | %.2f +- %.2f | %.2f +- %.2f | %.2f |\n", each.name, names[k],
                median(ratio), median(narrow), median(wide), r.mean, r.se, s.mean, s.se, worst_tenth(share));
  }
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const study::Arguments options = study::parse(argc, argv, 40, true);
  const std::vector<double> mixed{0.0, 0.05, 0.15, 0.3};
  const std::vector<Case> cases{
      {"mixed widths, 2 answers", 0.1, 0.1, mixed, 2},
      {"mixed widths, 10 answers", 0.1, 0.1, mixed, 10},
      {"mixed widths, 30 answers", 0.1, 0.1, mixed, 30},
      {"mixed widths, 10 answers, noise 0.5", 0.1, 0.5, mixed, 10},
      {"narrow windows only, 10 answers", 0.1, 0.1, {0.0, 0.02}, 10},
      {"wide windows only, 10 answers", 0.1, 0.1, {0.1, 0.2}, 10},
      {"rough f, windows wider than its lengthscale, 10 answers", 0.04, 0.1, {0.04, 0.08}, 10}};
  std::printf(
      "| posteriors | score | score / truth | direct or narrowest | widest | rank correlation | truth at the choice, "
      "share of the "
      "largest | worst tenth |\n|---|---|---|---|---|---|---|---|\n");
  for (const Case& each : cases) {
    if (!options.wants(each.name)) continue;
    std::vector<Scored> all(static_cast<std::size_t>(options.draws));
    study::parallel(options.draws, each.name, [&](int d) {
      all[static_cast<std::size_t>(d)] = play(each, options.seed * 100000 + static_cast<std::uint64_t>(d));
    });
    print(each, all);
  }
}
