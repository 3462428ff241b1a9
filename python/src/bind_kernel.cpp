#include <algorithm>
#include <type_traits>

#include "iqbo/kernel/product.hpp"
#include "iqbo/kernel/spectral.hpp"
#include "iqbo/kernel/stationary.hpp"
#include "iqbo/kernel/sum.hpp"
#include "iqbo/kernel/white.hpp"
#include "objects.hpp"
#include "python_kernel.hpp"
#include "records.hpp"

namespace iqbo::python {

using namespace internal;

namespace {

std::shared_ptr<Kernel> shared(const Kernel& kernel) { return std::const_pointer_cast<Kernel>(kernel.clone()); }

Vector lengthscale_from(const ArrayLike& lengthscale) { return vector(lengthscale, "lengthscale"); }

// The shape of a family, each parameter by its name: one number, or one for each of d columns.
Vector shape_from(const StationaryFamily& family, const py::dict& given, Index d) {
  std::vector<std::string> known;
  std::vector<double> out;
  for (const ShapeParameter& each : family.shape) {
    known.push_back(each.name);
    if (!given.contains(each.name)) throw py::type_error("missing keyword " + in_quotes(each.name));
    const Vector values = vector_or_number(given[each.name.c_str()], each.name, each.per_column ? d : 1);
    out.insert(out.end(), values.begin(), values.end());
  }
  for (const auto& [key, value] : given)
    if (const auto name = key.cast<std::string>(); std::count(known.begin(), known.end(), name) == 0)
      throw py::type_error("unexpected keyword " + in_quotes(name) +
                           (known.empty() ? ", expected none" : ", expected " + expected_names(name, known)));
  return Eigen::Map<const Vector>(out.data(), static_cast<Index>(out.size()));
}

py::dict shape_of(const Stationary& k) {
  py::dict out;
  Index at = 0;
  for (const ShapeParameter& each : k.family().shape) {
    if (each.per_column)
      out[each.name.c_str()] = Vector(k.shape().segment(at, k.dimension()));
    else
      out[each.name.c_str()] = k.shape()[at];
    at += each.per_column ? k.dimension() : 1;
  }
  return out;
}

// type(self)(*arguments) makes an equal kernel: variance, lengthscale, then the shape.
py::tuple arguments_of(const Stationary& k) {
  py::list out(py::make_tuple(k.variance(), k.lengthscale()));
  for (const auto& [name, value] : shape_of(k)) out.append(value);
  return py::tuple(out);
}

template <class K>
py::class_<K, Stationary, std::shared_ptr<K>> bind_family(py::module_& m, const char* name, const char* doc) {
  py::class_<K, Stationary, std::shared_ptr<K>> type(m, name, doc);
  type.def("__reduce__",
           [](py::object self) { return py::make_tuple(py::type::of(self), arguments_of(self.cast<const K&>())); });
  if constexpr (std::is_constructible_v<K, double, Vector>)
    type.def(py::init([](double variance, const ArrayLike& lengthscale) {
               return std::make_shared<K>(variance, lengthscale_from(lengthscale));
             }),
             "variance"_a = 1.0, "lengthscale"_a = 1.0);
  return type;
}

std::vector<Product::Factor> factors_from(const py::list& factors) {
  std::vector<Product::Factor> out;
  for (std::size_t i = 0; i < factors.size(); ++i) {
    const py::object item = factors[i];
    const std::string name = "factors[" + std::to_string(i) + "]";
    if (!py::isinstance<py::sequence>(item) || py::len(item) != 2)
      refuse(name, brief(item), "(a stationary kernel, its columns)");
    const py::object kernel = item[py::int_(0)];
    out.push_back({object_from<Stationary>(kernel, name + "[0]", "a stationary kernel"),
                   value_from<std::vector<Index>>(item[py::int_(1)], name + "[1]")});
  }
  return out;
}

// The first factor has the variance.
py::list factors_of(const Product& k) {
  py::list out;
  for (const auto& factor : k.factors()) {
    const double variance = out.empty() ? k.variance() : 1.0;
    out.append(py::make_tuple(to_python(Stationary(variance, factor.kernel.part())), factor.columns));
  }
  return out;
}

void bind_base(py::module_& m) {
  py::class_<Kernel, PythonKernel, std::shared_ptr<Kernel>>(m, "Kernel",
                                                            R"(A covariance function k(x, y), of inputs or of queries.

Calling it is `gram`.

>>> k = iqbo.Rbf(variance=2.0, lengthscale=0.5)
>>> k([0.0, 0.5], [0.0]).round(3)
array([[2.   ],
       [1.213]])

A kernel of your own derives from it, gives its number of columns and its hyperparameters (positive numbers by name), and defines
evaluate(x, y, parameters), of shape (n, m) for x (n, d) and y (m, d). It works in posteriors, policies and fits (families=[]),
with bags, samples and learned conditionals; under windows use `SampledConditional`. It is slow: each evaluation takes the
interpreter's lock, and gradients are differences of evaluations unless parameter_gradient(x, y, weight, parameters) and
input_gradient(x, y, weight, parameters) are defined too, as `pull_back` and `input_pull_back` describe them.

>>> class Linear(iqbo.kernels.Kernel):
...     def __init__(self, variance):
...         super().__init__(dimension=1, parameters={"variance": variance})
...     def evaluate(self, x, y, parameters):
...         return parameters["variance"] * (1 + x @ y.T)
>>> Linear(0.5)([0.0, 1.0])
array([[0.5, 0.5],
       [0.5, 1. ]])
>>> Linear(0.5)
Linear(variance=0.5, evaluated in Python, slowly)
)")
      .def(
          py::init([](Index dimension, const py::dict& parameters) { return new PythonKernel(dimension, parameters); }),
          "dimension"_a, "parameters"_a = py::dict())
      .def(py::pickle(
          [](const py::object& self) {
            const auto& k = self.cast<const Kernel&>();
            return py::make_tuple(k.dimension(), k.parameter_names(), k.log_parameters(),
                                  py::getattr(self, "__dict__", py::dict()));
          },
          [](const py::tuple& state) {
            return std::pair(new PythonKernel(state[0].cast<Index>(), state[1].cast<std::vector<std::string>>(),
                                              state[2].cast<Vector>()),
                             state[3].cast<py::dict>());
          }))
      .def_property_readonly("dimension", &Kernel::dimension, "Number of coordinates.")
      .def_property_readonly("parameter_names", &Kernel::parameter_names, "Names of the hyperparameters.")
      .def_property_readonly("log_parameters", &Kernel::log_parameters, "Their logarithms, shape (p,).")
      .def(
          "with_log_parameters",
          [](const Kernel& k, const ArrayLike& theta) {
            return to_python(*k.with_log_parameters(vector(theta, "theta", k.log_parameters().size())));
          },
          "theta"_a, "The same kernel with other hyperparameters: logarithms, shape (p,).")
      .def(
          "gram",
          [](const Kernel& k, const ArrayLike& x, const OptionalArray& y) {
            const Inputs left = inputs(x, "x", k.dimension());
            const Inputs right = y ? inputs(*y, "y", k.dimension()) : left;
            return without_gil([&] { return k.gram(left, right); });
          },
          "x"_a, "y"_a = py::none(), R"(k(x_i, y_j), shape (n, m), for x (n, d) and y (m, d); y = x if not given.

>>> iqbo.kernels.Matern12(1.0, 1.0).gram([0.0, 1.0]).round(4)
array([[1.    , 0.3679],
       [0.3679, 1.    ]])
)")
      .def("__call__", [](py::object self, const py::args& args) { return self.attr("gram")(*args); })
      .def(
          "diagonal", [](const Kernel& k, const ArrayLike& x) { return k.diagonal(inputs(x, "x", k.dimension())); },
          "x"_a, "k(x_i, x_i), shape (n,), for x (n, d).")
      .def(
          "pull_back",
          [](const Kernel& k, const ArrayLike& x, const ArrayLike& y, const ArrayLike& weight) {
            const Inputs left = inputs(x, "x", k.dimension());
            const Inputs right = inputs(y, "y", k.dimension());
            return k.pull_back(left, right, Matrix(*MatrixView(weight, "weight", left.size(), right.size())));
          },
          "x"_a, "y"_a, "weight"_a,
          "sum_ij weight_ij dk(x_i, y_j) / d log_parameters, shape (p,), for x (n, d), y (m, d), weight (n, m).")
      .def(
          "input_pull_back",
          [](const Kernel& k, const ArrayLike& x, const ArrayLike& y, const ArrayLike& weight) {
            const Inputs left = inputs(x, "x", k.dimension());
            const Inputs right = inputs(y, "y", k.dimension());
            return k.input_pull_back(left, right, Matrix(*MatrixView(weight, "weight", left.size(), right.size())));
          },
          "x"_a, "y"_a, "weight"_a,
          "sum_j weight_ij dk(x_i, y_j) / dx_i, shape (n, d), for x (n, d), y (m, d), weight (n, m).")
      .def(
          "__add__", [](const Kernel& k, const Kernel& other) { return std::make_shared<Sum>(k, other); },
          py::is_operator())
      .def(
          "__eq__",
          [](const Kernel& k, const Kernel& other) {
            return k.description() == other.description() && k.log_parameters() == other.log_parameters();
          },
          py::is_operator())
      .def("__hash__", [](const Kernel& k) { return py::hash(py::str(k.description())); })
      .def("__copy__", [](py::object self) { return self; })
      .def(
          "__deepcopy__", [](py::object self, const py::dict&) { return self; }, "memo"_a)
      .def("__repr__", &Kernel::description);
}

void bind_stationary(py::module_& m) {
  py::class_<Stationary, Kernel, std::shared_ptr<Stationary>>(
      m, "Stationary", R"(A kernel of x - y, of one of the families that `kernel_families` lists.

Those that iqbo brings have classes of their own: `Rbf`, `Matern12`, `Matern32`, `Matern52`, `RationalQuadratic`, `Periodic`.

>>> isinstance(iqbo.Rbf(), iqbo.kernels.Stationary)
True
>>> iqbo.kernels.Stationary("periodic", variance=2.0, lengthscale=1.0, period=0.25)
Periodic(variance=2, lengthscale=1, period=0.25)
)")
      .def(py::init([](const std::string& family, double variance, const ArrayLike& lengthscale,
                       const py::kwargs& shape) {
             const Vector l = lengthscale_from(lengthscale);
             return std::make_shared<Stationary>(family, variance, l, shape_from(family_of(family), shape, l.size()));
           }),
           "family"_a, "variance"_a = 1.0, "lengthscale"_a = 1.0)
      .def_property_readonly("family", [](const Stationary& k) { return k.family().name; })
      .def_property_readonly("variance", &Stationary::variance)
      .def_property_readonly("lengthscale", &Stationary::lengthscale, "Shape (d,).")
      .def_property_readonly("shape", &shape_of, "The further parameters of the family, by name.")
      .def("__reduce__", [](py::object self) {
        const auto& k = self.cast<const Stationary&>();
        const auto partial = py::module_::import("functools").attr("partial");
        return py::make_tuple(partial(py::type::of(self), **shape_of(k)),
                              py::make_tuple(k.family().name, k.variance(), k.lengthscale()));
      });
  m.def("kernel_families", &family_names, R"(The families of stationary kernels, by name.

>>> iqbo.kernels.kernel_families()
['rbf', 'matern12', 'matern32', 'matern52', 'rational-quadratic', 'periodic']
)");
  bind_family<Rbf>(m, "Rbf", R"(variance exp(-r^2 / 2): smooth. One lengthscale per coordinate, shape (d,).

>>> iqbo.Rbf(variance=1.0, lengthscale=[3.0, 6.0])
Rbf(variance=1, lengthscale=[3, 6])
)");
  bind_family<Matern12>(m, "Matern12", R"(variance exp(-r): continuous, nowhere differentiable.

>>> iqbo.kernels.Matern12(lengthscale=0.2)
Matern12(variance=1, lengthscale=0.2)
)");
  bind_family<Matern32>(m, "Matern32", R"(variance (1 + sqrt(3) r) exp(-sqrt(3) r): once differentiable.

>>> iqbo.kernels.Matern32(lengthscale=0.2)
Matern32(variance=1, lengthscale=0.2)
)");
  bind_family<Matern52>(m, "Matern52",
                        R"(variance (1 + sqrt(5) r + 5 r^2 / 3) exp(-sqrt(5) r): twice differentiable.

>>> iqbo.Matern52(lengthscale=0.2)
Matern52(variance=1, lengthscale=0.2)
)");
  bind_family<RationalQuadratic>(m, "RationalQuadratic",
                                 R"(variance (1 + r^2 / (2 alpha))^-alpha: RBFs of many lengthscales.

>>> iqbo.kernels.RationalQuadratic(lengthscale=0.2, alpha=0.5)
RationalQuadratic(variance=1, lengthscale=0.2, alpha=0.5)
)")
      .def(py::init([](double variance, const ArrayLike& lengthscale, double alpha) {
             return std::make_shared<RationalQuadratic>(variance, lengthscale_from(lengthscale), alpha);
           }),
           "variance"_a = 1.0, "lengthscale"_a = 1.0, "alpha"_a = 1.0);
  bind_family<Periodic>(m, "Periodic",
                        R"(variance prod_c exp(-2 sin^2(pi (x_c - y_c) / period_c) / lengthscale_c^2): f repeats itself.

The period is in the units of x, the lengthscale has none: with 1, points half a period apart are correlated by exp(-2).

>>> iqbo.kernels.Periodic(lengthscale=0.7, period=12.0)([0.0, 6.0], [0.0, 12.0]).round(3)
array([[1.   , 1.   ],
       [0.017, 0.017]])
)")
      .def(py::init([](double variance, const ArrayLike& lengthscale, const ArrayLike& period) {
             const Vector l = lengthscale_from(lengthscale);
             return std::make_shared<Periodic>(variance, l, vector_or_number(period, "period", l.size()));
           }),
           "variance"_a = 1.0, "lengthscale"_a = 1.0, "period"_a = 1.0);
}

void bind_composites(py::module_& m) {
  py::class_<Product, Kernel, std::shared_ptr<Product>>(
      m, "Product", R"(A product over groups of columns: a list of (stationary kernel, its columns).

>>> k = iqbo.kernels.Product([(iqbo.Rbf(2.0, [1.0, 1.0]), [0, 1]), (iqbo.kernels.Matern32(1.0, 0.5), [2])])
>>> k.dimension, k.variance
(3, 2.0)
)")
      .def(py::init([](const py::list& factors) { return std::make_shared<Product>(factors_from(factors)); }),
           "factors"_a)
      .def_property_readonly("variance", &Product::variance)
      .def_property_readonly("factors", &factors_of, "The factors as they were given; the first one has the variance.")
      .def("__reduce__", [](py::object self) {
        return py::make_tuple(py::type::of(self), py::make_tuple(factors_of(self.cast<const Product&>())));
      });
  py::class_<Sum, Kernel, std::shared_ptr<Sum>>(m, "Sum", R"(A sum of kernels on the same coordinates; `+` makes one.

>>> iqbo.Rbf(1.0, 0.3) + iqbo.kernels.White(0.01, 1)
Rbf(variance=1, lengthscale=0.3) + White(variance=0.01, dimension=1)
)")
      .def(py::init([](const py::list& terms) {
             Sum::Terms out;
             for (std::size_t i = 0; i < terms.size(); ++i)
               out.push_back(item_from<Kernel>(terms, i, "terms", "a Kernel").clone());
             return std::make_shared<Sum>(std::move(out));
           }),
           "terms"_a)
      .def_property_readonly("terms",
                             [](const Sum& k) {
                               py::list out;
                               for (const auto& term : k.terms()) out.append(to_python(*term));
                               return out;
                             })
      .def("__reduce__",
           [](py::object self) { return py::make_tuple(py::type::of(self), py::make_tuple(self.attr("terms"))); });
  py::class_<White, Kernel, std::shared_ptr<White>>(
      m, "White", R"(The nugget: a white part of f, independent between distinct points. Not measurement noise.

>>> iqbo.kernels.White(0.5, 1).gram([0.0, 1.0])
array([[0.5, 0. ],
       [0. , 0.5]])
)")
      .def(py::init<double, Index>(), "variance"_a, "dimension"_a)
      .def_property_readonly("variance", &White::variance)
      .def("__reduce__", [](py::object self) {
        const auto& k = self.cast<const White&>();
        return py::make_tuple(py::type::of(self), py::make_tuple(k.variance(), k.dimension()));
      });
}

}  // namespace

// An object of the class that Python has for it; copies of stationary kernels know their family.
py::object to_python(const Kernel& kernel) {
  const py::object out = py::cast(shared(kernel));
  if (!py::isinstance<Stationary>(out)) return out;
  const auto& k = out.cast<const Stationary&>();
  const py::object module = py::module_::import("iqbo._iqbo").attr("kernels");
  const char* const name = k.family().class_name.c_str();
  return py::hasattr(module, name) ? module.attr(name)(*arguments_of(k)) : out;
}

void bind_kernel(py::module_& m) {
  bind_base(m);
  bind_stationary(m);
  bind_composites(m);
  Record<SpectralFeatures>(m, "SpectralFeatures", R"(k(x, y) ~ sum_r amplitude_r^2 cos(frequency_r . (x - y)).

>>> iqbo.kernels.spectral_features(iqbo.Rbf(2.0), count=4).amplitude.round(2)
array([0.71, 0.71, 0.71, 0.71])
)")
      .field("frequency", &SpectralFeatures::frequency, "Shape (count, d).")
      .field("amplitude", &SpectralFeatures::amplitude, "Shape (count,).")
      .field("nugget", &SpectralFeatures::nugget, "Variance of the white parts.");
  m.def(
      "spectral_features",
      [](const Kernel& kernel, Index count, std::uint64_t seed) {
        Rng rng(seed);
        return spectral_features(kernel, count, rng);
      },
      "kernel"_a, "count"_a, "seed"_a = 0, R"(A stationary kernel as a sum of cosines.

>>> iqbo.kernels.spectral_features(iqbo.Rbf(), count=4).frequency.shape
(4, 1)
)");
}

}  // namespace iqbo::python
