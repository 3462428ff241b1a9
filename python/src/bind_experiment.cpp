#include <atomic>
#include <future>

#include "iqbo/experiment/bench.hpp"
#include "iqbo/experiment/paper.hpp"
#include "names.hpp"
#include "objects.hpp"
#include "problems.hpp"
#include "records.hpp"
#include "shared_names.hpp"

namespace iqbo::python {
namespace {

constexpr Names<AskedAs, 3> kAsking{{{AskedAs::kList, "list"}, {AskedAs::kTree, "tree"}, {AskedAs::kLeaves, "leaves"}}};
constexpr Names<Regret, 2> kRegrets{{{Regret::kSimple, "simple"}, {Regret::kInstant, "instant"}}};
constexpr Names<Axis, 2> kAxes{{{Axis::kAnswers, "answers"}, {Axis::kCost, "cost"}}};
constexpr Names<Verdict, 3> kVerdicts{
    {{Verdict::kHolds, "holds"}, {Verdict::kDoesNotHold, "does not hold"}, {Verdict::kUndecided, "undecided"}}};

struct TableObject {
  ResultTable value;
};

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
  return [call = Callable(problem)](std::uint64_t seed) {
    const py::gil_scoped_acquire lock;
    return call(seed).cast<const ProblemObject&>().value;
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

>>> table = iqbo.replicate(iqbo.Entry(iqbo.problem("two-peaks"), "random", steps=3), seed=1)
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

problem: a `Problem`, or a function of the seed that makes one (then `name` names it). lengthscales: of the RBF that the policy
is told ([]: the problem's own kernel; None: all is fitted). learned: how p(x|a) is learned from `pairs`; None: it is known.

>>> entry = iqbo.Entry(iqbo.problem("two-peaks"), "cmes", steps=4)
>>> len(iqbo.replicate(entry, seed=1))
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
      "entry"_a, "seed"_a, R"(One row per answer; what another policy met with the same seed, this one meets too.

>>> len(iqbo.replicate(iqbo.Entry(iqbo.problem("two-peaks"), "random", steps=3), seed=1))
3
)");
}

// --- runs ---

struct ExperimentObject {
  Experiment value;
};

// Worker threads cannot hear Ctrl-C: the caller's listens for them.
RunResult run_and_listen(const Experiment& experiment, const std::string& folder, unsigned threads,
                         const py::object& progress) {
  std::atomic<bool> stop = false;
  RunOptions options{threads, {}, [&] { return stop.load(); }};
  if (!progress.is_none())
    options.progress = [call = Callable(progress)](Index done, Index all) {
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
  py::class_<ExperimentObject>(m, "Experiment", R"(Entries times seeds.

>>> entry = iqbo.Entry(iqbo.problem("two-peaks"), "random", steps=3)
>>> iqbo.Experiment("small", [entry], seeds=2)
Experiment('small': 1 entries, 2 seeds)
)")
      .def(py::init([](const std::string& name, const py::list& entries, Index seeds, std::uint64_t first_seed) {
             ExperimentObject out{{name, {}, seeds, first_seed}};
             for (const auto& entry : entries) out.value.entries.push_back(entry.cast<const EntryObject&>().value);
             return out;
           }),
           "name"_a, "entries"_a, "seeds"_a = 10, "first_seed"_a = 1)
      .def_property_readonly("name", [](const ExperimentObject& self) { return self.value.name; })
      .def_property_readonly(
          "configuration", [](const ExperimentObject& self) { return configuration(self.value); }, "JSON.")
      .def("__repr__", [](const ExperimentObject& self) {
        return "Experiment('" + self.value.name + "': " + std::to_string(self.value.entries.size()) + " entries, " +
               std::to_string(self.value.seeds) + " seeds)";
      });
  m.def(
      "run",
      [](const ExperimentObject& experiment, const py::object& folder, unsigned threads, const py::object& progress) {
        RunResult out = run_and_listen(experiment.value, py::str(folder), threads, progress);
        return py::make_tuple(TableObject{std::move(out.table)}, out.finished);
      },
      "experiment"_a, "folder"_a, "threads"_a = 0, "progress"_a = py::none(),
      R"((ResultTable, finished): run on all cores, kept in a folder, taken up again where it was interrupted.

progress(done, all): a function to be told of finished replications.

>>> import tempfile
>>> small = iqbo.Experiment("small", [iqbo.Entry(iqbo.problem("two-peaks"), "random", steps=3)], seeds=2)
>>> with tempfile.TemporaryDirectory() as folder:
...     table, finished = iqbo.run(small, folder, threads=1)
>>> len(table), finished
(6, True)
)");
}

// --- figures, regrets, findings ---

struct FigureObject {
  Figure value;
};
struct RegretsObject {
  Regrets value;
};

void bind_figures(py::module_& m) {
  Record<Panel>(m, "Panel", R"(One problem of a figure.

>>> iqbo.bench_figure(["two-peaks"], ["random"], seeds=2, steps=5).panels[0].problem
'two-peaks'
)")
      .field("problem", &Panel::problem)
      .field("title", &Panel::title)
      .field("least", &Panel::least, "Regret below this counts as this.")
      .field("simple_floor", &Panel::simple_floor)
      .field("instant_floor", &Panel::instant_floor);
  py::class_<FigureObject>(m, "Figure", R"(An experiment, and what is drawn from it.

>>> iqbo.bench_figure(["two-peaks"], ["random"], seeds=2, steps=5).axis
'answers'
)")
      .def_property_readonly("experiment",
                             [](const FigureObject& self) { return ExperimentObject{self.value.experiment}; })
      .def_property_readonly("axis", [](const FigureObject& self) { return name_of(kAxes, self.value.axis); })
      .def_property_readonly("grid", [](const FigureObject& self) { return self.value.grid; })
      .def_property_readonly("panels", [](const FigureObject& self) { return self.value.panels; });
  py::class_<RegretsObject>(m, "Regrets", R"(log10 regret along paired runs.

>>> figure = iqbo.bench_figure(["two-peaks"], ["random"], seeds=2, steps=5)
>>> import tempfile
>>> with tempfile.TemporaryDirectory() as folder:
...     table, _ = iqbo.run(figure.experiment, folder)
>>> iqbo.Regrets(table, figure).logs("two-peaks", "random").shape[0]      # seeds
2
)")
      .def(py::init([](const TableObject& table, const FigureObject& figure) {
             return RegretsObject{Regrets(table.value, figure.value)};
           }),
           "table"_a, "figure"_a)
      .def_property_readonly("figure", [](const RegretsObject& self) { return FigureObject{self.value.figure()}; })
      .def(
          "logs",
          [](const RegretsObject& self, const std::string& problem, const std::string& policy,
             const std::string& regret) {
            return self.value.logs(problem, policy, value_of(kRegrets, regret, "regret"));
          },
          "problem"_a, "policy"_a, "regret"_a = "simple", "log10 regret, shape (seeds, grid).")
      .def(
          "mean_log",
          [](const RegretsObject& self, const std::string& problem, const std::string& policy,
             const std::string& regret, double low, double high) {
            return self.value.mean_log(problem, policy, value_of(kRegrets, regret, "regret"), low, high);
          },
          "problem"_a, "policy"_a, "regret"_a, "low"_a, "high"_a, "Its mean over low < grid <= high, shape (seeds,).")
      .def(
          "curves_csv", [](const RegretsObject& self) { return curves_csv(self.value); },
          "problem, policy, regret, at, mean, low, high: in units of f.");
  m.def(
      "bench_figure",
      [](const std::vector<std::string>& problems, const std::vector<std::string>& policies, Index seeds,
         std::uint64_t first_seed, Index steps, Index pairs) {
        return FigureObject{bench_figure({problems, policies, seeds, first_seed, steps, pairs})};
      },
      "problems"_a, "policies"_a, "seeds"_a = 10, "first_seed"_a = 1, "steps"_a = 50, "pairs"_a = 0,
      R"(Which policy for which problem? `run` its experiment, make `Regrets` of the table.

>>> iqbo.bench_figure(["two-peaks"], ["cmes", "random"], seeds=2, steps=5).panels[0].problem
'two-peaks'
)");
}

PaperOptions paper_options(const std::string& how, Index seeds, std::uint64_t first_seed, Index steps, double budget,
                           Index x_grid, Index a_grid, Index pairs) {
  return {choices(how), seeds, first_seed, steps, budget, x_grid, a_grid, pairs};
}

void bind_findings(py::module_& m) {
  Record<Interval>(m, "Interval", R"(A mean and its 95 % interval.

>>> iqbo.mean_interval([1.0, 2.0, 3.0]).n
3
)")
      .field("mean", &Interval::mean)
      .field("low", &Interval::low)
      .field("high", &Interval::high)
      .field("n", &Interval::n);
  Record<Finding>(m, "Finding", R"(A claim, what was measured, and whether it holds.

>>> iqbo.figure5_findings()[0].about
'figure 5'
)")
      .field("about", &Finding::about)
      .field("claim", &Finding::claim)
      .field("measure", &Finding::measure)
      .field("difference", &Finding::difference)
      .field("verdict", &Finding::verdict, kVerdicts)
      .field("remark", &Finding::remark)
      .field("extra", &Finding::extra);
  m.def(
      "mean_interval", [](const ArrayLike& values) { return mean_interval(vector(values, "values")); }, "values"_a,
      R"(Student's 95 % interval of the mean of independent values (n,).

>>> iqbo.mean_interval([1.0, 2.0, 3.0]).mean
2.0
)");
  m.def(
      "paired_difference",
      [](const ArrayLike& one, const ArrayLike& other) {
        const Vector first = vector(one, "one");
        return paired_difference(first, vector(other, "other", first.size()));
      },
      "one"_a, "other"_a, R"(Of one - other, seeds in the same order, (n,) each.

>>> iqbo.paired_difference([1.0, 2.0], [0.0, 1.0]).mean
1.0
)");
  m.def(
      "is_smaller", [](const Interval& difference) { return name_of(kVerdicts, is_smaller(difference)); },
      "difference"_a,
      R"("holds" if the interval is below 0, "does not hold" if no part of it is, else "undecided".

>>> iqbo.is_smaller(iqbo.mean_interval([-1.0, -1.1, -0.9]))
'holds'
)");
  m.def(
      "bench_findings", [](const RegretsObject& regrets) { return bench_findings(regrets.value); }, "regrets"_a,
      R"(Per problem: each policy against the one with the least simple regret.

>>> figure = iqbo.bench_figure(["two-peaks"], ["random", "cjes"], seeds=2, steps=5)
>>> import tempfile
>>> with tempfile.TemporaryDirectory() as folder:
...     table, _ = iqbo.run(figure.experiment, folder)
>>> len(iqbo.bench_findings(iqbo.Regrets(table, figure)))
1
)");
  m.def(
      "bench_summary", [](const RegretsObject& regrets) { return bench_summary(regrets.value); }, "regrets"_a,
      R"(Per problem and policy, in Markdown.

>>> figure = iqbo.bench_figure(["two-peaks"], ["random"], seeds=2, steps=5)
>>> import tempfile
>>> with tempfile.TemporaryDirectory() as folder:
...     table, _ = iqbo.run(figure.experiment, folder)
>>> "random" in iqbo.bench_summary(iqbo.Regrets(table, figure))
True
)");
  m.def(
      "to_markdown", [](const Findings& findings) { return to_markdown(findings); }, "findings"_a,
      R"(A table of verdicts.

>>> "figure 5" in iqbo.to_markdown(iqbo.figure5_findings())
True
)");
  m.def(
      "tally", [](const Findings& findings) { return tally(findings); }, "findings"_a,
      R"("7 hold, 3 do not hold, 12 undecided".

>>> "hold" in iqbo.tally(iqbo.figure5_findings())
True
)");
}

void bind_paper(py::module_& m) {
  const PaperOptions usual;
  m.def(
      "paper_figure",
      [](int number, const std::string& how, Index seeds, std::uint64_t first_seed, Index steps, double budget,
         Index x_grid, Index a_grid, Index pairs) {
        return FigureObject{
            paper_figure(number, paper_options(how, seeds, first_seed, steps, budget, x_grid, a_grid, pairs))};
      },
      "number"_a, "choices"_a = "fixed", "seeds"_a = usual.seeds, "first_seed"_a = usual.first_seed,
      "steps"_a = usual.steps, "budget"_a = usual.budget, "x_grid"_a = usual.x_grid, "a_grid"_a = usual.a_grid,
      "pairs"_a = usual.pairs, R"(Figures 1, 3 and 4 of the paper: what is to be run.

>>> iqbo.paper_figure(3, seeds=1, steps=24).axis
'answers'
)");
  m.def(
      "paper_drawings",
      [](int number) {
        py::dict out;
        for (const auto& [name, csv] : paper_drawings(number)) out[py::str(name)] = csv;
        return out;
      },
      "number"_a, R"(Figures 1, 2 and 5: CSV by file name.

>>> all(name.endswith(".csv") for name in iqbo.paper_drawings(5))
True
)");
  m.def(
      "figure3_findings",
      [](const RegretsObject& regrets, const std::string& how) {
        return figure3_findings(regrets.value, choices(how));
      },
      "regrets"_a, "choices"_a = "fixed",
      R"(The claims about figure 3, from the regrets of a run of `paper_figure(3)`.

>>> figure = iqbo.paper_figure(3, seeds=2)
>>> figure.axis      # `run` its experiment, make `Regrets` of the table
'answers'
)");
  m.def(
      "figure4_findings",
      [](const RegretsObject& regrets, const std::string& how) {
        return figure4_findings(regrets.value, choices(how));
      },
      "regrets"_a, "choices"_a = "fixed",
      R"(The claims about figure 4, from the regrets of a run of `paper_figure(4)`.

>>> figure = iqbo.paper_figure(4, seeds=2)
>>> figure.axis      # `run` its experiment, make `Regrets` of the table
'cost'
)");
  m.def("figure2_findings", &figure2_findings, R"(The claims of the paper about its figure 2, and whether they hold.

>>> iqbo.figure2_findings()[0].about
'figure 2'
)");
  m.def("figure5_findings", &figure5_findings, R"(The claims about figure 5.

>>> iqbo.figure5_findings()[0].about
'figure 5'
)");
  m.def("lemma_findings", &lemma_findings, "seed"_a, py::call_guard<py::gil_scoped_release>(),
        R"(Lemmas 1 and 4, on posteriors at random.

>>> {finding.verdict for finding in iqbo.lemma_findings(1)} <= {"holds", "does not hold", "undecided"}
True
)");
}

}  // namespace

void bind_experiment(py::module_& m) {
  bind_entries(m);
  bind_runs(m);
  bind_figures(m);
  bind_findings(m);
  bind_paper(m);
}

}  // namespace iqbo::python
