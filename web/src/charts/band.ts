// One axis: the mean as a line with its 50 and 95 % intervals; a few listed points as dots with bars.
import * as Plot from "@observablehq/plot";
import type { Numbers } from "../document";
import { coordinate, short } from "../format";
import { accent, ink, line } from "../palette";
import { axisScale, plainly, widened, type Range, type Shift } from "./domain";
import type { Field } from "./field";

export interface BandLook {
  mean: Numbers;
  sd: Numbers;
  label: string;
  range: Range | null;
  marks?: Plot.Markish[];
  height?: number;
  tip?: boolean;
  shift?: Shift;
}

const few = 40;

// A few points, and nothing between them.
export const listedOnly = (field: Field) => field.pixels && field.points.length <= few;

export function bandOptions(field: Field, look: BandLook): Plot.PlotOptions {
  const [axis] = field.axes;
  const order = field.points.map((_, i) => i).sort((i, j) => field.points[i][0] - field.points[j][0]);
  const x = (i: number) => field.points[i][0];
  const at = (times: number) => (i: number) => {
    const [mean, sd] = [look.mean[i], look.sd[i]];
    if (mean === null || sd === null || mean === undefined || sd === undefined) return NaN;
    return (look.shift ?? plainly)(mean, sd, times);
  };
  const listed = listedOnly(field);
  const title = (i: number) =>
    [
      field.names[i] || `${axis.name} ${coordinate(axis, x(i))}`,
      `mean ${short(look.mean[i])}`,
      `sd ${short(look.sd[i])}`,
    ].join("\n");
  return {
    height: look.height ?? 340,
    x: { ...axisScale(axis, listed ? 0.03 : 0) },
    y: { label: look.label, domain: widened(look.range, 0.04), nice: true, grid: true },
    marks: [
      listed
        ? Plot.ruleX(order, {
            x,
            y1: at(-1.96),
            y2: at(1.96),
            stroke: accent,
            strokeOpacity: 0.45,
            strokeWidth: 3,
            clip: true,
          })
        : [
            Plot.areaY(order, { x, y1: at(-1.96), y2: at(1.96), fill: accent, fillOpacity: 0.14, clip: true }),
            Plot.areaY(order, { x, y1: at(-0.674), y2: at(0.674), fill: accent, fillOpacity: 0.2, clip: true }),
          ],
      listed
        ? Plot.dot(order, { x, y: at(0), fill: accent, r: 4, clip: true })
        : Plot.lineY(order, { x, y: at(0), stroke: accent, strokeWidth: 2, clip: true }),
      Plot.frame({ stroke: line }),
      look.marks,
      look.tip === false ? null : Plot.tip(order, Plot.pointerX({ x, y: at(0), title })),
    ],
  };
}

export function pole(x: number | null | undefined, y: number | null | undefined): Plot.Markish {
  if (x === null || x === undefined) return null;
  return [
    Plot.ruleX([x], { stroke: ink, strokeDasharray: "3 3", strokeOpacity: 0.6 }),
    y === null || y === undefined
      ? null
      : Plot.dot([[x, y]], { x: "0", y: "1", symbol: "star", r: 8, fill: "white", stroke: "black", strokeWidth: 1.4 }),
  ];
}
