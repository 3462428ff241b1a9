#include <algorithm>

#include "iqbo/fit/fit.hpp"

#include "beliefs.hpp"
#include "iqbo/fit/ensemble.hpp"
#include "names.hpp"
#include "objects.hpp"
#include "records.hpp"
#include "shared_names.hpp"

namespace iqbo::python {

using namespace internal;

template <>
struct Shown<std::vector<FittedNumber>> {
  using As = Vector;
  static py::object of(const std::vector<FittedNumber>& numbers) { return py::cast(values_of(numbers)); }
  static std::vector<FittedNumber> from(py::handle value, std::string_view name) {
    const auto numbers = value_from<Vector>(value, name);
    return {numbers.begin(), numbers.end()};
  }
};

namespace {

constexpr Names<FitOptions::MeanModel, 3> kMeans{{{FitOptions::MeanModel::kConstant, "constant"},
                                                  {FitOptions::MeanModel::kLinear, "linear"},
                                                  {FitOptions::MeanModel::kFixed, "fixed"}}};
constexpr Names<FitOptions::Noise, 2> kNoises{
    {{FitOptions::Noise::kFitted, "fitted"}, {FitOptions::Noise::kKnown, "known"}}};

struct FitObject {
  Fit value;
  py::object posterior;
};

FitObject fit_object(const py::object& conditional, const Columns& columns, Fit fit) {
  py::object posterior = py::cast(PosteriorObject{fit.posterior, conditional, columns});
  return {std::move(fit), std::move(posterior)};
}

FitObject fit_of(const PosteriorObject& data, std::uint64_t seed, const py::kwargs& given) {
  const FitOptions options = fit_options(given);
  return fit_object(data.conditional, data.columns, without_gil([&] { return fit(data.value, options, seed); }));
}

// A pickle of version 0.1: (posterior, log_evidence, parameters, families, evaluations, notes).
FitObject fit_of_version_0_1(const py::tuple& s) {
  const py::object posterior = s[0];
  const auto families = s[3].cast<std::vector<std::pair<std::string, double>>>();
  Hyperparameters found;
  const auto known = family_names();
  if (!families.empty() && std::find(known.begin(), known.end(), families.front().first) != known.end())
    found.family = families.front().first;
  found.set_parameters(s[2].cast<std::vector<FittedParameter>>());
  found.log_evidence = s[1].cast<double>();
  found.notes = s[5].cast<std::vector<std::string>>();
  return {{std::move(found), posterior.cast<const PosteriorObject&>().value, families, s[4].cast<int>()}, posterior};
}

void bind_fit_class(py::module_& m) {
  Record<FittedParameter>(m, "FittedParameter", R"(A hyperparameter in the user's units, with a 95 % interval.

>>> prior = iqbo.Posterior(iqbo.Rbf(1.0, 0.2), iqbo.UniformConditional(half_width=0.1))
>>> data = prior.condition([0.1, 0.5, 0.9], [0.0, 1.0, 0.0], noise_var=1e-4)
>>> found = iqbo.fit(data, families=["rbf"]).parameters[0]
>>> found.low < found.value < found.high
True
)")
      .field("name", &FittedParameter::name)
      .field("value", &FittedParameter::value)
      .field("low", &FittedParameter::low)
      .field("high", &FittedParameter::high);
  // A number is a float here; its interval is in `parameters`, which is set last and therefore wins.
  const auto number = [](std::optional<FittedNumber> Hyperparameters::*member) {
    return [member](const Hyperparameters& self) {
      return self.*member ? std::optional((self.*member)->value) : std::nullopt;
    };
  };
  const auto set = [](std::optional<FittedNumber> Hyperparameters::*member) {
    return [member](Hyperparameters& self, const std::optional<double>& value) { self.*member = value; };
  };
  using Number = std::optional<double>;
  Record<Hyperparameters>(
      m, "Hyperparameters",
      R"(What a fit found, as plain numbers, which can be stored and used again with `Policy.remember`.

>>> iqbo.posteriors.Hyperparameters(observations=5, family="rbf", lengthscale=[0.3], mean=[0.0])
Hyperparameters(observations=5, family='rbf', variance=1, lengthscale[0]=0.3, noise_var=0, mean=0)
)")
      .field("observations", &Hyperparameters::observations, "How many observations, the first ones, it was fitted to.")
      .field_as<std::string>(
          "family", [](const Hyperparameters& self) { return self.family; },
          [](Hyperparameters& self, const std::string& name) {
            self.family = name.empty() ? name : family_of(name).name;
          },
          "The family of the kernel; empty if the kernel has another structure.")
      .field_as<Number>("variance", number(&Hyperparameters::variance), set(&Hyperparameters::variance))
      .field("lengthscale", &Hyperparameters::lengthscale)
      .field_as<double>(
          "nugget", [](const Hyperparameters& self) { return self.nugget ? self.nugget->value : 0.0; },
          [](Hyperparameters& self, double value) {
            self.nugget = value > 0.0 ? std::optional<FittedNumber>(value) : std::nullopt;
          },
          "The variance of the nugget; 0 if there is none.")
      .field("mean", &Hyperparameters::mean, "The constant, then slopes if it is linear.")
      .field_as<Number>("noise_var", number(&Hyperparameters::noise_var), set(&Hyperparameters::noise_var))
      .field_as<Number>("discrepancy_var", number(&Hyperparameters::discrepancy_var),
                        set(&Hyperparameters::discrepancy_var))
      .field("log_evidence", &Hyperparameters::log_evidence)
      .field("notes", &Hyperparameters::notes)
      .field_as<std::vector<FittedParameter>>(
          "parameters", [](const Hyperparameters& self) { return self.parameters(); },
          [](Hyperparameters& self, const std::vector<FittedParameter>& named) { self.set_parameters(named); },
          "All numbers by name, with their intervals.")
      .field("members", &Hyperparameters::members,
             "Other values that the data do not rule out, drawn from their posterior; empty for a point fit.")
      .field("weight", &Hyperparameters::weight, "The weight of a member among the others.")
      .field("link", &Hyperparameters::link,
             "\"log\" or \"logit\": the numbers are of eta, where f = h(eta); \"identity\" or empty: of f.")
      .repr([](const Hyperparameters& self) {
        std::string out = "observations=" + std::to_string(self.observations) + ", family='" + self.family + "'";
        for (const FittedParameter& p : self.parameters()) out += ", " + p.name + "=" + readable(p.value);
        if (!self.link.empty() && self.link != "identity") out += ", link='" + self.link + "'";
        return "Hyperparameters(" + out + ")";
      })
      .made({.family = "rbf", .variance = 1.0, .noise_var = 0.0});
  py::class_<FitObject>(m, "Fit", R"(Hyperparameters found from data, and the posterior under them.

>>> a = np.linspace(0, 1, 12)
>>> prior = iqbo.Posterior(iqbo.Rbf(1.0, 1.0), iqbo.UniformConditional(half_width=0.05))
>>> fit = iqbo.fit(prior.condition(a, np.sin(6 * a), noise_var=1e-4), seed=1, families=["rbf"])
>>> bool(0.1 < fit.parameter("lengthscale[0]").value < 1.0)
True
)")
      .def_property_readonly(
          "posterior", [](const FitObject& self) { return self.posterior; }, "The same data under the fitted prior.")
      .def_property_readonly(
          "hyperparameters", [](const FitObject& self) -> Hyperparameters { return self.value; },
          "The fitted values as plain numbers: `Hyperparameters`.")
      .def_property_readonly("log_evidence", [](const FitObject& self) { return self.value.log_evidence; })
      .def_property_readonly("parameters", [](const FitObject& self) { return self.value.parameters(); })
      .def_property_readonly(
          "families", [](const FitObject& self) { return self.value.families; },
          "Kernels that were tried, and their log posterior.")
      .def_property_readonly("evaluations", [](const FitObject& self) { return self.value.evaluations; })
      .def_property_readonly("notes", [](const FitObject& self) { return self.value.notes; })
      .def(
          "parameter", [](const FitObject& self, const std::string& name) { return self.value.parameter(name); },
          "name"_a)
      .def(
          "summary",
          [](const FitObject& self, const std::vector<std::string>& columns,
             const std::vector<std::string>& column_units, const std::string& output_unit) {
            return self.value.summary({columns, column_units, output_unit});
          },
          "columns"_a = std::vector<std::string>(), "column_units"_a = std::vector<std::string>(), "output_unit"_a = "",
          "One line for each hyperparameter, then notes.")
      .def("__repr__",
           [](const FitObject& self) {
             std::string out;
             for (const auto& p : self.value.parameters())
               out += (out.empty() ? "" : ", ") + p.name + "=" + readable(p.value);
             return "Fit(" + out + ", log_evidence=" + readable(self.value.log_evidence) + ")";
           })
      .def("__copy__", [](py::object self) { return self; })
      .def(
          "__deepcopy__", [](py::object self, const py::dict&) { return self; }, "memo"_a)
      .def(py::pickle(
          [](const FitObject& self) {
            const Fit& f = self.value;
            return py::make_tuple(self.posterior, Hyperparameters(f), f.families, f.evaluations);
          },
          [](const py::tuple& s) {
            const py::object posterior = s[0];
            if (s.size() == 6) return fit_of_version_0_1(s);
            return FitObject{{s[1].cast<Hyperparameters>(), posterior.cast<const PosteriorObject&>().value,
                              s[2].cast<std::vector<std::pair<std::string, double>>>(), s[3].cast<int>()},
                             posterior};
          }));
}

struct EnsembleObject {
  Ensemble value;
  py::object conditional;
  Columns columns = {};

