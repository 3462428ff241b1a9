#include "acquisitions.hpp"
#include "iqbo/acquisition/improvement.hpp"
#include "iqbo/acquisition/knowledge_gradient.hpp"
#include "iqbo/acquisition/location.hpp"
#include "iqbo/acquisition/max_value.hpp"
#include "iqbo/acquisition/multi_fidelity.hpp"
#include "records.hpp"

namespace iqbo::python {
namespace {

struct AcquisitionObject {
  std::shared_ptr<const Acquisition> value;
  py::tuple args;
};
template <class Score>
struct ScoreOf : AcquisitionObject {};

template <class Score>
ScoreOf<Score> score_of(Score score, py::tuple args) {
  return {{std::make_shared<const Score>(std::move(score)), std::move(args)}};
}

struct Arrays {
  Vector nu, q;
};

Arrays arrays(const ArrayLike& nu, const ArrayLike& q) {
  Vector mean = vector(nu, "nu");
  Vector var = vector(q, "q", mean.size());
  return {std::move(mean), std::move(var)};
}

Outlook outlook_from(const ArrayLike& nu, const ArrayLike& q, const ArrayLike& noise_var) {
  auto [mean, var] = arrays(nu, q);
  Vector noise = vector_or_number(noise_var, "noise_var", mean.size());
  return {std::move(mean), std::move(var), std::move(noise)};
}

// None: as noisy as the answers so far.
Vector noise_of(const PosteriorObject& posterior, const OptionalArray& noise_var, Index size) {
  if (noise_var) return vector_or_number(*noise_var, "noise_var", size);
  if (posterior.value.size() == 0)
    refuse("noise_var", "none", "a number, as there are no observations to take it from");
  return Vector::Constant(size, posterior.value.noise_var().mean());
}

MatrixView covariances(const Acquisition& score, const OptionalArray& c, Index queries) {
  const Index references = score.references().size();
  if (!c && references > 0)
    refuse("c", "none", "shape (" + std::to_string(references) + ", " + std::to_string(queries) + ")");
  return {c ? *c : ArrayLike(py::cast(Matrix(0, queries))), "c", references, queries};
}

// --- scores as objects, logarithmic, with gradients ---

template <class Score, class... Extra>
void bind_simple(py::module_& m, const char* name, const char* doc, Extra&&... extra) {
  py::class_<ScoreOf<Score>, AcquisitionObject>(m, name, doc)
      .def(py::init([](double value) { return score_of(Score(value), py::make_tuple(value)); }),
           std::forward<Extra>(extra)...);
}

template <class Score>
void bind_of_samples(py::module_& m, const char* name, const char* doc) {
  py::class_<ScoreOf<Score>, AcquisitionObject>(m, name, doc)
      .def(py::init([](const ArrayLike& fstar, double q_floor) {
             const Vector values = vector(fstar, "fstar");
             return score_of(Score(values, q_floor), py::make_tuple(values, q_floor));
           }),
           "fstar"_a, "q_floor"_a = 0.0);
}

void bind_base(py::module_& m) {
  Record<OutlookGradient>(m, "OutlookGradient", R"(Derivatives of each query's score.

>>> iqbo.Ucb(2.0).gradient([0.0], [1.0]).nu
array([1.])
)")
      .field("nu", &OutlookGradient::nu, "Shape (n,).")
      .field("q", &OutlookGradient::q, "Shape (n,).")
      .field("c", &OutlookGradient::c, "Shape (r, n).");
  py::class_<AcquisitionObject>(m, "Acquisition",
                                R"(What a query is worth, as a policy compares it: often the logarithm of the worth.

`score` takes the belief about g as arrays: nu (n,), q (n,), noise_var (a number or (n,)), and c (r, n), covariances of f at
the score's r references with g at the queries, for scores that have any.

>>> score = iqbo.ExpectedImprovement(incumbent=0.0)
>>> score.score([0.0, 1.0], [1.0, 1.0]).round(4)       # log EI
array([-0.9189,  0.08  ])
)")
      .def(
          "score",
          [](const AcquisitionObject& self, const ArrayLike& nu, const ArrayLike& q, const ArrayLike& noise_var,
             const OptionalArray& c) {
            const Outlook outlook = outlook_from(nu, q, noise_var);
            const MatrixView cov = covariances(*self.value, c, outlook.size());
            return without_gil([&] { return self.value->score(outlook, *cov); });
          },
          "nu"_a, "q"_a, "noise_var"_a = 0.0, "c"_a = py::none(),
          "One number for each query, shape (n,); larger is better.")
      .def(
          "gradient",
          [](const AcquisitionObject& self, const ArrayLike& nu, const ArrayLike& q, const ArrayLike& noise_var,
             const OptionalArray& c) {
            const Outlook outlook = outlook_from(nu, q, noise_var);
            OutlookGradient out;
            self.value->score(outlook, *covariances(*self.value, c, outlook.size()), &out);
            return out;
          },
          "nu"_a, "q"_a, "noise_var"_a = 0.0, "c"_a = py::none(),
          "Its derivatives in nu, q and c, as `OutlookGradient`.")
      .def_property_readonly("logarithmic", [](const AcquisitionObject& self) { return self.value->logarithmic(); })
      .def_property_readonly(
          "references",
          [](const py::object& self) {
            return view_of(self.cast<const AcquisitionObject&>().value->references(), self);
          },
          "Inputs whose covariance with g it wants, shape (r, d).")
      .def("__copy__", [](py::object self) { return self; })
      .def(
          "__deepcopy__", [](py::object self, const py::dict&) { return self; }, "memo"_a)
      .def("__repr__",
           [](py::object self) {
             std::string parts;
             for (const auto& arg : self.cast<const AcquisitionObject&>().args)
               parts += (parts.empty() ? "" : ", ") + brief(arg);
             return std::string(py::str(py::type::of(self).attr("__name__"))) + "(" + parts + ")";
           })
      .def("__reduce__", [](py::object self) {
        return py::make_tuple(py::type::of(self), self.cast<const AcquisitionObject&>().args);
      });
}

void bind_classes(py::module_& m) {
  bind_of_samples<Cmes>(m, "Cmes",
                        R"(log mean_s h(gamma_s): nats that an answer tells about f*, from samples fstar (s,).

>>> iqbo.Cmes([1.0]).score([0.0], [1.0]).round(4)
array([-1.1503])
)");
  bind_of_samples<NoisyCmes>(m, "NoisyCmes", R"(The same for a noisy answer.

>>> bool(iqbo.NoisyCmes([1.0]).score([0.0], [1.0], 0.5)[0] < iqbo.Cmes([1.0]).score([0.0], [1.0])[0])
True
)");
  py::class_<ScoreOf<Est>, AcquisitionObject>(m, "Est", R"(-(m - nu) / sqrt(q): the least number of deviations to m.

>>> iqbo.Est(2.0).score([1.0], [4.0])
array([-0.5])
)")
      .def(py::init([](double target, double q_floor) {
             return score_of(Est(target, q_floor), py::make_tuple(target, q_floor));
           }),
           "m"_a, "q_floor"_a = 0.0);
  bind_simple<ExpectedImprovement>(m, "ExpectedImprovement", R"(log E[(g - incumbent)+].

>>> iqbo.ExpectedImprovement(0.0).score([0.0], [1.0]).round(4)
array([-0.9189])
)",
                                   "incumbent"_a);
  bind_simple<ProbabilityOfImprovement>(m, "ProbabilityOfImprovement", R"(log P(g >= incumbent).

>>> iqbo.ProbabilityOfImprovement(0.0).score([0.0], [1.0]).round(4)
array([-0.6931])
)",
                                        "incumbent"_a);
  bind_simple<Ucb>(m, "Ucb", R"(nu + root_beta sqrt(q).

>>> iqbo.Ucb().score([1.0], [4.0])
array([5.])
)",
                   "root_beta"_a = 2.0);
  py::class_<ScoreOf<MaxVariance>, AcquisitionObject>(m, "MaxVariance", R"(log q, a control.

>>> iqbo.MaxVariance().score([0.0], [1.0])
array([0.])
)")
      .def(py::init([] { return score_of(MaxVariance(), py::tuple()); }));
  py::class_<ScoreOf<Ckg>, AcquisitionObject>(
      m, "Ckg", R"(log of the rise of the best mean over references (r, d) with means (r,).

>>> iqbo.Ckg([0.0, 1.0], [0.0, 0.0]).score([0.0], [1.0], 0.0, [[1.0], [0.0]]).round(4)
array([-0.9189])
)")
      .def(py::init([](const ArrayLike& references, const ArrayLike& mean) {
             const Inputs at = inputs(references, "references");
             const Vector values = vector(mean, "mean", at.size());
             return score_of(Ckg(at, values), py::make_tuple(to_array(at), values));
           }),
           "references"_a, "mean"_a);
  py::class_<ScoreOf<Cjes>, AcquisitionObject>(m, "Cjes",
                                               R"(log nats between the answer and f at x_star (r, d), of variances (r,).

>>> iqbo.Cjes([0.0], [2.0]).score([0.0], [1.0], 1.0, [[1.0]]).round(4)
array([-1.939])
)")
      .def(py::init([](const ArrayLike& x_star, const ArrayLike& f_var) {
             const Inputs at = inputs(x_star, "x_star");
             const Vector values = vector(f_var, "f_var", at.size());
             return score_of(Cjes(at, values), py::make_tuple(to_array(at), values));
           }),
           "x_star"_a, "f_var"_a);
  py::class_<ScoreOf<ThompsonCorrelation>, AcquisitionObject>(m, "ThompsonCorrelation",
                                                              R"(log of the fall of the variance of f at x_star (r, d).

>>> iqbo.ThompsonCorrelation([0.0]).score([0.0], [1.0], 0.0, [[1.0]])
array([0.])
)")
      .def(py::init([](const ArrayLike& x_star) {
             const Inputs at = inputs(x_star, "x_star");
             return score_of(ThompsonCorrelation(at), py::make_tuple(to_array(at)));
           }),
           "x_star"_a);
}

