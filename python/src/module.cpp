// The extension behind `import iqbo`: the C++ library's names for Python, and no arithmetic.
#include "iqbo/core/errors.hpp"
#include "iqbo/storage/storage_error.hpp"
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

// std::invalid_argument is ValueError by itself.
void bind_errors(py::module_& m) {
  py::register_exception<NumericalError>(m, "NumericalError", PyExc_ArithmeticError).attr("__doc__") =
      R"(The input was legal, the arithmetic could not go on; the text says what to do.

>>> issubclass(iqbo.NumericalError, ArithmeticError)
True
)";
  static py::handle storage_error =
      py::exception<StorageError>(m, "StorageError", PyExc_OSError).release();  // as long as the interpreter
  storage_error.attr("__doc__") =
      R"(Something about the place where a study is kept; `kind` says what, the text what to do.

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

}  // namespace
}  // namespace iqbo::python

PYBIND11_MODULE(_iqbo, m) {
  using namespace iqbo::python;  // NOLINT(google-build-using-namespace)
  m.doc() = "The C++ library; `import iqbo`.";
  bind_errors(m);
  bind_space(m);
  bind_kernel(m);
  bind_mean(m);
  bind_query_map(m);
  bind_conditional(m);
  bind_learned(m);
  bind_posterior(m);
  bind_fit(m);
  bind_finite(m);
  bind_theory(m);
  bind_maxvalue(m);
  bind_acquisition(m);
  bind_score_arrays(m);
  bind_policy(m);
  bind_search(m);
  bind_problem(m);
  bind_experiment(m);
  bind_findings(m);
  bind_record(m);
  bind_study(m);
}
