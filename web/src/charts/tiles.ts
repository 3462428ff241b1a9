// Queries that are rectangles, drawn as such: the large ones first, so that the small ones lie on top.
import * as Plot from "@observablehq/plot";
import type { Axis, StudyDocument } from "../document";
import { short, withUnit } from "../format";

export interface Tile {
  i: number; // place in g.points
  x1: number;
  x2: number;
  y1: number;
  y2: number;
}

// Null unless queries are rectangles in the plane.
export function tilesOf({ tiles, target }: StudyDocument): Tile[] | null {
  if (!tiles || target.axes.length !== 2 || tiles.lower.length === 0) return null;
  const all = tiles.lower.map((low, i) => ({
    i,
    x1: low[0],
    x2: tiles.upper[i][0],
    y1: low[1],
    y2: tiles.upper[i][1],
  }));
  const area = (t: Tile) => (t.x2 - t.x1) * (t.y2 - t.y1);
  return all.sort((a, b) => area(b) - area(a));
}

const range = (from: number, to: number, dash: string) => `${short(from)}${dash}${short(to)}`;

// "east 0 to 5 km, north 5 to 10 km"
export function tileText([x, y]: Axis[], tile: Tile): string {
  const along = (axis: Axis, from: number, to: number) =>
    withUnit(`${axis.name} ${range(from, to, " to ")}`, axis.unit);
  return `${along(x, tile.x1, tile.x2)}, ${along(y, tile.y1, tile.y2)}`;
}

// "0–5, 5–10", to three digits, where there is little room
export function briefly(tile: Tile): string {
  const [x1, x2, y1, y2] = [tile.x1, tile.x2, tile.y1, tile.y2].map((x) => Number(x.toPrecision(3)));
  return `${range(x1, x2, "–")}, ${range(y1, y2, "–")}`;
}

export function rects(tiles: Tile[], options: Plot.RectOptions): Plot.Markish {
  return Plot.rect(tiles, {
    x1: "x1",
    x2: "x2",
    y1: "y1",
    y2: "y2",
    clip: true,
    className: "tiles",
    ...options,
  } as Plot.RectOptions);
}
