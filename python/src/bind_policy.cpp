#include "iqbo/policy/policy.hpp"

#include "best_repr.hpp"
#include "custom.hpp"
#include "iqbo/core/check.hpp"
#include "iqbo/learned/learned.hpp"
#include "likelihoods.hpp"
#include "names.hpp"
#include "objects.hpp"
#include "records.hpp"
#include "shared_names.hpp"

namespace iqbo::python {

using namespace internal;

namespace {

// What it was told is kept for pickle: (method, arguments by name).
struct PolicyObject {
  Guarded<Policy> policy;
  py::object conditional;
  py::dict args;
  py::list log;
  Index x_dimension, a_dimension;
  Columns columns = {};

  Inputs inputs_of(const ArrayLike& x) const {
    return inputs(columns.read(conditional, x, "x", "x"), "x", x_dimension);
  }
  Queries queries_of(const ArrayLike& a, const char* name = "a") const {
    return queries(columns.read(conditional, a, "a", name), name, a_dimension);
  }
  // All targets.
  Inputs listed() const {
    const py::object targets = args["targets"];
    if (!py::isinstance<InputSet>(targets))
      refuse("chances", "neither x nor a", "one of them: the targets are a box, not a list that could be compared");
    return targets.cast<const InputSet&>().points();
  }
  // A call that throws has not learned names either.
  template <class Work>
  void learning(Work work) {
    const Columns before = columns;
    try {
      work();
    } catch (...) {
      columns = before;
      throw;
    }
  }
  Inputs learned_inputs(const ArrayLike& x) {
    return inputs(columns.learn(conditional, x, "x", "x", columns), "x", x_dimension);
  }
  Queries learned_queries(const ArrayLike& a) {
    return queries(columns.learn(conditional, a, "a", "a", columns), "a", a_dimension);
  }
};

std::shared_ptr<const Kernel> kernel_or_none(const py::object& kernel, const char* name) {
  return kernel.is_none() ? nullptr : object_from<Kernel>(kernel, name, "a Kernel").clone();
}

// A number for each query.
std::function<Vector(const Queries&)> function_of_queries(const py::object& given, const std::string& name) {
  if (given.is_none()) return {};
  if (py::isinstance<py::float_>(given) || py::isinstance<py::int_>(given)) {
    const auto value = value_from<double>(given, name);
    require_positive(value, name);
    return [value](const Queries& a) { return Vector(Vector::Constant(a.size(), value)); };
  }
  return [call = Callable(function_from(given, name)), name](const Queries& a) {
    const py::gil_scoped_acquire lock;
    return vector_or_number(call(to_array(a)), name + "(a)", a.size());
  };
}

std::function<Queries(const Queries&)> finest_from(const py::object& finest) {
  if (finest.is_none()) return {};
  return [call = Callable(function_from(finest, "finest"))](const Queries& a) {
    const py::gil_scoped_acquire lock;
    return queries(call(to_array(a)), "finest(a)", a.dimension());
  };
}

// There are many keywords, each a member of Setting or PolicyOptions: they are taken from the dictionary by name.
class Keywords {
 public:
  explicit Keywords(const py::dict& given) : left_(given.attr("copy")()) {}

  py::object object(const char* name) {
    known_.emplace_back(name);
    return left_.contains(name) ? py::object(left_.attr("pop")(name)) : py::none();
  }
  template <class T>
  void set(const char* name, T& place) {
    if (const py::object value = object(name); !value.is_none()) place = value_from<T>(value, name);
  }
  void require_empty() const {
    for (const auto& [key, value] : left_) {
      const auto name = key.cast<std::string>();
      throw py::type_error("unexpected keyword " + in_quotes(name) + ", expected " + expected_names(name, known_));
    }
  }

