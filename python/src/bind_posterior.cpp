#include "iqbo/posterior/posterior.hpp"

#include "beliefs.hpp"
#include "iqbo/learned/learned.hpp"
#include "objects.hpp"
#include "records.hpp"

namespace iqbo::python {
namespace {

PosteriorObject like(const PosteriorObject& self, const Posterior& value) {
  return {value, self.conditional, self.columns};
}

PosteriorObject make_posterior(const Kernel& kernel, const py::object& conditional, const py::object& mean) {
  const auto& of_queries = object_from<ConditionalObject>(conditional, "conditional", "a Conditional");
  return {Posterior(kernel, *of_queries.model, *mean_from(mean)), conditional};
}

// --- pickle: the observations, in runs of one kind, in their order ---

py::object discrepancy_of(const PosteriorObject& self) {
  const Kernel* l = self.value.discrepancy();
  if (l == nullptr) return py::none();
  const bool learned = dynamic_cast<const LearnedConditional*>(&self.value.conditional()) != nullptr;
  return learned ? py::cast(std::exp(l->log_parameters()[0])) : to_python(*l);
}

py::tuple state_of(const PosteriorObject& self) {
  const Posterior& p = self.value;
  return py::make_tuple(to_python(p.kernel()), self.conditional, to_python(p.mean()), discrepancy_of(self),
                        to_array(p.inputs()), to_array(p.queries()), p.input_rows(), p.z(), p.noise_var(),
                        self.columns.held());
}

PosteriorObject posterior_from(const py::tuple& s) {
  PosteriorObject out = make_posterior(s[0].cast<const Kernel&>(), s[1], s[2]);
  const py::object discrepancy = s[3];
  if (py::isinstance<py::float_>(discrepancy))
    out.value = out.value.with_discrepancy(out.conditional.attr("discrepancy")(discrepancy).cast<const Kernel&>());
  else if (!discrepancy.is_none())
    out.value = out.value.with_discrepancy(discrepancy.cast<const Kernel&>());
  const Inputs x(s[4].cast<Rows>());
  const Queries a(s[5].cast<Rows>());
  const auto z = s[7].cast<Vector>();
  const auto noise = s[8].cast<Vector>();
  std::vector<bool> direct(static_cast<std::size_t>(z.size()), false);
  for (const Index row : s[6].cast<std::vector<Index>>()) direct[static_cast<std::size_t>(row)] = true;
  Index seen[2] = {0, 0};
  for (Index begin = 0, end = 0; begin < z.size(); begin = end) {
    const bool of_f = direct[static_cast<std::size_t>(begin)];
    while (end < z.size() && direct[static_cast<std::size_t>(end)] == of_f) ++end;
    const Index n = end - begin;
    out.value = of_f ? out.value.condition(x.slice(seen[1], n), z.segment(begin, n), noise.segment(begin, n))
                     : out.value.condition(a.slice(seen[0], n), z.segment(begin, n), noise.segment(begin, n));
    seen[of_f ? 1 : 0] += n;
  }
  if (s.size() > 9) out.columns = Columns(s[9]);  // not of version 0.1
  return out;
}

std::string repr(const PosteriorObject& self) {
  const auto count = [](Index n, const char* what) { return std::to_string(n) + " " + what; };
  const Posterior& p = self.value;
  return "Posterior(" + count(p.queries().size(), "averages, ") + count(p.inputs().size(), "values of f; ") +
         brief(to_python(p.kernel())) + "; " + brief(self.conditional) + "; " + brief(to_python(p.mean())) +
         (p.discrepancy() != nullptr ? "; with a discrepancy" : "") + ")";
}

void bind_conditioning(py::class_<PosteriorObject>& type) {
  type.def(py::init(&make_posterior), "kernel"_a, "conditional"_a, "mean"_a = 0.0)
      .def(
          "condition",
          [](const PosteriorObject& self, const ArrayLike& a, const ArrayLike& z, const ArrayLike& noise_var) {
            PosteriorObject out = self;
            const Queries at =
                queries(self.columns.learn(self.conditional, a, "a", "a", out.columns), "a", self.a_dimension());
            const Vector seen = vector(z, "z", at.size());
            const NoiseVar noise = noise_var_from(noise_var, at.size());
            out.value = without_gil([&] { return self.value.condition(at, seen, noise); });
            return out;
          },
          "a"_a, "z"_a, "noise_var"_a,
          R"(The posterior after averages z (n,) were observed at queries a (n, d_a); self does not change.

noise_var: a number, or one for each, shape (n,). Values of f itself, at inputs, are given as `condition(x=..., z=...)`.

>>> prior = iqbo.Posterior(iqbo.Rbf(1.0, 0.3), iqbo.UniformConditional(half_width=0.1))
>>> post = prior.condition([0.2, 0.8], [1.0, -1.0], noise_var=0.01).condition(x=[0.5], z=[0.0], noise_var=0.01)
>>> len(post)
3
)")
      .def(
          "condition",
          [](const PosteriorObject& self, const ArrayLike& x, const ArrayLike& z, const ArrayLike& noise_var) {
            PosteriorObject out = self;
            const Inputs at =
                inputs(self.columns.learn(self.conditional, x, "x", "x", out.columns), "x", self.x_dimension());
            const Vector seen = vector(z, "z", at.size());
            const NoiseVar noise = noise_var_from(noise_var, at.size());
            out.value = without_gil([&] { return self.value.condition(at, seen, noise); });
            return out;
          },
          py::kw_only(), "x"_a, "z"_a, "noise_var"_a)
      .def(
          "with_prior",
          [](const PosteriorObject& self, const Kernel& kernel, const py::object& mean) {
            const auto m = mean.is_none() ? self.value.mean().clone() : mean_from(mean);
            return like(self, without_gil([&] { return self.value.with_prior(kernel, *m); }));
          },
          "kernel"_a, "mean"_a = py::none(), "The same observations under another kernel and mean.")
      .def(
          "with_discrepancy",
          [](const PosteriorObject& self, const Kernel& l) {
            return like(self, without_gil([&] { return self.value.with_discrepancy(l); }));
          },
          "kernel"_a, "Adds a discrepancy: a GP on queries, by which answers depart from the averages.")
      .def(
          "with_noise_var",
          [](const PosteriorObject& self, const ArrayLike& noise_var) {
            const NoiseVar noise = noise_var_from(noise_var, self.value.size());
            return like(self, without_gil([&] { return self.value.with_noise_var(noise); }));
          },
          "noise_var"_a, "The same observations with other noise: a number or shape (n,).")
      .def(
          "with_conditional",
          [](const PosteriorObject& self, const py::object& conditional) {
            const auto model = object_from<ConditionalObject>(conditional, "conditional", "a Conditional").model;
            return PosteriorObject{without_gil([&] { return self.value.with_conditional(*model); }), conditional,
                                   self.columns.under(conditional)};
          },
          "conditional"_a, "The same observations under another p(x|a).");
}

void bind_data(py::class_<PosteriorObject>& type) {
  type.def_property_readonly(
          "log_evidence", [](const PosteriorObject& self) { return self.value.log_evidence(); }, "log p(z).")
      .def_property_readonly(
          "log_evidence_gradient",
          [](const PosteriorObject& self) { return without_gil([&] { return self.value.log_evidence_gradient(); }); },
          "The gradient of log p(z) in the logarithms of the kernel's parameters, in the mean's parameters and in "
          "noise_var.")
      .def_property_readonly(
          "information_gain", [](const PosteriorObject& self) { return self.value.information_gain(); },
          "I(z; f) in nats.")
      .def_property_readonly("kernel", [](const PosteriorObject& self) { return to_python(self.value.kernel()); })
      .def_property_readonly("mean", [](const PosteriorObject& self) { return to_python(self.value.mean()); })
      .def_property_readonly("conditional", [](const PosteriorObject& self) { return self.conditional; })
      .def_property_readonly("discrepancy",
                             [](const PosteriorObject& self) -> py::object {
                               const Kernel* l = self.value.discrepancy();
                               return l == nullptr ? py::object(py::none()) : to_python(*l);
                             })
      .def_property_readonly(
          "inputs",
          [](const py::object& self) { return view_of(self.cast<const PosteriorObject&>().value.inputs(), self); },
          "The inputs where f was observed, shape (n, d).")
      .def_property_readonly(
          "queries",
          [](const py::object& self) { return view_of(self.cast<const PosteriorObject&>().value.queries(), self); },
          "The queries whose averages were observed, shape (m, d_a).")
      .def_property_readonly(
          "z", [](const PosteriorObject& self) -> const Vector& { return self.value.z(); },
          "All observations in order of arrival, shape (t,).")
      .def_property_readonly(
          "noise_var", [](const PosteriorObject& self) -> const Vector& { return self.value.noise_var(); },
          "Shape (t,).")
      .def_property_readonly(
          "input_rows", [](const PosteriorObject& self) { return self.value.input_rows(); },
          "Which observations are values of f; the others are averages.")
      .def_property_readonly("jitter", [](const PosteriorObject& self) { return self.value.jitter(); })
      .def("__len__", [](const PosteriorObject& self) { return self.value.size(); })
      .def("__copy__", [](py::object self) { return self; })
      .def(
          "__deepcopy__", [](py::object self, const py::dict&) { return self; }, "memo"_a)
      .def(py::pickle(&state_of, &posterior_from))
      .def("__repr__", &repr);
}

struct PlainGpObject {
  PlainGp value;
  double mean;
};

void bind_plain(py::module_& m) {
  py::class_<PlainGpObject> type(
      m, "PlainGp", R"(A Gaussian process on (a, z): the baseline that ignores which inputs a query touches.

>>> gp = iqbo.posteriors.PlainGp(iqbo.Rbf(1.0, 0.5)).condition([0.0, 1.0], [1.0, 2.0], noise_var=1e-6)
>>> gp.g([0.0]).mean.round(3)
array([1.])
)");
  type.def(py::init([](const Kernel& l, double mean) {
             return PlainGpObject{PlainGp(l, mean), mean};
           }),
           "kernel"_a, "mean"_a = 0.0)
      .def(
          "condition",
          [](const PlainGpObject& self, const ArrayLike& a, const ArrayLike& z, const ArrayLike& noise_var) {
            const Queries at = queries(a, "a", self.value.kernel().dimension());
            const Vector seen = vector(z, "z", at.size());
            const NoiseVar noise = noise_var_from(noise_var, at.size());
            return PlainGpObject{without_gil([&] { return self.value.condition(at, seen, noise); }), self.mean};
          },
          "a"_a, "z"_a, "noise_var"_a,
          "The posterior after z (n,) was observed at a (n, d); noise_var: a number or shape (n,).")
      .def_property_readonly("log_evidence", [](const PlainGpObject& self) { return self.value.log_evidence(); })
      .def_property_readonly("information_gain",
                             [](const PlainGpObject& self) { return self.value.information_gain(); })
      .def_property_readonly("kernel", [](const PlainGpObject& self) { return to_python(self.value.kernel()); })
      .def_property_readonly("queries", [](const PlainGpObject& self) { return to_array(self.value.queries()); })
      .def_property_readonly("z", [](const PlainGpObject& self) -> const Vector& { return self.value.z(); })
      .def("__len__", [](const PlainGpObject& self) { return self.value.size(); })
      .def("__copy__", [](py::object self) { return self; })
      .def(
          "__deepcopy__", [](py::object self, const py::dict&) { return self; }, "memo"_a)
      .def(py::pickle(
          [](const PlainGpObject& self) {
            return py::make_tuple(to_python(self.value.kernel()), self.mean, to_array(self.value.queries()),
                                  self.value.z(), self.value.noise_var());
          },
          [](const py::tuple& s) {
            const PlainGp gp(s[0].cast<const Kernel&>(), s[1].cast<double>());
            const Queries a(s[2].cast<Rows>());
            const double mean = s[1].cast<double>();
            if (a.empty()) return PlainGpObject{gp, mean};
            return PlainGpObject{gp.condition(a, s[3].cast<Vector>(), s[4].cast<Vector>()), mean};
          }))
      .def("__repr__", [](const PlainGpObject& self) {
        return "PlainGp(" + std::to_string(self.value.size()) + " observations; " +
               brief(to_python(self.value.kernel())) + ")";
      });
  bind_query_belief(type, [](const PlainGpObject& self) { return self.value.kernel().dimension(); });
}

}  // namespace

NoiseVar noise_var_from(const ArrayLike& noise_var, Index size) {
  return {vector_or_number(noise_var, "noise_var", size)};
}

const QueryBelief& query_belief(const py::object& belief) {
  if (py::isinstance<PlainGpObject>(belief)) return belief.cast<const PlainGpObject&>().value;
  return full_belief(belief);
}

void bind_posterior(py::module_& m) {
  Record<Marginals>(m, "Marginals",
                    R"(Means and variances, shape (n,) each; unpacks as (mean, var). Noise is not included.

>>> mean, var = iqbo.Posterior(iqbo.Rbf(2.0, 1.0), iqbo.UniformConditional(half_width=0.0)).f([0.0])
>>> mean, var
(array([0.]), array([2.]))
)")
      .field("mean", &Marginals::mean)
      .field("var", &Marginals::var)
      .unpacks();
  Record<EvidenceGradient>(m, "EvidenceGradient", R"(The gradient of log p(z).

>>> prior = iqbo.Posterior(iqbo.Rbf(1.0, 0.2), iqbo.UniformConditional(half_width=0.1))
>>> prior.condition([0.5], [1.0], 0.1).log_evidence_gradient.kernel.shape
(2,)
)")
      .field("kernel", &EvidenceGradient::kernel, "The part in the logarithms of the kernel's parameters.")
      .field("discrepancy", &EvidenceGradient::discrepancy, "The part in those of the discrepancy; empty without one.")
      .field("mean", &EvidenceGradient::mean, "The part in the mean's parameters.")
      .field("noise_var", &EvidenceGradient::noise_var, "The part in each noise variance.");
  py::class_<PosteriorObject> type(
      m, "Posterior", R"(The exact posterior of f and of g(a) = E[f(X) | A = a], given averages, values of f, or both.

It never changes: `condition` returns a new one. mean: a number, a `Mean`, or a function of x (n, d) to (n,).

>>> prior = iqbo.Posterior(iqbo.Rbf(1.0, 0.2), iqbo.UniformConditional(half_width=0.1), mean=0.0)
>>> post = prior.condition([0.2, 0.5, 0.8], [0.1, 0.9, 0.1], noise_var=1e-4)
>>> mean, var = post.f(np.linspace(0, 1, 101))      # of f
>>> int(mean.argmax())
50
>>> nu, q = post.g([0.5])                           # of the average
>>> bool(abs(nu[0] - 0.9) < 0.01)
True
)");
  bind_conditioning(type);
  bind_query_belief(type, [](const PosteriorObject& self) { return self.a_dimension(); });
  bind_input_belief(
      type, [](const PosteriorObject& self) { return self.x_dimension(); },
      [](const PosteriorObject& self) { return self.a_dimension(); });
  bind_data(type);
  bind_plain(m);
}

}  // namespace iqbo::python
