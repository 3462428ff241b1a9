#include "iqbo/policy/resolutions.hpp"
#include "iqbo/search/search.hpp"
#include "names.hpp"
#include "objects.hpp"
#include "query_map.hpp"
#include "records.hpp"

namespace iqbo::python {

namespace {

constexpr Names<Window, 2> kWindows{{{Window::kGaussian, "gaussian"}, {Window::kUniform, "uniform"}}};

// --- the best point of a box ---

template <class Space>
Score<Space> score_from(const py::function& function) {
  return {[call = Callable(function)](const Points<Space>& points, Rows*) {
            const py::gil_scoped_acquire lock;
            return vector(call(to_array(points)), "score", points.size());
          },
          false};
}

template <class Space, class Where>
py::tuple best_in(const py::function& score, const Where& where, const OptionalArray& also, std::uint64_t seed,
                  const SearchOptions& options) {
  const Points<Space> starts = also ? Points<Space>(rows(*also, "also", where.dimension())) : Points<Space>();
  const Score<Space> worth = score_from<Space>(score);
  const Best<Space> best = without_gil([&] {
    Rng rng(seed);
    return search(worth, where, starts, rng, options);
  });
  return py::make_tuple(Vector(best.point.row(0).transpose()), best.score);
}

py::tuple search_in(const py::function& score, const py::object& where, const OptionalArray& also, std::uint64_t seed,
                    Index points, int starts, int max_evaluations) {
  const SearchOptions options{points, starts, max_evaluations};
  if (py::isinstance<InputBox>(where)) return best_in<InputSpace>(score, where.cast<InputBox>(), also, seed, options);
  if (py::isinstance<QueryBox>(where)) return best_in<QuerySpace>(score, where.cast<QueryBox>(), also, seed, options);
  return best_in<QuerySpace>(score, where.cast<MixedQueries>(), also, seed, options);
}

// --- queries made of a location and a resolution ---

struct FlatObject {
  FlatQueries value;
  py::tuple args;
  Window window;