  Index x_dimension() const { return value.members()[0].kernel().dimension(); }
  Index a_dimension() const { return value.members()[0].conditional().query_dimension(); }
  py::list members() const {
    py::list out;
    for (const Posterior& member : value.members()) out.append(PosteriorObject{member, conditional, columns});
    return out;
  }
};

EnsembleObject make_ensemble(const py::list& members, const ArrayLike& weights) {
  require_not_empty(static_cast<Index>(members.size()), "members");
  std::vector<Posterior> values;
  for (std::size_t i = 0; i < members.size(); ++i)
    values.push_back(item_from<PosteriorObject>(members, i, "members", "a Posterior").value);
  const Vector w = vector(weights, "weights", static_cast<Index>(values.size()));
  const auto& first = members[0].cast<const PosteriorObject&>();
  return {Ensemble(std::move(values), w), first.conditional, first.columns};
}

void bind_ensemble(py::module_& m) {
  py::class_<EnsembleObject> type(m, "Ensemble",
                                  R"(Several posteriors of the same data under different hyperparameters, mixed.

>>> prior = iqbo.Posterior(iqbo.Rbf(1.0, 0.2), iqbo.UniformConditional(half_width=0.1))
>>> both = iqbo.posteriors.Ensemble([prior, prior.with_prior(iqbo.Rbf(3.0, 0.2))], [0.5, 0.5])
>>> both.f([0.0]).var
array([2.])
)");
  type.def(py::init(&make_ensemble), "members"_a, "weights"_a)
      .def_property_readonly("members", &EnsembleObject::members)
      .def_property_readonly(
          "weights", [](const EnsembleObject& self) { return self.value.weights(); },
          "The weights of the members, which sum to one.")
      .def_property_readonly("effective_members",
                             [](const EnsembleObject& self) { return self.value.effective_members(); })
      .def("__repr__",
           [](const EnsembleObject& self) {
             return "Ensemble(" + std::to_string(self.value.members().size()) + " members, worth " +
                    readable(self.value.effective_members()) + ")";
           })
      .def("__copy__", [](py::object self) { return self; })
      .def(
          "__deepcopy__", [](py::object self, const py::dict&) { return self; }, "memo"_a)
      .def("__reduce__", [](py::object self) {
        const auto& ensemble = self.cast<const EnsembleObject&>();
        return py::make_tuple(py::type::of(self), py::make_tuple(ensemble.members(), ensemble.value.weights()));
      });
  bind_query_belief(type, [](const EnsembleObject& self) { return self.a_dimension(); });
  bind_input_belief(
      type, [](const EnsembleObject& self) { return self.x_dimension(); },
      [](const EnsembleObject& self) { return self.a_dimension(); });
}

}  // namespace

py::object to_python(const Fit& fit, const py::object& conditional, const Columns& columns) {
  return py::cast(fit_object(conditional, columns, fit));
}

py::object to_python(const Ensemble& belief, const py::object& conditional, const Columns& columns) {
  return py::cast(EnsembleObject{belief, conditional, columns});
}

const Belief& full_belief(const py::object& belief) {
  if (py::isinstance<EnsembleObject>(belief)) return belief.cast<const EnsembleObject&>().value;
  if (py::isinstance<PosteriorObject>(belief)) return belief.cast<const PosteriorObject&>().value;
  throw py::type_error("belief: " + brief(belief) + ", expected a Posterior or an Ensemble");
}

FitOptions fit_options(const py::dict& given) {
  FitOptions out;
  const std::vector<std::string> known{"families", "ard",    "units",           "nugget", "mean",
                                       "noise",    "starts", "max_evaluations", "priors"};
  for (const auto& [key, value] : given) {
    const auto name = key.cast<std::string>();
    if (name == "families") {
      out.families.clear();
      for (const auto& family : value) out.families.push_back(value_from<std::string>(family, "families"));
    } else if (name == "ard") {
      out.ard = value_from<bool>(value, name);
    } else if (name == "units") {
      for (const auto& unit : value) out.units.push_back(value_from<int>(unit, "units"));
    } else if (name == "nugget") {
      out.nugget = value_from<bool>(value, name);
    } else if (name == "mean") {
      out.mean = value_of(kMeans, value_from<std::string>(value, name), name);
    } else if (name == "noise") {
      out.noise = value_of(kNoises, value_from<std::string>(value, name), name);
    } else if (name == "starts") {
      out.starts = value_from<int>(value, name);
    } else if (name == "max_evaluations") {
      out.max_evaluations = value_from<int>(value, name);
    } else if (name == "priors") {
      out.priors = value_from<bool>(value, name);
    } else {
      throw py::type_error("unexpected keyword " + in_quotes(name) + ", expected " + expected_names(name, known));
    }
  }
  return out;
}

void bind_fit(py::module_& m) {
  bind_fit_class(m);
  bind_ensemble(m);
  m.def("fit", &fit_of, "data"_a, "seed"_a = 0, R"(Fits hyperparameters to the data of a posterior; returns a `Fit`.

Keywords: families (of `kernel_families()`; [] keeps the kernel's structure), ard, nugget, mean
("constant", "linear", "fixed"), noise ("fitted", "known"), starts, max_evaluations, priors (False: maximum likelihood).

>>> prior = iqbo.Posterior(iqbo.Rbf(), iqbo.UniformConditional(half_width=0.05))
>>> data = prior.condition([0.1, 0.5, 0.9], [0.0, 1.0, 0.0], noise_var=1e-4)
>>> iqbo.fit(data, seed=1, families=["rbf"]).posterior.kernel.dimension
1
)");
  py::type(m.attr("Posterior")).attr("fit") =
      py::cpp_function([](const PosteriorObject& self, std::uint64_t seed,
                          const py::kwargs& given) { return fit_of(self, seed, given).posterior; },
                       py::name("fit"), py::is_method(m.attr("Posterior")), "seed"_a = 0,
                       "The same data under fitted hyperparameters; keywords as for `iqbo.fit`, which also returns "
                       "intervals and notes.");
  m.def(
      "fit_ensemble",
      [](const PosteriorObject& data, std::uint64_t seed, int members, const py::kwargs& given) {
        const FitOptions options = fit_options(given);
        EnsembleFit out = without_gil([&] { return fit_ensemble(data.value, options, seed, members); });
        return py::make_tuple(fit_object(data.conditional, data.columns, std::move(out.fit)),
                              EnsembleObject{std::move(out.ensemble), data.conditional, data.columns});
      },
      "data"_a, "seed"_a = 0, "members"_a = 16,
      R"(Fits, and averages over what the data leave open about the hyperparameters; returns (Fit, Ensemble).

>>> prior = iqbo.Posterior(iqbo.Rbf(), iqbo.UniformConditional(half_width=0.05))
>>> data = prior.condition([0.1, 0.5, 0.9], [0.0, 1.0, 0.0], noise_var=1e-4)
>>> fit, ensemble = iqbo.posteriors.fit_ensemble(data, members=4, families=["rbf"])
>>> len(ensemble.members)
4
)");
}

}  // namespace iqbo::python
