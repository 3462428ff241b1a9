#include "iqbo/problem/registry.hpp"
#include "names.hpp"
#include "objects.hpp"
#include "problems.hpp"
#include "records.hpp"

namespace iqbo::python {

using namespace internal;

namespace {

constexpr Names<Truncation, 2> kTruncations{{{Truncation::kClip, "clip"}, {Truncation::kRenormalise, "renormalise"}}};

ProblemObject make_problem(const std::string& name, const std::vector<Index>& x_counts,
                           const std::vector<Index>& a_counts, std::optional<double> delta,
                           const std::optional<std::string>& truncation, std::optional<std::uint64_t> seed) {
  ProblemOptions options{x_counts, a_counts, delta, {}, seed};
  if (truncation) options.truncation = value_of(kTruncations, *truncation, "truncation");
  return {without_gil([&] { return problem(name, options); }),
          py::make_tuple(name, x_counts, a_counts, delta, truncation, seed)};
}

template <class Space>
void bind_optimum(py::module_& m, const char* name) {
  Record<Optimum<Space>>(m, name, R"(The largest value, and where it is.

>>> iqbo.problems.problem("two-peaks").optimum.argmax.shape
(1, 1)
)")
      .field("argmax", &Optimum<Space>::argmax, "All known maximisers, shape (n, d).")
      .field("max", &Optimum<Space>::max);
}

Queries at(const ProblemObject& self, const ArrayLike& a) { return queries(a, "a", self.value.a().dimension()); }

template <class Value>
auto given(const Value& (Problem::*member)() const) {
  return [member](const ProblemObject& self) -> Value { return (self.value.*member)(); };
}
auto given(double (Problem::*member)() const) {
  return [member](const ProblemObject& self) { return (self.value.*member)(); };
}

void bind_description(py::class_<ProblemObject>& type) {
  type.def_property_readonly("name", given(&Problem::name))
      .def_property_readonly("title", given(&Problem::title))
      .def_property_readonly("map", given(&Problem::map), "p(x|a) in a few words.")
      .def_property_readonly("description", given(&Problem::description))
      .def_property_readonly("x_names", given(&Problem::x_names))
      .def_property_readonly("a_names", given(&Problem::a_names))
      .def_property_readonly("x_box", given(&Problem::x_box), "X, if it is a box; None if X is the list.")
      .def_property_readonly("a_box", given(&Problem::a_box))
      .def_property_readonly("optimum", given(&Problem::optimum), "The optimum of f over X.")
      .def_property_readonly("listed_optimum", given(&Problem::listed_optimum), "The optimum of f over the listed x.")
      .def_property_readonly("best_query", given(&Problem::best_query), "The optimum of g over A.")
      .def_property_readonly("listed_best_query", given(&Problem::listed_best_query))
      .def_property_readonly("instant_floor", given(&Problem::instant_floor), "The smallest possible instant regret.")
      .def_property_readonly("listed_instant_floor", given(&Problem::listed_instant_floor))
      .def_property_readonly("listed_simple_floor", given(&Problem::listed_simple_floor))
      .def_property_readonly("mean", given(&Problem::mean))
      .def_property_readonly("unit", given(&Problem::unit), "The standard deviation of f over X.")
      .def_property_readonly("noise_sd", given(&Problem::noise_sd))
      .def_property_readonly("resolutions", given(&Problem::resolutions), "delta of each level, coarse to fine.");
}

void bind_truth(py::class_<ProblemObject>& type) {
  type.def(
          "f",
          [](const ProblemObject& self, const ArrayLike& x) {
            return self.value.f(inputs(x, "x", self.value.x().dimension()));
          },
          "x"_a, "f at inputs x (n, d), shape (n,).")
      .def(
          "g",
          [](const ProblemObject& self, const ArrayLike& a) {
            const Queries where = at(self, a);
            return without_gil([&] { return self.value.g(where); });
          },
          "a"_a, "g at queries a (n, d_a), exact, shape (n,).")
      .def(
          "logged",
          [](const ProblemObject& self, Index count, std::uint64_t seed) {
            Rng rng(seed);
            const PairLog log = self.value.logged(count, rng);
            return py::make_tuple(to_array(log.x), to_array(log.a));
          },
          "count"_a, "seed"_a = 0, "Logged pairs: x (count, d) and a (count, d_a).")
      .def(
          "cost", [](const ProblemObject& self, const ArrayLike& a) { return self.value.cost(at(self, a)); }, "a"_a)
      .def(
          "finest",
          [](const ProblemObject& self, const ArrayLike& a) { return to_array(self.value.finest(at(self, a))); }, "a"_a,
          "The same locations at the finest level.")
      .def_property_readonly(
          "x",
          [](const py::object& self) { return view_of(self.cast<const ProblemObject&>().value.x().points(), self); },
          "The listed inputs, shape (n, d).")
      .def_property_readonly(
          "a",
          [](const py::object& self) { return view_of(self.cast<const ProblemObject&>().value.a().points(), self); },
          "The listed queries, shape (p, d_a).")
      .def_property_readonly(
          "conditional",
          [](const py::object& self) {
            const py::object get = py::module_::import("operator").attr("attrgetter")("conditional");
            return to_python(self.cast<const ProblemObject&>().value.conditional(),
                             py::make_tuple(get, py::make_tuple(self)));
          },
          "p(x|a), as a policy may know it.")
      .def_property_readonly("kernel", [](const ProblemObject& self) -> py::object {
        const auto& kernel = self.value.kernel();
        return kernel == nullptr ? py::object(py::none()) : to_python(*kernel);
      });
}

}  // namespace

void bind_problem(py::module_& m) {
  bind_optimum<InputSpace>(m, "InputOptimum");
  bind_optimum<QuerySpace>(m, "QueryOptimum");
  py::class_<ProblemObject> type(m, "Problem",
                                 R"(A test problem: f with a known maximum, and queries that see averages of it.

>>> branin = iqbo.problems.Problem("branin-nonlinear")
>>> branin.x.shape[1], branin.f(branin.optimum.argmax).max().round(3) == round(branin.optimum.max, 3)
(2, True)
)");
  type.def(py::init(&make_problem), "name"_a, "x_counts"_a = std::vector<Index>(), "a_counts"_a = std::vector<Index>(),
           "delta"_a = py::none(), "truncation"_a = py::none(), "seed"_a = py::none())
      .def("__copy__", [](py::object self) { return self; })
      .def(
          "__deepcopy__", [](py::object self, const py::dict&) { return self; }, "memo"_a)
      .def("__reduce__",
           [](py::object self) { return py::make_tuple(py::type::of(self), self.cast<const ProblemObject&>().args); })
      .def("__repr__", [](const ProblemObject& self) {
        const Problem& p = self.value;
        return "Problem(" + in_quotes(p.name()) + ": " + std::to_string(p.x().size()) + " inputs, " +
               std::to_string(p.a().size()) + " queries, maximum " + readable(p.optimum().max) + ")";
      });
  bind_description(type);
  bind_truth(type);
  m.def("problem", &make_problem, "name"_a, "x_counts"_a = std::vector<Index>(), "a_counts"_a = std::vector<Index>(),
        "delta"_a = py::none(), "truncation"_a = py::none(), "seed"_a = py::none(), R"(A test problem by name.

>>> iqbo.problems.problem("branin-linear", truncation="clip").name
'branin-linear'
)");
  m.def("problem_names", &problem_names, R"(The names of all test problems.

>>> "branin-linear" in iqbo.problems.problem_names()
True
)");
}

}  // namespace iqbo::python
