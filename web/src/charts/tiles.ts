// Queries that are rectangles, drawn as such: the large ones first, so that the small ones lie on top.
import * as Plot from "@observablehq/plot";
import type { StudyDocument } from "../document";

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

// The widths that tiles have, the largest first; those that differ by less than a quarter count as one.
export function sizes(tiles: Tile[]): { width: number; tiles: Tile[] }[] {
  const out: { width: number; tiles: Tile[] }[] = [];
  for (const tile of tiles) {
    const width = Math.sqrt((tile.x2 - tile.x1) * (tile.y2 - tile.y1));
    const last = out.at(-1);
    if (last && last.width < 1.25 * width) last.tiles.push(tile);
    else out.push({ width, tiles: [tile] });
  }
  return out;
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