  Index dimension() const { return value.a()->dimension(); }
};

FlatObject make_flat(const py::object& centres, const py::object& resolutions, const std::string& window,
                     const py::object& cost) {
  const bool box = py::isinstance<QueryBox>(centres);
  const CentreSpace where = box ? CentreSpace(centres.cast<QueryBox>()) : CentreSpace(query_list(centres));
  const bool range = py::isinstance<py::tuple>(resolutions);
  const Vector widths = vector(resolutions, "resolutions", range ? 2 : kAny);
  FlatOptions options{value_of(kWindows, window, "window"), {}};
  if (!cost.is_none())
    options.cost = [call = Callable(cost)](double delta) {
      const py::gil_scoped_acquire lock;
      return vector(call(delta), "cost(delta)", 1)[0];
    };
  const Resolutions which = range ? Resolutions(ResolutionRange{widths[0], widths[1]}) : Resolutions(widths);
  const py::object kept = box ? centres : py::cast(query_list(centres));
  const py::object kept_widths = range ? py::object(resolutions) : py::cast(widths);
  return {flat_queries(where, which, options), py::make_tuple(kept, kept_widths, window, cost), options.window};
}

py::object conditional_of(const FlatObject& self) {
  const Index d = self.dimension() - 1;
  std::vector<Index> columns;
  for (Index i = 0; i < d; ++i) columns.push_back(i + (self.value.resolution_first() ? 1 : 0));
  const py::module_ conditionals = py::module_::import("iqbo.conditionals");
  const py::object read = conditionals.attr("QueryMap").attr("columns");
  const char* type = self.window == Window::kGaussian ? "GaussianConditional" : "UniformConditional";
  return conditionals.attr(type)(read(columns), read(std::vector<Index>{self.value.resolution_first() ? 0 : d}));
}

py::object space_of(const FlatQueries& flat) {
  return std::visit([](const auto& space) { return py::object(py::cast(space)); }, flat.space());
}

void bind_flat(py::module_& m) {
  py::class_<FlatObject>(m, "FlatQueries",
                         R"(Queries made of a location and a resolution, without a tree: X is spread by delta around xi.

centres: a `QueryBox` or a list (n, d). resolutions: a list (m,), or a tuple (finest, coarsest) of a range. window: "gaussian" or
"uniform". cost: a function of delta. `setting(targets)` gives the keywords of a `Policy`.

>>> flat = iqbo.policies.FlatQueries(np.linspace(0, 1, 20), [0.2, 0.1, 0.05], cost=lambda delta: 0.02 / delta)
>>> len(flat.a), flat.cost([[0.5, 0.1]])
(60, array([0.2]))
>>> policy = iqbo.Policy(**flat.setting(np.linspace(0, 1, 50)), kernel=iqbo.Rbf(1.0, 0.2), noise_var=1e-4)
>>> policy.suggest().queries.shape
(1, 2)
)")
      .def(py::init(&make_flat), "centres"_a, "resolutions"_a, "window"_a = "gaussian", "cost"_a = py::none())
      .def_property_readonly(
          "a", [](const FlatObject& self) { return space_of(self.value); }, "The queries that may be asked.")
      .def_property_readonly("conditional", &conditional_of,
                             "p(x|a): a window of the query's resolution around its location.")
      .def(
          "centres",
          [](const FlatObject& self, const ArrayLike& a) {
            return self.value.centres(queries(a, "a", self.dimension()));
          },
          "a"_a, "The centres of queries a (n, d + 1), shape (n, d).")
      .def(
          "resolutions",
          [](const FlatObject& self, const ArrayLike& a) {
            return self.value.resolutions(queries(a, "a", self.dimension()));
          },
          "a"_a, "The resolutions of queries a (n, d + 1), shape (n,).")
      .def(
          "at",
          [](const FlatObject& self, const ArrayLike& centres, const ArrayLike& resolutions) {
            const Rows where = rows(centres, "centres", self.dimension() - 1);
            return to_array(self.value.at(where, vector(resolutions, "resolutions", where.rows())));
          },
          "centres"_a, "resolutions"_a, "Queries (n, d + 1) of centres (n, d) and resolutions (n,).")
      .def(
          "cost",
          [](const FlatObject& self, const ArrayLike& a) { return self.value.cost(queries(a, "a", self.dimension())); },
          "a"_a, "The costs of queries a (n, d + 1), shape (n,); 1 each if no cost was given.")
      .def(
          "finest",
          [](const FlatObject& self, const ArrayLike& a) {
            return to_array(self.value.a()->finest(queries(a, "a", self.dimension())));
          },
          "a"_a, "The same locations at the finest resolution, shape (n, d + 1).")
      .def(
          "kernel",
          [](const FlatObject& self, const Stationary& over_centres, const Stationary& over_resolutions) {
            return to_python(*self.value.kernel(over_centres, over_resolutions));
          },
          "over_centres"_a, "over_resolutions"_a, "A kernel on queries, for the plain GP that baselines choose with.")
      .def(
          "setting",
          [](const py::object& self, const py::object& targets) {
            const auto& flat = self.cast<const FlatObject&>();
            flat.value.setting(target_space(targets));  // refuses windows wider than X
            return py::dict("targets"_a = targets, "queries"_a = self.attr("a"),
                            "conditional"_a = self.attr("conditional"),
                            "cost"_a = flat.args[3].is_none() ? py::object(py::none()) : self.attr("cost"),
                            "finest"_a = self.attr("finest"));
          },
          "targets"_a, "The keywords of a `Policy` that seeks the best of these inputs.")
      .def("__repr__",
           [](const py::object& self) { return "FlatQueries(" + std::string(py::repr(self.attr("a"))) + ")"; })
      .def("__reduce__",
           [](py::object self) { return py::make_tuple(py::type::of(self), self.cast<const FlatObject&>().args); });
}

}  // namespace

void bind_search(py::module_& m) {
  const SearchOptions usual;
  m.def("search", &search_in, "score"_a, "where"_a, "also"_a = py::none(), "seed"_a = 0, "points"_a = usual.points,
        "starts"_a = usual.starts, "max_evaluations"_a = usual.max_evaluations,
        R"((point (d,), score): where a function of a batch, (n, d) to (n,), is largest in a box or in `MixedQueries`.

Sobol points first, then a gradient search by differences from the best of them and from the points `also` (m, d).

>>> point, score = iqbo.policies.search(lambda a: -((a - 0.3) ** 2).sum(axis=1), iqbo.QueryBox([0, 0], [1, 1]), seed=1)
>>> point.round(4)
array([0.3, 0.3])
)");
  bind_flat(m);
}

}  // namespace iqbo::python
