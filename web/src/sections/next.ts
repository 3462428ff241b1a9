// What the next query is worth.
import * as Plot from "@observablehq/plot";
import { Chart } from "../charts/chart";
import { axisScale, extent, widened } from "../charts/domain";
import { mapOptions, position } from "../charts/map";
import { rankingOptions } from "../charts/ranking";
import { Side } from "../charts/side";
import { section } from "../controls";
import { h, type Child } from "../dom";
import type { Score } from "../document";
import { pointText, short } from "../format";
import { chosen, line } from "../palette";
import type { View } from "../view";

export function nextSection(view: View): HTMLElement | null {
  const { scores, g, query, policy } = view.doc;
  if (!scores) return null;
  const { next } = scores;
  const name = next === null ? null : pointText(query.axes, g.points[next] ?? [], g.names[next] ?? "");
  const lead = `How much each query promises by the score of ${scores.policy || policy}${scores.logarithms ? ", as a logarithm" : ""}. Only differences within this picture mean something.`;
  return section(
    "next",
    "What to ask next",
    lead,
    h("p", { class: "big-text", id: "next-query" }, name === null ? "No query stands out." : ["Next: ", h("strong", {}, name)]),
    scores.why.length ? h("ul", { class: "why", "aria-label": "Why" }, scores.why.map((text) => h("li", {}, text))) : null,
    pictures(view, scores),
  );
}

function pictures(view: View, scores: Score): Child {
  const side = new Side(view, "g");
  const label = `score of ${scores.policy || view.doc.policy}${scores.logarithms ? " (log)" : ""}`;
  if (scores.values.length === 0) return null;
  const look = side.space.axes.length > 2 ? "ranking" : side.look;
  const chart = (title: string, draw: (width: number) => Plot.PlotOptions, legend = false) => new Chart({ label: `${title}: ${label}`, title, legend, draw }).element;
  const best = (most: number) => chart("The most promising queries", (width) => asRanking(side, scores, label, most, width));
  if (look === "ranking") return best(20);
  if (look === "band") return chart("The diamond is the chosen query", () => asLine(side, scores, label));
  return h("div", { class: "pair" }, chart("The diamond is the chosen query", (width) => asMap(side, scores, label, width), true), best(12));
}

const diamond = { symbol: "diamond" as const, r: 8, fill: chosen, stroke: "white", strokeWidth: 1.5 };

function asMap(side: Side, { values, next }: Score, label: string, width: number): Plot.PlotOptions {
  const tip = (i: number) => [side.tip(i), `${label} ${short(values[i])}`].join("\n");
  const mark = next === null || !side.field.points[next] ? null : Plot.dot([position(side.field, next)], { x: "0", y: "1", ...diamond });
  return mapOptions(side.field, { values, label, range: extent(values), scheme: "magma", reverse: false, tip, marks: [mark] }, width);
}

function asLine(side: Side, { values, next }: Score, label: string): Plot.PlotOptions {
  const { field } = side;
  const order = field.points.map((_, i) => i).sort((i, j) => field.points[i][0] - field.points[j][0]);
  const [x, y] = [(i: number) => field.points[i][0], (i: number) => values[i] ?? NaN];
  const listed = field.pixels && order.length <= 40;
  return {
    height: 260,
    x: axisScale(field.axes[0], listed ? 0.03 : 0),
    y: { label, domain: widened(extent(values), 0.06), grid: true },
    marks: [
      Plot.frame({ stroke: line }),
      listed ? Plot.dot(order, { x, y, fill: chosen, r: 3.5 }) : Plot.lineY(order, { x, y, stroke: chosen, strokeWidth: 2 }),
      next === null ? null : [Plot.ruleX([next], { x, stroke: chosen, strokeDasharray: "3 3" }), Plot.dot([next], { x, y, ...diamond })],
      Plot.tip(order, Plot.pointerX({ x, y, title: (i: number) => `${side.tip(i)}\n${label} ${short(values[i])}` })),
    ],
  };
}

function asRanking(side: Side, { values, next }: Score, label: string, most: number, width: number): Plot.PlotOptions {
  const names = side.belief.points.map((point, i) => pointText(side.space.axes, point, side.belief.names[i] ?? ""));
  return rankingOptions({ ...side.field, names }, { mean: values, sd: null, label, most, lowest: false, marked: next, colour: chosen }, width);
}
