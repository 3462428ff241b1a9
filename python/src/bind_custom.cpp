#include "custom.hpp"

#include "acquisitions.hpp"
#include "core/nearest.hpp"
#include "objects.hpp"
#include "records.hpp"

namespace iqbo::python {

using namespace internal;

namespace {

MaximaObject maxima_object(const SampledMaxima& maxima) {
  return {maxima.values, maxima.arguments, maxima.f.mean, maxima.f.var};
}

std::string name_of(const py::object& given) {
  return py::getattr(given, "__name__", py::type::of(given).attr("__name__")).cast<std::string>();
}

bool takes_one(const py::function& function) {
  try {
    return py::len(py::module_::import("inspect").attr("signature")(function).attr("parameters")) == 1;
  } catch (const py::error_already_set& error) {
    if (!error.matches(PyExc_ValueError) && !error.matches(PyExc_TypeError)) throw;  // else: no signature
    return false;
  }
}

CustomScore::Factory factory_from(const py::function& function, const std::string& title) {
  return [call = Callable(function), title](const SampledMaxima& maxima) {
    const py::gil_scoped_acquire lock;
    const py::object made = call(maxima_object(maxima));
    return object_from<AcquisitionObject>(made, title, "an Acquisition").value;
  };
}

}  // namespace

CustomScore custom_score(const py::object& given, std::string_view name) {
  if (py::isinstance<AcquisitionObject>(given))
    return {.name = name_of(given),
            .make = [value = given.cast<const AcquisitionObject&>().value](const SampledMaxima&) { return value; }};
  const py::function function = function_from(given, name);
  const std::string known_as = name_of(function), title = "custom score " + in_quotes(known_as);
  if (takes_one(function)) return {.name = known_as, .make = factory_from(function, title)};
  const auto score = [call = Callable(function), title](const Outlook& g, const SampledMaxima& maxima,
                                                        const Eigen::Ref<const Matrix>& c) {
    const py::gil_scoped_acquire lock;
    const py::object answer = call(OutlookObject{g.nu, g.q, g.noise_var, c}, maxima_object(maxima));
    return vector(answer, title, g.size());
  };
  return {known_as, score, py::getattr(function, "logarithmic", py::bool_(false)).cast<bool>()};
}

void bind_custom(py::module_& m) {
  Record<OutlookObject>(m, "Outlook", R"(What a score of your own sees of n queries: the belief about g there.

Means nu (n,), variances q (n,), noise_var (n,) of an answer, and c (s, n): Cov(f(x*_s), g(a_j)) for the samples' x*. Where the
goal is to minimise, all of it is about -f.

>>> def optimist(outlook, samples):
...     return outlook.nu + np.sqrt(outlook.q)
>>> policy = iqbo.Policy(np.linspace(0, 1, 9), np.linspace(0, 1, 5), iqbo.GaussianConditional(sd=0.1), policy=optimist,
...                      kernel=iqbo.Rbf(1.0, 0.3), noise_var=0.01)
>>> policy.suggest().used
'custom'
)")
      .field("nu", &OutlookObject::nu)
      .field("q", &OutlookObject::q)
      .field("noise_var", &OutlookObject::noise_var)
      .field("c", &OutlookObject::c);
  Record<MaximaObject>(
      m, "SampledMaxima",
      R"(Samples of f* that a score of your own sees: values (s,), arguments x* (s, d), mean and var of f there (s,).

>>> def hopeful(outlook, samples):
...     return -np.abs(outlook.nu[:, None] - samples.values).min(axis=1)
>>> policy = iqbo.Policy(np.linspace(0, 1, 9), np.linspace(0, 1, 5), iqbo.GaussianConditional(sd=0.1), policy=hopeful,
...                      kernel=iqbo.Rbf(1.0, 0.3), noise_var=0.01)
>>> policy.suggest().used
'custom'
)")
      .field("values", &MaximaObject::values)
      .field("arguments", &MaximaObject::arguments)
      .field("mean", &MaximaObject::mean)
      .field("var", &MaximaObject::var);
}

}  // namespace iqbo::python
