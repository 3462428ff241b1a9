// What the next query is worth.
import * as Plot from "@observablehq/plot";
import { listedOnly } from "../charts/band";
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
  const { scores, query, policy } = view.doc;
  if (!scores) return null;
  const at = asked(view, scores);
  const name = at ? pointText(query.axes, at.point, at.name) : null;
  const lead =
    extent(scores.values) === null
      ? null
      : `How much each query promises by the score of ${scores.policy || policy}${scores.logarithms ? ", as a logarithm" : ""}. Only differences within this picture mean something.`;
  return section(
    "next",
    "What to ask next",
    lead,
    h(
      "p",
      { class: "big-text", id: "next-query" },
      name === null ? "There is nothing to ask." : ["Next: ", h("strong", {}, name)],
    ),
    scores.why.length
      ? h(
          "ul",
          { class: "why", "aria-label": "Why" },
          scores.why.map((text) => h("li", {}, text)),
        )
      : null,
    pictures(view, scores),
  );
}

// What would be asked next: a listed query, or one between them.
function asked({ doc }: View, { next, query }: Score): { point: number[]; name: string; listed: boolean } | null {
  const name = next === null ? "" : (doc.g.names[next] ?? "");
  const listed = next !== null && (doc.query.kind === "points" || name !== "" || !query);
  const point = listed ? doc.g.points[next] : query;
  return point ? { point, name, listed } : null;
}

function pictures(view: View, scores: Score): Child {
  const side = new Side(view, "g");
  const label = `score of ${scores.policy || view.doc.policy}${scores.logarithms ? " (log)" : ""}`;
  if (!extent(scores.values)) return null;
  const look = side.space.axes.length > 2 ? "ranking" : side.look;
  const chart = (title: string, draw: (width: number) => Plot.PlotOptions, legend = false) =>
    new Chart({ label: `${title}: ${label}`, title, legend, draw }).element;
  const named = new Side(view, "g", null, "ranking");
  const best = chart(`The most promising queries${named.order ? ` (${named.order})` : ""}`, (width) =>
    asRanking(named, scores, label, 12, width),
  );
  if (look === "ranking") return best;
  if (look === "band") return chart("The diamond is the chosen query", () => asLine(side, scores, label));
  return h(
    "div",
    { class: "pair" },
    chart("The diamond is the chosen query", (width) => asMap(side, scores, label, width), true),
    best,
  );
}

const diamond = { symbol: "diamond" as const, r: 8, fill: chosen, stroke: "white", strokeWidth: 1.5 };

function asMap(side: Side, scores: Score, label: string, width: number): Plot.PlotOptions {
  const { values } = scores;
  const tip = (i: number) => [side.tip(i), `${label} ${short(values[i])}`].join("\n");
  const next = asked(side.view, scores);
  const at = next?.listed ? position(side.field, scores.next as number) : next?.point;
  const mark = at ? Plot.dot([at], { x: "0", y: "1", ...diamond }) : null;
  return mapOptions(
    side.field,
    { values, label, range: extent(values), scheme: "magma", reverse: false, tip, marks: [mark] },
    width,
  );
}

function asLine(side: Side, { values, next, query }: Score, label: string): Plot.PlotOptions {
  const { field } = side;
  const order = field.points.map((_, i) => i).sort((i, j) => field.points[i][0] - field.points[j][0]);
  const [x, y] = [(i: number) => field.points[i][0], (i: number) => values[i] ?? NaN];
  const listed = listedOnly(field);
  return {
    height: 260,
    x: axisScale(field.axes[0], listed ? 0.03 : 0),
    y: { label, domain: widened(extent(values), 0.06), grid: true },
    marks: [
      Plot.frame({ stroke: line }),
      listed
        ? Plot.dot(order, { x, y, fill: chosen, r: 3.5 })
        : Plot.lineY(order, { x, y, stroke: chosen, strokeWidth: 2 }),
      Plot.ruleX((query ?? (next === null ? [] : field.points[next])).slice(0, 1), {
        stroke: chosen,
        strokeDasharray: "3 3",
      }),
      next === null ? null : Plot.dot([next], { x, y, ...diamond }),
      Plot.tip(order, Plot.pointerX({ x, y, title: (i: number) => `${side.tip(i)}\n${label} ${short(values[i])}` })),
    ],
  };
}

function asRanking(side: Side, { values, next }: Score, label: string, most: number, width: number): Plot.PlotOptions {
  return rankingOptions(
    side.field,
    { mean: values, sd: null, label, most, lowest: false, marked: next, colour: chosen },
    width,
  );
}
