// Entries and runs of experiments. Their findings are in bind_findings.cpp.
#include <atomic>
#include <future>

#include "casts.hpp"
#include "experiments.hpp"
#include "names.hpp"
#include "problems.hpp"
#include "shared_names.hpp"

namespace iqbo::python {
namespace {

template <class Member>
py::object column(const ResultTable& table, Member ResultRow::*member) {
  using Array = Eigen::Matrix<Member, Eigen::Dynamic, 1>;
  Array out(static_cast<Index>(table.size()));
  for (std::size_t i = 0; i < table.size(); ++i) out[static_cast<Index>(i)] = table[i].*member;
  return py::cast(std::move(out));
}

py::dict columns(const TableObject& self) {
  py::list problem, policy, query;
  for (const ResultRow& row : self.value) {
    problem.append(row.problem);
    policy.append(row.policy);
    query.append(to_array(row.query));
  }
  const ResultTable& t = self.value;
  return py::dict("problem"_a = problem, "policy"_a = policy, "seed"_a = column(t, &ResultRow::seed),
                  "t"_a = column(t, &ResultRow::t), "query"_a = query, "z"_a = column(t, &ResultRow::z),
                  "instant_regret"_a = column(t, &ResultRow::instant_regret),
                  "simple_regret"_a = column(t, &ResultRow::simple_regret), "cost"_a = column(t, &ResultRow::cost));
}

// --- entries ---

struct EntryObject {
  Entry value;
  py::tuple args;
};

std::function<Problem(std::uint64_t)> maker(const py::object& problem) {
  if (py::isinstance<ProblemObject>(problem))
    return [fixed = problem.cast<const ProblemObject&>().value](std::uint64_t) { return fixed; };
  return [call = Callable(function_from(problem, "problem"))](std::uint64_t seed) {
    const py::gil_scoped_acquire lock;
    const py::object made = call(seed);
    return object_from<ProblemObject>(made, "problem(seed)", "a Problem").value;
  };
}

EntryObject make_entry(const py::object& problem, const std::string& policy, const std::string& name,
                       const std::string& label, const std::string& asking,
                       const std::optional<std::vector<double>>& lengthscales,
                       const std::vector<double>& query_lengthscales, bool rbf,
                       const std::optional<std::string>& learned, Index pairs, Index initial, Index samples,
                       Index steps, std::optional<double> budget) {
  Entry out;
  const bool fixed = py::isinstance<ProblemObject>(problem);
  out.problem = !name.empty() ? name : fixed ? problem.cast<const ProblemObject&>().value.name() : "problem";
  out.policy = label.empty() ? policy : label;
  out.make = maker(problem);
  out.kind = policy_kind(policy);
  out.asking = value_of(kAsking, asking, "asking");
  out.assumed = {lengthscales, query_lengthscales, rbf, {}, pairs};
  if (learned) out.assumed.learned = value_of(kModels, *learned, "learned");
  out.initial = initial;
  out.samples = samples;
  out.steps = steps;
  out.budget = budget;
  return {std::move(out), py::make_tuple(problem, policy, name, label, asking, lengthscales, query_lengthscales, rbf,
                                         learned, pairs, initial, samples, steps, budget)};
}

void bind_entries(py::module_& m) {
  py::class_<TableObject>(m, "ResultTable", R"(Rows of an experiment, one for each (problem, policy, seed, t).

`columns()` is a dictionary of lists and arrays, of which pandas makes a DataFrame.

>>> table = iqbo.experiment.replicate(iqbo.experiment.Entry(iqbo.problems.problem("two-peaks"), "random", steps=3), seed=1)
>>> table.columns()["simple_regret"].shape
(3,)
)")
      .def("columns", &columns)
      .def("to_csv", [](const TableObject& self) { return results_to_csv(self.value); })
      .def_static(
          "from_csv", [](const std::string& text) { return TableObject{results_from_csv(text, "table")}; }, "text"_a)
      .def("__len__", [](const TableObject& self) { return self.value.size(); })
      .def(
          "__eq__", [](const TableObject& self, const TableObject& other) { return self.value == other.value; },
          py::is_operator())
      .def("__repr__",
           [](const TableObject& self) { return "ResultTable(" + std::to_string(self.value.size()) + " rows)"; })
      .def(py::pickle(
          [](const TableObject& self) { return py::make_tuple(results_to_csv(self.value)); },
          [](const py::tuple& s) { return TableObject{results_from_csv(s[0].cast<std::string>(), "pickle")}; }));
  py::class_<EntryObject>(m, "Entry",
                          R"(One curve of an experiment: a policy that meets a problem, and its replications.

problem: a `Problem`, or a function of the seed that makes one (then `name` names it). lengthscales: those of the RBF kernel that
the policy is given ([]: the problem's own kernel; None: everything is fitted). learned: how p(x|a) is learned from `pairs`; None: it is known.

>>> entry = iqbo.experiment.Entry(iqbo.problems.problem("two-peaks"), "cmes", steps=4)
>>> len(iqbo.experiment.replicate(entry, seed=1))
4
)")
      .def(py::init(&make_entry), "problem"_a, "policy"_a, "name"_a = "", "label"_a = "", "asking"_a = "list",
           "lengthscales"_a = py::none(), "query_lengthscales"_a = std::vector<double>(), "rbf"_a = false,
           "learned"_a = py::none(), "pairs"_a = 100, "initial"_a = 2, "samples"_a = 10, "steps"_a = 100,
           "budget"_a = py::none())
      .def_property_readonly("problem", [](const EntryObject& self) { return self.value.problem; })
      .def_property_readonly("policy", [](const EntryObject& self) { return self.value.policy; })
      .def("__repr__",
           [](const EntryObject& self) { return "Entry(" + self.value.policy + " on " + self.value.problem + ")"; })
      .def("__reduce__",
           [](py::object self) { return py::make_tuple(py::type::of(self), self.cast<const EntryObject&>().args); });
  m.def(
      "replicate",
      [](const EntryObject& entry, std::uint64_t seed) {
        return TableObject{without_gil([&] { return replicate(entry.value, seed); })};
      },
      "entry"_a, "seed"_a,
      R"(Runs one replication; returns one row per answer. Policies that have the same seed face the same problem and draws.

>>> len(iqbo.experiment.replicate(iqbo.experiment.Entry(iqbo.problems.problem("two-peaks"), "random", steps=3), seed=1))
3
)");
}

// --- runs ---

// Worker threads are not told of Ctrl-C: the calling thread checks for them.
RunResult run_and_listen(const Experiment& experiment, const std::string& folder, unsigned threads,
                         const py::object& progress) {
  std::atomic<bool> stop = false;
  RunOptions options{threads, {}, [&] { return stop.load(); }};
  if (!progress.is_none())
    options.progress = [call = Callable(function_from(progress, "progress"))](Index done, Index all) {
      const py::gil_scoped_acquire lock;
      call(done, all);
    };
  const py::gil_scoped_release release;
  auto running = std::async(std::launch::async, [&] { return run(experiment, folder, options); });
  CtrlC ctrl_c;
  try {
    while (running.wait_for(CtrlC::kPatience) != std::future_status::ready) ctrl_c();
  } catch (...) {
    stop = true;
    running.wait();
    throw;
  }
  return running.get();
}

void bind_runs(py::module_& m) {
  py::class_<ExperimentObject>(m, "Experiment", R"(An experiment: every entry with every seed.

>>> entry = iqbo.experiment.Entry(iqbo.problems.problem("two-peaks"), "random", steps=3)
>>> iqbo.experiment.Experiment("small", [entry], seeds=2)
Experiment('small': 1 entries, 2 seeds)
)")
      .def(
          py::init([](const std::string& name, const py::list& entries, Index seeds, std::uint64_t first_seed) {
            const py::tuple args = py::make_tuple(name, py::list(entries.attr("copy")()), seeds, first_seed);
            ExperimentObject out{{name, {}, seeds, first_seed}, py::make_tuple(py::type::of<ExperimentObject>(), args)};
            for (std::size_t i = 0; i < entries.size(); ++i)
              out.value.entries.push_back(item_from<EntryObject>(entries, i, "entries", "an Entry").value);
            return out;
          }),
          "name"_a, "entries"_a, "seeds"_a = 10, "first_seed"_a = 1)
      .def_property_readonly("name", [](const ExperimentObject& self) { return self.value.name; })
      .def_property_readonly(
          "configuration", [](const ExperimentObject& self) { return configuration(self.value); }, "JSON.")
      .def("__reduce__", [](const ExperimentObject& self) { return self.reduced; })
      .def("__repr__", [](const ExperimentObject& self) {
        return "Experiment('" + self.value.name + "': " + std::to_string(self.value.entries.size()) + " entries, " +
               std::to_string(self.value.seeds) + " seeds)";
      });
  m.def(
      "run",
      [](const ExperimentObject& experiment, const py::object& folder, unsigned threads, const py::object& progress) {
        if (!py::isinstance<py::str>(folder) && !py::hasattr(folder, "__fspath__"))
          refuse("folder", brief(folder), "the name of a folder");
        RunResult out = run_and_listen(experiment.value, py::str(folder), threads, progress);
        return py::make_tuple(TableObject{std::move(out.table)}, out.finished);
      },
      "experiment"_a, "folder"_a, "threads"_a = 0, "progress"_a = py::none(),
      R"(Runs an experiment on all cores and keeps it in a folder, where an interrupted run continues; returns (ResultTable, finished).

progress(done, all): a function that is called when replications finish.

>>> import tempfile
>>> entry = iqbo.experiment.Entry(iqbo.problems.problem("two-peaks"), "random", steps=3)
>>> small = iqbo.experiment.Experiment("small", [entry], seeds=2)
>>> with tempfile.TemporaryDirectory() as folder:
...     table, finished = iqbo.experiment.run(small, folder, threads=1)
>>> len(table), finished
(6, True)
)");
}

}  // namespace

void bind_experiment(py::module_& m) {
  bind_entries(m);
  bind_runs(m);
}

}  // namespace iqbo::python
