// What an axis shows: a little more than the data, something sensible if they are constant or none.
import type { Axis, Numbers } from "../document";
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

// mean + times sd, where both exist
export function shifted(mean: Numbers, sd: Numbers, times: number): Numbers {
  return mean.map((m, i) =>
    m === null || sd[i] === null || sd[i] === undefined ? null : m + times * (sd[i] as number),
  );
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
