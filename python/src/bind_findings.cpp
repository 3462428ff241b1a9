// Figures, regrets and verdicts of experiments, the paper's among them.
#include "experiments.hpp"
#include "iqbo/experiment/anytime.hpp"
#include "iqbo/experiment/bench.hpp"
#include "iqbo/paper/paper.hpp"
#include "names.hpp"
#include "records.hpp"
#include "shared_names.hpp"

namespace iqbo::python {
namespace {

constexpr Names<Regret, 2> kRegrets{{{Regret::kSimple, "simple"}, {Regret::kInstant, "instant"}}};
constexpr Names<Axis, 2> kAxes{{{Axis::kAnswers, "answers"}, {Axis::kCost, "cost"}}};
constexpr Names<Verdict, 4> kVerdicts{{{Verdict::kEqual, "equal"},
                                       {Verdict::kHolds, "holds"},
                                       {Verdict::kDoesNotHold, "does not hold"},
                                       {Verdict::kUndecided, "undecided"}}};

struct FigureObject {
  Figure value;
  py::tuple reduced;  // (function, its arguments), which make an equal object
  std::vector<std::string> assumptions = {};

  std::string repr() const {
    const Experiment& run = value.experiment;
    return "Figure('" + run.name + "': " + std::to_string(value.panels.size()) + " panels, " +
           std::to_string(run.entries.size()) + " entries, " + std::to_string(run.seeds) + " seeds)";
  }
};
struct RegretsObject {
  Regrets value;
  py::object table, figure;  // those it was made from
};

// A figure is the result of a function of plain arguments, and is pickled as such.
FigureObject made_by(const char* function, Figure figure, const py::dict& arguments) {
  const py::object again = py::module_::import("iqbo._again").attr("called");
  return {std::move(figure), py::make_tuple(again, py::make_tuple(function, arguments))};
}

void bind_figures(py::module_& m) {
  Record<Panel>(m, "Panel", R"(One problem of a figure.

>>> iqbo.experiment.bench_figure(["two-peaks"], ["random"], seeds=2, steps=5).panels[0].problem
'two-peaks'
)")
      .field("problem", &Panel::problem)
      .field("title", &Panel::title)
      .field("least", &Panel::least, "Smaller regrets count as this one.")
      .field("simple_floor", &Panel::simple_floor)
      .field("instant_floor", &Panel::instant_floor);
  py::class_<FigureObject>(m, "Figure", R"(An experiment, and how its results are drawn.

>>> iqbo.experiment.bench_figure(["two-peaks"], ["random"], seeds=2, steps=5).axis
'answers'
)")
      .def_property_readonly("experiment",
                             [](const py::object& self) {
                               const py::object get = py::module_::import("operator").attr("attrgetter")("experiment");
                               return ExperimentObject{self.cast<const FigureObject&>().value.experiment,
                                                       py::make_tuple(get, py::make_tuple(self))};
                             })
      .def_property_readonly("axis", [](const FigureObject& self) { return name_of(kAxes, self.value.axis); })
      .def_property_readonly("grid", [](const FigureObject& self) { return self.value.grid; })
      .def_property_readonly("panels", [](const FigureObject& self) { return self.value.panels; })
      .def_readonly("assumptions", &FigureObject::assumptions,
                    "For the figure of a study: everything that it assumes, as sentences.")
      .def("__reduce__", [](const FigureObject& self) { return self.reduced; })
      .def("__repr__", &FigureObject::repr);
  py::class_<RegretsObject>(m, "Regrets", R"(log10 regret along paired runs.

>>> figure = iqbo.experiment.bench_figure(["two-peaks"], ["random"], seeds=2, steps=5)
>>> import tempfile
>>> with tempfile.TemporaryDirectory() as folder:
...     table, _ = iqbo.experiment.run(figure.experiment, folder)
>>> iqbo.experiment.Regrets(table, figure).logs("two-peaks", "random").shape[0]      # seeds
2
)")
      .def(py::init([](const py::object& table, const py::object& figure) {
             const auto& rows = object_from<TableObject>(table, "table", "a ResultTable");
             const auto& drawn = object_from<FigureObject>(figure, "figure", "a Figure");
             return RegretsObject{Regrets(rows.value, drawn.value), table, figure};
           }),
           "table"_a, "figure"_a)
      .def_property_readonly("figure", [](const RegretsObject& self) { return self.figure; })
      .def("__reduce__",
           [](py::object self) {
             const auto& regrets = self.cast<const RegretsObject&>();
             return py::make_tuple(py::type::of(self), py::make_tuple(regrets.table, regrets.figure));
           })
      .def("__repr__",
           [](const RegretsObject& self) {
             return "Regrets(" + std::string(py::repr(self.table)) + ", " + std::string(py::repr(self.figure)) + ")";
           })
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
          "problem"_a, "policy"_a, "regret"_a, "low"_a, "high"_a,
          "The mean of log10 regret over low < grid <= high, shape (seeds,).")
      .def(
          "curves_csv", [](const RegretsObject& self) { return curves_csv(self.value); },
          "CSV with the columns problem, policy, regret, at, mean, low and high; the last three are in units of f.");
}

// --- comparing policies ---

void bind_bench(py::module_& m) {
  m.def(
      "bench_figure",
      [](const std::vector<std::string>& problems, const std::vector<std::string>& policies, Index seeds,
         std::uint64_t first_seed, Index steps, Index pairs, std::optional<double> budget,
         const std::optional<std::string>& ask) {
        BenchOptions options{problems, policies, seeds, first_seed, steps, pairs, budget};
        if (ask) options.asking = value_of(kAsking, *ask, "ask");
        return made_by(
            "bench_figure", bench_figure(options),
            py::dict("problems"_a = problems, "policies"_a = policies, "seeds"_a = seeds, "first_seed"_a = first_seed,
                     "steps"_a = steps, "pairs"_a = pairs, "budget"_a = budget, "ask"_a = ask));
      },
      "problems"_a, "policies"_a, "seeds"_a = 10, "first_seed"_a = 1, "steps"_a = 50, "pairs"_a = 0,
      "budget"_a = py::none(), "ask"_a = py::none(),
      R"(A comparison of policies on test problems: `run` its experiment, and make `Regrets` of the table.

budget: a limit on the cost, instead of steps. ask: how problems with several resolutions are asked, as a "tree" (the default),
"leaves" or a "list".

>>> iqbo.experiment.bench_figure(["two-peaks"], ["cmes", "random"], seeds=2, steps=5).panels[0].problem
'two-peaks'
)");
  m.def(
      "_study_figure",
      [](const std::string& text, const std::map<std::string, std::string>& files,
         const std::optional<Hyperparameters>& fit, const ArrayLike& x, const ArrayLike& a,
         const std::vector<std::string>& policies, Index seeds, std::uint64_t first_seed, Index steps,
         std::optional<double> budget) {
        const StudyPast past{fit, {rows(x, "x"), rows(a, "a")}};
        const BenchOptions options{{}, policies, seeds, first_seed, steps, 0, budget};
        SpecBench bench = without_gil([&] { return spec_bench({text, files}, past, options); });
        FigureObject out = made_by("_study_figure", std::move(bench.figure),
                                   py::dict("text"_a = text, "files"_a = files, "fit"_a = fit, "x"_a = past.pairs.x,
                                            "a"_a = past.pairs.a, "policies"_a = policies, "seeds"_a = seeds,
                                            "first_seed"_a = first_seed, "steps"_a = steps, "budget"_a = budget));
        out.assumptions = std::move(bench.assumptions);
        return out;
      },
      "text"_a, "files"_a, "fit"_a, "x"_a, "a"_a, "policies"_a, "seeds"_a, "first_seed"_a, "steps"_a, "budget"_a);
}

PaperOptions paper_options(const std::string& how, Index seeds, std::uint64_t first_seed, Index steps, double budget,
                           Index x_grid, Index a_grid, Index pairs) {
  PaperOptions out = paper_choices(how);
  out.seeds = seeds;
  out.first_seed = first_seed;
  out.steps = steps;
  out.budget = budget;
  out.x_grid = x_grid;
  out.a_grid = a_grid;
  out.pairs = pairs;
  return out;
}

void bind_verdicts(py::module_& m) {
  Record<Interval>(m, "Interval", R"(A mean and its 95 % interval.

>>> iqbo.experiment.mean_interval([1.0, 2.0, 3.0]).n
3
)")
      .field("mean", &Interval::mean)
      .field("low", &Interval::low)
      .field("high", &Interval::high)
      .field("n", &Interval::n);
  Record<Finding>(m, "Finding", R"(A claim, what was measured, and whether it holds.

>>> iqbo.paper.figure5_findings()[0].about
'figure 5'
)")
      .field("about", &Finding::about)
      .field("claim", &Finding::claim)
      .field("measure", &Finding::measure)
      .field("difference", &Finding::difference)
      .field("verdict", &Finding::verdict, kVerdicts)
      .field("remark", &Finding::remark)
      .field("extra", &Finding::extra)
      .field("corrected", &Finding::corrected,
             "An interval that holds jointly with those of all claims; the verdict rests on it.");
  m.def(
      "mean_interval", [](const ArrayLike& values) { return mean_interval(vector(values, "values")); }, "values"_a,
      R"(Student's 95 % interval of the mean of independent values (n,).

>>> iqbo.experiment.mean_interval([1.0, 2.0, 3.0]).mean
2.0
)");
  m.def(
      "paired_difference",
      [](const ArrayLike& one, const ArrayLike& other) {
        const Vector first = vector(one, "one");
        return paired_difference(first, vector(other, "other", first.size()));
      },
      "one"_a, "other"_a, R"(The interval of the mean of one - other, arrays (n,) whose seeds are in the same order.

>>> iqbo.experiment.paired_difference([1.0, 2.0], [0.0, 1.0]).mean
1.0
)");
  m.def(
      "anytime_interval",
      [](const ArrayLike& values, Index among) { return anytime_interval(vector(values, "values"), among); },
      "values"_a, "among"_a = 1,
      R"(A 95 % interval of the mean that holds after 2, 3, ... values simultaneously: one may look at any time, and stop.

>>> iqbo.experiment.anytime_interval([1.0, 2.0, 3.0] * 10).n
30
)");
  m.def(
      "is_smaller",
      [](const Interval& difference, double equal) { return name_of(kVerdicts, is_smaller(difference, equal)); },
      "difference"_a, "equal"_a = 0.0,
      R"("equal" if the interval lies within +-equal, "holds" if it is below 0, "does not hold" if no part of it is, else "undecided".

>>> iqbo.experiment.is_smaller(iqbo.experiment.mean_interval([-1.0, -1.1, -0.9]))
'holds'
)");
  m.def(
      "bench_findings", [](const RegretsObject& regrets) { return bench_findings(regrets.value); }, "regrets"_a,
      R"(Compares each policy, problem by problem, with the one that has the least simple regret.

>>> figure = iqbo.experiment.bench_figure(["two-peaks"], ["random", "cjes"], seeds=2, steps=5)
>>> import tempfile
>>> with tempfile.TemporaryDirectory() as folder:
...     table, _ = iqbo.experiment.run(figure.experiment, folder)
>>> len(iqbo.experiment.bench_findings(iqbo.experiment.Regrets(table, figure)))
1
)");
  m.def(
      "bench_summary", [](const RegretsObject& regrets) { return bench_summary(regrets.value); }, "regrets"_a,
      R"(The regrets of each policy on each problem, as a table in Markdown.

>>> figure = iqbo.experiment.bench_figure(["two-peaks"], ["random"], seeds=2, steps=5)
>>> import tempfile
>>> with tempfile.TemporaryDirectory() as folder:
...     table, _ = iqbo.experiment.run(figure.experiment, folder)
>>> "random" in iqbo.experiment.bench_summary(iqbo.experiment.Regrets(table, figure))
True
)");
  m.def(
      "to_markdown", [](const Findings& findings) { return to_markdown(findings); }, "findings"_a,
      R"(The findings and their verdicts, as a table in Markdown.

>>> "figure 5" in iqbo.experiment.to_markdown(iqbo.paper.figure5_findings())
True
)");
  m.def(
      "tally", [](const Findings& findings) { return tally(findings); }, "findings"_a,
      R"(How many findings have each verdict: "7 hold, 3 do not hold, 12 undecided".

>>> "hold" in iqbo.experiment.tally(iqbo.paper.figure5_findings())
True
)");
}

}  // namespace

