// Points with beliefs along one or two axes, and how they are best shown.
import type { Axis, Belief, Slice, Space } from "../document";
import { latticeOf, type Lattice } from "./lattice";
import type { Tile } from "./tiles";
import { bounds, matched, type Region } from "./regions";

export interface Field {
  axes: Axis[];
  points: number[][]; // along `axes`
  names: string[];
  lattice: Lattice | null; // if points fill one
  regions: (Region | null)[] | null; // of each point
  outlines: Region[]; // for orientation
  tiles?: Tile[]; // points are their middles
  labels?: string[]; // of the two axes along which regions lie
  pixels: boolean; // points are what there is, not samples of a continuum
}

export type Look = "map" | "band" | "ranking";

export function fieldOf(space: Space, belief: Belief, regions: Region[], pair: number[] | null = null): Field {
  const all = space.axes.map((_, j) => j);
  const shown = pair ?? all.slice(0, 2);
  const whole = shown.length === all.length;
  return {
    axes: shown.map((j) => space.axes[j]),
    points: whole ? belief.points : belief.points.map((point) => shown.map((j) => point[j])),
    names: belief.names,
    lattice: whole && shown.length === 2 ? latticeOf(belief.points, holes(space.axes)) : null,
    regions: matched(belief.names, regions),
    outlines: whole && space.axes.length === 2 && around(regions, belief.points) ? regions : [],
    pixels: space.kind === "points",
  };
}

// Categories with holes between them are no picture.
const holes = (axes: Axis[]) => (axes.some((axis) => axis.categories) ? 1 : undefined);

// Regions are drawn around points only if they are: points may be in other units.
export function around(regions: Region[], points: number[][]): boolean {
  const box = bounds(regions);
  if (!box) return false;
  const inside = points.filter(([x, y]) => x >= box.x[0] && x <= box.x[1] && y >= box.y[0] && y <= box.y[1]);
  return 2 * inside.length >= points.length;
}

export function sliceField(space: Space, slice: Slice): Field {
  return {
    axes: slice.axes.map((j) => space.axes[j]),
    points: slice.points,
    names: [],
    lattice: slice.axes.length === 2 ? latticeOf(slice.points) : null,
    regions: null,
    outlines: [],
    pixels: false,
  };
}

export function lookOf(field: Field): Look {
  if (field.regions || field.axes.length >= 2) return "map";
  return field.axes.length === 0 || field.axes[0].categories ? "ranking" : "band";
}

export function nameOf(field: Field, i: number): string {
  if (field.names[i]) return field.names[i];
  const [axis] = field.axes;
  const place = field.points[i]?.[0];
  return axis?.categories?.[place] ?? `${place ?? i}`;
}
