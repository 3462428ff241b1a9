// Another hundred logged pairs, or another query? Is value_of_pairs() right about either?
//
// f from an RBF GP of variance 1 and lengthscale 0.25 on a 16 x 16 grid of the unit square. A query a in the square shows X = a + 0.1 N(0, I); nobody knows that:
// p(x|a) is learned from N pairs (model shift), with a discrepancy fitted beside it. After t answers to random queries (noise sd 0.1) two things may be done:
// log N pairs more and learn again, with the same answers; or ask the query that CKG likes best. The table has what value_of_pairs() predicts that f at the
// recommended x gains by each, and what it does gain, as means over draws with standard errors; and the gain of doing what has the larger prediction.
//
//   pairs_or_answers [--draws 100] [--seed 1]
#include <cstdio>

#include "iqbo/conditional/spread.hpp"
#include "iqbo/finite/finite.hpp"
#include "iqbo/kernel/stationary.hpp"
#include "iqbo/learned/learned.hpp"
#include "iqbo/policy/pairs_value.hpp"
#include "iqbo/policy/policy.hpp"
#include "study.hpp"

namespace {

using namespace iqbo;

constexpr double kNoiseSd = 0.1, kSpread = 0.1;

struct Pairs {
  Rows x, a;
};

Pairs log_pairs(Index count, Rng& rng) {
  Pairs out{Rows(count, 2), rng.uniforms(count, 2)};
  for (Index i = 0; i < count; ++i) out.x.row(i) = out.a.row(i) + kSpread * rng.normals(2).transpose();
  return out;
}

Policy policy_with(const Pairs& pairs, Index count, const Inputs& x, const Queries& a, std::uint64_t seed) {
  LearnedOptions options;
  options.model = LearnedKind::kShift;
  const LearnedConditional learned(Inputs(Rows(pairs.x.topRows(count))), Queries(Rows(pairs.a.topRows(count))),
                                   options);
  Setting setting{InputSet(x), QuerySet(a), learned};
  setting.kernel = Rbf(1.0, Vector{{0.25, 0.25}});
  setting.noise_var = kNoiseSd * kNoiseSd;
  PolicyOptions chosen;
  chosen.policy = PolicyKind::kCkg;
  chosen.recommend_paths = 0;
  return {setting, chosen, seed};
}

struct Gains {
  double said_pairs, said_query, pairs, query, advised;
  bool advises_pairs;
};

Gains play(Index count, Index answers, std::uint64_t seed) {
  Rng rng(seed);
  const Inputs x = InputBox(Vector{{0.0, 0.0}}, Vector{{1.0, 1.0}}).grid({16, 16});
  const Queries a(Rows(InputBox(Vector{{0.0, 0.0}}, Vector{{1.0, 1.0}}).grid({11, 11}).coordinates()));
  const FiniteBelief world(
      Posterior(Rbf(1.0, Vector{{0.25, 0.25}}), GaussianConditional(QueryMap::identity(2), kSpread)), x, a,
      {.noise_var = kNoiseSd * kNoiseSd});
  const FiniteBelief::Paths truth = world.draw(1, rng);
  const Pairs pairs = log_pairs(2 * count, rng);
  Policy now = policy_with(pairs, count, x, a, seed), more = policy_with(pairs, 2 * count, x, a, seed);
  const auto answer = [&](Index row) { return Vector(Vector::Constant(1, truth.g(row, 0) + kNoiseSd * rng.normal())); };
  for (Index t = 0; t < answers; ++t) {
    const Index row = rng.below(a.size());
    const Vector z = answer(row);
    now.observe(a.slice(row, 1), z);
    more.observe(a.slice(row, 1), z);
  }
  const auto found = [&](Policy& policy) { return truth.f(*policy.best().row, 0); };
  PairsValue value;
  Index next = 0;
  if (now.posterior().discrepancy() != nullptr) {
    value = value_of_pairs(now.posterior(), x, a, kNoiseSd * kNoiseSd, rng);
    next = value.best_query;
  } else {
    next = now.suggest().rows.at(0);
  }
  const double before = found(now), with_pairs = found(more);
  now.observe(a.slice(next, 1), answer(next));
  const double with_query = found(now);
  const bool advises = value.doubling > value.query;
  return {value.doubling,
          value.query,
          with_pairs - before,
          with_query - before,
          (advises ? with_pairs : with_query) - before,
          advises};
}

}  // namespace

int main(int argc, char** argv) {
  const study::Arguments options = study::parse(argc, argv, 100);
  std::printf(
      "| pairs | answers | twice the pairs: said | gained | best query: said | gained | pairs advised | gained by the "
      "advice |\n|---|---|---|---|---|---|---|---|\n");
  for (const Index count : {20, 50})
    for (const Index answers : {10, 40}) {
      std::vector<Gains> all(static_cast<std::size_t>(options.draws));
      study::parallel(options.draws, std::to_string(count), [&](int d) {
        all[static_cast<std::size_t>(d)] = play(count, answers, options.seed * 100000 + static_cast<std::uint64_t>(d));
      });
      std::vector<double> said_pairs, said_query, pairs, query, advised;
      int advises = 0;
      for (const Gains& each : all) {
        said_pairs.push_back(each.said_pairs);
        said_query.push_back(each.said_query);
        pairs.push_back(each.pairs);
        query.push_back(each.query);
        advised.push_back(each.advised);
        advises += each.advises_pairs ? 1 : 0;
      }
      const auto p = study::summarise(pairs), q = study::summarise(query), s = study::summarise(advised);
      std::printf("| %ld | %ld | %.3f | %.3f +- %.3f | %.3f | %.3f +- %.3f | %d of %d | %.3f +- %.3f |\n",
                  static_cast<long>(count), static_cast<long>(answers), study::summarise(said_pairs).mean, p.mean, p.se,
                  study::summarise(said_query).mean, q.mean, q.se, advises, options.draws, s.mean, s.se);
      std::fflush(stdout);
    }
}
