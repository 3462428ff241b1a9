// What queries touch. Along two axes an outline: an ellipse of one sd, a box, a region, the hull of the touched points. Along one axis a bar
// as wide as what is touched, as high as what was answered.
import * as Plot from "@observablehq/plot";
import type { Footprint } from "../document";
import { focus } from "../palette";
import type { View } from "../view";
import type { Region } from "./regions";

const corners = Array.from({ length: 49 }, (_, k) => [
  Math.cos((2 * Math.PI * k) / 48),
  Math.sin((2 * Math.PI * k) / 48),
]);

interface Ring {
  trial: number;
  shape: { type: string; coordinates: unknown };
}

type Stroke = Record<string, unknown>;

function ring(print: Footprint, pair: number[]): number[][] | null {
  const [i, j] = pair;
  if (print.kind === "ellipse")
    return corners.map(([c, s]) => [print.centre[i] + c * print.half[i], print.centre[j] + s * print.half[j]]);
  if (print.kind !== "box") return null;
  const [[l, b], [r, t]] = [
    [print.lower[i], print.lower[j]],
    [print.upper[i], print.upper[j]],
  ];
  return [
    [l, b],
    [r, b],
    [r, t],
    [l, t],
    [l, b],
  ];
}

// `trials` with the same footprint are drawn once.
export function outlines(
  view: View,
  trials: number[],
  pair: number[],
  regions: Map<string, Region>,
  style: Stroke,
  touched: boolean,
): Plot.Markish[] {
  const { trials: columns, f } = view.doc;
  const distinct = [...new Map(trials.map((i) => [columns.footprint[i] ?? `-${i}`, i])).values()];
  const rings: Ring[] = [];
  const touches: { trial: number; member: number; weight: number }[] = [];
  for (const trial of distinct) {
    const region = regions.get(columns.name[trial]);
    const print = view.footprint(trial);
    const outline = print ? ring(print, pair) : null;
    if (region) rings.push({ trial, shape: region.shape });
    else if (outline) rings.push({ trial, shape: { type: "Polygon", coordinates: [outline] } });
    if (print?.kind === "members" && (touched || !region)) {
      const most = Math.max(...print.weights);
      print.members.forEach((member, k) => touches.push({ trial, member, weight: print.weights[k] / most }));
    }
  }
  const x = (d: { member: number }) => f.points[d.member]?.[pair[0]];
  const y = (d: { member: number }) => f.points[d.member]?.[pair[1]];
  const outlined = touches.filter((d) => !regions.has(columns.name[d.trial]));
  return [
    Plot.geo(rings, { geometry: "shape", clip: true, className: "footprints", ...style } as Plot.GeoOptions),
    Plot.hull(outlined, { x, y, z: "trial", clip: true, className: "footprints", ...style } as Plot.DotOptions),
    touched
      ? Plot.dot(touches, {
          x,
          y,
          r: 3,
          fill: focus,
          fillOpacity: (d) => 0.25 + 0.7 * d.weight,
          stroke: "white",
          strokeWidth: 0.6,
          clip: true,
        })
      : null,
  ];
}

// The stretch along the only axis of X that a query touches; null if it has none.
export function stretch(view: View, trial: number): [number, number] | null {
  const print = view.footprint(trial);
  if (!print) return null;
  if (print.kind === "ellipse") return [print.centre[0] - print.half[0], print.centre[0] + print.half[0]];
  if (print.kind === "box") return [print.lower[0], print.upper[0]];
  const touched = print.members.map((member) => view.doc.f.points[member]?.[0] ?? NaN);
  return [Math.min(...touched), Math.max(...touched)];
}

export function bars(view: View, trials: number[], style: Stroke): Plot.Markish {
  const drawn = trials.flatMap((trial) => {
    const along = stretch(view, trial);
    const value = view.doc.trials.value[trial] ?? view.doc.trials.expected[trial];
    return along && value !== null && value !== undefined ? [{ x1: along[0], x2: along[1], y: value }] : [];
  });
  return Plot.ruleY(drawn, {
    x1: "x1",
    x2: "x2",
    y: "y",
    clip: true,
    className: "footprints",
    ...style,
  } as Plot.RuleYOptions);
}
