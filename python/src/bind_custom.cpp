#include "core/nearest.hpp"
#include "custom.hpp"
#include "objects.hpp"
#include "records.hpp"

namespace iqbo::python {

using namespace internal;

CustomScore custom_score(const py::function& function) {
  const auto name = py::getattr(function, "__name__", py::type::of(function).attr("__name__")).cast<std::string>();
  const auto score = [call = Callable(function), title = "custom score " + in_quotes(name)](
                         const Outlook& g, const SampledMaxima& maxima, const Eigen::Ref<const Matrix>& c) {
    const py::gil_scoped_acquire lock;
    const py::object answer = call(OutlookObject{g.nu, g.q, g.noise_var, c},
                                   MaximaObject{maxima.values, maxima.arguments, maxima.f.mean, maxima.f.var});
    return vector(answer, title, g.size());
  };
  return {name, score, py::getattr(function, "logarithmic", py::bool_(false)).cast<bool>()};
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
