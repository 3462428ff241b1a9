#include "iqbo/likelihood/linked.hpp"
#include "likelihoods.hpp"
#include "records.hpp"

namespace iqbo::python {

using namespace internal;

namespace {

struct LinkedObject {
  LinkedPosterior value;
  py::object conditional;
  py::tuple args;  // LinkedPosterior(*args) makes an equal one
};

std::unique_ptr<LinkedObject> make_linked(const py::object& prior, const ArrayLike& a, const ArrayLike& count,
                                          const ArrayLike& exposure, const py::object& answers,
                                          const py::object& link) {
  const auto& start = object_from<PosteriorObject>(prior, "prior", "a Posterior");
  const Queries at = queries(a, "a", start.a_dimension());
  const Vector y = vector_or_number(count, "count", at.size());
  const Vector n = vector_or_number(exposure, "exposure", at.size());
  const LikelihoodPtr family = likelihood_from(answers, "answers");
  if (!family->counts()) refuse("answers", "\"gaussian\"", "a family of counts");
  std::vector<CountedAnswer> all;
  for (Index i = 0; i < at.size(); ++i) {
    const Count one{y[i], n[i]};
    family->check(one, "row " + std::to_string(i));
    all.push_back({at.slice(i, 1), one});
  }
  const Link by = link_from(link, "link");
  return std::unique_ptr<LinkedObject>(
      new LinkedObject{without_gil([&] { return LinkedPosterior(start.value, all, family, by); }), start.conditional,
                       py::make_tuple(prior, to_array(at), y, n, answers, link)});
}

void bind_linked(py::module_& m) {
  py::class_<LinkedObject>(m, "LinkedPosterior", R"(The posterior of f = h(eta) given counts of its averages.

prior: a `Posterior` of eta without observations. a: queries (n, d_a). count (n,): events among exposure (n,), or one for all.

>>> prior = iqbo.Posterior(iqbo.Rbf(1.0, 0.3), iqbo.UniformConditional(half_width=0.1), mean=np.log(0.01))
>>> post = iqbo.likelihoods.LinkedPosterior(prior, [0.2, 0.5, 0.8], count=[0, 30, 9], exposure=1000, answers="poisson", link="log")
>>> mean, var = post.f([0.5])
>>> low, high = post.interval([0.2])       # no case was seen there, and the interval is positive
>>> bool(0 < low[0] < high[0] < mean[0])
True
)")
      .def(py::init(&make_linked), "prior"_a, "a"_a, "count"_a, "exposure"_a, "answers"_a = "poisson", "link"_a = "log")
      .def(
          "f",
          [](const LinkedObject& self, const ArrayLike& x) {
            const Inputs at = inputs(x, "x", self.value.eta().kernel().dimension());
            return without_gil([&] { return self.value.f(at); });
          },
          "x"_a, "Rates at inputs (n, d): `Marginals`.")
      .def(
          "g",
          [](const LinkedObject& self, const ArrayLike& a) {
            const Queries at = queries(a, "a", self.value.eta().conditional().query_dimension());
            return without_gil([&] { return self.value.g(at); });
          },
          "a"_a, "Average rates at queries (n, d_a): `Marginals`.")
      .def(
          "interval",
          [](const LinkedObject& self, const ArrayLike& x, double probability) {
            const Inputs at = inputs(x, "x", self.value.eta().kernel().dimension());
            const auto [low, high] = without_gil([&] { return self.value.interval(at, probability); });
            return py::make_tuple(low, high);
          },
          "x"_a, "probability"_a = 0.95, "(low, high) of f, each (n,).")
      .def_property_readonly(
          "log_evidence", [](const LinkedObject& self) { return self.value.log_evidence(); }, "log p(count).")
      .def_property_readonly(
          "iterations", [](const LinkedObject& self) { return self.value.iterations(); },
          "How many iterations the computation took.")
      .def_property_readonly(
          "settled", [](const LinkedObject& self) { return self.value.settled(); },
          "False if counts are so surprising that the posterior is only a rough approximation.")
      .def("__reduce__",
           [](py::object self) { return py::make_tuple(py::type::of(self), self.cast<const LinkedObject&>().args); });
}

}  // namespace

LikelihoodPtr likelihood_from(const py::object& answers, const char* what) {
  const auto name = value_from<std::string>(answers, what);
  return likelihood_of(name == "auto" ? "negative-binomial" : name, what);
}

Link link_from(const py::object& link, const char* what) { return link_of(value_from<std::string>(link, what), what); }

void bind_likelihood(py::module_& m) {
  bind_linked(m);
  m.def("likelihood_names", &likelihood_names, R"(The kinds of answers, by name.

>>> iqbo.likelihoods.likelihood_names()
['gaussian', 'poisson', 'negative-binomial', 'binomial']
)");
  m.def(
      "log_density",
      [](const py::object& answers, const ArrayLike& count, const ArrayLike& exposure, const ArrayLike& g) {
        const Vector rate = vector(g, "g");
        const Vector y = vector_or_number(count, "count", rate.size());
        const Vector n = vector_or_number(exposure, "exposure", rate.size());
        const LikelihoodPtr family = likelihood_from(answers, "answers");
        require_positive(rate, "g");
        Vector out(rate.size());
        for (Index i = 0; i < out.size(); ++i) {
          family->check({y[i], n[i]}, "row " + std::to_string(i));
          out[i] = family->log_density({y[i], n[i]}, rate[i]);
        }
        return out;
      },
      "answers"_a, "count"_a, "exposure"_a, "g"_a, R"(log p(count | g) of counts among exposure, at rates g (n,).

>>> iqbo.likelihoods.log_density("poisson", 0, 1000, [0.001, 0.002])
array([-1., -2.])
)");
}

}  // namespace iqbo::python
