#include "iqbo/kernel/mean.hpp"
#include "objects.hpp"
#include "records.hpp"

namespace iqbo::python {
namespace {

// A Python function of x, as C++ holds it.
struct MeanFunction {
  Callable function;
  Vector operator()(const Inputs& x) const {
    const py::gil_scoped_acquire lock;
    return vector(function(to_array(x)), "mean(x)", x.size());
  }
};

py::function function_of(const CallbackMean& mean) { return mean.function().target<MeanFunction>()->function.get(); }

}  // namespace

py::object to_python(const Mean& mean) {
  if (const auto* m = dynamic_cast<const ConstantMean*>(&mean)) return py::cast(*m);
  if (const auto* m = dynamic_cast<const LinearMean*>(&mean)) return py::cast(*m);
  return py::cast(dynamic_cast<const CallbackMean&>(mean));
}

std::shared_ptr<const Mean> mean_from(const py::object& mean) {
  if (mean.is_none()) return ConstantMean(0.0).clone();
  if (py::isinstance<Mean>(mean)) return mean.cast<const Mean&>().clone();
  if (PyCallable_Check(mean.ptr()) != 0)
    return CallbackMean(MeanFunction{Callable(py::reinterpret_borrow<py::function>(mean))}).clone();
  return ConstantMean(vector(mean, "mean", 1)[0]).clone();
}

void bind_mean(py::module_& m) {
  py::class_<Mean, std::shared_ptr<Mean>>(m, "Mean", R"(A prior mean m(x) of f.

>>> iqbo.kernels.LinearMean(1.0, [2.0])([0.0, 0.5])
array([1., 2.])
)")
      .def(
          "__call__",
          [](const Mean& mean, const ArrayLike& x) {
            return mean.at(inputs(x, "x", mean.dimension() > 0 ? mean.dimension() : kAny));
          },
          "x"_a, "m(x_i), shape (n,), for x (n, d).")
      .def_property_readonly("parameter_names", &Mean::parameter_names)
      .def_property_readonly("parameters", &Mean::parameters, "Shape (p,).")
      .def_property_readonly("constant_part", &Mean::constant_part)
      .def("__copy__", [](py::object self) { return self; })
      .def(
          "__deepcopy__", [](py::object self, const py::dict&) { return self; }, "memo"_a);
  py::class_<ConstantMean, Mean, std::shared_ptr<ConstantMean>>(m, "ConstantMean", R"(m(x) = value.

>>> iqbo.kernels.ConstantMean(3.0)
ConstantMean(3)
)")
      .def(py::init<double>(), "value"_a = 0.0)
      .def("__repr__", [](const ConstantMean& self) { return "ConstantMean(" + readable(self.constant_part()) + ")"; })
      .def("__reduce__", [](py::object self) {
        return py::make_tuple(py::type::of(self), py::make_tuple(self.attr("constant_part")));
      });
  py::class_<LinearMean, Mean, std::shared_ptr<LinearMean>>(m, "LinearMean", R"(m(x) = constant + slope . x.

>>> iqbo.kernels.LinearMean(1.0, [2.0, 0.0])
LinearMean(1, [2, 0])
)")
      .def(py::init([](double constant, const ArrayLike& slope) {
             return std::make_shared<LinearMean>(constant, vector(slope, "slope"));
           }),
           "constant"_a, "slope"_a)
      .def("__repr__",
           [](const LinearMean& self) {
             const Vector slope = self.parameters().tail(self.dimension());
             return "LinearMean(" + readable(self.constant_part()) + ", " + brief(py::cast(slope)) + ")";
           })
      .def("__reduce__", [](py::object self) {
        const auto& mean = self.cast<const LinearMean&>();
        const Vector slope = mean.parameters().tail(mean.dimension());
        return py::make_tuple(py::type::of(self), py::make_tuple(mean.constant_part(), slope));
      });
  py::class_<CallbackMean, Mean, std::shared_ptr<CallbackMean>>(
      m, "CallbackMean", R"(m(x) by a function of a batch: x (n, d) to (n,). Pickles if the function does.

>>> iqbo.kernels.CallbackMean(lambda x: x[:, 0] ** 2)([1.0, 3.0])
array([1., 9.])
)")
      .def(py::init([](const py::function& function) {
             return std::make_shared<CallbackMean>(MeanFunction{Callable(function)});
           }),
           "function"_a)
      .def_property_readonly("function", &function_of)
      .def("__repr__", [](const CallbackMean& self) { return "CallbackMean(" + brief(function_of(self)) + ")"; })
      .def("__reduce__",
           [](py::object self) { return py::make_tuple(py::type::of(self), py::make_tuple(self.attr("function"))); });
}

}  // namespace iqbo::python
