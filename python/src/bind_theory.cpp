#include "iqbo/theory/bounds.hpp"
#include "iqbo/theory/coverage.hpp"
#include "iqbo/theory/information.hpp"
#include "iqbo/theory/schedule.hpp"
#include "names.hpp"
#include "objects.hpp"
#include "records.hpp"
#include "schedules.hpp"

namespace iqbo::python {
namespace {

constexpr Names<BoundSides, 2> kSides{{{BoundSides::kOne, "one"}, {BoundSides::kTwo, "two"}}};
constexpr Names<Neighbourhood, 2> kShapes{{{Neighbourhood::kBall, "ball"}, {Neighbourhood::kCube, "cube"}}};

// The belief knows the dimension of its queries, and refuses others.
Queries any_queries(const ArrayLike& a, const char* name = "a") { return queries(a, name); }

std::function<double(Index)> of_steps(const py::function& function, const char* name) {
  return [call = Callable(function), name](Index t) {
    const py::gil_scoped_acquire lock;
    return vector(call(t), name, 1)[0];
  };
}

void bind_bounds(py::module_& m) {
  m.def("union_weight", &union_weight, "t"_a, R"(pi_t = pi^2 t^2 / 6, for t >= 1.

>>> round(iqbo.theory.union_weight(1), 4)
1.6449
)");
  m.def(
      "zeta",
      [](double weight, double delta, const std::string& sides) {
        return zeta(weight, delta, value_of(kSides, sides, "sides"));
      },
      "weight"_a, "delta"_a, "sides"_a = "one",
      R"(sqrt(2 log(weight / (2 delta))), sides "one" as lemma 3 needs it, or "two".

>>> round(iqbo.theory.zeta(1.0, 0.1), 4)
1.7941
)");
  m.def("beta", &beta, "weight"_a, "inputs"_a, "delta"_a, R"(beta_t = 2 log(|X| pi_t / delta).

>>> round(iqbo.theory.beta(1.0, 100, 0.1), 4)
13.8155
)");
  m.def(
      "least_margin",
      [](const ArrayLike& nu, const ArrayLike& q, double upper) {
        const Vector mean = vector(nu, "nu");
        return least_margin({mean, vector(q, "q", mean.size())}, upper);
      },
      "nu"_a, "q"_a, "upper"_a, R"(kappa = min_a (upper - nu) / sqrt(q), for nu (n,) and q (n,).

>>> iqbo.theory.least_margin([0.0, 1.0], [1.0, 4.0], upper=2.0)
0.5
)");
  Record<RunBounds>(m, "RunBounds", R"(The bounds of the lemmas at each step of a run.

>>> prior = iqbo.Posterior(iqbo.Rbf(1.0, 0.2), iqbo.UniformConditional(half_width=0.1))
>>> iqbo.theory.run_bounds(prior, [0.2], [0.0], 2.0, np.linspace(0, 1, 9), 0.01, delta=0.1).kappa.shape
(1,)
)")
      .field("kappa", &RunBounds::kappa)
      .field("zeta", &RunBounds::zeta)
      .field("step", &RunBounds::step, "The bound of f* - g(a_t) by lemma 3.")
      .field("information", &RunBounds::information, "I(z_1 .. z_t; f).")
      .field("var", &RunBounds::var, "The largest variance of g before the run.");
  m.def(
      "run_bounds",
      [](const PosteriorObject& prior, const ArrayLike& a, const ArrayLike& z, const ArrayLike& upper,
         const ArrayLike& candidates, const ArrayLike& noise_var, double delta) {
        const Queries at = queries(a, "a", prior.a_dimension());
        const Run run{at, vector(z, "z", at.size()), vector_or_number(upper, "upper", at.size())};
        const Queries all = queries(candidates, "candidates", prior.a_dimension());
        const NoiseVar noise = noise_var_from(noise_var, at.size());
        return without_gil([&] { return run_bounds(prior.value, run, all, noise, delta); });
      },
      "prior"_a, "a"_a, "z"_a, "upper"_a, "candidates"_a, "noise_var"_a, "delta"_a,
      R"(Replays a run, and returns its bounds: queries a (t, d_a), answers z (t,), upper values of f* (a number or (t,)), candidates (n, d_a).

>>> prior = iqbo.Posterior(iqbo.Rbf(1.0, 0.2), iqbo.UniformConditional(half_width=0.1))
>>> iqbo.theory.run_bounds(prior, [0.2, 0.4], [0.0, 0.1], 2.0, np.linspace(0, 1, 20), 0.01, delta=0.1).step.shape
(2,)
)");
  m.def(
      "simple_regret_bound",
      [](double nu, double q, double kappa, double mean, double var, double zeta) {
        const auto one = [](double value) { return Vector(Vector::Constant(1, value)); };
        return simple_regret_bound({one(nu), one(q)}, kappa, {one(mean), one(var)}, zeta);
      },
      "nu"_a, "q"_a, "kappa"_a, "mean"_a, "var"_a, "zeta"_a, R"(The bound of f* - f(x_t) in the remark of the paper.

>>> iqbo.theory.simple_regret_bound(nu=1.0, q=1.0, kappa=2.0, mean=0.5, var=1.0, zeta=1.0)
3.5
)");
  m.def("information_factor", &information_factor, "noise_var"_a, "var"_a = 1.0, R"(C = 2 v / log(1 + v / sigma^2).

>>> round(iqbo.theory.information_factor(1.0), 4)
2.8854
)");
  m.def("instant_regret_bound", &instant_regret_bound, "steps"_a, "information"_a, "kappa"_a, "noise_var"_a, "delta"_a,
        "var"_a = 1.0, R"(The bound on instant regret by theorem 1.

>>> bool(iqbo.theory.instant_regret_bound(100, 10.0, 1.0, 0.01, 0.1) > 0)
True
)");
  m.def("iterations_for", &iterations_for, "steps"_a, "w"_a, "delta"_a,
        R"(Iterations after which each of T groups holds a sample above f*.

>>> iqbo.theory.iterations_for(1, 0.5, 0.1)
6
)");
  m.def(
      "scheduled_regret_bound",
      [](double beta, double information, const ArrayLike& resolution, double curvature, double noise_var, double var) {
        return scheduled_regret_bound(beta, information, vector(resolution, "resolution"), curvature, noise_var, var);
      },
      "beta"_a, "target_information"_a, "resolution"_a, "curvature"_a, "noise_var"_a, "var"_a = 1.0,
      R"(The bound on instant regret by theorem 2, with its constants, for resolutions (T,).

>>> bool(iqbo.theory.scheduled_regret_bound(10.0, 5.0, [0.1, 0.1], 1.0, 0.01) > 0)
True
)");
}

void bind_information(py::module_& m) {
  m.def(
      "information_gain",
      [](const py::object& belief, const ArrayLike& a, const ArrayLike& noise_var) {
        const Queries at = any_queries(a);
        const QueryBelief& known = query_belief(belief);
        const NoiseVar noise = noise_var_from(noise_var, at.size());
        return without_gil([&] { return information_gain(known, at, noise); });
      },
      "belief"_a, "a"_a, "noise_var"_a, R"(I(z; f) of answers at queries a (n, d_a), in nats.

>>> prior = iqbo.Posterior(iqbo.Rbf(1.0, 0.2), iqbo.UniformConditional(half_width=0.0))
>>> round(iqbo.theory.information_gain(prior, [0.5], noise_var=1.0), 4)      # log(2) / 2
0.3466
)");
  m.def(
      "information_along",
      [](const py::object& belief, const ArrayLike& a, const ArrayLike& noise_var) {
        const Queries at = any_queries(a);
        const QueryBelief& known = query_belief(belief);
        const NoiseVar noise = noise_var_from(noise_var, at.size());
        return without_gil([&] { return information_along(known, at, noise); });
      },
      "belief"_a, "a"_a, "noise_var"_a, R"(I(z; f) after the first 1, 2, ... queries, shape (n,).

>>> prior = iqbo.Posterior(iqbo.Rbf(1.0, 0.2), iqbo.UniformConditional(half_width=0.1))
>>> iqbo.theory.information_along(prior, [0.2, 0.7], noise_var=0.1).shape
(2,)
)");
  m.def(
      "target_information_along",
      [](const PosteriorObject& prior, const ArrayLike& a, const ArrayLike& xi, const ArrayLike& noise_var) {
        const Queries at = queries(a, "a", prior.a_dimension());
        const Inputs in = inputs(xi, "xi", prior.x_dimension());
        const NoiseVar noise = noise_var_from(noise_var, at.size());
        return without_gil([&] { return target_information_along(prior.value, at, in, noise); });
      },
      "prior"_a, "a"_a, "xi"_a, "noise_var"_a,
      R"(The sum in the proof of theorem 2, shape (n,), for a (n, d_a) and xi (n, d).

>>> prior = iqbo.Posterior(iqbo.Rbf(1.0, 0.2), iqbo.UniformConditional(half_width=0.1))
>>> iqbo.theory.target_information_along(prior, [0.2, 0.7], [0.2, 0.7], noise_var=0.1).shape
(2,)
)");
  Record<InformationChoice>(m, "InformationChoice", R"(Queries that were chosen for their information.

>>> prior = iqbo.Posterior(iqbo.Rbf(1.0, 0.2), iqbo.UniformConditional(half_width=0.1))
>>> iqbo.theory.greedy_information(prior, np.linspace(0, 1, 9), 2, noise_var=0.1).gain.shape
(2,)
)")
      .field("chosen", &InformationChoice::chosen, "Rows of the candidates, in order.")
      .field("gain", &InformationChoice::gain, "I after 1, 2, ... of them.")
      .field("upper", &InformationChoice::upper, "Upper bounds of rho_1, rho_2, ...");
  const auto choose = [](auto choice) {
    return [choice](const py::object& belief, const ArrayLike& candidates, Index steps, const ArrayLike& noise_var,
                    bool repeats) {
      const Queries all = any_queries(candidates, "candidates");
      const QueryBelief& known = query_belief(belief);
      const NoiseVar noise = noise_var_from(noise_var, all.size());
      return without_gil([&] { return choice(known, all, steps, noise, repeats); });
    };
  };
  m.def("greedy_information", choose(&greedy_information), "belief"_a, "candidates"_a, "steps"_a, "noise_var"_a,
        "repeats"_a = true, R"(Chooses `steps` of the candidates (n, d_a), each time the most informative one.

>>> prior = iqbo.Posterior(iqbo.Rbf(1.0, 0.2), iqbo.UniformConditional(half_width=0.1))
>>> len(iqbo.theory.greedy_information(prior, np.linspace(0, 1, 20), 3, noise_var=0.1).chosen)
3
)");
  m.def("exact_information", choose(&exact_information), "belief"_a, "candidates"_a, "steps"_a, "noise_var"_a,
        "repeats"_a = true, R"(rho_T itself, by trying all selections; more than a million are refused.

>>> prior = iqbo.Posterior(iqbo.Rbf(1.0, 0.2), iqbo.UniformConditional(half_width=0.1))
>>> len(iqbo.theory.exact_information(prior, np.linspace(0, 1, 9), 2, noise_var=0.1).chosen)
2
)");
}

void bind_coverage(py::module_& m) {
  Record<Coverage>(m, "Coverage",
                   R"(The probability that each query touches a neighbourhood, and the error of that number.

>>> iqbo.theory.coverage(iqbo.UniformConditional(half_width=1.0), [0.0], [0.0], eps=0.5).error
array([0.])
)")
      .field("probability", &Coverage::probability)
      .field("error", &Coverage::error);
  Record<BestCoverage>(m, "BestCoverage", R"(The query that touches a neighbourhood most.

>>> iqbo.theory.best_coverage(iqbo.UniformConditional(half_width=1.0), [0.0, 9.0], [9.0], eps=0.5).probability
0.5
)")
      .field("row", &BestCoverage::row)
      .field("probability", &BestCoverage::probability)
      .field("error", &BestCoverage::error);
  m.def(
      "coverage",
      [](const ConditionalObject& conditional, const ArrayLike& a, const ArrayLike& x, double eps,
         const std::string& shape, std::uint64_t seed) {
        const Queries at = queries(a, "a", conditional.model->query_dimension());
        const Inputs in = inputs(x, "x", conditional.model->input_dimension());
        const Neighbourhood how = value_of(kShapes, shape, "shape");
        return without_gil([&] {
          Rng rng(seed);
          return coverage(conditional.model->laws(at), in, eps, how, rng);
        });
      },
      "conditional"_a, "a"_a, "x"_a, "eps"_a, "shape"_a = "ball", "seed"_a = 0,
      R"(P(|X - x| <= eps | a) for queries a (n, d_a) and one input x (d,); shape "ball" or "cube".

>>> iqbo.theory.coverage(iqbo.UniformConditional(half_width=1.0), [0.0], [0.0], eps=0.5).probability
array([0.5])
)");
  m.def(
      "best_coverage",
      [](const ConditionalObject& conditional, const ArrayLike& candidates, const ArrayLike& x, double eps,
         const std::string& shape, std::uint64_t seed) {
        const Queries at = queries(candidates, "candidates", conditional.model->query_dimension());
        const Inputs in = inputs(x, "x", conditional.model->input_dimension());
        const Neighbourhood how = value_of(kShapes, shape, "shape");
        return without_gil([&] {
          Rng rng(seed);
          return best_coverage(*conditional.model, at, in, eps, how, rng);
        });
      },
      "conditional"_a, "candidates"_a, "x"_a, "eps"_a, "shape"_a = "ball", "seed"_a = 0,
      R"(The candidate (n, d_a) that touches x (d,) most.

>>> iqbo.theory.best_coverage(iqbo.UniformConditional(half_width=1.0), [0.0, 9.0], [9.0], eps=0.5).row
1
)");
}

void bind_schedule(py::module_& m) {
  py::class_<ScheduleObject>(m, "ResolutionSchedule",
                             R"(A schedule of resolutions delta_t, t = 1, 2, ..., given by a function of t.

>>> schedule = iqbo.theory.ResolutionSchedule.paper(1).within(0.01, 0.3)
>>> schedule(1)
0.3
>>> iqbo.theory.ResolutionSchedule(lambda t: 1.0 / t).first(3).round(2)
array([1.  , 0.5 , 0.33])
)")
      .def(py::init([](const py::function& delta) {
             return ScheduleObject{ResolutionSchedule(of_steps(delta, "delta(t)")), py::make_tuple("function", delta)};
           }),
           "delta"_a)
      .def_static(
          "paper",
          [](Index d, double c) {
            return ScheduleObject{ResolutionSchedule::paper(d, c), py::make_tuple("paper", d, c)};
          },
          "dimension"_a, "c"_a = 1.0, "delta_t^2 = c t^-1/2 (log(1 + t))^{d/2}.")
      .def_static(
          "constant",
          [](double delta) {
            return ScheduleObject{ResolutionSchedule::constant(delta), py::make_tuple("constant", delta)};
          },
          "delta"_a)
      .def(
          "within",
          [](const py::object& self, double least, double most) {
            return ScheduleObject{self.cast<const ScheduleObject&>().value.within(least, most),
                                  py::make_tuple("within", self, least, most)};
          },
          "least"_a, "most"_a, "Never coarser than `most`, never finer than `least`.")
      .def(
          "__call__", [](const ScheduleObject& self, Index t) { return self.value(t); }, "t"_a)
      .def(
          "first", [](const ScheduleObject& self, Index steps) { return self.value.first(steps); }, "steps"_a)
      .def("__repr__",
           [](const ScheduleObject& self) {
             return "ResolutionSchedule(" + brief(py::object(self.made[0])) + ", first " + readable(self.value(1)) +
                    ")";
           })
      .def(py::pickle(
          [](const ScheduleObject& self) { return self.made; },
          [](const py::tuple& s) -> ScheduleObject {
            const auto kind = s[0].cast<std::string>();
            if (kind == "paper") return {ResolutionSchedule::paper(s[1].cast<Index>(), s[2].cast<double>()), s};
            if (kind == "constant") return {ResolutionSchedule::constant(s[1].cast<double>()), s};
            if (kind == "function") return {ResolutionSchedule(of_steps(s[1], "delta(t)")), s};
            const py::object inner = s[1];
            return {inner.cast<const ScheduleObject&>().value.within(s[2].cast<double>(), s[3].cast<double>()), s};
          }));
  m.def("printed_half_width", &printed_half_width, "t"_a, "dimension"_a, R"(tau_t = t^-1/4 (log t)^{d/4}, as printed.

>>> iqbo.theory.printed_half_width(1, 1)
0.0
)");
  m.def("window_cost", &window_cost, "half_width"_a, "dimension"_a, R"(The cost of a window: 1 / (1 + tau^d).

>>> iqbo.theory.window_cost(1.0, 2)
0.5
)");
  m.def("printed_schedule_cost", &printed_schedule_cost, "steps"_a, "dimension"_a,
        R"(The cumulative cost S(1), ..., S(T) of the printed schedule, shape (T,).

>>> round(float(iqbo.theory.printed_schedule_cost(1000, 1)[-1]))
737
)");
  m.def("printed_schedule_savings", &printed_schedule_savings, "steps"_a, "dimension"_a,
        R"(What the printed schedule saves: t - S(t), shape (T,).

>>> round(float(iqbo.theory.printed_schedule_savings(1000, 1)[-1]))
263
)");
  m.def(
      "schedule_cost",
      [](const ScheduleObject& schedule, Index steps, const py::function& cost) {
        return schedule_cost(schedule.value, steps,
                             [&](double delta) { return vector(cost(delta), "cost(delta)", 1)[0]; });
      },
      "schedule"_a, "steps"_a, "cost"_a,
      R"(The cumulative cost of a schedule, shape (T,); cost: a function of delta.

>>> iqbo.theory.schedule_cost(iqbo.theory.ResolutionSchedule.constant(0.5), 3, lambda delta: 1 / delta)
array([2., 4., 6.])
)");
}

}  // namespace

void bind_theory(py::module_& m) {
  bind_bounds(m);
  bind_information(m);
  bind_coverage(m);
  bind_schedule(m);
}

}  // namespace iqbo::python
