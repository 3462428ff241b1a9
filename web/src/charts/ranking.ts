// Names without places: the best of them, with 95 % intervals.
import * as Plot from "@observablehq/plot";
import type { Numbers } from "../document";
import { clipped, short } from "../format";
import { accent, line } from "../palette";
import { extent, plainly, shifted, widened, type Shift } from "./domain";
import { nameOf, type Field } from "./field";

export interface RankingLook {
  mean: Numbers;
  sd: Numbers | null; // null: values without intervals
  label: string;
  most: number;
  lowest: boolean; // the smallest are the best
  marked?: number | null; // a place, drawn in another colour
  colour?: string;
  from?: number; // where the axis begins
  shift?: Shift;
}

const letter = 7.2; // pixels, about

export function rankingOptions(field: Field, look: RankingLook, width: number): Plot.PlotOptions {
  const worth = (i: number) => (look.lowest ? -1 : 1) * (look.mean[i] ?? -Infinity);
  const known = look.mean.map((_, i) => i).filter((i) => look.mean[i] !== null);
  const best = known.sort((i, j) => worth(j) - worth(i)).slice(0, look.most);
  const room = 0.5 * width - 16; // pixels, for names
  const name = (i: number) => clipped(nameOf(field, i), Math.min(26, Math.floor(room / letter)));
  const longest = Math.max(4, ...best.map((i) => name(i).length));
  const sd = look.sd;
  const pick = (column: Numbers) => best.map((i) => column[i]);
  const range = sd
    ? extent(pick(shifted(look.mean, sd, -1.96, look.shift)), pick(shifted(look.mean, sd, 1.96, look.shift)))
    : extent(pick(look.mean), look.from === undefined ? [] : [look.from]);
  const colour = look.colour ?? accent;
  const fill = (i: number) => (i === look.marked ? "var(--vermillion)" : colour);
  const shift = look.shift ?? plainly;
  const end = (times: number) => (i: number) => shift(look.mean[i] as number, (sd?.[i] as number) ?? 0, times);
  const title = (i: number) =>
    [nameOf(field, i), `${sd ? "estimate " : ""}${short(look.mean[i])}`, ...(sd ? [`sd ${short(sd[i])}`] : [])].join(
      "\n",
    );
  return {
    marginLeft: 16 + letter * longest,
    marginTop: 8,
    height: 50 + 22 * Math.max(1, best.length),
    x: { label: look.label, domain: widened(range, 0.04), grid: true, ticks: Math.max(3, Math.round(width / 110)) },
    y: { label: null, domain: best, tickFormat: name, type: "band", padding: 0.2, tickSize: 0 },
    marks: [
      Plot.frame({ stroke: line }),
      sd
        ? Plot.link(best, {
            x1: end(-1.96),
            x2: end(1.96),
            y1: (i) => i,
            y2: (i) => i,
            stroke: fill,
            strokeOpacity: 0.5,
            strokeWidth: 3,
          })
        : null,
      Plot.dot(best, { x: end(0), y: (i) => i, fill, r: 4.5 }),
      Plot.tip(best, Plot.pointerY({ x: end(0), y: (i: number) => i, title })),
    ],
  };
}
