#include "best_repr.hpp"
#include "iqbo/record/json.hpp"
#include "iqbo/record/result_table.hpp"
#include "iqbo/record/snapshot.hpp"
#include "iqbo/record/spec_bundle.hpp"
#include "iqbo/record/spec_template.hpp"
#include "iqbo/record/trial.hpp"
#include "iqbo/study/study.hpp"
#include "names.hpp"
#include "objects.hpp"
#include "records.hpp"
#include "snapshots.hpp"

namespace iqbo::python {
namespace {

constexpr Names<TrialState, 3> kStates{
    {{TrialState::kPending, "pending"}, {TrialState::kTold, "told"}, {TrialState::kFailed, "failed"}}};

// The parts of NumPy's interface that people use on a query (d,).
void bind_as_array(py::class_<Trial>& type) {
  type.def(
          "__array__",
          [](const Trial& self, const py::object& dtype, const py::object&) {
            const py::object query = to_array(self.query);
            return dtype.is_none() ? query : py::object(query.attr("astype")(dtype));
          },
          "dtype"_a = py::none(), "copy"_a = py::none())
      .def("__len__", [](const Trial& self) { return self.query.size(); })
      .def("__getitem__", [](const Trial& self, const py::object& i) -> py::object { return to_array(self.query)[i]; })
      .def("__iter__", [](const Trial& self) { return py::iter(to_array(self.query).attr("tolist")()); })
      .def("__float__", [](const Trial& self) { return to_array(self.query).attr("item")().cast<double>(); });
  for (const char* name : {"shape", "ndim", "dtype", "size"})
    type.def_property_readonly(name,
                               [name](const Trial& self) -> py::object { return to_array(self.query).attr(name); });
  for (const char* name : {"__neg__", "__pos__", "__abs__"})
    type.def(name, [name](const Trial& self) -> py::object { return to_array(self.query).attr(name)(); });
  for (const char* name :
       {"__add__",      "__radd__",     "__sub__",       "__rsub__", "__mul__",  "__rmul__", "__truediv__",
        "__rtruediv__", "__floordiv__", "__rfloordiv__", "__mod__",  "__rmod__", "__pow__",  "__rpow__",
        "__matmul__",   "__rmatmul__",  "__lt__",        "__le__",   "__gt__",   "__ge__"})
    type.def(
        name,
        [name](const Trial& self, const py::object& other) -> py::object {
          return to_array(self.query).attr(name)(other);
        },
        "other"_a);
  for (const char* name : {"sum", "mean", "prod", "min", "max", "item", "tolist", "round", "reshape", "astype"})
    type.def(name, [name](const Trial& self, const py::args& args, const py::kwargs& keywords) -> py::object {
      return to_array(self.query).attr(name)(*args, **keywords);
    });
}

void bind_trial(py::module_& m) {
  Record<Answer>(m, "Answer", R"(The answer of a query.

>>> iqbo.studies.Answer(value=1.5, replicates=3)
Answer(value=1.5, replicates=3)
)")
      .field("value", &Answer::value)
      .field("noise_sd", &Answer::noise_sd)
      .field("replicates", &Answer::replicates)
      .field("count", &Answer::count,
             "The number of events among the exposure, where answers are counts; value is then their rate.")
      .field("exposure", &Answer::exposure)
      .made();
  Record<Trial> trial(m, "Trial", R"(One query that was handed out, and what became of it.

It may be used like its query, an array (d,): `np.sin(trial)`, `2 * trial - 1`, `trial[0]`, `trial.sum()`, `trial.shape`, and
`float(trial)` of one coordinate. == compares trials.

>>> study = iqbo.Study(targets=np.linspace(0, 1, 9), queries=np.linspace(0, 1, 5), seed=1, noise_sd=0.1,
...                    conditional=iqbo.GaussianConditional(sd=0.1), kernel=iqbo.Rbf(1.0, 0.3))
>>> trial = study.ask()
>>> trial.number, trial.query.shape, trial.state
(0, (1,), 'pending')
)");
  trial.field("number", &Trial::number, "From 0, in the order of asking.")
      .field("query", &Trial::query, "Shape (d,).")
      .field("name", &Trial::name, "The name of the query, if it has one.")
      .field("level", &Trial::level, "The level in the tree, if there is one.")
      .field("cost", &Trial::cost)
      .field("policy", &Trial::policy, "The policy that chose the query.")
      .field("why", &Trial::why)
      .field("score", &Trial::score)
      .field("fit", &Trial::fit, "The hyperparameters that were used.")
      .field("seen", &Trial::seen)
      .field("state", &Trial::state, kStates, "\"pending\", \"told\" or \"failed\".")
      .field("answer", &Trial::answer, "The answer, if told.")
      .field("reason", &Trial::reason, "The reason, if failed.")
      .field("worker", &Trial::worker)
      .field("lease_until", &Trial::lease_until)
      .field("handouts", &Trial::handouts)
      .repr([](const Trial& self) {
        std::string out = "Trial " + std::to_string(self.number) + ": ";
        out += self.name.empty() ? brief(to_array(self.query)) : self.name;
        if (self.answer && self.answer->count && self.answer->exposure)
          return out + " -> " + std::to_string(*self.answer->count) + " of " + readable(*self.answer->exposure);
        if (self.answer) return out + " -> " + readable(self.answer->value);
        return out + " (" + name_of(kStates, self.state) + (self.reason.empty() ? "" : ": " + self.reason) + ")";
      });
  trial.type().def_property_readonly(
      "outcome",
      [](const Trial& self) {
        if (PyErr_WarnEx(PyExc_DeprecationWarning, "Trial.outcome is now called Trial.answer", 1) != 0)
          throw py::error_already_set();
        return self.answer;
      },
      "Now called `answer`.");
  bind_as_array(trial.type());
}

// A pointer to a member of a base of T, as a pointer to a member of T.
template <class T, class Member, class Base>
Member T::*of(Member Base::*member) {
  return member;
}

void bind_snapshot(py::module_& m) {
  Record<BeliefObject>(m, "BeliefRecord", R"(A belief at points.

>>> study = iqbo.Study(targets=np.linspace(0, 1, 9), queries=np.linspace(0, 1, 5), seed=1, noise_sd=0.1,
...                    conditional=iqbo.GaussianConditional(sd=0.1), kernel=iqbo.Rbf(1.0, 0.3))
>>> study.snapshot().x.mean.shape
(9,)
)")
      .field("points", of<BeliefObject>(&BeliefRecord::points), "Shape (n, d).")
      .field("names", of<BeliefObject>(&BeliefRecord::names))
      .field("mean", of<BeliefObject>(&BeliefRecord::mean), "Shape (n,).")
      .field("sd", of<BeliefObject>(&BeliefRecord::sd), "Shape (n,).")
      .field("coordinates", &BeliefObject::coordinates, "The names of the coordinates.");
  Record<CellRecord>(m, "CellRecord", R"(A cell of the tree.

>>> study = iqbo.Study(iqbo.studies.spec_template("tiles")["study.json"])
>>> study.tell(study.ask(), 1.0)      # the whole square
>>> study.snapshot().cells[0].level
0
)")
      .field("level", &CellRecord::level)
      .field("lower", &CellRecord::lower)
      .field("upper", &CellRecord::upper)
      .field("asked", &CellRecord::asked, "How often the cell was asked.")
      .field("candidate", &CellRecord::candidate, "Whether the cell may be asked next.");
  Record<RecommendationRecord>(m, "RecommendationRecord", R"(Where f is believed to be best, in the user's units.

>>> study = iqbo.Study(targets=np.linspace(0, 1, 9), queries=np.linspace(0, 1, 5), seed=1, noise_sd=0.1,
...                    conditional=iqbo.GaussianConditional(sd=0.1), kernel=iqbo.Rbf(1.0, 0.3))
>>> best = study.best()
>>> best.low <= best.mean <= best.high
True
)")
      .field("x", &RecommendationRecord::x, "Shape (d,).")
      .field("name", &RecommendationRecord::name)
      .field("mean", &RecommendationRecord::mean)
      .field("sd", &RecommendationRecord::sd)
      .field("low", &RecommendationRecord::low, "95 % interval.")
      .field("high", &RecommendationRecord::high)
      .field("probability", &RecommendationRecord::probability,
             "The probability of being the best; for a box, of being within the tolerance of it.")
      .field("tolerance", &RecommendationRecord::tolerance)
      .field("notes", &RecommendationRecord::notes)
      .field("probability_error", &RecommendationRecord::probability_error,
             "Standard error of the probability; None where there is none.")
      .field_as<double>(
          "widened", [](const RecommendationRecord& self) { return self.widened.value_or(1.0); },
          [](RecommendationRecord& self, double by) {
            self.widened = by == 1.0 ? std::nullopt : std::optional<double>(by);
          },
          "By how much the interval was widened because earlier forecasts were off: 1 if it was not.")
      .field("unseen", &RecommendationRecord::unseen,
             "Probability that a better spot is unseen; None where rare spots are not searched for.")
      .field("optimum_low", &RecommendationRecord::optimum_low,
             "The 95 % interval of the optimum; None where rare spots are not searched for.")
      .field("optimum_high", &RecommendationRecord::optimum_high)
      .repr([](const RecommendationRecord& best) {
        const std::string where = best.name.empty() ? brief(to_array(best.x)) : "'" + best.name + "'";
        return best_repr("RecommendationRecord", where, best);
      });
  Record<SnapshotObject>(m, "Snapshot", R"(The beliefs at one moment, for plots.

>>> study = iqbo.Study(targets=np.linspace(0, 1, 9), queries=np.linspace(0, 1, 5), seed=1, noise_sd=0.1,
...                    conditional=iqbo.GaussianConditional(sd=0.1), kernel=iqbo.Rbf(1.0, 0.3))
>>> study.snapshot().a.points.shape
(5, 1)
)")
      .field("seq", of<SnapshotObject>(&Snapshot::seq), "The last event it includes.")
      .field("observations", of<SnapshotObject>(&Snapshot::observations))
      .field("x", &SnapshotObject::f, "The belief about f.")
      .field("a", &SnapshotObject::g, "The belief about g.")
      .field("scores", of<SnapshotObject>(&Snapshot::scores), "The scores of the queries of `a` under `policy`.")
      .field("policy", of<SnapshotObject>(&Snapshot::policy))
      .field("cells", of<SnapshotObject>(&Snapshot::cells))
      .field("fit", of<SnapshotObject>(&Snapshot::fit))
      .field("best", of<SnapshotObject>(&Snapshot::best))
      .field("notes", of<SnapshotObject>(&Snapshot::notes));
}

void bind_specs(py::module_& m) {
  m.def("template_names", &template_names, R"(The names of the templates from which a study can start.

>>> iqbo.studies.template_names()
['districts', 'counts', 'tiles', 'trial', 'map', 'carolina', 'tokyo']
)");
  m.def(
      "spec_template",
      [](const std::string& name) {
        py::dict out;
        for (const TemplateFile& file : spec_template(name)) out[py::str(file.name)] = file.text;
        return out;
      },
      "name"_a, R"(The files of a template, {name: text}: a commented spec, study.json, and the tables that it names.

>>> sorted(iqbo.studies.spec_template("trial"))
['clinics.csv', 'pairs.csv', 'study.json']
)");
  m.def(
      "_read_bundle",
      [](const std::string& file, bool allow_outside) {
        const SpecBundle bundle = read_bundle(file, {allow_outside, {}});
        return py::make_tuple(bundle.text, bundle.files);
      },
      "spec_file"_a, "allow_outside"_a = false);
  m.def(
      "_current_spec", [](const std::string& text) { return to_json(parse_spec(text, {}, SpecAge::kStored)); },
      "text"_a);
  m.def("spec_schema", &spec_schema, R"(The JSON Schema of a spec.

>>> "json-schema.org" in iqbo.studies.spec_schema()
True
)");
}

}  // namespace

void bind_record(py::module_& m) {
  bind_trial(m);
  bind_snapshot(m);
  bind_specs(m);
  Record<Prediction> prediction(m, "Prediction",
                                R"(Means and deviations (n,), without the noise of an answer; unpacks as (mean, sd).

>>> study = iqbo.Study(targets=np.linspace(0, 1, 9), queries=np.linspace(0, 1, 5), seed=1, noise_sd=0.1,
...                    conditional=iqbo.GaussianConditional(sd=0.1), kernel=iqbo.Rbf(1.0, 0.3))
>>> mean, sd = study.predict_f([0.5])
>>> mean, sd
(array([0.]), array([1.]))
)");
  prediction.field("mean", &Prediction::mean)
      .field("sd", &Prediction::sd)
      .field("low", &Prediction::low, "95 % interval.")
      .field("high", &Prediction::high);
  const auto both = [](const Prediction& self) { return py::make_tuple(self.mean, self.sd); };
  prediction.type()
      .def("__iter__", [both](const Prediction& self) { return py::iter(both(self)); })
      .def("__len__", [](const Prediction&) { return 2; })
      .def("__getitem__", [both](const Prediction& self, const py::object& i) -> py::object { return both(self)[i]; });
  Record<StudyStatus>(m, "StudyStatus", R"(The progress of a study.

>>> study = iqbo.Study(targets=np.linspace(0, 1, 9), queries=np.linspace(0, 1, 5), seed=1, noise_sd=0.1,
...                    conditional=iqbo.GaussianConditional(sd=0.1), kernel=iqbo.Rbf(1.0, 0.3))
>>> study.status().told
0
)")
      .field("told", &StudyStatus::told)
      .field("pending", &StudyStatus::pending)
      .field("failed", &StudyStatus::failed)
      .field("imported", &StudyStatus::imported, "The number of imported answers.")
      .field("values", &StudyStatus::values, "The number of imported values of f.")
      .field("pairs", &StudyStatus::pairs, "The number of logged pairs besides those of the spec.")
      .field("spent", &StudyStatus::spent)
      .field("left", &StudyStatus::left, "What is left of the budget.")
      .field("last_event", &StudyStatus::last_event);
}

}  // namespace iqbo::python
