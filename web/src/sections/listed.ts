// Listed points with more than two coordinates: the best of them, all of them along each axis, or over two axes.
import * as Plot from "@observablehq/plot";
import { Chart } from "../charts/chart";
import { axisScale, widened } from "../charts/domain";
import { both, picture } from "../charts/pictures";
import { Side } from "../charts/side";
import { chooser } from "../controls";
import { h } from "../dom";
import { accent, line } from "../palette";
import type { View } from "../view";

export function listed(view: View, which: "f" | "g"): HTMLElement {
  const { axes } = which === "f" ? view.doc.target : view.doc.query;
  const pairs = axes.flatMap((_, i) => axes.slice(i + 1).map((_, k) => [i, i + 1 + k]));
  const ranking = new Side(view, which, null, "ranking");
  const title = ranking.order ? `The best (${ranking.order})` : "The best";
  const views = [
    {
      value: "axes",
      text: "all points along each axis",
      make: () => [
        h(
          "div",
          { class: "grid" },
          axes.map((_, j) => along(view, which, j)),
        ),
      ],
    },
    {
      value: "best",
      text: "the best points",
      make: () => [picture(ranking, { of: "mean", title, queries: false }).element],
    },
    ...pairs.map((pair) => ({
      value: pair.join(),
      text: pair.map((j) => axes[j].name).join(" × "),
      make: () => [both(new Side(view, which, pair))],
    })),
  ];
  const tree = which === "g" && view.doc.query.kind === "tree"; // its last axis is the level: a map of the others comes first
  return chooser(view.state, `listed-${which}`, "Show", tree ? [...views.slice(2), ...views.slice(0, 2)] : views);
}

function along(view: View, which: "f" | "g", j: number): HTMLElement {
  const side = new Side(view, which, [j], "band");
  const [axis] = side.field.axes;
  const places = side.field.points.map((_, i) => i);
  const answer = side.answer?.[0];
  const chart = new Chart({
    label: `Means of all points along ${axis.name}`,
    title: axis.name,
    draw: () => {
      const { mean, sd } = side.now;
      const at = (times: number) => (i: number) => view.shift(mean[i] ?? NaN, sd[i] ?? NaN, times);
      const x = (i: number) => side.field.points[i][0];
      return {
        height: 230,
        x: axisScale(axis, 0.03),
        y: { label: view.valueLabel, domain: widened(side.heights, 0.04), grid: true },
        marks: [
          Plot.frame({ stroke: line }),
          Plot.ruleX(places, {
            x,
            y1: at(-1.96),
            y2: at(1.96),
            stroke: accent,
            strokeOpacity: places.length > 200 ? 0.05 : 0.2,
          }),
          Plot.dot(places, { x, y: at(0), fill: accent, fillOpacity: 0.7, r: places.length > 200 ? 1.6 : 3 }),
          answer === undefined
            ? null
            : Plot.dot([[answer, view.moment.best?.mean]], {
                x: "0",
                y: "1",
                symbol: "star",
                r: 8,
                fill: "white",
                stroke: "black",
                strokeWidth: 1.4,
              }),
          Plot.tip(places, Plot.pointer({ x, y: at(0), title: (i: number) => side.tip(i) })),
        ],
      };
    },
  });
  view.state.on("moment", () => chart.draw());
  return chart.element;
}
