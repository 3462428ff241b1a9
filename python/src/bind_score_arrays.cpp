// Scores on plain arrays, in their own units. Those that are objects are in bind_acquisition.cpp.
#include "acquisitions.hpp"
#include "iqbo/acquisition/improvement.hpp"
#include "iqbo/acquisition/knowledge_gradient.hpp"
#include "iqbo/acquisition/location.hpp"
#include "iqbo/acquisition/max_value.hpp"
#include "iqbo/acquisition/multi_fidelity.hpp"

namespace iqbo::python {

namespace {

// The belief of g at n queries.
struct ViewOfG {
  VectorView nu, q;

  ViewOfG(const ArrayLike& mean, const ArrayLike& var) : nu(mean, "nu"), q(var, "q", nu.size()) {}
};

// None: the noise of the answers so far.
Vector noise_of(const PosteriorObject& posterior, const OptionalArray& noise_var, Index size) {
  if (noise_var) return vector_or_number(*noise_var, "noise_var", size);
  if (posterior.value.size() == 0)
    refuse("noise_var", "none", "a number, as there are no observations to take it from");
  return Vector::Constant(size, posterior.value.noise_var().mean());
}

void bind_of_marginals(py::module_& m) {
  m.def(
      "cmes",
      [](const ArrayLike& nu, const ArrayLike& q, const ArrayLike& fstar) {
        const ViewOfG g(nu, q);
        const VectorView samples(fstar, "fstar");
        return without_gil([&] { return cmes(*g.nu, *g.q, *samples); });
      },
      "nu"_a, "q"_a, "fstar"_a,
      R"(Nats that a noiseless answer tells about f*, shape (n,); nu (n,), q (n,), fstar (s,). [Zhang26] eq. 9

>>> iqbo.acquisition.cmes([0.0], [1.0], [1.0]).round(4)
array([0.3166])
)");
  m.def(
      "noisy_cmes",
      [](const ArrayLike& nu, const ArrayLike& q, const ArrayLike& noise_var, const ArrayLike& fstar) {
        const ViewOfG g(nu, q);
        const Vector noise = vector_or_number(noise_var, "noise_var", g.nu.size());
        const VectorView samples(fstar, "fstar");
        return without_gil([&] { return noisy_cmes(*g.nu, *g.q, noise, *samples); });
      },
      "nu"_a, "q"_a, "noise_var"_a, "fstar"_a, R"(Nats that a noisy answer tells about f*, shape (n,).

>>> bool(iqbo.acquisition.noisy_cmes([0.0], [1.0], 0.5, [1.0])[0] < iqbo.acquisition.cmes([0.0], [1.0], [1.0])[0])
True
)");
  m.def(
      "est",
      [](const ArrayLike& nu, const ArrayLike& q, double target) {
        const ViewOfG g(nu, q);
        return est(*g.nu, *g.q, target);
      },
      "nu"_a, "q"_a, "m"_a, R"(-(m - nu) / sqrt(q), shape (n,).

>>> iqbo.acquisition.est([1.0], [4.0], m=2.0)
array([-0.5])
)");
  m.def(
      "expected_improvement",
      [](const ArrayLike& nu, const ArrayLike& q, double incumbent) {
        const ViewOfG g(nu, q);
        return expected_improvement(*g.nu, *g.q, incumbent);
      },
      "nu"_a, "q"_a, "incumbent"_a, R"(E[(g - incumbent)+], shape (n,).

>>> iqbo.acquisition.expected_improvement([0.0], [1.0], 0.0).round(4)
array([0.3989])
)");
  m.def(
      "probability_of_improvement",
      [](const ArrayLike& nu, const ArrayLike& q, double incumbent) {
        const ViewOfG g(nu, q);
        return probability_of_improvement(*g.nu, *g.q, incumbent);
      },
      "nu"_a, "q"_a, "incumbent"_a, R"(P(g >= incumbent), shape (n,).

>>> iqbo.acquisition.probability_of_improvement([0.0], [1.0], 0.0)
array([0.5])
)");
  m.def(
      "ucb",
      [](const ArrayLike& nu, const ArrayLike& q, double root_beta) {
        const ViewOfG g(nu, q);
        return ucb(*g.nu, *g.q, root_beta);
      },
      "nu"_a, "q"_a, "root_beta"_a = 2.0, R"(nu + root_beta sqrt(q), shape (n,).

>>> iqbo.acquisition.ucb([1.0], [4.0])
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

>>> iqbo.acquisition.mfmes([0.0], [1.0], 0.0, [0.0], [1.0], [1.0], [1.0]).round(4)      # the finest itself, without noise
array([0.3166])
)");
}

void bind_of_covariances(py::module_& m) {
  m.def(
      "knowledge_gradient",
      [](const ArrayLike& mean, const ArrayLike& c, const ArrayLike& q, const ArrayLike& noise_var) {
        const VectorView means(mean, "mean");
        const VectorView var(q, "q");
        const MatrixView cov(c, "c", means.size(), var.size());
        const Vector noise = vector_or_number(noise_var, "noise_var", var.size());
        return without_gil([&] { return knowledge_gradient(*means, *cov, *var, noise); });
      },
      "mean"_a, "c"_a, "q"_a, "noise_var"_a,
      R"(The expected rise of the largest mean of f, shape (n,), from mean (r,), c (r, n), q (n,).

>>> iqbo.acquisition.knowledge_gradient([0.0, 0.0], [[1.0], [0.0]], [1.0], 0.0).round(4)
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
      R"(The conditional knowledge gradient of queries a (n, d_a) over inputs x (r, d), shape (n,): the expected rise of the largest mean of f.

noise_var: a number or (n,); by default, the mean of that of the observations.

>>> prior = iqbo.Posterior(iqbo.Rbf(1.0, 0.2), iqbo.UniformConditional(half_width=0.1))
>>> iqbo.acquisition.ckg(prior, np.linspace(0, 1, 30), [0.2, 0.5], noise_var=0.01).shape
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
>>> fs = iqbo.maxvalue.sample_max(prior, np.linspace(0, 1, 50), n=8, seed=1)
>>> iqbo.acquisition.cjes(prior, fs, [0.2, 0.5], noise_var=0.01).shape
(2,)
>>> iqbo.acquisition.cjes(q=[1.0], noise_var=1.0, c=[[1.0]], f_var=[2.0]).round(4)      # log(2 / 1.5) / 2
array([0.1438])
)");
  m.def(
      "cjes",
      [](const ArrayLike& q, const ArrayLike& noise_var, const ArrayLike& c, const ArrayLike& f_var) {
        const VectorView var(q, "q");
        const VectorView at_star(f_var, "f_var");
        const MatrixView cov(c, "c", at_star.size(), var.size());
        const Vector noise = vector_or_number(noise_var, "noise_var", var.size());
        return without_gil([&] { return cjes(*var, noise, *cov, *at_star); });
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
      R"(The mean reduction of the variance of f at sampled maximisers, shape (n,); also from arrays q, noise_var, c.

>>> iqbo.acquisition.thompson_correlation(q=[1.0], noise_var=1.0, c=[[1.0]])
array([0.5])
)");
  m.def(
      "thompson_correlation",
      [](const ArrayLike& q, const ArrayLike& noise_var, const ArrayLike& c) {
        const VectorView var(q, "q");
        const MatrixView cov(c, "c", kAny, var.size());
        return thompson_correlation(*var, vector_or_number(noise_var, "noise_var", var.size()), *cov);
      },
      "q"_a, "noise_var"_a, "c"_a);
}

}  // namespace

void bind_score_arrays(py::module_& m) {
  bind_of_marginals(m);
  bind_of_covariances(m);
}

}  // namespace iqbo::python
