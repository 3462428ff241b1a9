#include "iqbo/space/budget.hpp"
#include "iqbo/space/query_tree.hpp"
#include "objects.hpp"
#include "records.hpp"
#include "search/frontier.hpp"

namespace iqbo::python {

using namespace internal;

namespace {

template <class Space>
void bind_box(py::module_& m, const char* name, const char* doc) {
  using B = Box<Space>;
  py::class_<B>(m, name, doc)
      .def(py::init([](const ArrayLike& lower, const ArrayLike& upper) {
             return B(vector(lower, "lower"), vector(upper, "upper"));
           }),
           "lower"_a, "upper"_a)
      .def_property_readonly("dimension", &B::dimension)
      .def_property_readonly("lower", &B::lower, "Shape (d,).")
      .def_property_readonly("upper", &B::upper, "Shape (d,).")
      .def(
          "grid",
          [](const B& box, const py::object& counts) {
            if (py::isinstance<py::int_>(counts))
              return to_array(
                  box.grid(std::vector<Index>(static_cast<std::size_t>(box.dimension()), counts.cast<Index>())));
            return to_array(box.grid(counts.cast<std::vector<Index>>()));
          },
          "counts"_a,
          "The grid of counts[j] equally spaced values along each axis j, both ends included; shape (n, d), the last "
          "axis fastest.")
      .def(
          "clipped",
          [](const B& box, const ArrayLike& points) {
            return to_array(box.clipped(Points<Space>(rows(points, Space::kName, box.dimension()))));
          },
          "points"_a, "Each coordinate moved to the nearest value inside, shape (n, d).")
      .def(
          "contains",
          [](const B& box, const ArrayLike& points) {
            const Rows at = rows(points, Space::kName, box.dimension());
            py::array_t<bool> out(at.rows());
            for (Index i = 0; i < at.rows(); ++i) out.mutable_at(i) = box.contains(at.row(i));
            return out;
          },
          "points"_a, "Whether each point (n, d) is inside, shape (n,).")
      .def(
          "__eq__",
          [](const B& box, const B& other) { return box.lower() == other.lower() && box.upper() == other.upper(); },
          py::is_operator())
      .def("__hash__", [](const B& box) { return py::hash(py::str(brief(py::cast(box.lower())))); })
      .def("__repr__",
           [name](const B& box) {
             return std::string(name) + "(" + brief(py::cast(box.lower())) + ", " + brief(py::cast(box.upper())) + ")";
           })
      .def(py::pickle([](const B& box) { return py::make_tuple(box.lower(), box.upper()); },
                      [](const py::tuple& s) { return B(s[0].cast<Vector>(), s[1].cast<Vector>()); }));
}

template <class Space>
void bind_set(py::module_& m, const char* name, const char* doc) {
  using S = FiniteSet<Space>;
  py::class_<S>(m, name, doc)
      .def(py::init([](const ArrayLike& points) { return S(Points<Space>(rows(points, "points"), "points")); }),
           "points"_a)
      .def_property_readonly(
          "points", [](const py::object& self) { return view_of(self.cast<const S&>().points(), self); },
          "Shape (n, d).")
      .def_property_readonly("dimension", &S::dimension)
      .def("__len__", &S::size)
      .def(
          "positions",
          [](const S& set, const ArrayLike& points) {
            return set.positions(Points<Space>(rows(points, Space::kName, set.dimension())));
          },
          "points"_a, "The position of each point (n, d) in the list; one that is not a member is refused.")
      .def("__repr__",
           [name](const S& set) {
             return std::string(name) + "(" + std::to_string(set.size()) + " points, dimension " +
                    std::to_string(set.dimension()) + ")";
           })
      .def(py::pickle([](const S& set) { return py::make_tuple(to_array(set.points())); },
                      [](const py::tuple& s) { return S(Points<Space>(s[0].cast<Rows>())); }));
}

// --- the tree ---

PerCell per_cell(const py::object& value, const char* name) {
  if (value.is_none()) return {};
  if (PyCallable_Check(value.ptr()) == 0) return vector(value, name);
  return std::function<double(const Cell&)>([function = Callable(value), name](const Cell& cell) {
    const py::gil_scoped_acquire lock;
    return vector(function(cell), std::string(name) + "(cell)", 1)[0];
  });
}

TreeObject make_tree(const py::object& box, const OptionalArray& points, const OptionalArray& weight, Index l_max,
                     const std::vector<Index>& splits, const py::object& cost, const py::object& resolution,
                     const py::object& noise_var) {
  TreeOptions options{
      l_max, splits, per_cell(cost, "cost"), per_cell(resolution, "resolution"), {}, per_cell(noise_var, "noise_var")};
  if (!points) {
    if (box.is_none()) refuse("box", "none", "a QueryBox, or points");
    if (weight) refuse("weight", "given without points", "weights of points, or none");
    return {QueryTree(object_from<QueryBox>(box, "box", "a QueryBox"), std::move(options)),
            py::make_tuple(box, py::none(), py::none(), l_max, splits, cost, resolution, noise_var)};
  }
  const Inputs x = inputs(*points, "points");
  if (!box.is_none()) options.box = object_from<QueryBox>(box, "box", "a QueryBox");
  py::object w = py::none();
  std::optional<QueryTree> tree;
  if (weight) {
    const Vector weights = vector(*weight, "weight", x.size());
    w = py::cast(weights);
    tree.emplace(x, weights, std::move(options));
  } else {
    tree.emplace(x, std::move(options));
  }
  return {*tree, py::make_tuple(box, to_array(x), w, l_max, splits, cost, resolution, noise_var)};
}

std::vector<Node> nodes_from(const TreeObject& self, const ArrayLike& a) {
  const Queries at = queries(a, "a", self.value.dimension());
  std::vector<Node> out;
  for (Index i = 0; i < at.size(); ++i) {
    const auto node = self.value.find(at.row(i));
    if (!node) refuse("a", "row " + std::to_string(i) + " is not a node of the tree", "queries that the tree made");
    out.push_back(*node);
  }
  return out;
}

void bind_tree(py::module_& m) {
  Record<Node>(m, "Node", R"(A node of a `QueryTree`: its level, and its number among the cells of that level.

>>> iqbo.spaces.Node(level=1, number=2)
Node(level=1, number=2)
)")
      .field("level", &Node::level)
      .field("number", &Node::number)
      .made()
      .type()
      .def("__hash__", [](const Node& node) { return py::hash(py::make_tuple(node.level, node.number)); })
      .def("__lt__", [](const Node& node, const Node& other) { return node < other; });
  Record<Cell>(m, "Cell", R"(The cell of a node: the box centre +- half_width.

>>> tree = iqbo.spaces.QueryTree(iqbo.QueryBox([0.0], [1.0]), l_max=2)
>>> tree.cell(tree.root).centre
array([0.5])
)")
      .field("node", &Cell::node)
      .field("centre", &Cell::centre, "Shape (d,).")
      .field("half_width", &Cell::half_width, "Shape (d,).");
  py::class_<TreeObject>(
      m, "QueryTree",
      R"(A tree of queries: cells that are cut into smaller cells. Coarse queries are cheap, fine ones expensive.

The cells are those of a box, or of points (n, d) with weights (n,); then a query is the average over the points of a cell. cost, resolution and
noise_var: one number for each level 0 .. l_max, or a function of a `Cell`.

>>> tree = iqbo.spaces.QueryTree(iqbo.QueryBox([0.0, 0.0], [1.0, 1.0]), l_max=2)
>>> tree.children(tree.root)[0], tree.cost(tree.root)
(Node(level=1, number=0), 0.5)
>>> tree.queries(tree.nodes_at(1)).shape      # centre and resolution
(4, 3)
)")
      .def(py::init(&make_tree), "box"_a = py::none(), "points"_a = py::none(), "weight"_a = py::none(), "l_max"_a = 6,
           "splits"_a = std::vector<Index>(), "cost"_a = py::none(), "resolution"_a = py::none(),
           "noise_var"_a = py::none())
      .def_property_readonly("l_max", [](const TreeObject& self) { return self.value.l_max(); })
      .def_property_readonly("arity", [](const TreeObject& self) { return self.value.arity(); })
      .def_property_readonly(
          "dimension", [](const TreeObject& self) { return self.value.dimension(); },
          "The dimension of a query: that of its centre plus one.")
      .def_property_readonly("root", [](const TreeObject& self) { return self.value.root(); })
      .def_property_readonly("box", [](const TreeObject& self) { return self.value.box(); })
      .def_property_readonly("points",
                             [](const py::object& self) -> py::object {
                               const auto* x = self.cast<const TreeObject&>().value.points();
                               return x == nullptr ? py::object(py::none()) : view_of(*x, self);
                             })
      .def(
          "children", [](const TreeObject& self, const Node& node) { return self.value.children(node); }, "node"_a)
      .def(
          "parent", [](const TreeObject& self, const Node& node) { return self.value.parent(node); }, "node"_a)
      .def(
          "cell", [](const TreeObject& self, const Node& node) { return self.value.cell(node); }, "node"_a)
      .def(
          "cost", [](const TreeObject& self, const Node& node) { return self.value.cost(node); }, "node"_a)
      .def(
          "resolution", [](const TreeObject& self, const Node& node) { return self.value.resolution(node); }, "node"_a)
      .def(
          "noise_var", [](const TreeObject& self, const Node& node) { return self.value.noise_var(node); }, "node"_a)
      .def(
          "members", [](const TreeObject& self, const Node& node) { return self.value.members(node); }, "node"_a,
          "The rows of the points in a cell.")
      .def(
          "nodes_at", [](const TreeObject& self, Index level) { return self.value.nodes_at(level); }, "level"_a)
      .def(
          "queries",
          [](const TreeObject& self, const std::vector<Node>& nodes) { return to_array(self.value.queries(nodes)); },
          "nodes"_a, "One row per node: centre and resolution, shape (n, d + 1).")
      .def("nodes", &nodes_from, "a"_a, "The nodes whose queries are the rows of a (n, d + 1).")
      .def(
          "finest",
          [](const TreeObject& self, const ArrayLike& a) {
            return to_array(self.value.finest(queries(a, "a", self.value.dimension())));
          },
          "a"_a, "The same locations at the finest resolution, shape (n, d + 1).")
      .def("__copy__", [](py::object self) { return self; })
      .def(
          "__deepcopy__", [](py::object self, const py::dict&) { return self; }, "memo"_a)
      .def_readonly("_arguments", &TreeObject::args)
      .def("__reduce__",
           [](py::object self) { return py::make_tuple(py::type::of(self), self.cast<const TreeObject&>().args); })
      .def("__repr__", [](const TreeObject& self) {
        const auto* x = self.value.points();
        return "QueryTree(" + (x == nullptr ? "of a box" : "of " + std::to_string(x->size()) + " points") +
               ", levels 0 to " + std::to_string(self.value.l_max()) + ", " + std::to_string(self.value.arity()) +
               " children)";
      });
}

// --- listed queries with their own costs and noises ---

void bind_listed(py::module_& m) {
  const auto made = [](const py::object& queries, const OptionalArray& cost, const OptionalArray& noise_var) {
    ListedQueries out{query_list(queries)};
    if (cost) out.cost = vector(*cost, "cost", out.queries.size());
    if (noise_var) out.noise_var = vector(*noise_var, "noise_var", out.queries.size());
    QueryDomainPtr{out};  // refuses what is not a cost or a variance
    return ListedObject{std::move(out)};
  };
  py::class_<ListedObject>(m, "ListedQueries",
                           R"(Listed queries (n, d), each with a cost and the noise variance of its answer.

cost and noise_var: shape (n,); without them, all queries are alike.

>>> districts = iqbo.spaces.ListedQueries([0.2, 0.5, 0.8], cost=[1, 1, 2], noise_var=[0.1, 0.01, 0.01])
>>> policy = iqbo.Policy(np.linspace(0, 1, 9), districts, iqbo.GaussianConditional(sd=0.1), kernel=iqbo.Rbf(1.0, 0.3))
>>> policy.suggest().queries.shape
(1, 1)
)")
      .def(py::init(made), "queries"_a, "cost"_a = py::none(), "noise_var"_a = py::none())
      .def("__len__", [](const ListedObject& self) { return self.value.queries.size(); })
      .def_property_readonly("dimension", [](const ListedObject& self) { return self.value.queries.dimension(); })
      .def_property_readonly("queries", [](const ListedObject& self) { return self.value.queries; })
      .def_property_readonly(
          "cost", [](const ListedObject& self) { return self.value.cost; }, "Empty if none was given.")
      .def_property_readonly(
          "noise_var", [](const ListedObject& self) { return self.value.noise_var; }, "Empty if none was given.")
      .def("__repr__",
           [](const ListedObject& self) {
             return "ListedQueries(" + std::to_string(self.value.queries.size()) + " queries, dimension " +
                    std::to_string(self.value.queries.dimension()) + ")";
           })
      .def(py::pickle(
          [](const ListedObject& self) {
            return py::make_tuple(self.value.queries, self.value.cost, self.value.noise_var);
          },
          [](const py::tuple& s) {
            return ListedObject{{s[0].cast<QuerySet>(), s[1].cast<Vector>(), s[2].cast<Vector>()}};
          }));
}

// --- the nodes that may be asked, and the budget ---

struct FrontierObject {
  py::object tree;
  bool requery_leaf;
  bool printed;
  Frontier value;
  std::vector<Node> selected;
};

void bind_frontier(py::module_& m) {
  py::class_<FrontierObject>(m, "Frontier", R"(The nodes of a tree that may be asked now, as answers open it up.

>>> tree = iqbo.spaces.QueryTree(iqbo.QueryBox([0.0], [1.0]), l_max=2)
>>> frontier = iqbo.spaces.Frontier(tree)
>>> frontier.select(tree.root)
>>> len(frontier.leaves), len(frontier.ahead)
(2, 4)
)")
      .def(py::init([](const py::object& tree, bool requery_leaf, bool printed) {
             const auto& of = object_from<TreeObject>(tree, "tree", "a QueryTree");
             return FrontierObject{tree, requery_leaf, printed, Frontier(of.value, requery_leaf, printed), {}};
           }),
           "tree"_a, "requery_leaf"_a = true, "printed"_a = false)
      .def(
          "select",
          [](FrontierObject& self, const Node& node) {
            self.value.select(node);
            self.selected.push_back(node);
          },
          "node"_a)
      .def_property_readonly("opened", [](const FrontierObject& self) { return self.value.opened(); })
      .def_property_readonly("leaves", [](const FrontierObject& self) { return self.value.leaves(); })
      .def_property_readonly("ahead", [](const FrontierObject& self) { return self.value.ahead(); })
      .def("__repr__",
           [](const FrontierObject& self) {
             return "Frontier(" + std::to_string(self.value.leaves().size()) + " leaves, " +
                    std::to_string(self.value.ahead().size()) + " ahead)";
           })
      .def(py::pickle(
          [](const FrontierObject& self) {
            return py::make_tuple(self.tree, self.requery_leaf, self.selected, self.printed);
          },
          [](const py::tuple& s) {
            const py::object tree = s[0];
            const bool printed = s.size() > 3 && s[3].cast<bool>();  // version 0.1 has three
            FrontierObject out{tree, s[1].cast<bool>(), printed,
                               Frontier(tree.cast<const TreeObject&>().value, s[1].cast<bool>(), printed),
                               s[2].cast<std::vector<Node>>()};
            for (const Node& node : out.selected) out.value.select(node);
            return out;
          }));
}

struct BudgetObject {
  Budget value;
  bool overshoot;
};

void bind_budget(py::module_& m) {
  const auto made = [](double total, bool overshoot) {
    return BudgetObject{Budget(total, overshoot ? Budget::Rule::kOvershoot : Budget::Rule::kStrict), overshoot};
  };
  py::class_<BudgetObject>(m, "Budget",
                           R"(What may still be spent on queries. It never changes: `after(cost)` returns what is left.

>>> budget = iqbo.spaces.Budget(1.0).after(0.75)
>>> budget.left, budget.affords(0.5)
(0.25, False)
)")
      .def(py::init(made), "total"_a, "overshoot"_a = false)
      .def_property_readonly("total", [](const BudgetObject& self) { return self.value.total(); })
      .def_property_readonly("spent", [](const BudgetObject& self) { return self.value.spent(); })
      .def_property_readonly("left", [](const BudgetObject& self) { return self.value.left(); })
      .def(
          "affords", [](const BudgetObject& self, double cost) { return self.value.affords(cost); }, "cost"_a)
      .def(
          "after",
          [](const BudgetObject& self, double cost) {
            return BudgetObject{self.value.after(cost), self.overshoot};
          },
          "cost"_a)
      .def("__repr__",
           [](const BudgetObject& self) {
             return "Budget(" + readable(self.value.left()) + " of " + readable(self.value.total()) + " left)";
           })
      .def(py::pickle(
          [](const BudgetObject& self) {
            return py::make_tuple(self.value.total(), self.overshoot, self.value.spent());
          },
          [made](const py::tuple& s) {
            const BudgetObject whole = made(s[0].cast<double>(), s[1].cast<bool>());
            return BudgetObject{whole.value.having_spent(s[2].cast<double>()), whole.overshoot};
          }));
}

}  // namespace

namespace {

// (0, 1) is meant as an interval, not as two points, by most who write it.
void refuse_interval(const py::object& given, const char* name, const std::string& box) {
  if (!py::isinstance<py::tuple>(given) || py::len(given) != 2) return;
  const auto ends = py::reinterpret_borrow<py::tuple>(given);
  for (const auto& end : ends)
    if (!py::isinstance<py::float_>(end) && !py::isinstance<py::int_>(end)) return;
  const std::string low = py::repr(ends[0]), high = py::repr(ends[1]);
  refuse(name, "(" + low + ", " + high + ")",
         "iqbo." + box + "([" + low + "], [" + high + "]) for all points between, or np.array([" + low + ", " + high +
             "]) for these two");
}

}  // namespace

TargetSpace target_space(const py::object& x, const char* name) {
  refuse_interval(x, name, "InputBox");
  if (py::isinstance<InputBox>(x)) return x.cast<InputBox>();
  if (py::isinstance<InputSet>(x)) return x.cast<InputSet>();
  return InputSet(inputs(x, "x"));
}

QuerySet query_list(const py::object& a) {
  return py::isinstance<QuerySet>(a) ? a.cast<QuerySet>() : QuerySet(queries(a, "a"));
}

QueryDomainPtr query_domain(const py::object& a, const char* name) {
  refuse_interval(a, name, "QueryBox");
  if (py::isinstance<QueryBox>(a)) return a.cast<QueryBox>();
  if (py::isinstance<ListedObject>(a)) return a.cast<const ListedObject&>().value;
  if (py::isinstance<MixedQueries>(a)) return a.cast<MixedQueries>();
  if (py::isinstance<TreeObject>(a)) return a.cast<const TreeObject&>().value;
  return query_list(a);
}

void bind_space(py::module_& m) {
  bind_box<InputSpace>(m, "InputBox", R"(All inputs between two corners (d,).

>>> iqbo.InputBox([0.0, 0.0], [1.0, 2.0]).grid([2, 3]).shape
(6, 2)
)");
  bind_box<QuerySpace>(m, "QueryBox", R"(All queries between two corners (d,).

>>> iqbo.QueryBox([0.0], [1.0]).contains([0.5, 1.5])
array([ True, False])
)");
  bind_set<InputSpace>(m, "InputSet", R"(Listed inputs (n, d), all distinct: pixels.

>>> iqbo.spaces.InputSet([0.0, 0.5, 1.0])
InputSet(3 points, dimension 1)
)");
  bind_set<QuerySpace>(m, "QuerySet", R"(Listed queries (n, d), all distinct: districts.

>>> iqbo.spaces.QuerySet([[0.0, 1.0], [2.0, 3.0]]).positions([2.0, 3.0])
[1]
)");
  py::class_<MixedQueries>(m, "MixedQueries", R"(A finite choice times a box: which sensor, and where to point it.

>>> iqbo.spaces.MixedQueries(iqbo.spaces.QuerySet([0.0, 1.0]), iqbo.QueryBox([0.0], [1.0])).dimension
2
)")
      .def(py::init<QuerySet, QueryBox>(), "choices"_a, "box"_a)
      .def_property_readonly("dimension", &MixedQueries::dimension)
      .def_property_readonly("choices", &MixedQueries::choices)
      .def_property_readonly("box", &MixedQueries::box)
      .def("__repr__",
           [](const MixedQueries& self) {
             return "MixedQueries(" + std::to_string(self.choices().size()) + " choices, dimension " +
                    std::to_string(self.dimension()) + ")";
           })
      .def(py::pickle([](const MixedQueries& self) { return py::make_tuple(self.choices(), self.box()); },
                      [](const py::tuple& s) { return MixedQueries(s[0].cast<QuerySet>(), s[1].cast<QueryBox>()); }));
  bind_tree(m);
  bind_listed(m);
  bind_frontier(m);
  bind_budget(m);
}

}  // namespace iqbo::python
