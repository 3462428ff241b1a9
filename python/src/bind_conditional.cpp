#include "iqbo/conditional/bag.hpp"
#include "iqbo/conditional/cell.hpp"
#include "iqbo/conditional/sampled.hpp"
#include "names.hpp"
#include "objects.hpp"
#include "query_map.hpp"
#include "records.hpp"

namespace iqbo::python {
namespace {

constexpr Names<Gradients, 3> kGradients{
    {{Gradients::kNone, "none"}, {Gradients::kDifferences, "differences"}, {Gradients::kAnalytic, "analytic"}}};

Queries queries_of(const ConditionalObject& self, const ArrayLike& a, const char* name = "a") {
  return queries(a, name, self.model->query_dimension());
}

// --- finite supports ---

SparseRows sparse_from(const py::object& weight, Index points) {
  std::vector<Eigen::Triplet<double, Index>> entries;
  Index bags = 0;
  if (py::hasattr(weight, "tocoo")) {  // SciPy
    const py::object coo = weight.attr("tocoo")();
    const auto row = coo.attr("row").cast<std::vector<Index>>();
    const auto column = coo.attr("col").cast<std::vector<Index>>();
    const Vector data = vector(coo.attr("data"), "weight");
    const auto shape = coo.attr("shape").cast<std::pair<Index, Index>>();
    if (shape.second != points)
      refuse("weight", "shape " + std::string(py::str(coo.attr("shape"))), "shape (n, " + std::to_string(points) + ")");
    bags = shape.first;
    for (std::size_t i = 0; i < row.size(); ++i) entries.emplace_back(row[i], column[i], data[static_cast<Index>(i)]);
  } else {
    const MatrixView dense(weight, "weight", kAny, points);
    bags = (*dense).rows();
    for (Index i = 0; i < bags; ++i)
      for (Index j = 0; j < points; ++j)
        if ((*dense)(i, j) != 0.0) entries.emplace_back(i, j, (*dense)(i, j));
  }
  SparseRows out(bags, points);
  out.setFromTriplets(entries.begin(), entries.end());
  return out;
}

std::vector<BagRow> bag_rows(const ArrayLike& values) {
  const Rows table = rows(values, "rows", 3);
  std::vector<BagRow> out;
  for (Index i = 0; i < table.rows(); ++i) {
    const auto row = table.row(i);
    if (row[0] != std::floor(row[0]) || row[1] != std::floor(row[1]))
      refuse("rows", "row " + std::to_string(i) + " is not made of whole numbers", "(bag, point, weight)");
    out.push_back({static_cast<Index>(row[0]), static_cast<Index>(row[1]), row[2]});
  }
  return out;
}

// (bag, point, weight) of each entry.
Rows entries_of(const BagConditional& bags) {
  Rows out(bags.weight().nonZeros(), 3);
  Index i = 0;
  for (Index bag = 0; bag < bags.weight().outerSize(); ++bag)
    for (SparseRows::InnerIterator entry(bags.weight(), bag); entry; ++entry)
      out.row(i++) << static_cast<double>(bag), static_cast<double>(entry.col()), entry.value();
  return out;
}

// The arguments that make an equal object: of its class, or of the call that made it.
py::tuple arguments_of(const ConditionalObject& self) {
  if (py::isinstance<py::dict>(self.args)) return self.args["with"];
  if (const auto* bags = dynamic_cast<const BagConditional*>(self.model.get()))
    return py::make_tuple(to_array(*bags->support()), py::none(), to_array(bags->queries()), entries_of(*bags));
  return self.args;
}

void bind_finite_supports(py::module_& m) {
  py::class_<Of<BagConditional>, ConditionalObject>(
      m, "BagConditional", R"(Each query is a list of weighted points: a district and its pixels.

points (p, d). weight (bags, p), dense or a SciPy sparse matrix; or rows (m, 3) of (bag, point, weight). Weights are
normalised within each bag. queries (bags, d_a) names the bags by coordinates; without them a query is a bag's number.

>>> bags = iqbo.BagConditional([0.0, 1.0, 2.0], [[1, 1, 0], [0, 0, 1]])
>>> bags.nu(iqbo.kernels.LinearMean(0.0, [1.0]), [0, 1])
array([0.5, 2. ])
)")
      .def(py::init([](const ArrayLike& points, const py::object& weight, const OptionalArray& queries,
                       const OptionalArray& rows) {
             const Inputs x = inputs(points, "points");
             std::optional<Queries> a;
             if (queries) a = python::queries(*queries, "queries");
             if (weight.is_none() == !rows) refuse("weight", rows ? "given with rows" : "none", "weight or rows");
             if (rows) return made(BagConditional(x, bag_rows(*rows), a), py::tuple());
             return made(BagConditional(x, sparse_from(weight, x.size()), a), py::tuple());
           }),
           "points"_a, "weight"_a = py::none(), "queries"_a = py::none(), "rows"_a = py::none())
      .def_property_readonly(
          "queries",
          [](const py::object& self) {
            const auto& bags = self.cast<const Of<BagConditional>&>();
            return view_of(static_cast<const BagConditional&>(*bags.model).queries(), self);
          },
          "One row per bag.")
      .def_property_readonly(
          "rows",
          [](const Of<BagConditional>& self) { return entries_of(static_cast<const BagConditional&>(*self.model)); },
          "Shape (m, 3): bag, point and weight of each entry; the weights of a bag sum to one.");
  py::class_<Of<CellConditional>, ConditionalObject>(
      m, "CellConditional", R"(The average over the points in a cell of a `QueryTree` of points.

>>> tree = iqbo.spaces.QueryTree(points=[0.0, 1.0, 2.0, 3.0], l_max=1)
>>> cond = iqbo.conditionals.CellConditional(tree)
>>> cond.nu(iqbo.kernels.LinearMean(0.0, [1.0]), tree.queries([tree.root]))
array([1.5])
)")
      .def(py::init([](const py::object& tree) {
             return made(CellConditional(object_from<TreeObject>(tree, "tree", "a QueryTree").value),
                         py::make_tuple(tree));
           }),
           "tree"_a);
}

// --- samplers and rules ---

struct RuleFunction {
  Callable function;
  Index columns;
  std::vector<WeightedPoints> operator()(const Queries& a) const {
    const py::gil_scoped_acquire lock;
    const py::object answer = function(to_array(a));
    if (!py::isinstance<py::tuple>(answer) || py::len(answer) != 2)
      refuse("rule(a)", brief(answer), "a tuple (points, weights)");
    const py::object points = answer[py::int_(0)];
    const py::object weights = answer[py::int_(1)];
    if (static_cast<Index>(py::len(points)) != a.size() || static_cast<Index>(py::len(weights)) != a.size())
      refuse("rule(a)", std::to_string(py::len(points)) + " lists of points",
             std::to_string(a.size()) + ", one per query");
    std::vector<WeightedPoints> out;
    for (Index i = 0; i < a.size(); ++i) {
      Rows point = rows(points[py::int_(i)], "points of rule(a)", columns);
      Vector weight = vector(weights[py::int_(i)], "weights of rule(a)", point.rows());
      out.push_back({std::move(point), std::move(weight)});
    }
    return out;
  }
};

struct SamplerFunction {
  Callable function;
  Index columns;
  Rows operator()(const Queries& a, Index draws, Rng& rng) const {
    const std::uint64_t seed = rng();
    const py::gil_scoped_acquire lock;
    const py::object generator = py::module_::import("numpy.random").attr("default_rng")(seed);
    return rows(function(Vector(a.row(0).transpose()), draws, generator), "sampler(a, n, rng)", columns);
  }
};

void bind_sampled(py::module_& m) {
  py::class_<Of<SampledConditional>, ConditionalObject>(
      m, "SampledConditional", R"(Any p(x|a) you can sample from, or integrate against with a rule of your own.

sampler(a, n, rng): n draws of X, shape (n, input_dimension), for one query a, shape (query_dimension,); rng is a NumPy
Generator, seeded by `seed` and the query. rule(a), instead: for queries (m, query_dimension) a tuple (points, weights) of m
lists each, points[i] of shape (s, input_dimension) and weights[i] of shape (s,).

>>> cond = iqbo.conditionals.SampledConditional(lambda a, n, rng: rng.normal(a[0], 0.1, n), draws=64)
>>> abs(float(cond.nu(iqbo.kernels.LinearMean(0.0, [1.0]), [0.5])[0]) - 0.5) < 0.1
True
>>> two = iqbo.conditionals.SampledConditional(rule=lambda a: ([[q - 1.0, q + 1.0] for q in a[:, 0]], [[1, 3]] * len(a)))
>>> two.nu(iqbo.kernels.LinearMean(0.0, [1.0]), [0.0, 5.0])
array([0.5, 5.5])
)")
      .def(py::init([](const py::object& sampler, Index draws, std::uint64_t seed, const py::object& rule, Index in,
                       Index out) {
             if (sampler.is_none() == rule.is_none())
               refuse("sampler", rule.is_none() ? "none" : "given with rule", "a sampler or a rule");
             const py::tuple args = py::make_tuple(sampler, draws, seed, rule, in, out);
             if (!rule.is_none())
               return made(SampledConditional::rule(in, out, RuleFunction{Callable(function_from(rule, "rule")), out}),
                           args);
             return made(SampledConditional::sampler(
                             in, out, SamplerFunction{Callable(function_from(sampler, "sampler")), out}, draws, seed),
                         args);
           }),
           "sampler"_a = py::none(), "draws"_a = 256, "seed"_a = 0, "rule"_a = py::none(), "query_dimension"_a = 1,
           "input_dimension"_a = 1);
}

// --- what all of them have ---

// In a repr, a constant map is shown as its constant.
std::string shown(py::handle arg) {
  if (!py::isinstance<QueryMapObject>(arg)) return brief(arg);
  const py::tuple& made = arg.cast<const QueryMapObject&>().made;
  return made[0].cast<std::string>() == "constant" ? brief(py::object(made[1])) : brief(arg);
}

void bind_base(py::module_& m) {
  py::class_<ConditionalObject>(m, "Conditional", R"(p(x|a): which inputs a query touches, and how likely each is.

>>> isinstance(iqbo.UniformConditional(half_width=0.1), iqbo.conditionals.Conditional)
True
)")
      .def_property_readonly("input_dimension",
                             [](const ConditionalObject& self) { return self.model->input_dimension(); })
      .def_property_readonly("query_dimension",
                             [](const ConditionalObject& self) { return self.model->query_dimension(); })
      .def_property_readonly(
          "support",
          [](const py::object& self) -> py::object {
            const auto* x = self.cast<const ConditionalObject&>().model->support();
            return x == nullptr ? py::object(py::none()) : view_of(*x, self);
          },
          "The inputs on which p(x|a) can put weight, shape (s, d); None if there is no such list.")
      .def_property_readonly(
          "gradients", [](const ConditionalObject& self) { return name_of(kGradients, self.model->gradients()); },
          "How gradients of averages in a are computed: \"none\", \"differences\" or \"analytic\".")
      .def_property_readonly("relative_error",
                             [](const ConditionalObject& self) { return self.model->relative_error(); })
      .def(
          "nu",
          [](const ConditionalObject& self, const py::object& mean, const ArrayLike& a) {
            const auto prior = mean_from(mean);
            const Queries at = queries_of(self, a);
            return without_gil([&] { return self.model->nu(*prior, at); });
          },
          "mean"_a, "a"_a, "E[m(X) | a], shape (n,), for a (n, d_a); mean: a Mean, a number or a function of x.")
      .def(
          "q",
          [](const ConditionalObject& self, const Kernel& kernel, const ArrayLike& a, const OptionalArray& b) {
            const Queries left = queries_of(self, a);
            const Queries right = b ? queries_of(self, *b, "b") : left;
            return without_gil([&] { return self.model->q(kernel, left, right); });
          },
          "kernel"_a, "a"_a, "b"_a = py::none(), "E[k(X, X') | a, b], shape (n, m), for a (n, d_a) and b (m, d_a).")
      .def(
          "q_diagonal",
          [](const ConditionalObject& self, const Kernel& kernel, const ArrayLike& a) {
            const Queries at = queries_of(self, a);
            return without_gil([&] { return self.model->q_diagonal(kernel, at); });
          },
          "kernel"_a, "a"_a, "q(a_i, a_i), shape (n,).")
      .def(
          "c",
          [](const ConditionalObject& self, const Kernel& kernel, const ArrayLike& x, const ArrayLike& a) {
            const Inputs in = inputs(x, "x", self.model->input_dimension());
            const Queries at = queries_of(self, a);
            return without_gil([&] { return self.model->c(kernel, in, at); });
          },
          "kernel"_a, "x"_a, "a"_a, "E[k(x_i, X) | a_j] = Cov(f(x_i), g(a_j)), shape (n, m).")
      .def(
          "cosines",
          [](const ConditionalObject& self, const ArrayLike& a, const ArrayLike& frequency, const ArrayLike& phase) {
            const Queries at = queries_of(self, a);
            const Rows w = rows(frequency, "frequency", self.model->input_dimension());
            const Vector b = vector(phase, "phase", w.rows());
            return without_gil([&] { return self.model->cosines(at, w, b); });
          },
          "a"_a, "frequency"_a, "phase"_a,
          "E[cos(w_r . X + b_r) | a_i], shape (n, r), for frequency (r, d), phase (r,).")
      .def(
          "average",
          [](const ConditionalObject& self, const ArrayLike& a, const ArrayLike& values) {
            const Queries at = queries_of(self, a);
            const Inputs* support = self.model->support();
            const Matrix h = *MatrixView(values, "values", support == nullptr ? kAny : support->size(), kAny);
            return without_gil([&] { return self.model->average(at, h); });
          },
          "a"_a, "values"_a, "E[h(X) | a_i], shape (n, k), for functions tabulated on `support`, values (s, k).")
      .def("__copy__", [](py::object self) { return self; })
      .def(
          "__deepcopy__", [](py::object self, const py::dict&) { return self; }, "memo"_a)
      .def("__repr__",
           [](py::object self) {
             const auto& object = self.cast<const ConditionalObject&>();
             std::string out = py::str(py::type::of(self).attr("__name__"));
             if (const auto* x = object.model->support()) return out + "(" + std::to_string(x->size()) + " points)";
             std::string parts;
             if (py::isinstance<py::tuple>(object.args))
               for (const auto& arg : object.args)
                 if (!arg.is_none()) parts += (parts.empty() ? "" : ", ") + shown(arg);
             return out + "(" + parts + ")";
           })
      .def_property_readonly("_arguments", &arguments_of)
      .def("__reduce__", [](py::object self) -> py::tuple {
        const auto& object = self.cast<const ConditionalObject&>();
        const bool constructed = !py::isinstance<py::dict>(object.args);
        return py::make_tuple(constructed ? py::object(py::type::of(self)) : py::object(object.args["call"]),
                              arguments_of(object));
      });
}

}  // namespace

py::object to_python(std::shared_ptr<const Conditional> model, py::tuple reduced) {
  return py::cast(ConditionalObject{std::move(model), py::dict("call"_a = reduced[0], "with"_a = reduced[1])});
}

void bind_conditional(py::module_& m) {
  bind_base(m);
  bind_windows(m);
  bind_finite_supports(m);
  bind_sampled(m);
}

}  // namespace iqbo::python