 private:
  py::dict left_;
  std::vector<std::string> known_;
};

PolicyOptions options_from(Keywords& given) {
  PolicyOptions out;
  const py::object policy = given.object("policy");
  if (py::isinstance<py::str>(policy)) {
    out.policy = policy_kind(policy.cast<std::string>());
  } else if (!policy.is_none()) {
    out.policy = PolicyKind::kCustom;
    out.custom = custom_score(policy, "policy");
  }
  given.set("initial", out.initial);
  given.set("samples", out.samples);
  given.set("repeats", out.repeats);
  if (const py::object spots = given.object("spots"); !spots.is_none()) {
    const auto word = py::isinstance<py::str>(spots) ? spots.cast<std::string>() : std::string();
    if (word != "auto" && word != "off") refuse("spots", brief(spots), "\"auto\" or \"off\"");
    out.spots = word == "off" ? SpotSearch::kOff : SpotSearch::kAuto;
  }
  given.set("above", out.above);
  if (const py::object stop = given.object("stop"); !stop.is_none()) {
    if (!py::isinstance<py::dict>(stop))
      refuse("stop", brief(stop), "a dictionary with \"regret\", \"probability\" or \"bound\"");
    for (const auto& [key, value] : stop.cast<py::dict>()) {
      const auto name = py::str(key).cast<std::string>();
      if (name != "regret" && name != "probability" && name != "bound")
        refuse("stop", in_quotes(name), "\"regret\", \"probability\" or \"bound\"");
      (name == "regret"  ? out.stop.regret
       : name == "bound" ? out.stop.bound
                         : out.stop.probability) = value.cast<double>();
    }
  }
  given.set("budget", out.budget);
  given.set("overspend", out.overspend);
  given.set("requery_leaf", out.requery_leaf);
  given.set("printed_tree", out.printed_tree);
  given.set("refit_always", out.refit_always);
  given.set("discrepancy", out.discrepancy);
  given.set("members", out.members);
  given.set("recommend_paths", out.recommend_paths);
  given.set("recommend_error", out.recommend_error);
  if (const py::object fit = given.object("fit"); !fit.is_none()) {
    if (!py::isinstance<py::dict>(fit)) refuse("fit", brief(fit), "a dictionary of keywords for fit()");
    out.fit = fit_options(fit);
  }
  return out;
}

// A learned p(x|a) that is confined to nothing is learned again, confined to the targets, as a study learns it.
py::object confined(const py::object& conditional, const py::object& targets) {
  if (!py::isinstance<Of<LearnedConditional>>(conditional)) return conditional;
  constexpr int kDomain = 3;
  py::list args(conditional.attr("_arguments"));
  if (!args[kDomain].is_none()) return conditional;
  args[kDomain] =
      py::hasattr(targets, "dimension") ? targets : py::cast(std::get<InputSet>(target_space(targets, "targets")));
  return py::type::of(conditional)(*py::tuple(args));
}

std::unique_ptr<PolicyObject> make_policy(const py::object& targets, const py::object& queries,
                                          const py::object& p_of_x, std::uint64_t seed, const py::kwargs& keywords) {
  Keywords given(keywords);
  const py::object conditional = confined(p_of_x, targets);
  const QueryTraits traits{function_of_queries(given.object("cost"), "cost"), {}, finest_from(given.object("finest"))};
  const QueryDomainPtr domain = query_domain(queries, "queries");
  Setting setting{target_space(targets, "targets"), domain->with(traits),
                  object_from<ConditionalObject>(conditional, "conditional", "a Conditional").model};
  setting.kernel = kernel_or_none(given.object("kernel"), "kernel");
  setting.query_kernel = kernel_or_none(given.object("query_kernel"), "query_kernel");
  if (const py::object mean = given.object("mean"); !mean.is_none()) setting.mean = mean_from(mean);
  given.set("noise_var", setting.noise_var);
  if (const py::object answers = given.object("answers"); !answers.is_none())
    setting.likelihood = likelihood_from(answers, "answers");
  if (const py::object link = given.object("link"); !link.is_none()) setting.links = {link_from(link, "link")};
  setting.exposure = function_of_queries(given.object("exposure"), "exposure");
  const PolicyOptions options = options_from(given);
  given.require_empty();
  const Index x_dimension = dimension(setting.targets);
  const Index a_dimension = setting.queries->dimension();
  py::dict args(**keywords);
  const auto is_space = [](const py::object& what) { return py::hasattr(what, "dimension"); };  // arrays are copied
  args["targets"] = is_space(targets) ? targets : py::cast(std::get<InputSet>(setting.targets));
  args["queries"] = is_space(queries) ? queries : py::cast(query_list(queries));
  args["conditional"] = conditional;
  args["seed"] = seed;
  Columns columns;
  if (is_table(targets) || is_table(queries))
    columns = Columns(py::module_::import("iqbo._columns").attr("of_spaces")(targets, queries, conditional));
  return std::unique_ptr<PolicyObject>(
      new PolicyObject{Guarded(without_gil([&] { return Policy(std::move(setting), options, seed); })), conditional,
                       args, py::list(), x_dimension, a_dimension, std::move(columns)});
}

// Answers with one noise and one number of replicates for all, or one each. A policy that is told them one by one believes the same.
template <class Space>
void observe(PolicyObject& self, const Points<Space>& at, const ArrayLike& z, const OptionalArray& noise_var,
             const ArrayLike& replicates) {
  const Vector seen = vector(z, "z", at.size());
  const Vector noise = noise_var ? vector_or_number(*noise_var, "noise_var", at.size()) : Vector();
  const Vector of = vector_or_number(replicates, "replicates", at.size());
  require_finite(seen, "z");
  require_non_negative(noise, "noise_var");
  require_positive(of, "replicates");
  const auto said = [&](Index i) {
    return AnswerNoise{noise.size() > 0 ? std::optional(noise[i]) : std::nullopt, of[i]};
  };
  const auto alike = [](const Vector& values) { return values.size() == 0 || (values.array() == values[0]).all(); };
  self.policy.use([&](Policy& policy) {
    if (alike(noise) && alike(of)) return policy.observe(at, seen, at.size() > 0 ? said(0) : AnswerNoise());
    for (Index i = 0; i < at.size(); ++i) policy.observe(at.slice(i, 1), seen.segment(i, 1), said(i));
  });
  py::dict told("z"_a = seen, "replicates"_a = of);
  told["noise_var"] = noise.size() > 0 ? py::object(py::cast(noise)) : py::none();
  told[std::is_same_v<Space, InputSpace> ? "x" : "a"] = to_array(at);
  self.log.append(py::make_tuple("observe", told));
}

// Counts at points: one exposure for all, or one each.
template <class Space>
void observe_counts(PolicyObject& self, const Points<Space>& at, const ArrayLike& count, const ArrayLike& exposure) {
  const Vector y = vector_or_number(count, "count", at.size());
  const Vector n = vector_or_number(exposure, "exposure", at.size());
  std::vector<Count> counts;
  for (Index i = 0; i < at.size(); ++i) counts.push_back({y[i], n[i]});
  self.policy.use([&](Policy& policy) { policy.observe(at, counts); });
  py::dict told("count"_a = y, "exposure"_a = n);
  told[std::is_same_v<Space, InputSpace> ? "x" : "a"] = to_array(at);
  self.log.append(py::make_tuple("observe", told));
}

void bind_policy_class(py::module_& m) {
  py::class_<PolicyObject> type(m, "Policy", R"(Chooses the next query from the answers so far, and recommends an input.

targets: an `InputBox`, or listed inputs (n, d). queries: a `QueryBox`, `MixedQueries`, `QueryTree`, `ListedQueries`, or listed
queries (p, d_a). A `LearnedConditional` without a domain is confined to the targets. Without a kernel everything is fitted; with one, noise_var must be given, here or in queries. policy: one of
`policy_names()`, or a score of your own: a function (outlook, samples) -> (n,) (`Outlook`, `SampledMaxima`), an `Acquisition`, or
a function samples -> `Acquisition`. Further keywords: mean, query_kernel, cost (a function of a), finest, initial, samples, repeats, spots ("auto" or "off": the search for rare spots), above (the threshold
of policy "level-set"), stop ({"regret": r, "probability": p}, what `stopping` judges by), budget, overspend, requery_leaf, printed_tree (algorithm 2 to the letter), discrepancy,
refit_always (after every answer), members, recommend_paths, recommend_error, fit (a dictionary for `fit`). Where answers are counts: answers (one of
`iqbo.likelihoods.likelihood_names()`, or "auto" for counts that may vary more than Poisson ones), link ("identity", "log" or "logit"; by
default chosen by evidence), exposure of future counts (a number or a function of a; by default the median of those told).

>>> def g(a): return np.sin(3 * a[:, 0])
>>> policy = iqbo.Policy(np.linspace(0, 1, 50), np.linspace(0, 1, 20), iqbo.UniformConditional(half_width=0.1),
...                      policy="cmes", kernel=iqbo.Rbf(1.0, 0.3), noise_var=1e-4, seed=1)
>>> for t in range(6):
...     a = policy.suggest().queries
...     policy.observe(a, g(a))
>>> bool(abs(policy.best().x[0, 0] - 0.5) < 0.1)
True
)");
  type.def(py::init(naming_arguments(&make_policy)), "targets"_a, "queries"_a, "conditional"_a, "seed"_a = 0)
      .def(
          "observe",
          [](PolicyObject& self, const ArrayLike& a, const ArrayLike& z, const OptionalArray& noise_var,
             const ArrayLike& replicates) {
            self.learning([&] { observe(self, self.learned_queries(a), z, noise_var, replicates); });
          },
          "a"_a, "z"_a, "noise_var"_a = py::none(), "replicates"_a = 1.0,
          R"(Answers z (n,) at queries a (n, d_a); `observe(x=..., z=...)`: values of f itself at inputs (n, d).

noise_var and replicates: one number for all, or one for each answer (n,).

>>> policy = iqbo.Policy(np.linspace(0, 1, 9), np.linspace(0, 1, 5), iqbo.GaussianConditional(sd=0.1), kernel=iqbo.Rbf(1.0, 0.3),
...                      noise_var=0.01)
>>> policy.observe([0.0, 0.5], [0.2, 1.0], noise_var=[0.04, 0.01])
>>> len(policy)
2
)")
      .def(
          "observe",
          [](PolicyObject& self, const ArrayLike& x, const ArrayLike& z, const OptionalArray& noise_var,
             const ArrayLike& replicates) {
            self.learning([&] { observe(self, self.learned_inputs(x), z, noise_var, replicates); });
          },
          py::kw_only(), "x"_a, "z"_a, "noise_var"_a = py::none(), "replicates"_a = 1.0)
      .def(
          "observe",
          [](PolicyObject& self, const ArrayLike& a, const ArrayLike& count, const ArrayLike& exposure) {
            self.learning([&] { observe_counts(self, self.learned_queries(a), count, exposure); });
          },
          "a"_a, py::kw_only(), "count"_a, "exposure"_a,
          "Where answers are counts: count (n,) events among exposure (n,), which may be one number for all.")
      .def(
          "observe",
          [](PolicyObject& self, const ArrayLike& x, const ArrayLike& count, const ArrayLike& exposure) {
            self.learning([&] { observe_counts(self, self.learned_inputs(x), count, exposure); });
          },
          py::kw_only(), "x"_a, "count"_a, "exposure"_a)
      .def(
          "predict_counts",
          [](PolicyObject& self, const ArrayLike& a, const OptionalArray& exposure, double probability) {
            const Queries at = self.queries_of(a);
            const Vector among = exposure ? vector_or_number(*exposure, "exposure", at.size()) : Vector();
            return self.policy.use([&](Policy& policy) { return policy.predict_counts(at, among, probability); });
          },
          "a"_a, "exposure"_a = py::none(), "probability"_a = 0.95,
          "The next count at each query among these exposures: `CountForecast`.")
      .def(
          "rates_f",
          [](PolicyObject& self, const ArrayLike& x) {
            const Inputs at = self.inputs_of(x);
            return self.policy.use([&](Policy& policy) { return policy.rates_f(at); });
          },
          "x"_a, "Mean and variance of f, also where f = h(eta) and `belief` is about eta.")
      .def(
          "rates_g",
          [](PolicyObject& self, const ArrayLike& a) {
            const Queries at = self.queries_of(a);
            return self.policy.use([&](Policy& policy) { return policy.rates_g(at); });
          },
          "a"_a, "Mean and variance of averages, likewise.")
      .def_property_readonly(
          "link",
          [](PolicyObject& self) { return self.policy.use([](Policy& policy) { return to_string(policy.link()); }); },
          "The link in use: f = h(eta), where h is \"identity\", \"log\" (exp) or \"logit\" (the logistic function).")
      .def(
          "remember",
          [](PolicyObject& self, const Hyperparameters& values) {
            self.policy.use([&](Policy& policy) { policy.remember(values); });
            self.log.append(py::make_tuple("remember", py::dict("values"_a = values)));
          },
          "values"_a, "Uses a fit that was made earlier on the same first observations, instead of making it again.")
      .def(
          "suggest",
          [](PolicyObject& self, Index count, const OptionalArray& pending) {
            const Queries out = pending ? self.queries_of(*pending, "pending") : Queries();
            return self.policy.use([&](Policy& policy) { return policy.suggest(count, out); });
          },
          "count"_a = 1, "pending"_a = py::none(),
          "The next queries; pending ones (n, d_a) are treated as if they had returned their predicted means.")
      .def(
          "best", [](PolicyObject& self) { return self.policy.use([](Policy& policy) { return policy.best(); }); },
          "The input where f is believed to be largest: `Recommendation`.")
      .def(
          "chances",
          [](PolicyObject& self, const OptionalArray& x, const OptionalArray& a, std::optional<double> above,
             Index among, double holds, Index draws) {
            if (x && a) refuse("chances", "both x and a", "one of them");
            const ChanceOptions options{above, among, holds, draws};
            if (!a) {
              const Inputs at = x ? self.inputs_of(*x) : self.listed();
              return self.policy.use([&](Policy& policy) { return policy.chances(at, options); });
            }
            const Queries at = self.queries_of(*a);
            return self.policy.use([&](Policy& policy) { return policy.chances(at, options); });
          },
          "x"_a = py::none(), "a"_a = py::none(), "above"_a = py::none(), "among"_a = 1, "holds"_a = 0.95,
          "draws"_a = 1024,
          R"(P(f > above), P(best) and P(among the `among` best) of inputs x (n, d) or queries a (n, d_a): `Chances`.

Without x and a, all listed targets are compared.)")
      .def(
          "stopping",
          [](PolicyObject& self) { return self.policy.use([](Policy& policy) { return policy.stopping(); }); },
          "What stopping now would cost, and whether the rule `stop` is met: `Stopping`.")
      .def_property_readonly(
          "belief",
          [](PolicyObject& self) {
            return to_python(self.policy.use([](Policy& policy) { return Ensemble(policy.belief()); }),
                             self.conditional, self.columns);
          },
          "The present belief: the mixture on which suggestions and recommendations rest.")
      .def_property_readonly(
          "posterior",
          [](PolicyObject& self) {
            return PosteriorObject{self.policy.use([](Policy& policy) { return Posterior(policy.posterior()); }),
                                   self.conditional, self.columns};
          },
          "The present belief under the best fit alone.")
      .def_property_readonly(
          "hyperparameters",
          [](PolicyObject& self) {
            return self.policy.use([](Policy& policy) { return std::optional(policy.hyperparameters()); });
          },
          "The hyperparameters in use; None if nothing was fitted.")
      .def_property_readonly(
          "fit",
          [](PolicyObject& self) -> py::object {
            const auto fit = self.policy.use([](Policy& policy) {
              const Fit* found = policy.fit();
              return found == nullptr ? std::nullopt : std::optional<Fit>(*found);
            });
            return fit ? to_python(*fit, self.conditional, self.columns) : py::none();
          },
          "The `Fit` behind the belief; None if there is none.")
      .def(
          "_name_columns", [](PolicyObject& self, const py::object& columns) { self.columns = Columns(columns); },
          "columns"_a)
      .def("__len__", [](PolicyObject& self) { return self.policy.use([](Policy& policy) { return policy.size(); }); })
      .def("__reduce__",
           [](py::object self) {
             const auto& object = self.cast<const PolicyObject&>();
             const py::object again = py::module_::import("iqbo._again").attr("made_again");
             py::list told(object.log.attr("copy")());
             if (object.columns.any())
               told.append(py::make_tuple("_name_columns", py::dict("columns"_a = object.columns.held())));
             return py::make_tuple(again, py::make_tuple(py::type::of(self), object.args, told));
           })
      .def("__repr__", [](PolicyObject& self) {
        const Index seen = self.policy.use([](Policy& policy) { return policy.size(); });
        const py::object policy = self.args.contains("policy") ? py::object(self.args["policy"]) : py::str("auto");
        return "Policy(" + brief(policy) + ", " + std::to_string(seen) + " observations; " + brief(self.conditional) +
               ")";
      });
}

}  // namespace

void bind_policy(py::module_& m) {
  bind_policy_class(m);
  m.def(
      "policy_names",
      [] {
        std::vector<std::string> out;
        for (const PolicyKind kind : all_policies()) out.push_back(to_string(kind));
        return out;
      },
      R"(The names of all policies.

>>> iqbo.policies.policy_names()[:3]
['random', 'max-variance', 'cmes']
)");
}

}  // namespace iqbo::python
