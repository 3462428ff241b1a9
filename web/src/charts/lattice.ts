// Points that fill a regular grid, in whatever order and with holes: they are drawn as the cells of a picture, not as dots.
import type { Range } from "./domain";

export interface Lattice {
  nx: number;
  ny: number;
  x: Range; // edges of the outermost cells
  y: Range;
  cells: number[]; // where point i is in a picture with rows of length nx
}

const least = 0.35; // share of the cells that must be filled
const even = 1e-3; // of a step

export function latticeOf(points: number[][], filled = least): Lattice | null {
  if (points.length < 4) return null;
  const [xs, ys] = [steps(points.map((p) => p[0])), steps(points.map((p) => p[1]))];
  if (!xs || !ys || points.length < filled * xs.n * ys.n) return null;
  const place = (s: Steps, value: number) => Math.round((value - s.from) / s.step);
  const cells = points.map(([x, y]) => place(ys, y) * xs.n + place(xs, x));
  if (new Set(cells).size < cells.length) return null;
  const edges = (s: Steps): Range => [s.from - s.step / 2, s.from + (s.n - 0.5) * s.step];
  return { nx: xs.n, ny: ys.n, x: edges(xs), y: edges(ys), cells };
}

interface Steps {
  from: number;
  step: number;
  n: number;
}

// Evenly spaced values, some of which may be missing; null if they are not.
function steps(values: number[]): Steps | null {
  const sorted = [...new Set(values)].sort((a, b) => a - b);
  if (sorted.length < 2) return null;
  const [from, to] = [sorted[0], sorted[sorted.length - 1]];
  const tiny = 1e-9 * (to - from);
  const gaps = sorted
    .slice(1)
    .map((value, i) => value - sorted[i])
    .filter((gap) => gap > tiny);
  const narrowest = Math.min(...gaps);
  const n = Math.round((to - from) / narrowest) + 1;
  if (n > 2000) return null;
  const step = (to - from) / (n - 1);
  const off = (value: number) => Math.abs((value - from) / step - Math.round((value - from) / step));
  return sorted.every((value) => off(value) <= even) ? { from, step, n } : null;
}
