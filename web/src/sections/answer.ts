// The recommendation first.
import * as Plot from "@observablehq/plot";
import { Chart } from "../charts/chart";
import { extent, widened } from "../charts/domain";
import { data, h, type Child } from "../dom";
import type { Answer, StudyDocument } from "../document";
import { coordinate, percent, plural, sentence, short, withUnit } from "../format";
import { accent, muted } from "../palette";
import type { View } from "../view";

export function answerSection(view: View): HTMLElement {
  const { doc } = view;
  const { answer } = doc;
  const goal = doc.goal === "maximize" ? "largest" : "smallest";
  return h(
    "section",
    { id: "answer", class: "answer", "aria-labelledby": "answer-title" },
    h("h2", { id: "answer-title" }, `Where ${doc.value.name || "f"} is ${goal}`),
    answer ? found(view, answer) : none(doc),
    h("div", { class: "facts" }, budget(doc), counts(doc)),
    notes([...(answer?.notes ?? []), ...doc.notes].filter((note) => note.trim() !== doc.learned?.summary.trim())),
  );
}

function none(doc: StudyDocument): HTMLElement {
  const waiting = doc.status.pending > 0 ? `${plural(doc.status.pending, "query is", "queries are")} out; ` : "";
  return h(
    "p",
    { class: "big-text" },
    sentence(`${waiting}nothing was told yet, so there is no answer`),
    " ",
    h("code", {}, doc.status.pending > 0 ? "iqbo tell" : "iqbo ask"),
    " comes next.",
  );
}

function found(view: View, answer: Answer): Child {
  const { value } = view.doc;
  const number = (x: number) => data(x, short(x));
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
              h("strong", { id: "answer-probability" }, data(answer.probability, percent(answer.probability))),
            ),
        answer.unseen == null
          ? null
          : figure(
              "Probability of a better spot that was not seen",
              h("strong", { id: "answer-unseen" }, data(answer.unseen, percent(answer.unseen))),
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
    label: `The recommendation's 95 % interval, ${short(answer.low)} to ${short(answer.high)} ${value.unit}, among the means of all points`,
    title: "The recommendation and its interval, among the means of all points (thin lines)",
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
  const { spent, budget: all, left } = doc.status;
  const text =
    all === null
      ? [data(spent, short(spent)), " spent; no budget was set"]
      : [
          data(spent, short(spent)),
          " of ",
          data(all, short(all)),
          " spent, ",
          data(left, short(left ?? all - spent)),
          " left",
        ];
  const bar = all === null ? null : h("meter", { min: 0, max: all, value: spent, "aria-labelledby": "budget-label" });
  return h("div", { class: "budget", id: "budget" }, h("span", { id: "budget-label" }, "Budget: ", text), bar);
}

function counts(doc: StudyDocument): HTMLElement {
  const { told, pending, failed, imported, values, pairs } = doc.status;
  const all: [number, string, string][] = [
    [told, "answer", "answers"],
    [pending, "query out", "queries out"],
    [failed, "failure", "failures"],
    [imported, "answer imported", "answers imported"],
    [values, "value of f imported", "values of f imported"],
    [pairs, "logged pair", "logged pairs"],
  ];
  const shown = all.filter(([count], k) => count > 0 || k === 0);
  return h(
    "ul",
    { class: "counts", id: "counts" },
    shown.map(([count, one, many]) => h("li", {}, data(count, String(count)), ` ${count === 1 ? one : many}`)),
  );
}

function notes(texts: string[]): HTMLElement | null {
  const distinct = [...new Set(texts)].filter((text) => text.trim() !== "");
  return distinct.length === 0
    ? null
    : h(
        "ul",
        { class: "notes", "aria-label": "Notes" },
        distinct.map((text) => h("li", {}, text)),
      );
}