// --- plain arrays ---

void bind_of_marginals(py::module_& m) {
  m.def(
      "cmes",
      [](const ArrayLike& nu, const ArrayLike& q, const ArrayLike& fstar) {
        const auto [mean, var] = arrays(nu, q);
        const Vector samples = vector(fstar, "fstar");
        return without_gil([&] { return cmes(mean, var, samples); });
      },
      "nu"_a, "q"_a, "fstar"_a,
      R"(Nats that a noiseless answer tells about f*, shape (n,); nu (n,), q (n,), fstar (s,). [Zhang26] eq. 9

>>> iqbo.cmes([0.0], [1.0], [1.0]).round(4)
array([0.3166])
)");
  m.def(
      "noisy_cmes",
      [](const ArrayLike& nu, const ArrayLike& q, const ArrayLike& noise_var, const ArrayLike& fstar) {
        const Outlook o = outlook_from(nu, q, noise_var);
        const Vector samples = vector(fstar, "fstar");
        return without_gil([&] { return noisy_cmes(o.nu, o.q, o.noise_var, samples); });
      },
      "nu"_a, "q"_a, "noise_var"_a, "fstar"_a, R"(Nats that a noisy answer tells about f*, shape (n,).

>>> bool(iqbo.noisy_cmes([0.0], [1.0], 0.5, [1.0])[0] < iqbo.cmes([0.0], [1.0], [1.0])[0])
True
)");
  m.def(
      "est",
      [](const ArrayLike& nu, const ArrayLike& q, double target) {
        const auto [mean, var] = arrays(nu, q);
        return est(mean, var, target);
      },
      "nu"_a, "q"_a, "m"_a, R"(-(m - nu) / sqrt(q), shape (n,).

>>> iqbo.est([1.0], [4.0], m=2.0)
array([-0.5])
)");
  m.def(
      "expected_improvement",
      [](const ArrayLike& nu, const ArrayLike& q, double incumbent) {
        const auto [mean, var] = arrays(nu, q);
        return expected_improvement(mean, var, incumbent);
      },
      "nu"_a, "q"_a, "incumbent"_a, R"(E[(g - incumbent)+], shape (n,).

>>> iqbo.expected_improvement([0.0], [1.0], 0.0).round(4)
array([0.3989])
)");
  m.def(
      "probability_of_improvement",
      [](const ArrayLike& nu, const ArrayLike& q, double incumbent) {
        const auto [mean, var] = arrays(nu, q);
        return probability_of_improvement(mean, var, incumbent);
      },
      "nu"_a, "q"_a, "incumbent"_a, R"(P(g >= incumbent), shape (n,).

>>> iqbo.probability_of_improvement([0.0], [1.0], 0.0)
array([0.5])
)");
  m.def(
      "ucb",
      [](const ArrayLike& nu, const ArrayLike& q, double root_beta) {
        const auto [mean, var] = arrays(nu, q);
        return ucb(mean, var, root_beta);
      },
      "nu"_a, "q"_a, "root_beta"_a = 2.0, R"(nu + root_beta sqrt(q), shape (n,).

>>> iqbo.ucb([1.0], [4.0])
array([5.])
)");
  m.def(
      "mfmes",
      [](const ArrayLike& nu, const ArrayLike& q, const ArrayLike& noise_var, const ArrayLike& finest_nu,
         const ArrayLike& finest_q, const ArrayLike& cov, const ArrayLike& gstar, double q_floor) {
        const Outlook o = outlook_from(nu, q, noise_var);
        const Outlook finest{vector(finest_nu, "finest_nu", o.size()), vector(finest_q, "finest_q", o.size()),
                             o.noise_var};
        const Vector between = vector(cov, "cov", o.size());
        return Vector(Mfmes(vector(gstar, "gstar"), q_floor).score(o, finest, between).array().exp());
      },
      "nu"_a, "q"_a, "noise_var"_a, "finest_nu"_a, "finest_q"_a, "cov"_a, "gstar"_a, "q_floor"_a = 0.0,
      R"(Nats about g* at the finest level, through each query's finest partner; arrays (n,), gstar (s,). [Takeno20]

>>> iqbo.mfmes([0.0], [1.0], 0.0, [0.0], [1.0], [1.0], [1.0]).round(4)      # the finest itself, without noise
array([0.3166])
)");
}

