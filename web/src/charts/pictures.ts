// The pictures of one side: mean and sd as maps, a band, or a ranking.
import * as Plot from "@observablehq/plot";
import { h, type Child } from "../dom";
import { ink, muted } from "../palette";
import { bandOptions, pole } from "./band";
import { Chart } from "./chart";
import { extent } from "./domain";
import { bars, outlines } from "./footprints";
import { mapOptions, star } from "./map";
import { rankingOptions } from "./ranking";
import type { Side } from "./side";

const mostOutlines = 300;

interface Wanted {
  of: "mean" | "sd";
  title: Child;
  queries: boolean; // drawn too
}

export function picture(side: Side, wanted: Wanted): Chart {
  const { view } = side;
  const chart = new Chart({
    label: `${wanted.of === "mean" ? "Estimate" : "Uncertainty"} of ${side.noun}${wanted.queries ? ", with what queries touch" : ""}`,
    title: wanted.title,
    legend: side.look === "map",
    state: view.state,
    draw: (width) => options(side, wanted, width),
    over: () => side.over(),
    spots: () => side.spots(),
    pick: (event) => side.pick(event),
  });
  view.state.on("moment", () => chart.draw());
  return chart;
}

// Mean and sd side by side.
export function both(side: Side): HTMLElement {
  const [mean, sd] = [
    picture(side, { of: "mean", title: "Estimate", queries: false }),
    picture(side, { of: "sd", title: "Uncertainty (standard deviation)", queries: false }),
  ];
  return h("div", { class: "pair" }, mean.element, sd.element);
}

function options(side: Side, wanted: Wanted, width: number): Plot.PlotOptions {
  if (side.look === "map") return asMap(side, wanted, width);
  return side.look === "band" ? asBand(side, wanted) : asRanking(side, width);
}

function asMap(side: Side, { of, queries }: Wanted, width: number): Plot.PlotOptions {
  const { view, field } = side;
  const answer = side.answer;
  const look = {
    values: side.now[of],
    label: of === "mean" ? view.valueLabel : `sd of ${view.valueLabel}`,
    range: side.range(of),
    scheme: of === "mean" ? ("viridis" as const) : ("cividis" as const),
    reverse: of === "mean" && view.doc.goal === "minimize",
    tip: queries ? undefined : (i: number) => side.tip(i),
    faint: queries,
    labels: side.which === "g",
    marks: [queries ? footprints(side) : null, star(answer ? [answer[0], answer[1]] : null, "the recommendation")],
  };
  return mapOptions(field, look, width);
}

function footprints(side: Side): Plot.Markish {
  const { view } = side;
  const recent = view.shown.slice(-mostOutlines);
  const fade = Math.max(0.15, Math.min(0.85, 40 / Math.max(1, recent.length)));
  if (side.which === "f")
    return outlines(view, recent, side.pair, side.regions, { stroke: ink, strokeOpacity: fade, fill: "none" }, false);
  const spots = side.spots();
  return Plot.dot(spots, {
    x: "x",
    y: "y",
    r: spots.length > 300 ? 1.5 : 3,
    fill: "none",
    stroke: ink,
    strokeOpacity: Math.max(0.4, fade),
  });
}

function asBand(side: Side, { queries }: Wanted): Plot.PlotOptions {
  const { view } = side;
  const { mean, sd } = side.now;
  const answer = side.answer;
  const fade = Math.max(0.15, Math.min(0.85, 40 / Math.max(1, view.shown.length)));
  const outside = view.doc.observations.filter(
    (o) => o.kind === (side.which === "f" ? "value" : "answer") && o.point.length > 0,
  );
  const answered = side.spots().filter((spot) => view.doc.trials.value[spot.trial] !== null);
  return bandOptions(side.field, {
    mean,
    sd,
    label: view.valueLabel,
    shift: view.shift,
    range: side.heights ?? extent(mean),
    tip: !queries,
    marks: [
      side.which === "f"
        ? bars(
            view,
            view.shown.filter((i) => view.doc.trials.value[i] !== null),
            { stroke: ink, strokeOpacity: fade, strokeWidth: 2 },
          )
        : Plot.dot(answered, { x: "x", y: "y", r: 3, fill: ink, fillOpacity: fade, clip: true }),
      Plot.dot(outside, { x: (o) => o.point[0], y: "value", symbol: "diamond", r: 5, fill: muted, clip: true }),
      pole(answer?.[0], answer ? view.moment.best?.mean : null),
    ],
  });
}

function asRanking(side: Side, width: number): Plot.PlotOptions {
  const { view } = side;
  const { mean, sd } = side.now;
  const best = view.moment.best;
  const marked =
    side.which === "f" && best ? side.belief.points.findIndex((p) => p.every((v, j) => v === best.x[j])) : null;
  return rankingOptions(
    side.field,
    { mean, sd, label: view.valueLabel, shift: view.shift, most: 30, lowest: view.doc.goal === "minimize", marked },
    width,
  );
}
