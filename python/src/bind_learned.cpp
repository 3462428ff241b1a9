#include "iqbo/learned/learned.hpp"
#include "names.hpp"
#include "objects.hpp"
#include "records.hpp"
#include "shared_names.hpp"

namespace iqbo::python {
namespace {

InputDomain domain_from(const py::object& domain) {
  if (domain.is_none()) return {};
  if (py::isinstance<InputBox>(domain)) return domain.cast<InputBox>();
  if (py::isinstance<InputSet>(domain)) return domain.cast<InputSet>();
  return InputSet(inputs(domain, "domain"));
}

// C++ calls the pairs x and a, Python x_pairs and a_pairs.
template <class Work>
auto naming_pairs(Work&& work) {
  try {
    return work();
  } catch (const std::invalid_argument& error) {
    const std::string text = error.what();
    if (!text.starts_with("x: ") && !text.starts_with("a: ")) throw;
    throw std::invalid_argument(text.substr(0, 1) + "_pairs" + text.substr(1));
  }
}

const LearnedConditional& learned(const Of<LearnedConditional>& self) {
  return static_cast<const LearnedConditional&>(*self.model);
}

}  // namespace

void bind_learned(py::module_& m) {
  Record<LearnedReport::Score>(m, "LearnedScore", R"(How well a model of p(x|a) predicts pairs it has not seen.

>>> a = np.linspace(0, 1, 20)
>>> iqbo.LearnedConditional(2 * a, a).report.scores[0].model in ("shift", "cme", "nw", "plug-in", "ignore a")
True
)")
      .field("model", &LearnedReport::Score::model)
      .field("kappa", &LearnedReport::Score::kappa, "Mean held-out score; smaller is better.")
      .field("weight", &LearnedReport::Score::weight, "The weight in the model that is used.");
  Record<LearnedReport>(m, "LearnedReport", R"(What the logged pairs say about p(x|a).

>>> a = np.linspace(0, 1, 20)
>>> iqbo.LearnedConditional(2 * a, a).report.pairs
20
)")
      .field("scores", &LearnedReport::scores, "Best first; every candidate, and \"ignore a\".")
      .field("notes", &LearnedReport::notes)
      .field("pairs", &LearnedReport::pairs, "How many pairs were used.")
      .field("error", &LearnedReport::error, "sd of the error of averages, in units of their sd over queries.")
      .type()
      .def("summary", &LearnedReport::summary, "A summary of a few lines.");
  py::class_<Of<LearnedConditional>, ConditionalObject>(
      m, "LearnedConditional",
      R"(p(x|a) learned from logged pairs: row j of x_pairs (n, d) was seen with row j of a_pairs (n, d_a).

model: "auto" (the one of the following, or the mixture of a few, that best predicts averages over left-out regions of a), "shift" (a
moving window of any shape), "nw" (supports that switch), "plugin" (a normal), "cme" (the paper's) or "stack" (a mixture of all). domain: an `InputBox`, an `InputSet` or points (p, d) that X
is confined to. categories: columns of a that hold codes. Pickling keeps the pairs and learns again, to the same bits.

>>> rng = np.random.default_rng(1)
>>> a = rng.uniform(size=60)
>>> cond = iqbo.LearnedConditional(2.0 * a + rng.normal(scale=0.1, size=60), a, model="auto")
>>> bool(abs(cond.nu(iqbo.kernels.LinearMean(0.0, [1.0]), [0.5])[0] - 1.0) < 0.1)
True
>>> cond.report.pairs
60
)")
      .def(py::init([](const ArrayLike& x_pairs, const ArrayLike& a_pairs, const std::string& model,
                       const py::object& domain, const std::vector<Index>& categories, Index shift_points,
                       bool exact_constant) {
             const Inputs x = inputs(x_pairs, "x_pairs");
             if (!py::isinstance<py::array_t<double>>(a_pairs))
               py::module_::import("iqbo._columns").attr("refuse_texts")(a_pairs, "a_pairs");
             const Queries a = queries(a_pairs, "a_pairs");
             const LearnedOptions options{value_of(kModels, model, "model"), domain_from(domain), categories,
                                          shift_points, exact_constant};
             auto made_of =
                 py::make_tuple(to_array(x), to_array(a), model, domain, categories, shift_points, exact_constant);
             return made(naming_pairs([&] { return without_gil([&] { return LearnedConditional(x, a, options); }); }),
                         std::move(made_of));
           }),
           "x_pairs"_a, "a_pairs"_a, "model"_a = name_of(kModels, LearnedOptions().model), "domain"_a = py::none(),
           "categories"_a = std::vector<Index>(), "shift_points"_a = LearnedOptions().shift_points,
           "exact_constant"_a = true)
      .def_property_readonly(
          "report", [](const Of<LearnedConditional>& self) { return learned(self).report(); },
          "How well p(x|a) is known.")
      .def(
          "discrepancy",
          [](const Of<LearnedConditional>& self, double tau2) { return to_python(*learned(self).discrepancy(tau2)); },
          "tau2"_a, "A smooth kernel on queries of variance tau2, for `Posterior.with_discrepancy`.")
      .def("__repr__", [](const Of<LearnedConditional>& self) {
        const LearnedReport& report = learned(self).report();
        return "LearnedConditional(" + std::to_string(report.pairs) + " pairs, " + report.scores.front().model +
               " scores best, error " + readable(report.error) + ")";
      });
}

}  // namespace iqbo::python
