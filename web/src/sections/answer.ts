// The recommendation first.
import * as Plot from "@observablehq/plot";
import { Chart } from "../charts/chart";
import { extent, widened } from "../charts/domain";
import { data, h, type Child } from "../dom";
import type { Answer, StudyDocument } from "../document";
import { chance, coordinate, coordinates, listed, plural, rounded, sentence, short, withUnit } from "../format";
import { accent, muted } from "../palette";
import type { View } from "../view";

export function answerSection(view: View): HTMLElement {
  const { doc } = view;
  const { answer } = doc;
  const goal = doc.goal === "maximize" ? "largest" : "smallest";
  return h(
    "section",
    { id: "answer", class: "answer", "aria-labelledby": "answer-title" },
    h(
      "h2",
      { id: "answer-title" },
      doc.limit == null
        ? `Where ${doc.value.name || "f"} is ${goal}`
        : `Where ${doc.value.name || "f"} is above ${withUnit(short(doc.limit), doc.value.unit)}`,
    ),
    answer ? found(view, answer) : none(doc),
    answer ? chances(view) : null,
    h("div", { class: "facts" }, budget(doc), counts(doc)),
    notes([...(answer?.notes ?? []), ...doc.notes].filter((note) => note.trim() !== doc.learned?.summary.trim())),
  );
}

function none(doc: StudyDocument): HTMLElement {
  const waiting = doc.status.pending > 0 ? `${plural(doc.status.pending, "query is", "queries are")} pending; ` : "";
  return h(
    "p",
    { class: "big-text" },
    sentence(`${waiting}nothing has been told yet, so there is no recommendation`),
    " ",
    h("code", {}, doc.status.pending > 0 ? "iqbo tell" : "iqbo ask"),
    " comes next.",
  );
}

function found(view: View, answer: Answer): Child {
  const { value } = view.doc;
  const number = (x: number) => data(x, rounded(x, answer.sd));
  return [
    h(
      "div",
      { class: "card" },
      h("div", { class: "where" }, place(view, answer)),
      h(
        "dl",
        { class: "figures" },
        figure("Expected there", [h("strong", { id: "answer-mean" }, number(answer.mean)), unit(value.unit)]),
        figure("Between, with 95 % probability", [
          h("strong", { id: "answer-interval" }, number(answer.low), " to ", number(answer.high)),
          unit(value.unit),
        ]),
        answer.probability === null
          ? null
          : figure(
              answer.tolerance > 0
                ? `Probability of being within ${withUnit(short(answer.tolerance), value.unit)} of the best`
                : "Probability of being the best",
              h(
                "strong",
                { id: "answer-probability" },
                data(answer.probability, chance(answer.probability, answer.probability_error)),
              ),
            ),
        answer.unseen == null
          ? null
          : figure(
              "Probability of a better spot that no answer has shown",
              h("strong", { id: "answer-unseen" }, data(answer.unseen, chance(answer.unseen))),
            ),
        answer.optimum_low == null || answer.optimum_high == null
          ? null
          : figure("The optimum itself, with 95 % probability", [
              h("strong", { id: "answer-optimum" }, number(answer.optimum_low), " to ", number(answer.optimum_high)),
              unit(value.unit),
            ]),
      ),
    ),
    answer.moving.text
      ? h("p", { class: "moving", id: "answer-moving" }, `Still moving? ${sentence(answer.moving.text)}`)
      : null,
    interval(view, answer),
  ];
}

// What people ask next: what is lost by stopping, which few hold the best, how much is above the limit.
function chances(view: View): Child {
  const { chances: said, value, f, limit, g } = view.doc;
  if (!said) return null;
  const name = (i: number) => f.names[i] || coordinates(view.doc.target.axes, f.points[i]);
  const few = said.smallest.slice(0, 8).map(name);
  const more = said.smallest.length - few.length;
  const above = (column: (number | null)[] | null) => (column ?? []).filter((p) => (p ?? 0) > 0.5).length;
  const sure = (column: (number | null)[] | null) => (column ?? []).filter((p) => (p ?? 0) >= 0.95).length;
  const rows: Child[] = [
    h(
      "li",
      { id: "answer-regret" },
      "Stopping now is expected to cost ",
      data(said.regret, withUnit(short(Number(said.regret.toPrecision(2))), value.unit)),
      " compared with the true best (standard error ",
      short(Number(said.regret_error.toPrecision(1))),
      ").",
    ),
    said.smallest.length > 0 && said.smallest.length <= f.points.length / 2
      ? h(
          "li",
          { id: "answer-smallest" },
          `The best is ${said.smallest.length === 1 ? "" : "one of "}${few.length > 1 && more <= 0 ? listed(few) : few.join(", ")}${more > 0 ? ` and ${more} more (${said.smallest.length} of ${f.points.length})` : ""} with a probability of `,
          data(said.smallest_probability, chance(said.smallest_probability)),
          ".",
        )
      : null,
    limit == null || !said.above
      ? null
      : h(
          "li",
          { id: "answer-above" },
          `Above ${withUnit(short(limit), value.unit)}: ${above(said.above)} of ${plural(f.points.length, "point")} more probably than not, ${sure(said.above)} with at least 95 %`,
          said.above_g && g.points.length
            ? `; of ${plural(g.points.length, "query", "queries")}, ${above(said.above_g)} and ${sure(said.above_g)}.`
            : ".",
        ),
  ];
  return h("ul", { class: "chances", id: "chances" }, rows);
}

