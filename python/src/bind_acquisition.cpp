// Scores as objects: logarithmic, with gradients. Those of plain arrays are in bind_score_arrays.cpp.
#include "acquisitions.hpp"
#include "iqbo/acquisition/improvement.hpp"
#include "iqbo/acquisition/knowledge_gradient.hpp"
#include "iqbo/acquisition/location.hpp"
#include "iqbo/acquisition/max_value.hpp"
#include "iqbo/acquisition/pointwise_cut.hpp"
#include "records.hpp"

namespace iqbo::python {

namespace {

template <class Score>
struct ScoreOf : AcquisitionObject {};

template <class Score>
ScoreOf<Score> score_of(Score score, py::tuple args) {
  return {{std::make_shared<const Score>(std::move(score)), std::move(args)}};
}

MatrixView covariances(const Acquisition& score, const OptionalArray& c, Index queries) {
  const Index references = score.references().size();
  if (!c && references > 0)
    refuse("c", "none", "shape (" + std::to_string(references) + ", " + std::to_string(queries) + ")");
  return {c ? *c : ArrayLike(py::cast(Matrix(0, queries))), "c", references, queries};
}

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

>>> iqbo.acquisition.Ucb(2.0).gradient([0.0], [1.0]).nu
array([1.])
)")
      .field("nu", &OutlookGradient::nu, "Shape (n,).")
      .field("q", &OutlookGradient::q, "Shape (n,).")
      .field("c", &OutlookGradient::c, "Shape (r, n).");
  py::class_<AcquisitionObject>(m, "Acquisition",
                                R"(The score of a query, by which a policy compares queries: often a logarithm.

`score` takes the belief about g as arrays: nu (n,), q (n,), noise_var (a number or (n,)), and c (r, n), covariances of f at
the score's r references with g at the queries, for scores that have any.

>>> score = iqbo.acquisition.ExpectedImprovement(incumbent=0.0)
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
          "The inputs whose covariances with g the score needs, shape (r, d).")
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

>>> iqbo.acquisition.Cmes([1.0]).score([0.0], [1.0]).round(4)
array([-1.1503])
)");
  bind_of_samples<NoisyCmes>(m, "NoisyCmes",
                             R"(The same for a noisy answer: nats that z = g + noise tells about f*, as a logarithm.

>>> bool(iqbo.acquisition.NoisyCmes([1.0]).score([0.0], [1.0], 0.5)[0] < iqbo.acquisition.Cmes([1.0]).score([0.0], [1.0])[0])
True
)");
  py::class_<ScoreOf<Est>, AcquisitionObject>(
      m, "Est", R"(-(m - nu) / sqrt(q): minus the number of standard deviations from nu to m.

>>> iqbo.acquisition.Est(2.0).score([1.0], [4.0])
array([-0.5])
)")
      .def(py::init([](double target, double q_floor) {
             return score_of(Est(target, q_floor), py::make_tuple(target, q_floor));
           }),
           "m"_a, "q_floor"_a = 0.0);
  bind_simple<ExpectedImprovement>(m, "ExpectedImprovement", R"(log E[(g - incumbent)+].

>>> iqbo.acquisition.ExpectedImprovement(0.0).score([0.0], [1.0]).round(4)
array([-0.9189])
)",
                                   "incumbent"_a);
  bind_simple<ProbabilityOfImprovement>(m, "ProbabilityOfImprovement", R"(log P(g >= incumbent).

>>> iqbo.acquisition.ProbabilityOfImprovement(0.0).score([0.0], [1.0]).round(4)
array([-0.6931])
)",
                                        "incumbent"_a);
  bind_simple<Ucb>(m, "Ucb", R"(nu + root_beta sqrt(q).

>>> iqbo.acquisition.Ucb().score([1.0], [4.0])
array([5.])
)",
                   "root_beta"_a = 2.0);
  py::class_<ScoreOf<MaxVariance>, AcquisitionObject>(m, "MaxVariance", R"(log q: a control, which ignores the means.

>>> iqbo.acquisition.MaxVariance().score([0.0], [1.0])
array([0.])
)")
      .def(py::init([] { return score_of(MaxVariance(), py::tuple()); }));
  py::class_<ScoreOf<Ckg>, AcquisitionObject>(
      m, "Ckg",
      R"(The logarithm of the expected rise of the largest mean of f over references (r, d), whose means are (r,).

>>> iqbo.acquisition.Ckg([0.0, 1.0], [0.0, 0.0]).score([0.0], [1.0], 0.0, [[1.0], [0.0]]).round(4)
array([-0.9189])
)")
      .def(py::init([](const ArrayLike& references, const ArrayLike& mean) {
             const Inputs at = inputs(references, "references");
             const Vector values = vector(mean, "mean", at.size());
             return score_of(Ckg(at, values), py::make_tuple(to_array(at), values));
           }),
           "references"_a, "mean"_a);
  py::class_<ScoreOf<Cjes>, AcquisitionObject>(
      m, "Cjes",
      R"(The logarithm of the information, in nats, between the answer and f at x_star (r, d), where f has variances (r,).

>>> iqbo.acquisition.Cjes([0.0], [2.0]).score([0.0], [1.0], 1.0, [[1.0]]).round(4)
array([-1.939])
)")
      .def(py::init([](const ArrayLike& x_star, const ArrayLike& f_var) {
             const Inputs at = inputs(x_star, "x_star");
             const Vector values = vector(f_var, "f_var", at.size());
             return score_of(Cjes(at, values), py::make_tuple(to_array(at), values));
           }),
           "x_star"_a, "f_var"_a);
  py::class_<ScoreOf<PointwiseCut>, AcquisitionObject>(
      m, "PointwiseCut",
      R"(The logarithm of the nats that z shares with the condition f <= fstar (s,) at the most informative of the references (r, d).

mean and var (r,) are those of f at the references.

>>> iqbo.acquisition.PointwiseCut([0.0], [0.0], [1.0], [0.0]).score([0.0], [1.0], 0.0, [[1.0]]).round(4)
array([-0.6809])
)")
      .def(py::init([](const ArrayLike& references, const ArrayLike& f_mean, const ArrayLike& f_var,
                       const ArrayLike& fstar) {
             const Inputs at = inputs(references, "references");
             const Vector mean = vector(f_mean, "f_mean", at.size()), var = vector(f_var, "f_var", at.size());
             const Vector samples = vector(fstar, "fstar");
             return score_of(PointwiseCut(at, mean, var, samples), py::make_tuple(to_array(at), mean, var, samples));
           }),
           "references"_a, "f_mean"_a, "f_var"_a, "fstar"_a);
  py::class_<ScoreOf<ThompsonCorrelation>, AcquisitionObject>(
      m, "ThompsonCorrelation",
      R"(The logarithm of the reduction of the variance of f at x_star (r, d).

>>> iqbo.acquisition.ThompsonCorrelation([0.0]).score([0.0], [1.0], 0.0, [[1.0]])
array([0.])
)")
      .def(py::init([](const ArrayLike& x_star) {
             const Inputs at = inputs(x_star, "x_star");
             return score_of(ThompsonCorrelation(at), py::make_tuple(to_array(at)));
           }),
           "x_star"_a);
}

}  // namespace

void bind_acquisition(py::module_& m) {
  bind_base(m);
  bind_classes(m);
}

}  // namespace iqbo::python
