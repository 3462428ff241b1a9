#include "calls.hpp"
#include "objects.hpp"
#include "query_map.hpp"
#include "records.hpp"

namespace iqbo::python {

using namespace internal;

namespace {

constexpr Index kMostColumns = 16;  // limit of the search

struct MapFunction {
  Callable function;
  Index columns;
  std::string name;
  Rows operator()(const Queries& a) const {
    const py::gil_scoped_acquire lock;
    return rows(function(to_array(a)), name, columns);
  }
};

// What a function returns for queries of so many columns: its number of columns, or kAny and why.
struct Probe {
  Index made = kAny;
  std::string found = {};                           // another shape
  std::optional<py::error_already_set> error = {};  // it raised
};

Probe probe(const py::function& function, Index columns) {
  try {
    const py::object answer = function(Rows(Rows::Zero(2, columns)));
    const auto out = py::array_t<double>::ensure(answer);
    if (!out) return {kAny, brief(answer)};
    const Index made = out.ndim() == 1 ? 1 : out.ndim() == 2 ? out.shape(1) : 0;
    if (made > 0 && out.shape(0) == 2) return {made};
    return {kAny, "shape " + shape_of(out) + " of queries (2, " + std::to_string(columns) + ")"};
  } catch (py::error_already_set& error) {
    if (!error.matches(PyExc_Exception)) throw;  // Ctrl-C
    return {kAny, "", error};
  }
}

// The fewest columns beyond which the function returns no further ones; failing that, the fewest it accepts. `last`:
// why it accepted none.
Index columns_of(const py::function& function, Probe& last) {
  Index least = kAny;
  for (Index in = 1, before = kAny; in <= kMostColumns; ++in) {
    Probe here = probe(function, in);
    const Index out = here.made;
    if (here.error || !last.error) last = std::move(here);
    if (before != kAny && (out == before || out == kAny)) return in - 1;
    if (least == kAny && out != kAny) least = in;
    before = out;
  }
  return least;
}

// The function's own error becomes the cause.
[[noreturn]] void refuse_function(std::string_view name, Index in, Probe& why) {
  const std::string columns = in == kAny ? "1 to " + std::to_string(kMostColumns) : std::to_string(in);
  const std::string expected = "one that makes (n, k) of (n, d), or query_dimension= and input_dimension=";
  if (!why.error) refuse(name, "a function that makes " + why.found, expected);
  const std::string text =
      std::string(name) + ": a function that takes no queries of " + columns + " columns, expected " + expected;
  py::raise_from(*why.error, PyExc_ValueError, text.c_str());
  throw py::error_already_set();
}

QueryMapObject of_function(const py::function& function, std::string_view name, Index in, Index out) {
  Probe last;
  if (in == kAny && (in = columns_of(function, last)) == kAny) refuse_function(name, in, last);
  if (out == kAny) {
    last = probe(function, in);
    out = last.made;
    if (out == kAny) refuse_function(name, in, last);
  }
  const std::string title = std::string(name) + "(a)";
  return {QueryMap::function(in, out, MapFunction{Callable(function), out, title}),
          py::make_tuple("function", function, in, out)};
}

QueryMapObject of_kind(const std::string& kind, const py::args& args) {
  const auto expect = [&](std::size_t count) {
    if (args.size() != count)
      refuse("QueryMap", std::to_string(args.size()) + " arguments for " + in_quotes(kind), std::to_string(count));
  };
  const py::tuple made = py::make_tuple(kind) + args;
  if (kind == "function") {
    if (args.size() != 1) expect(3);
    return of_function(args[0], "function", args.size() == 1 ? kAny : args[1].cast<Index>(),
                       args.size() == 1 ? kAny : args[2].cast<Index>());
  }
  if (kind == "affine") {
    expect(2);
    const Matrix slope = *MatrixView(py::object(args[0]), "slope", kAny, kAny);
    return {QueryMap::affine(slope, vector(py::object(args[1]), "offset", slope.rows())), made};
  }
  expect(1);
  if (kind == "identity") return {QueryMap::identity(args[0].cast<Index>()), made};
  if (kind == "columns") return {QueryMap::columns(args[0].cast<std::vector<Index>>()), made};
  if (kind == "constant") return {QueryMap::constant(vector(py::object(args[0]), "value")), made};
  refuse("kind", in_quotes(kind), expected_names(kind, {"constant", "identity", "columns", "affine", "function"}));
}

// A copy: what a map was made from must not change with the user's arrays.
py::object kept(const Vector& value) {
  return value.size() == 1 ? py::cast(value[0]) : py::cast(value).attr("tolist")();
}

}  // namespace

QueryMapObject query_map_from(const py::object& map, std::string_view name, Index in, Index out) {
  if (py::isinstance<QueryMapObject>(map)) return map.cast<QueryMapObject>();
  if (PyCallable_Check(map.ptr()) != 0) return of_function(py::reinterpret_borrow<py::function>(map), name, in, out);
  const Vector value = vector(map, name);
  require_finite(value, name);
  return {QueryMap::constant(value), py::make_tuple("constant", kept(value))};
}

void bind_query_map(py::module_& m) {
  py::class_<QueryMapObject>(m, "QueryMap",
                             R"(A map from queries (n, d) to vectors (n, k): the centre of a window, or its width.

>>> iqbo.conditionals.QueryMap.columns([1])([[1.0, 2.0], [3.0, 4.0]])
array([[2.],
       [4.]])
>>> iqbo.conditionals.QueryMap.function(lambda a: np.hypot(a[:, :1], a[:, 1:]))([[3.0, 4.0]])
array([[5.]])
)")
      .def(py::init(&of_kind), "kind"_a)
      .def_static(
          "constant", [](const ArrayLike& v) { return query_map_from(v, "value"); }, "value"_a,
          "The same vector, shape (k,), for every query.")
      .def_static(
          "identity", [](Index d) { return of_kind("identity", py::make_tuple(d)); }, "dimension"_a,
          "The query itself.")
      .def_static(
          "columns", [](const std::vector<Index>& c) { return of_kind("columns", py::make_tuple(c)); }, "columns"_a,
          "Some coordinates of the query.")
      .def_static(
          "affine",
          [](const ArrayLike& slope, const ArrayLike& offset) {
            const Matrix b = *MatrixView(slope, "slope", kAny, kAny);
            return of_kind("affine", py::make_tuple(b, vector(offset, "offset", b.rows())));
          },
          "slope"_a, "offset"_a, "slope a + offset, for slope (k, d) and offset (k,).")
      .def_static(
          "function",
          [](const py::function& function, std::optional<Index> in, std::optional<Index> out) {
            return of_function(function, "function", in.value_or(kAny), out.value_or(kAny));
          },
          "function"_a, "query_dimension"_a = py::none(), "output_dimension"_a = py::none(),
          "A function of a batch, (n, d) to (n, k). If d is not given: the fewest columns that it accepts.")
      .def_property_readonly("query_dimension", [](const QueryMapObject& self) { return self.map.query_dimension(); })
      .def_property_readonly("output_dimension", [](const QueryMapObject& self) { return self.map.output_dimension(); })
      .def(
          "__call__",
          [](const QueryMapObject& self, const ArrayLike& a) {
            return self.map(queries(a, "a", std::max<Index>(1, self.map.query_dimension())));
          },
          "a"_a, "One row of k numbers for each query.")
      .def("__copy__", [](py::object self) { return self; })
      .def(
          "__deepcopy__", [](py::object self, const py::dict&) { return self; }, "memo"_a)
      .def("__repr__",
           [](const QueryMapObject& self) {
             const auto kind = self.made[0].cast<std::string>();
             const std::size_t shown = kind == "function" ? 2 : self.made.size();
             std::string parts = brief(py::object(self.made[1]));
             for (std::size_t i = 2; i < shown; ++i) parts += ", " + brief(py::object(self.made[i]));
             return "QueryMap." + kind + "(" + parts + ")";
           })
      .def_readonly("_arguments", &QueryMapObject::made)
      .def("__reduce__",
           [](py::object self) { return py::make_tuple(py::type::of(self), self.cast<const QueryMapObject&>().made); });
}

}  // namespace iqbo::python
