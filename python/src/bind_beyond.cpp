// What goes beyond the paper: theorem 2 repaired, lemma 3 with a learned p(x|a), the information about f* by simulation, and the
// value of further pairs.
#include "iqbo/policy/pairs_value.hpp"
#include "iqbo/theory/blurred.hpp"
#include "iqbo/theory/bounds.hpp"
#include "iqbo/theory/max_information.hpp"
#include "names.hpp"
#include "objects.hpp"
#include "records.hpp"

namespace iqbo::python {
namespace {

void bind_blurred(py::module_& m) {
  m.def(
      "blur_var",
      [](const PosteriorObject& belief, const ArrayLike& xi, const ArrayLike& a) {
        const Inputs in = inputs(xi, "xi", belief.x_dimension());
        const Queries at = queries(a, "a", belief.a_dimension());
        return without_gil([&] { return blur_var(belief.value, in, at); });
      },
      "belief"_a, "xi"_a, "a"_a, R"(Var(f(xi) - g(a)) for each row of xi (n, d) and a (n, d_a): what a window hides.

>>> prior = iqbo.Posterior(iqbo.Rbf(1.0, 0.2), iqbo.UniformConditional(half_width=0.1))
>>> iqbo.theory.blur_var(prior, [0.5], [0.5]).round(5)
array([0.00461])
)");
  m.def("blurred_regret_bound", &blurred_regret_bound, "beta"_a, "information"_a, "blur"_a, "steps"_a, "noise_var"_a,
        "var"_a = 1.0, R"(A bound of f* - max_t g(a_t) for averages over windows: theorem 2 with its proof repaired.

`information` is that of the answers about f, `blur` the sum of `blur_var` along the run.

>>> round(iqbo.theory.blurred_regret_bound(10.0, 4.0, 0.1, 100, noise_var=0.1), 3)
1.455
)");
  m.def(
      "schedule_constant",
      [](const py::function& blur_of, Index dimension, Index steps, double information, double noise_var, double var,
         double loss) {
        return schedule_constant([&](double delta) { return vector(blur_of(delta), "blur_of(delta)", 1)[0]; },
                                 dimension, steps, information, noise_var, var, loss);
      },
      "blur_of"_a, "dimension"_a, "steps"_a, "information"_a, "noise_var"_a, "var"_a = 1.0, "loss"_a = 0.5,
      R"(The largest c of the schedule delta_t^2 = c t^-1/2 (log(1 + t))^(d/2) with a bound of at most 1 + loss times that of direct measurements.

`blur_of` gives `blur_var` for a window of sd delta, and must not decrease.

>>> round(iqbo.theory.schedule_constant(lambda delta: delta**4, 1, 100, 4.0, noise_var=0.1), 3)
0.177
)");
}

void bind_learned_bounds(py::module_& m) {
  m.def(
      "answer_weights",
      [](const PosteriorObject& posterior, const ArrayLike& a) {
        const Queries at = queries(a, "a", posterior.a_dimension());
        return without_gil([&] { return answer_weights(posterior.value, at); });
      },
      "posterior"_a, "a"_a,
      R"(sum_i |w_i| for each row of a (n, d_a), where the mean of g is c + sum_i w_i z_i.

>>> belief = iqbo.Posterior(iqbo.Rbf(1.0, 0.2), iqbo.UniformConditional(half_width=0.1)).condition([0.5], [1.0], 0.1)
>>> iqbo.theory.answer_weights(belief, [0.5]).round(3)
array([0.902])
)");
  m.def(
      "bias_along",
      [](const PosteriorObject& prior, const ArrayLike& a, const ArrayLike& noise_var, double bias) {
        const Queries at = queries(a, "a", prior.a_dimension());
        const NoiseVar noise = noise_var_from(noise_var, at.size());
        return without_gil([&] { return bias_along(prior.value, at, noise, bias); });
      },
      "prior"_a, "a"_a, "noise_var"_a, "bias"_a,
      R"(What lemma 3 needs in addition at each step, shape (n,), if learned averages are off by at most `bias`.

>>> prior = iqbo.Posterior(iqbo.Rbf(1.0, 0.2), iqbo.UniformConditional(half_width=0.1))
>>> iqbo.theory.bias_along(prior, [0.2, 0.7], noise_var=0.1, bias=0.1).round(3)
array([0.1  , 0.106])
)");
  m.def(
      "learned_bias",
      [](const PosteriorObject& prior, const ArrayLike& candidates, Index steps, double delta) {
        const Queries all = queries(candidates, "candidates", prior.a_dimension());
        return without_gil([&] { return learned_bias(prior.value, all, steps, delta); });
      },
      "prior"_a, "candidates"_a, "steps"_a, "delta"_a,
      R"(A bound of the error of learned averages at `steps` queries with probability 1 - delta, by a jackknife of the pairs.

>>> rng = np.random.default_rng(1)
>>> a = rng.uniform(size=(60, 1))
>>> learned = iqbo.LearnedConditional(a + 0.1 * rng.normal(size=(60, 1)), a)
>>> iqbo.theory.learned_bias(iqbo.Posterior(iqbo.Rbf(1.0, 0.2), learned), a, steps=10, delta=0.1) > 0
True
)");
}

void bind_simulated(py::module_& m) {
  Record<MaxInformation>(m, "MaxInformation", R"(What each answer tells about the largest value of f, in nats.

>>> rng = np.random.default_rng(1)
>>> g = rng.normal(size=(1, 4000))
>>> iqbo.theory.max_value_information(g[0], g, [1.0], groups=16).nats.shape
(1,)
)")
      .field("nats", &MaxInformation::nats, "For each query; may be slightly below 0.")
      .field("error", &MaxInformation::error, "Standard errors.");
  m.def(
      "max_value_information",
      [](const ArrayLike& fstar, const ArrayLike& g, const ArrayLike& noise_var, Index groups) {
        const Vector highest = vector(fstar, "fstar");
        const Matrix of_queries = rows(g, "g");
        const Vector noise = vector(noise_var, "noise_var", of_queries.rows());
        return without_gil([&] { return max_value_information(highest, of_queries, noise, groups); });
      },
      "fstar"_a, "g"_a, "noise_var"_a, "groups"_a = 64,
      R"(I(z; f*) by simulation, for joint draws of the maximum fstar (s,) and of the averages g (n, s): a yardstick for scores.

Take 20,000 draws or more. For f* = g and noise of the same variance the answer is log(2) / 2:

>>> rng = np.random.default_rng(1)
>>> g = rng.normal(size=(1, 20000))
>>> abs(iqbo.theory.max_value_information(g[0], g, [1.0]).nats[0] - np.log(2) / 2) < 0.02
True
)");
  Record<PairsValue>(m, "PairsValue", R"(What further logged pairs are worth, beside the best next query, in units of f.

>>> a = np.linspace(0, 1, 40)[:, None]
>>> learned = iqbo.LearnedConditional(a + 0.1 * np.sin(40 * a), a)
>>> belief = iqbo.Posterior(iqbo.Rbf(1.0, 0.2), learned).with_discrepancy(learned.discrepancy(0.3))
>>> belief = belief.condition([0.2, 0.6], [1.0, 0.5], 0.01)
>>> value = iqbo.theory.value_of_pairs(belief, np.linspace(0, 1, 21), np.linspace(0, 1, 11), noise_var=0.01)
>>> value.here.argmax() == value.best_place
True
)")
      .field("doubling", &PairsValue::doubling,
             "By how much twice as many pairs are expected to raise f at the recommended point.")
      .field("doubling_error", &PairsValue::doubling_error, "Its standard error.")
      .field("query", &PairsValue::query, "The same for the best next query.")
      .field("best_query", &PairsValue::best_query, "Its row.")
      .field("here", &PairsValue::here, "For each query: the same for many pairs at this query.")
      .field("best_place", &PairsValue::best_place, "The row where they help most.");
  m.def(
      "value_of_pairs",
      [](const PosteriorObject& posterior, const ArrayLike& x, const ArrayLike& a, double noise_var, std::uint64_t seed,
         Index draws) {
        const Inputs in = inputs(x, "x", posterior.x_dimension());
        const Queries at = queries(a, "a", posterior.a_dimension());
        return without_gil([&] {
          Rng rng(seed);
          return value_of_pairs(posterior.value, in, at, noise_var, rng, draws);
        });
      },
      "posterior"_a, "x"_a, "a"_a, "noise_var"_a, "seed"_a = 0, "draws"_a = 4096,
      R"(Whether further logged pairs or further answers help more, for a posterior with the discrepancy of a learned conditional.

>>> rng = np.random.default_rng(1)
>>> a = rng.uniform(size=(40, 1))
>>> learned = iqbo.LearnedConditional(a + 0.1 * rng.normal(size=(40, 1)), a)
>>> belief = iqbo.Posterior(iqbo.Rbf(1.0, 0.2), learned).with_discrepancy(learned.discrepancy(0.3))
>>> belief = belief.condition([0.2, 0.6], [1.0, 0.5], 0.01)
>>> value = iqbo.theory.value_of_pairs(belief, np.linspace(0, 1, 21), np.linspace(0, 1, 11), noise_var=0.01)
>>> value.doubling > 0 and value.query > 0
True
)");
}

}  // namespace

void bind_beyond(py::module_& m) {
  bind_blurred(m);
  bind_learned_bounds(m);
  bind_simulated(m);
}

}  // namespace iqbo::python