void bind_of_covariances(py::module_& m) {
  m.def(
      "knowledge_gradient",
      [](const ArrayLike& mean, const ArrayLike& c, const ArrayLike& q, const ArrayLike& noise_var) {
        const Vector means = vector(mean, "mean");
        const Vector var = vector(q, "q");
        const MatrixView cov(c, "c", means.size(), var.size());
        const Vector noise = vector_or_number(noise_var, "noise_var", var.size());
        return without_gil([&] { return knowledge_gradient(means, *cov, var, noise); });
      },
      "mean"_a, "c"_a, "q"_a, "noise_var"_a,
      R"(The rise of the best mean of f, shape (n,), from mean (r,), c (r, n), q (n,).

>>> iqbo.knowledge_gradient([0.0, 0.0], [[1.0], [0.0]], [1.0], 0.0).round(4)
array([0.3989])
)");
  m.def(
      "ckg",
      [](const PosteriorObject& posterior, const ArrayLike& x, const ArrayLike& a, const OptionalArray& noise_var) {
        const Inputs in = inputs(x, "x", posterior.x_dimension());
        const Queries at = queries(a, "a", posterior.a_dimension());
        const Vector noise = noise_of(posterior, noise_var, at.size());
        const Posterior& p = posterior.value;
        return without_gil([&] { return knowledge_gradient(p.f(in).mean, p.fg_cov(in, at), p.g(at).var, noise); });
      },
      "posterior"_a, "x"_a, "a"_a, "noise_var"_a = py::none(),
      R"(The conditional knowledge gradient of queries a (n, d_a) over inputs x (r, d), shape (n,): the rise of the best mean of f.

noise_var: a number or (n,); the mean of that of the observations, if not given.

>>> prior = iqbo.Posterior(iqbo.Rbf(1.0, 0.2), iqbo.UniformConditional(half_width=0.1))
>>> iqbo.ckg(prior, np.linspace(0, 1, 30), [0.2, 0.5], noise_var=0.01).shape
(2,)
)");
  m.def(
      "cjes",
      [](const PosteriorObject& posterior, const MaxSamplesObject& fs, const ArrayLike& a,
         const OptionalArray& noise_var) {
        const Queries at = queries(a, "a", posterior.a_dimension());
        const Vector noise = noise_of(posterior, noise_var, at.size());
        const Posterior& p = posterior.value;
        return without_gil([&] { return cjes(p.g(at).var, noise, p.fg_cov(fs.arguments, at), p.f(fs.arguments).var); });
      },
      "posterior"_a, "samples"_a, "a"_a, "noise_var"_a = py::none(),
      R"(Conditional joint entropy search: nats between the answers at a (n, d_a) and f at sampled maximisers, shape (n,).

Also from arrays: cjes(q=(n,), noise_var=, c=(s, n), f_var=(s,)), covariances and variances of f at the s maximisers.

>>> prior = iqbo.Posterior(iqbo.Rbf(1.0, 0.2), iqbo.UniformConditional(half_width=0.1))
>>> fs = iqbo.sample_max(prior, np.linspace(0, 1, 50), n=8, seed=1)
>>> iqbo.cjes(prior, fs, [0.2, 0.5], noise_var=0.01).shape
(2,)
>>> iqbo.cjes(q=[1.0], noise_var=1.0, c=[[1.0]], f_var=[2.0]).round(4)      # log(2 / 1.5) / 2
array([0.1438])
)");
  m.def(
      "cjes",
      [](const ArrayLike& q, const ArrayLike& noise_var, const ArrayLike& c, const ArrayLike& f_var) {
        const Vector var = vector(q, "q");
        const Vector at_star = vector(f_var, "f_var");
        const MatrixView cov(c, "c", at_star.size(), var.size());
        const Vector noise = vector_or_number(noise_var, "noise_var", var.size());
        return without_gil([&] { return cjes(var, noise, *cov, at_star); });
      },
      "q"_a, "noise_var"_a, "c"_a, "f_var"_a);
  m.def(
      "thompson_correlation",
      [](const PosteriorObject& posterior, const MaxSamplesObject& fs, const ArrayLike& a,
         const OptionalArray& noise_var) {
        const Queries at = queries(a, "a", posterior.a_dimension());
        const Vector noise = noise_of(posterior, noise_var, at.size());
        const Posterior& p = posterior.value;
        return without_gil([&] { return thompson_correlation(p.g(at).var, noise, p.fg_cov(fs.arguments, at)); });
      },
      "posterior"_a, "samples"_a, "a"_a, "noise_var"_a = py::none(),
      R"(The mean fall of the variance of f at sampled maximisers, shape (n,); also from arrays q, noise_var, c.

>>> iqbo.thompson_correlation(q=[1.0], noise_var=1.0, c=[[1.0]])
array([0.5])
)");
  m.def(
      "thompson_correlation",
      [](const ArrayLike& q, const ArrayLike& noise_var, const ArrayLike& c) {
        const Vector var = vector(q, "q");
        const MatrixView cov(c, "c", kAny, var.size());
        return thompson_correlation(var, vector_or_number(noise_var, "noise_var", var.size()), *cov);
      },
      "q"_a, "noise_var"_a, "c"_a);
}

}  // namespace

void bind_acquisition(py::module_& m) {
  bind_base(m);
  bind_classes(m);
  bind_of_marginals(m);
  bind_of_covariances(m);
}

}  // namespace iqbo::python
