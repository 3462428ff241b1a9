// What an axis shows: a little more than the data, something sensible if they are constant or none.
import type { Axis, Numbers, Value } from "../document";
import { clipped, labelOf } from "../format";
import type { ScaleOptions } from "@observablehq/plot";

export type Range = [number, number];

export function extent(...columns: Iterable<number | null | undefined>[]): Range | null {
  let [low, high] = [Infinity, -Infinity];
  for (const column of columns)
    for (const value of column) {
      if (value === null || value === undefined || !Number.isFinite(value)) continue;
      if (value < low) low = value;
      if (value > high) high = value;
    }
  return low <= high ? [low, high] : null;
}

// Constant data get a range around them, so that they are drawn in the middle.
export function widened(range: Range | null, share = 0): Range {
  if (range === null) return [0, 1];
  const [low, high] = range;
  const spread = high - low;
  if (spread <= 1e-12 * Math.max(Math.abs(low), Math.abs(high))) {
    const half = low === 0 ? 1 : 0.1 * Math.abs(low);
    return [low - half, high + half];
  }
  return [low - share * spread, high + share * spread];
}

// The number that is `times` sds from the mean: as far from it in probability as for a normal f.
export type Shift = (mean: number, sd: number, times: number) => number;

export const plainly: Shift = (mean, sd, times) => mean + times * sd;

// f = h(eta): the normal eta whose f has this mean and this sd is shifted instead, so that rates stay positive and shares
// within their range.
export function shiftOf({ link, most }: Value): Shift {
  const shift: Shift = (mean, sd, times) => {
    if (times === 0) return mean;
    if (link === "log" && mean > 0) {
      const spread = Math.log1p((sd / mean) ** 2);
      return mean * Math.exp(times * Math.sqrt(spread) - spread / 2);
    }
    const share = mean / (most || 1);
    if (link === "logit" && share > 0 && share < 1) {
      const odds = (share / (1 - share)) * Math.exp((times * sd) / (mean * (1 - share)));
      return (most || 1) * (Number.isFinite(odds) ? odds / (1 + odds) : 1);
    }
    return Math.min(most ?? Infinity, Math.max(0, plainly(mean, sd, times)));
  };
  return link === undefined ? plainly : shift;
}

// Each mean shifted by times its sd, where both exist.
export function shifted(mean: Numbers, sd: Numbers, times: number, shift: Shift = plainly): Numbers {
  return mean.map((m, i) => (m === null || sd[i] === null || sd[i] === undefined ? null : shift(m, sd[i], times)));
}

export function axisScale(axis: Axis, pad = 0): ScaleOptions {
  const label = labelOf(axis);
  if (!axis.categories) return { label, domain: widened([axis.from, axis.to], pad), nice: false };
  const { categories } = axis;
  return {
    label,
    domain: [-0.5, categories.length - 0.5],
    ticks: categories.map((_, i) => i),
    tickFormat: (i: number) => clipped(categories[i] ?? "", 14),
  };
}