function figure(term: string, value: Child): HTMLElement {
  return h("div", {}, h("dt", {}, term), h("dd", {}, value));
}

function unit(text: string): Child {
  return text ? h("small", {}, text) : null;
}

function place(view: View, answer: Answer): Child {
  const { axes } = view.doc.target;
  const name = answer.name || (axes.length === 0 ? answer.x.map(short).join(", ") : "");
  const rows = axes.map((axis, j) =>
    h("div", {}, h("dt", {}, axis.name), h("dd", {}, data(answer.x[j], coordinate(axis, answer.x[j])))),
  );
  return [
    name ? h("p", { class: "name", id: "answer-name" }, name) : null,
    axes.length > 0 ? h("dl", { class: "place", id: "answer-place" }, rows) : null,
  ];
}

// The interval among the means of all points.
function interval(view: View, answer: Answer): HTMLElement | null {
  const { f, value } = view.doc;
  if (f.points.length < 3) return null;
  const means = f.mean.filter((m) => m !== null);
  const chart = new Chart({
    label: `The recommendation's 95 % interval, ${rounded(answer.low, answer.sd)} to ${withUnit(rounded(answer.high, answer.sd), value.unit)}, among the means of all points`,
    title: "The recommendation and its interval, among the estimates at all points (thin lines)",
    draw: () => ({
      height: 84,
      marginTop: 10,
      marginLeft: 18,
      x: { label: view.valueLabel, domain: widened(extent(means, [answer.low, answer.high]), 0.03) },
      y: { axis: null, domain: [-1, 1] },
      marks: [
        Plot.ruleX(sample(means), { y1: -0.6, y2: 0.6, stroke: muted, strokeOpacity: 0.22 }),
        Plot.link([answer], {
          x1: "low",
          x2: "high",
          y1: 0,
          y2: 0,
          stroke: accent,
          strokeWidth: 5,
          strokeOpacity: 0.65,
          strokeLinecap: "round",
        }),
        Plot.dot([answer], { x: "mean", y: 0, symbol: "star", r: 8, fill: "white", stroke: "black", strokeWidth: 1.4 }),
      ],
    }),
  });
  return chart.element;
}

const sample = (values: number[]) =>
  values.length <= 400 ? values : values.filter((_, i) => i % Math.ceil(values.length / 400) === 0);

function budget(doc: StudyDocument): HTMLElement {
  const { spent, budget: all, left, pending } = doc.status;
  const promised = pending > 0 ? " or promised to pending queries" : "";
  const text =
    all === null
      ? [data(spent, short(spent)), `${promised}, no budget was set`]
      : [
          data(spent, short(spent)),
          " of ",
          data(all, short(all)),
          ` spent${promised}, `,
          data(left, short(left ?? all - spent)),
          " left",
        ];
  const bar = all === null ? null : h("meter", { min: 0, max: all, value: spent, "aria-labelledby": "budget-label" });
  return h(
    "div",
    { class: "budget", id: "budget" },
    h("span", { id: "budget-label" }, all === null ? "Cost so far: " : "Budget: ", text),
    bar,
  );
}

function counts(doc: StudyDocument): HTMLElement {
  const { told, pending, failed, imported, values, pairs } = doc.status;
  const all: [number, string, string][] = [
    [told, "answer", "answers"],
    [pending, "query pending", "queries pending"],
    [failed, "failure", "failures"],
    [imported, "answer imported", "answers imported"],
    [values, "value at a point imported", "values at points imported"],
    [pairs, "logged pair", "logged pairs"],
  ];
  const shown = all.filter(([count], k) => count > 0 || k === 0);
  return h(
    "ul",
    { class: "counts", id: "counts" },
    shown.map(([count, one, many]) => h("li", {}, data(count, String(count)), ` ${count === 1 ? one : many}`)),
  );
}

// How numbers were computed: of no use to most readers.
const technical =
  /path|feature|circulant|posterior|Sobol|low rank|cloud|frequenc|knowledge gradient|kernel|lengthscale|hyperparameter|nugget|noise_var|variance|dispersion|\bprior\b|p\(x/i;

function notes(texts: string[]): Child {
  const distinct = [...new Set(texts)].filter((text) => text.trim() !== "");
  const list = (label: string, some: string[]) =>
    some.length === 0
      ? null
      : h(
          "ul",
          { class: "notes", "aria-label": label },
          some.map((text) => h("li", {}, sentence(text))),
        );
  const details = distinct.filter((text) => technical.test(text));
  return [
    list(
      "Notes",
      distinct.filter((text) => !technical.test(text)),
    ),
    details.length === 0 ? null : h("details", {}, h("summary", {}, "How this was computed"), list("Details", details)),
  ];
}
