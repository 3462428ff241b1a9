// The methods of every belief, for Python classes that hold one in `value`.
#pragma once

#include "iqbo/posterior/plain_gp.hpp"
#include "objects.hpp"

namespace iqbo::python {

// Weights of a pullback; None means zero.
inline Marginals weights_from(const OptionalArray& mean, const OptionalArray& var, Index size) {
  return {mean ? vector(*mean, "mean", size) : Vector(), var ? vector(*var, "var", size) : Vector()};
}

// Points, of a DataFrame by the names of its columns as far as they are known.
template <class Object>
Queries queries_of(const Object& self, const ArrayLike& a, const char* name, Index dimension) {
  if constexpr (requires { self.columns; })
    return queries(self.columns.read(self.conditional, a, "a", name), name, dimension);
  else
    return queries(a, name, dimension);
}
template <class Object>
Inputs inputs_of(const Object& self, const ArrayLike& x, const char* name, Index dimension) {
  if constexpr (requires { self.columns; })
    return inputs(self.columns.read(self.conditional, x, "x", name), name, dimension);
  else
    return inputs(x, name, dimension);
}

// a_dimension(self): the dimension of queries.
template <class Object, class Dimension>
void bind_query_belief(py::class_<Object>& type, Dimension a_dimension) {
  type.def(
          "g",
          [=](const Object& self, const ArrayLike& a) {
            const Queries at = queries_of(self, a, "a", a_dimension(self));
            return without_gil([&] { return self.value.g(at); });
          },
          "a"_a, "Mean and variance of g at queries a (n, d_a), as `Marginals`.")
      .def(
          "g_cov",
          [=](const Object& self, const ArrayLike& a, const OptionalArray& b) {
            const Queries left = queries_of(self, a, "a", a_dimension(self));
            const Queries right = b ? queries_of(self, *b, "b", a_dimension(self)) : left;
            return without_gil([&] { return self.value.g_cov(left, right); });
          },
          "a"_a, "b"_a = py::none(), "Cov(g(a_i), g(b_j)), shape (n, m); b = a if not given.")
      .def(
          "g_pull_back",
          [=](const Object& self, const ArrayLike& a, const OptionalArray& mean, const OptionalArray& var) {
            const Queries at = queries_of(self, a, "a", a_dimension(self));
            const Marginals weight = weights_from(mean, var, at.size());
            return without_gil([&] { return self.value.g_pull_back(at, weight); });
          },
          "a"_a, "mean"_a = py::none(), "var"_a = py::none(),
          "mean_i d nu(a_i)/da_i + var_i d q(a_i, a_i)/da_i, shape (n, d_a), for weights (n,).");
}

template <class Object, class Dimension, class QueryDimension>
void bind_input_belief(py::class_<Object>& type, Dimension x_dimension, QueryDimension a_dimension) {
  type.def(
          "f",
          [=](const Object& self, const ArrayLike& x) {
            const Inputs at = inputs_of(self, x, "x", x_dimension(self));
            return without_gil([&] { return self.value.f(at); });
          },
          "x"_a, "Mean and variance of f at inputs x (n, d), as `Marginals`.")
      .def(
          "f_cov",
          [=](const Object& self, const ArrayLike& x, const OptionalArray& y) {
            const Inputs left = inputs_of(self, x, "x", x_dimension(self));
            const Inputs right = y ? inputs_of(self, *y, "y", x_dimension(self)) : left;
            return without_gil([&] { return self.value.f_cov(left, right); });
          },
          "x"_a, "y"_a = py::none(), "Cov(f(x_i), f(y_j)), shape (n, m); y = x if not given.")
      .def(
          "fg_cov",
          [=](const Object& self, const ArrayLike& x, const ArrayLike& a) {
            const Inputs in = inputs_of(self, x, "x", x_dimension(self));
            const Queries at = queries_of(self, a, "a", a_dimension(self));
            return without_gil([&] { return self.value.fg_cov(in, at); });
          },
          "x"_a, "a"_a, "Cov(f(x_i), g(a_j)), shape (n, m).")
      .def(
          "f_pull_back",
          [=](const Object& self, const ArrayLike& x, const OptionalArray& mean, const OptionalArray& var) {
            const Inputs at = inputs_of(self, x, "x", x_dimension(self));
            const Marginals weight = weights_from(mean, var, at.size());
            return without_gil([&] { return self.value.f_pull_back(at, weight); });
          },
          "x"_a, "mean"_a = py::none(), "var"_a = py::none(),
          "mean_i d m(x_i)/dx_i + var_i d k(x_i, x_i)/dx_i, shape (n, d), for weights (n,).");
}

}  // namespace iqbo::python
