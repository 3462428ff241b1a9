// The objects that bindings of several rooms share.
#pragma once

#include <memory>

#include "arrays.hpp"
#include "calls.hpp"
#include "columns.hpp"
#include "iqbo/conditional/conditional.hpp"
#include "iqbo/fit/ensemble.hpp"
#include "iqbo/fit/fit.hpp"
#include "iqbo/kernel/kernel.hpp"
#include "iqbo/kernel/mean.hpp"
#include "iqbo/policy/setting.hpp"
#include "iqbo/posterior/posterior.hpp"

namespace iqbo::python {

// --- kernels and means: Python has classes where C++ has a member that says which ---

py::object to_python(const Kernel& kernel);
py::object to_python(const Mean& mean);
std::shared_ptr<const Mean> mean_from(const py::object& mean);  // a Mean, a number, or a function of x; None: zero

// --- p(x|a), with the arguments it was made from, for pickle and repr ---

struct ConditionalObject {
  std::shared_ptr<const Conditional> model;
  py::object args;  // a tuple: type(self)(*args) makes an equal object
};

// One Python class for each C++ class; all have the same members.
template <class Model>
struct Of : ConditionalObject {};

template <class Model>
Of<Model> made(Model model, py::object args) {
  return {{std::make_shared<const Model>(std::move(model)), std::move(args)}};
}

// The Python object for a conditional that C++ made; `reduced`: how pickle makes it again.
py::object to_python(std::shared_ptr<const Conditional> model, py::tuple reduced);

// --- beliefs ---

struct PosteriorObject {
  Posterior value;
  py::object conditional;  // the one it was made with
  Columns columns = {};

  Index x_dimension() const { return value.kernel().dimension(); }
  Index a_dimension() const { return value.conditional().query_dimension(); }
};

NoiseVar noise_var_from(const ArrayLike& noise_var, Index size);

// A Posterior, PlainGp or Ensemble, as its C++ base.
const QueryBelief& query_belief(const py::object& belief);
const Belief& full_belief(const py::object& belief);  // not a PlainGp

py::object to_python(const Fit& fit, const py::object& conditional, const Columns& columns = {});
py::object to_python(const Ensemble& belief, const py::object& conditional, const Columns& columns = {});
FitOptions fit_options(const py::dict& given);  // keys as in FitOptions; the families, mean and noise by name

// --- spaces: a list of points may be given as an array ---

struct TreeObject {
  QueryTree value;
  py::tuple args;  // QueryTree(*args) makes an equal tree
};

struct ListedObject {
  ListedQueries value;
};

// `name`: of the argument, in messages.
TargetSpace target_space(const py::object& x, const char* name = "x");
QuerySet query_list(const py::object& a);  // a QuerySet, or an array of queries
QueryDomainPtr query_domain(const py::object& a, const char* name = "a");

// --- one function per file ---

void bind_space(py::module_& m);
void bind_kernel(py::module_& m);
void bind_mean(py::module_& m);
void bind_query_map(py::module_& m);
void bind_conditional(py::module_& m);
void bind_windows(py::module_& m);  // after bind_conditional, which binds the base class
void bind_learned(py::module_& m);
void bind_posterior(py::module_& m);
void bind_fit(py::module_& m);
void bind_finite(py::module_& m);
void bind_theory(py::module_& m);
void bind_beyond(py::module_& m);
void bind_maxvalue(py::module_& m);
void bind_acquisition(py::module_& m);
void bind_custom(py::module_& m);
void bind_score_arrays(py::module_& m);
void bind_policy_results(py::module_& m);
void bind_policy(py::module_& m);
void bind_scheduled(py::module_& m);
void bind_search(py::module_& m);
void bind_problem(py::module_& m);
void bind_experiment(py::module_& m);
void bind_findings(py::module_& m);
void bind_paper(py::module_& m);
void bind_record(py::module_& m);
void bind_study(py::module_& m);

}  // namespace iqbo::python
