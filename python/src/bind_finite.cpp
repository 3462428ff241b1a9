#include "iqbo/finite/finite.hpp"

#include "names.hpp"
#include "objects.hpp"
#include "records.hpp"

namespace iqbo::python {
namespace {

constexpr Names<EngineKind, 3> kEngines{
    {{EngineKind::kAuto, "auto"}, {EngineKind::kLowRank, "low rank"}, {EngineKind::kDataSpace, "data space"}}};

// The calls that changed it are kept for pickle: (method, arguments by name).
struct FiniteObject {
  Guarded<FiniteBelief> belief;
  py::dict args;
  py::list log;
  Index x_dimension, a_dimension;
};

std::unique_ptr<FiniteObject> make_finite(const py::object& posterior, const ArrayLike& x, const ArrayLike& a,
                                          const std::string& engine, std::optional<double> noise_var, Index more) {
  const auto& belief = object_from<PosteriorObject>(posterior, "posterior", "a Posterior");
  const Inputs in = inputs(x, "x", belief.x_dimension());
  const Queries at = queries(a, "a", belief.a_dimension());
  const FiniteOptions options{value_of(kEngines, engine, "engine"), noise_var, more};
  const Posterior& value = belief.value;
  return std::unique_ptr<FiniteObject>(
      new FiniteObject{Guarded(without_gil([&] { return FiniteBelief(value, in, at, options); })),
                       py::dict("posterior"_a = posterior, "x"_a = to_array(in), "a"_a = to_array(at),
                                "engine"_a = engine, "noise_var"_a = noise_var, "queries"_a = more),
                       py::list(), belief.x_dimension(), belief.a_dimension()});
}

void observe_row(FiniteObject& self, Index query, double z, double noise_var) {
  self.belief.use([&](FiniteBelief& belief) { belief.observe(query, z, noise_var); });
  self.log.append(py::make_tuple("observe", py::dict("query"_a = query, "z"_a = z, "noise_var"_a = noise_var)));
}

template <class Space>
void observe_at(FiniteObject& self, const Points<Space>& at, const ArrayLike& z, const ArrayLike& noise_var) {
  const Vector seen = vector(z, "z", at.size());
  const Vector noise = vector_or_number(noise_var, "noise_var", at.size());
  self.belief.use([&](FiniteBelief& belief) { belief.observe(at, seen, noise); });
  py::dict named("z"_a = seen, "noise_var"_a = noise);
  named[std::is_same_v<Space, InputSpace> ? "x" : "a"] = to_array(at);
  self.log.append(py::make_tuple("observe", named));
}

template <class Pick>
auto copied(Pick pick) {
  return [pick](FiniteObject& self) { return self.belief.use([&](FiniteBelief& belief) { return pick(belief); }); };
}

void bind_changes(py::class_<FiniteObject>& type) {
  type.def("observe", &observe_row, "query"_a, "z"_a, "noise_var"_a, R"(Adds the answer z of the query at this position.

Also `observe(a=..., z=..., noise_var=...)` at any queries (n, d_a), and `observe(x=..., ...)` for values of f at inputs (n, d).
)")
      .def(
          "observe",
          [](FiniteObject& self, const ArrayLike& a, const ArrayLike& z, const ArrayLike& noise_var) {
            observe_at(self, queries(a, "a", self.a_dimension), z, noise_var);
          },
          "a"_a, "z"_a, "noise_var"_a)
      .def(
          "observe",
          [](FiniteObject& self, const ArrayLike& x, const ArrayLike& z, const ArrayLike& noise_var) {
            observe_at(self, inputs(x, "x", self.x_dimension), z, noise_var);
          },
          py::kw_only(), "x"_a, "z"_a, "noise_var"_a)
      .def(
          "add",
          [](FiniteObject& self, const ArrayLike& a) {
            const Queries more = queries(a, "a", self.a_dimension);
            self.belief.use([&](FiniteBelief& belief) { belief.add(more); });
            self.log.append(py::make_tuple("add", py::dict("a"_a = to_array(more))));
          },
          "a"_a, "Appends queries (n, d_a) to the list.");
}

void bind_answers(py::class_<FiniteObject>& type) {
  type.def("f", copied([](FiniteBelief& belief) { return Marginals(belief.f()); }), "Mean and variance of f on x.")
      .def("g", copied([](FiniteBelief& belief) { return Marginals(belief.g()); }), "Mean and variance of g on a.")
      .def(
          "f_cov",
          [](FiniteObject& self, const std::vector<Index>& rows) {
            return self.belief.use([&](FiniteBelief& belief) { return belief.f_cov(rows); });
          },
          "rows"_a, "Rows of Cov(f, f), shape (|rows|, n).")
      .def(
          "g_cov",
          [](FiniteObject& self, const std::vector<Index>& rows) {
            return self.belief.use([&](FiniteBelief& belief) { return belief.g_cov(rows); });
          },
          "rows"_a, "Rows of Cov(g, g), shape (|rows|, p).")
      .def(
          "fg_cov",
          [](FiniteObject& self, const std::optional<std::vector<Index>>& rows) {
            return self.belief.use(
                [&](FiniteBelief& belief) -> Matrix { return rows ? belief.fg_cov(*rows) : belief.fg_cov(); });
          },
          "rows"_a = py::none(),
          "Rows of Cov(f, g), shape (|rows|, p); by default all rows, which are kept up to date from then on.")
      .def(
          "draw",
          [](FiniteObject& self, Index count, std::uint64_t seed) {
            return self.belief.use([&](FiniteBelief& belief) {
              Rng rng(seed);
              return belief.draw(count, rng);
            });
          },
          "count"_a, "seed"_a = 0, "Joint posterior draws, as `FinitePaths`.")
      .def_property_readonly("x", copied([](FiniteBelief& belief) { return Rows(belief.x().coordinates()); }),
                             "Shape (n, d).")
      .def_property_readonly("a", copied([](FiniteBelief& belief) { return Rows(belief.a().coordinates()); }),
                             "Shape (p, d_a).")
      .def("__len__", copied([](FiniteBelief& belief) { return belief.size(); }))
      .def_property_readonly("engine", copied([](FiniteBelief& belief) { return name_of(kEngines, belief.engine()); }))
      .def_property_readonly("description", copied([](FiniteBelief& belief) { return belief.description(); }));
}

}  // namespace

void bind_finite(py::module_& m) {
  Record<FiniteBelief::Paths>(m, "FinitePaths", R"(Joint draws of f and g, one per column; unpacks as (f, g).

>>> prior = iqbo.Posterior(iqbo.Rbf(1.0, 0.2), iqbo.UniformConditional(half_width=0.1))
>>> f, g = iqbo.posteriors.FiniteBelief(prior, [0.0, 0.5, 1.0], [0.2, 0.8]).draw(4, seed=1)
>>> f.shape, g.shape
((3, 4), (2, 4))
)")
      .field("f", &FiniteBelief::Paths::f, "Shape (n, count).")
      .field("g", &FiniteBelief::Paths::g, "Shape (p, count).")
      .unpacks();
  py::class_<FiniteObject> type(m, "FiniteBelief",
                                R"(The posterior on listed inputs x (n, d) and queries a (p, d_a), kept up to date.

engine: "auto", "low rank" or "data space". It changes with every observation; copies are independent.

>>> prior = iqbo.Posterior(iqbo.Rbf(1.0, 0.2), iqbo.UniformConditional(half_width=0.1))
>>> belief = iqbo.posteriors.FiniteBelief(prior, np.linspace(0, 1, 50), np.linspace(0.1, 0.9, 20))
>>> belief.observe(3, z=1.0, noise_var=0.01)
>>> belief.g().mean[3].round(2)
0.99
>>> belief.draw(5, seed=1).f.shape
(50, 5)
)");
  type.def(py::init(&make_finite), "posterior"_a, "x"_a, "a"_a, "engine"_a = "auto", "noise_var"_a = py::none(),
           "queries"_a = 0);
  bind_changes(type);
  bind_answers(type);
  type.def("__reduce__",
           [](py::object self) {
             const auto& object = self.cast<const FiniteObject&>();
             const py::object again = py::module_::import("iqbo._again").attr("made_again");
             return py::make_tuple(again, py::make_tuple(py::type::of(self), object.args, py::list(object.log)));
           })
      .def("__repr__", [](FiniteObject& self) {
        const auto text = copied([](FiniteBelief& belief) {
          return std::to_string(belief.x().size()) + " inputs, " + std::to_string(belief.a().size()) + " queries, " +
                 std::to_string(belief.size()) + " observations; " + belief.description();
        })(self);
        return "FiniteBelief(" + text + ")";
      });
}

}  // namespace iqbo::python
