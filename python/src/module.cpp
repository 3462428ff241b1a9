// The extension behind `import iqbo`: binds the C++ library and does no arithmetic.
#include "iqbo/core/errors.hpp"
#include "iqbo/storage/storage_error.hpp"
#include "likelihoods.hpp"
#include "names.hpp"
#include "objects.hpp"

namespace iqbo::python {
namespace {

using Kind = StorageError::Kind;
constexpr Names<Kind, 12> kStorageKinds{{{Kind::kNotFound, "not found"},
                                         {Kind::kExists, "exists"},
                                         {Kind::kNotAStudy, "not a study"},
                                         {Kind::kNewer, "newer"},
                                         {Kind::kOlder, "older"},
                                         {Kind::kDamaged, "damaged"},
                                         {Kind::kFull, "full"},
                                         {Kind::kReadOnly, "read only"},
                                         {Kind::kLocks, "locks"},
                                         {Kind::kBusy, "busy"},
                                         {Kind::kConnection, "connection"},
                                         {Kind::kOther, "other"}}};

// pybind11 turns std::invalid_argument into ValueError by itself.
void bind_errors(py::module_& m) {
  py::register_exception<NumericalError>(m, "NumericalError", PyExc_ArithmeticError).attr("__doc__") =
      R"(The input was valid, but the computation could not continue; the message says what to do.

>>> issubclass(iqbo.NumericalError, ArithmeticError)
True
)";
  static py::handle storage_error =
      py::exception<StorageError>(m, "StorageError", PyExc_OSError).release();  // lives as long as the interpreter
  storage_error.attr("__doc__") =
      R"(A study cannot be opened or stored at its location; `kind` says what is wrong, and the message what to do.

>>> try:
...     iqbo.Study("nowhere.db")
... except iqbo.StorageError as error:
...     print(error.kind)
not found
)";
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const StorageError& error) {
      const py::object value = storage_error(error.what());
      value.attr("kind") = name_of(kStorageKinds, error.kind());
      PyErr_SetObject(storage_error.ptr(), value.ptr());
    }
  });
}

// A submodule. What is bound in it has the module name iqbo.<name>, where people find it and pickles look for it.
py::module_ submodule(py::module_& m, const char* name) {
  py::module_ out = m.def_submodule(name);
  out.attr("__name__") = "iqbo." + std::string(name);
  return out;
}

}  // namespace
}  // namespace iqbo::python

PYBIND11_MODULE(_iqbo, m) {
  using namespace iqbo::python;  // NOLINT(google-build-using-namespace)
  m.doc() = "The C++ library; `import iqbo`.";
  m.attr("__version__") = IQBO_VERSION;
  py::module_ errors = submodule(m, "errors");
  bind_errors(errors);
  py::module_ spaces = submodule(m, "spaces");
  bind_space(spaces);
  py::module_ kernels = submodule(m, "kernels");
  bind_kernel(kernels);
  bind_mean(kernels);
  py::module_ conditionals = submodule(m, "conditionals");
  bind_query_map(conditionals);
  bind_conditional(conditionals);
  bind_learned(conditionals);
  py::module_ posteriors = submodule(m, "posteriors");
  bind_posterior(posteriors);
  bind_fit(posteriors);
  bind_finite(posteriors);
  py::module_ likelihoods = submodule(m, "likelihoods");
  bind_likelihood(likelihoods);
  py::module_ theory = submodule(m, "theory");
  bind_theory(theory);
  bind_beyond(theory);
  py::module_ maxvalue = submodule(m, "maxvalue");
  bind_maxvalue(maxvalue);
  py::module_ acquisition = submodule(m, "acquisition");
  bind_acquisition(acquisition);
  bind_score_arrays(acquisition);
  bind_custom(acquisition);
  py::module_ policies = submodule(m, "policies");
  bind_policy_results(policies);
  bind_policy(policies);
  bind_scheduled(policies);
  bind_search(policies);
  py::module_ problems = submodule(m, "problems");
  bind_problem(problems);
  py::module_ experiment = submodule(m, "experiment");
  bind_experiment(experiment);
  bind_findings(experiment);
  py::module_ paper = submodule(m, "paper");
  bind_paper(paper);
  py::module_ studies = submodule(m, "studies");
  bind_record(studies);
  bind_study(studies);
}
