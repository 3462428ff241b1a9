#include <limits>

#include "acquisitions.hpp"
#include "iqbo/conditional/spread.hpp"
#include "iqbo/finite/finite.hpp"
#include "iqbo/maxvalue/paths.hpp"
#include "names.hpp"
#include "objects.hpp"
#include "records.hpp"

namespace iqbo::python {
namespace {

enum class Method { kPaths, kGumbel };
constexpr Names<Method, 2> kMethods{{{Method::kPaths, "paths"}, {Method::kGumbel, "gumbel"}}};

MaxSamplesObject object_of(MaxSamples samples, Matrix paths = {}) {
  return {std::move(samples.values), std::move(samples.arguments), std::move(samples.rows), std::move(paths)};
}

// FiniteBelief needs a query. Without averages among the observations f does not depend on p(x|a): use an input as one.
Posterior of_looks(const Posterior& p) {
  const Posterior out(p.kernel(), GaussianConditional(QueryMap::identity(p.kernel().dimension()), 0.0), p.mean());
  return p.inputs().empty() ? out : out.condition(p.inputs(), p.z(), p.noise_var());
}

MaxSamplesObject by_paths(const Posterior& posterior, const TargetSpace& x, const Queries& a, Index count, Rng& rng) {
  if (const auto* box = std::get_if<InputBox>(&x))
    return object_of(max_of_paths(Paths(posterior, a, count, rng), *box, Inputs(), rng));
  const Inputs& list = std::get<InputSet>(x).points();
  auto [f, g] = a.empty()
                    ? FiniteBelief(of_looks(posterior), list, Queries(list.slice(0, 1).coordinates())).draw(count, rng)
                    : FiniteBelief(posterior, list, a).draw(count, rng);
  MaxSamples samples = max_of_paths(list, f, g);
  return object_of(std::move(samples), std::move(f));
}

MaxSamplesObject by_gumbel(const Posterior& posterior, const TargetSpace& x, const Queries& a, Index count, Rng& rng) {
  const auto* list = std::get_if<InputSet>(&x);
  if (list == nullptr) refuse("x", "a box", "a list of inputs, for method gumbel");
  const double floor = a.empty() ? -std::numeric_limits<double>::infinity() : posterior.g(a).mean.maxCoeff();
  return object_of(gumbel_max(posterior.f(list->points()), floor, count, rng));
}

MaxSamplesObject sample_max(const PosteriorObject& posterior, const py::object& x, Index n, std::uint64_t seed,
                            const std::string& method, const OptionalArray& a) {
  const TargetSpace space = target_space(x);
  require_columns(dimension(space), posterior.x_dimension(), "x");
  const Queries asked = a ? queries(*a, "a", posterior.a_dimension()) : posterior.value.queries();
  const Method how = value_of(kMethods, method, "method");
  return without_gil([&] {
    Rng rng(seed);
    return how == Method::kPaths ? by_paths(posterior.value, space, asked, n, rng)
                                 : by_gumbel(posterior.value, space, asked, n, rng);
  });
}

struct PathsObject {
  Paths value;
  py::tuple args;
  Index x_dimension;
};

PathsObject make_paths(const py::object& posterior, Index count, std::uint64_t seed, const OptionalArray& a,
                       Index frequencies) {
  const auto& belief = object_from<PosteriorObject>(posterior, "posterior", "a Posterior");
  const Queries at = a ? queries(*a, "a", belief.a_dimension()) : Queries();
  const Posterior& value = belief.value;
  Rng rng(seed);
  return {without_gil([&] { return Paths(value, at, count, rng, {frequencies}); }),
          py::make_tuple(posterior, count, seed, a ? to_array(at) : py::object(py::none()), frequencies),
          belief.x_dimension()};
}

Marginals marginals_from(const ArrayLike& mean, const ArrayLike& var) {
  const Vector m = vector(mean, "mean");
  return {m, vector(var, "var", m.size())};
}

}  // namespace

void bind_maxvalue(py::module_& m) {
  Record<MaxSamplesObject>(m, "MaxSamples", R"(Samples of f* = max f.

>>> prior = iqbo.Posterior(iqbo.Rbf(1.0, 0.2), iqbo.UniformConditional(half_width=0.1))
>>> iqbo.maxvalue.sample_max(prior, [0.0, 0.5, 1.0], n=4, seed=1).values.shape
(4,)
)")
      .field("values", &MaxSamplesObject::values, "f*_s, shape (n,).")
      .field("arguments", &MaxSamplesObject::arguments, "x*_s, shape (n, d); none for Gumbel.")
      .field("rows", &MaxSamplesObject::rows, "Position of x*_s in the list of inputs.")
      .field("paths", &MaxSamplesObject::paths, "Draws of f on the list, one per column, shape (|x|, n).");
  m.def("sample_max", &sample_max, "posterior"_a, "x"_a, "n"_a = 16, "seed"_a = 0, "method"_a = "paths",
        "a"_a = py::none(),
        R"(n samples of f* = max f over x: listed inputs (p, d), or an `InputBox`; as `MaxSamples`.

method "paths": maxima of joint posterior draws; "gumbel": from the marginals alone. No sample lies below the path's averages
at the queries a (m, d_a); by default, those are the queries asked so far.

>>> prior = iqbo.Posterior(iqbo.Rbf(1.0, 0.2), iqbo.UniformConditional(half_width=0.1))
>>> fs = iqbo.maxvalue.sample_max(prior.condition([0.5], [1.0], 0.01), np.linspace(0, 1, 50), n=16, seed=1)
>>> fs.values.shape, fs.arguments.shape, fs.paths.shape
((16,), (16, 1), (50, 16))
)");
  py::class_<PathsObject>(
      m, "Paths",
      R"(Draws of f from its posterior, as functions that can be evaluated anywhere; averages at listed queries a.

>>> prior = iqbo.Posterior(iqbo.Rbf(1.0, 0.2), iqbo.UniformConditional(half_width=0.1))
>>> iqbo.maxvalue.Paths(prior, count=3, seed=1).f([0.1, 0.2]).shape
(2, 3)
)")
      .def(py::init(&make_paths), "posterior"_a, "count"_a, "seed"_a = 0, "a"_a = py::none(), "frequencies"_a = 512)
      .def(
          "f",
          [](const PathsObject& self, const ArrayLike& x) {
            const Inputs at = inputs(x, "x", self.x_dimension);
            return without_gil([&] { return self.value.f(at); });
          },
          "x"_a, "Shape (n, count), for x (n, d).")
      .def_property_readonly(
          "g", [](const PathsObject& self) -> const Matrix& { return self.value.g(); },
          "Averages at the queries a, shape (m, count).")
      .def("__len__", [](const PathsObject& self) { return self.value.size(); })
      .def("__repr__",
           [](const PathsObject& self) { return "Paths(" + std::to_string(self.value.size()) + " draws of f)"; })
      .def("__reduce__",
           [](py::object self) { return py::make_tuple(py::type::of(self), self.cast<const PathsObject&>().args); });
  m.def(
      "max_of_paths",
      [](const ArrayLike& x, const ArrayLike& f, const OptionalArray& g) {
        const Inputs in = inputs(x, "x");
        const Matrix paths = *MatrixView(f, "f", in.size(), kAny);
        const Matrix averages = g ? Matrix(*MatrixView(*g, "g", kAny, paths.cols())) : Matrix(0, paths.cols());
        return object_of(max_of_paths(in, paths, averages), paths);
      },
      "x"_a, "f"_a, "g"_a = py::none(),
      R"(The maxima f* of paths f (n, count) on listed x (n, d), never below the largest average in g (m, count).

>>> iqbo.maxvalue.max_of_paths([0.0, 1.0], [[1.0, 4.0], [2.0, 3.0]]).values
array([2., 4.])
)");
  m.def(
      "gumbel_max",
      [](const ArrayLike& mean, const ArrayLike& var, double floor, Index count, std::uint64_t seed) {
        Rng rng(seed);
        return object_of(gumbel_max(marginals_from(mean, var), floor, count, rng));
      },
      "mean"_a, "var"_a, "floor"_a, "count"_a, "seed"_a = 0,
      R"(Samples of f* from marginals (n,), which are treated as independent.

>>> iqbo.maxvalue.gumbel_max([0.0, 0.5], [1.0, 1.0], floor=0.5, count=4).values.shape
(4,)
)");
  m.def(
      "expected_max",
      [](const ArrayLike& mean, const ArrayLike& var) { return expected_max(marginals_from(mean, var)); }, "mean"_a,
      "var"_a, R"(E max_i f_i of independent normal f_i, whose means and variances are (n,).

>>> round(iqbo.maxvalue.expected_max([0.0, 0.0], [1.0, 1.0]), 4)      # 1 / sqrt(pi)
0.5642
)");
}

}  // namespace iqbo::python