void bind_findings(py::module_& m) {
  bind_figures(m);
  bind_bench(m);
  bind_verdicts(m);
}

void bind_paper(py::module_& m) {
  const PaperOptions usual;
  m.def(
      "paper_figure",
      [](int number, const std::string& how, Index seeds, std::uint64_t first_seed, Index steps, double budget,
         Index x_grid, Index a_grid, Index pairs) {
        return made_by(
            "paper_figure",
            paper_figure(number, paper_options(how, seeds, first_seed, steps, budget, x_grid, a_grid, pairs)),
            py::dict("number"_a = number, "choices"_a = how, "seeds"_a = seeds, "first_seed"_a = first_seed,
                     "steps"_a = steps, "budget"_a = budget, "x_grid"_a = x_grid, "a_grid"_a = a_grid,
                     "pairs"_a = pairs));
      },
      "number"_a, "choices"_a = "fixed", "seeds"_a = usual.seeds, "first_seed"_a = usual.first_seed,
      "steps"_a = usual.steps, "budget"_a = usual.budget, "x_grid"_a = usual.x_grid, "a_grid"_a = usual.a_grid,
      "pairs"_a = usual.pairs, R"(The experiment of figure 1, 3 or 4 of the paper.

>>> iqbo.paper.paper_figure(3, seeds=1, steps=24).axis
'answers'
)");
  m.def(
      "paper_drawings",
      [](int number) {
        py::dict out;
        for (const auto& [name, csv] : paper_drawings(number)) out[py::str(name)] = csv;
        return out;
      },
      "number"_a, R"(The data of figure 1, 2 or 5 of the paper, {file name: CSV}.

>>> all(name.endswith(".csv") for name in iqbo.paper.paper_drawings(5))
True
)");
  const auto claims = [&m](const char* name, Findings (*judge)(const Regrets&, Choices), const char* doc) {
    m.def(
        name,
        [judge](const RegretsObject& regrets, const std::string& how) { return judge(regrets.value, choices(how)); },
        "regrets"_a, "choices"_a = "fixed", doc);
  };
  claims("figure3_findings", &figure3_findings,
         R"(The claims about figure 3, from the regrets of a run of `paper_figure(3)`.

>>> figure = iqbo.paper.paper_figure(3, seeds=2)
>>> figure.axis      # `run` its experiment, make `Regrets` of the table
'answers'
)");
  claims("figure4_findings", &figure4_findings,
         R"(The claims about figure 4, from the regrets of a run of `paper_figure(4)`.

>>> figure = iqbo.paper.paper_figure(4, seeds=2)
>>> figure.axis      # `run` its experiment, make `Regrets` of the table
'cost'
)");
  m.def("figure2_findings", &figure2_findings, R"(The claims of the paper about its figure 2, and whether they hold.

>>> iqbo.paper.figure2_findings()[0].about
'figure 2'
)");
  m.def("figure5_findings", &figure5_findings, R"(The claims about figure 5.

>>> iqbo.paper.figure5_findings()[0].about
'figure 5'
)");
  m.def("lemma_findings", &lemma_findings, "seed"_a, py::call_guard<py::gil_scoped_release>(),
        R"(Lemmas 1 and 4 of the paper, tested on random posteriors.

>>> {finding.verdict for finding in iqbo.paper.lemma_findings(1)} <= {"holds", "does not hold", "undecided"}
True
)");
}

}  // namespace iqbo::python
