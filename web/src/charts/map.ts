// Two axes: a heat map with contours, coloured points, or coloured regions.
import * as Plot from "@observablehq/plot";
import { polygonCentroid, polygonArea } from "d3";
import type { Numbers } from "../document";
import { coordinates, short } from "../format";
import { line, muted, type Scheme } from "../palette";
import { margins } from "./chart";
import { axisScale, extent, widened, type Range } from "./domain";
import type { Field } from "./field";
import type { Lattice } from "./lattice";
import { bounds, type Region } from "./regions";
import { rects, type Tile } from "./tiles";

export interface MapLook {
  values: Numbers;
  label: string; // of the colours
  range: Range | null; // of all moments, so that colours mean the same in each
  scheme: Scheme;
  reverse: boolean;
  tip?: (i: number) => string;
  faint?: boolean;
  labels?: boolean; // names of regions, where they fit
  marks?: Plot.Markish[];
}

export function mapOptions(field: Field, look: MapLook, width: number): Plot.PlotOptions {
  const { x, y, ratio } = frame(field);
  const room = width - margins.marginLeft - margins.marginRight;
  const most = Math.min(480, 0.9 * window.innerHeight);
  const height = Math.min(most, Math.max(180, room * ratio));
  const fitting =
    field.regions || field.tiles || field.outlines.length > 0 || sameUnits(field)
      ? Math.min(room, height / ratio)
      : room;
  return {
    width: Math.round(fitting + margins.marginLeft + margins.marginRight),
    height: Math.round(height + margins.marginTop + margins.marginBottom),
    x,
    y,
    color: {
      type: "linear",
      scheme: look.scheme,
      reverse: look.reverse,
      domain: widened(look.range),
      label: look.label,
      nice: false,
    },
    marks: [
      background(field, look, fitting * height),
      look.labels ? names(field, fitting / span(x)) : null,
      Plot.frame({ stroke: line }),
      look.marks,
      tips(field, look),
    ],
  };
}

// The middle of a region's largest part.
export function middle(region: Region): [number, number] {
  const parts = region.shape.type === "Polygon" ? [region.shape.coordinates] : (region.shape.coordinates as unknown[]);
  const rings = parts.map((part) => (part as [number, number][][])[0]);
  const largest = rings.reduce((a, b) => (Math.abs(polygonArea(b)) > Math.abs(polygonArea(a)) ? b : a));
  return polygonCentroid(largest);
}

// Where point i is drawn.
export function position(field: Field, i: number): [number, number] {
  const region = field.regions?.[i];
  if (region) return middle(region);
  return [field.points[i][0], field.points[i][1]];
}

const span = (scale: Plot.ScaleOptions) => (scale.domain as Range)[1] - (scale.domain as Range)[0];

// The names of regions, of those that are wide enough for them; `zoom`: pixels per unit.
function names(field: Field, zoom: number): Plot.Markish {
  const letter = 6.3; // pixels
  const wide = (field.regions ?? []).flatMap((region, i) => {
    const box = region ? bounds([region]) : null;
    const room = box ? (box.x[1] - box.x[0]) * zoom : 0;
    return region && letter * field.names[i].length < 0.92 * room ? [{ at: middle(region), text: field.names[i] }] : [];
  });
  return Plot.text(wide, {
    x: (d) => d.at[0],
    y: (d) => d.at[1],
    text: "text",
    fontSize: 10.5,
    fill: "black",
    stroke: "white",
    strokeWidth: 2.5,
    pointerEvents: "none",
    className: "names",
  } as Plot.TextOptions);
}

function sameUnits({ axes }: Field): boolean {
  return (
    axes.length >= 2 &&
    axes[0].unit === axes[1].unit &&
    axes[0].unit !== "" &&
    !axes[0].categories &&
    !axes[1].categories
  );
}

// Scales, and height over width.
function frame(field: Field) {
  const box = bounds([...field.outlines, ...(field.regions ?? []).filter((r) => r !== null)]);
  if (box) {
    const [south, north] = box.y;
    const degrees =
      Math.abs(south) <= 90 && Math.abs(north) <= 90 && Math.abs(box.x[0]) <= 180 && Math.abs(box.x[1]) <= 180;
    const shrink = degrees ? Math.cos((((south + north) / 2) * Math.PI) / 180) : 1;
    const [name, other] =
      field.axes.length === 2
        ? field.axes.map((axis) => axisScale(axis).label)
        : field.labels
          ? field.labels
          : degrees
            ? ["longitude (°)", "latitude (°)"]
            : ["east", "north"];
    const x = { domain: widened(box.x, 0.02), label: name };
    const y = { domain: widened(box.y, 0.02), label: other };
    return { x, y, ratio: (y.domain[1] - y.domain[0]) / ((x.domain[1] - x.domain[0]) * shrink) };
  }
  const { lattice, tiles } = field;
  if (tiles) {
    const ends = [extent(tiles.flatMap((t) => [t.x1, t.x2])), extent(tiles.flatMap((t) => [t.y1, t.y2]))];
    const [x, y] = field.axes.map((axis, j) => ({ ...axisScale(axis), domain: widened(ends[j]) }));
    return { x, y, ratio: Math.min(1.6, Math.max(0.35, span(y) / span(x))) };
  }
  const cells = lattice && field.pixels; // whole ones, also at the edge
  const [x, y] = field.axes.map((axis, j) => ({
    ...axisScale(axis, lattice ? 0 : 0.03),
    ...(cells && !axis.categories ? { domain: j === 0 ? lattice.x : lattice.y } : {}),
  }));
  const ratio = sameUnits(field) ? Math.min(1.6, Math.max(0.35, span(y) / span(x))) : 0.78;
  return { x, y, ratio };
}

function background(field: Field, look: MapLook, area: number): Plot.Markish {
  const fillOpacity = look.faint ? 0.55 : 1;
  if (field.regions) {
    const known = field.regions.flatMap((region, i) => (region ? [{ region, value: look.values[i], i }] : []));
    return [
      Plot.geo(field.outlines, { geometry: "shape", fill: "var(--line)", stroke: "var(--paper)" } as Plot.GeoOptions),
      Plot.geo(known, {
        geometry: (d) => d.region.shape,
        fill: "value",
        stroke: "var(--paper)",
        fillOpacity,
        className: "regions",
      } as Plot.GeoOptions),
    ];
  }
  if (field.tiles) {
    const fill = (t: Tile) => look.values[t.i];
    return rects(field.tiles, { fill, fillOpacity, stroke: "var(--paper)", strokeWidth: 0.5 });
  }
  if (field.lattice) return heat(field, field.lattice, look, fillOpacity);
  const places = field.points.map((_, i) => i);
  const r = Math.max(1.8, Math.min(8, 0.42 * Math.sqrt(area / Math.max(1, places.length))));
  return [
    Plot.geo(field.outlines, { geometry: "shape", fill: "none", stroke: muted, strokeOpacity: 0.6 } as Plot.GeoOptions),
    Plot.dot(places, {
      x: (i) => field.points[i][0],
      y: (i) => field.points[i][1],
      fill: (i) => look.values[i],
      r,
      fillOpacity,
      clip: true,
    }),
  ];
}

function heat({ axes, pixels, outlines }: Field, lattice: Lattice, look: MapLook, fillOpacity: number): Plot.Markish {
  const { nx, ny, cells } = lattice;
  const rows: number[] = Array(nx * ny).fill(NaN);
  cells.forEach((cell, i) => (rows[cell] = look.values[i] ?? NaN));
  const box = {
    x1: lattice.x[0],
    x2: lattice.x[1],
    y1: lattice.y[0],
    y2: lattice.y[1],
    width: nx,
    height: ny,
    clip: true,
  };
  const range = extent(look.values);
  const level = !range || range[1] - range[0] <= 1e-9 * Math.max(Math.abs(range[0]), Math.abs(range[1]));
  const coarse = pixels || nx < 8 || ny < 8 || axes.some((axis) => axis.categories);
  const imageRendering = coarse ? "pixelated" : "auto";
  return [
    Plot.raster(rows, { ...box, fill: Plot.identity, imageRendering, fillOpacity } as Plot.RasterOptions),
    Plot.geo(outlines, { geometry: "shape", stroke: "black", strokeOpacity: 0.35 } as Plot.GeoOptions),
    coarse || level || look.faint
      ? null
      : Plot.contour(rows, {
          ...box,
          value: Plot.identity,
          stroke: "white",
          strokeOpacity: 0.45,
          thresholds: 8,
        } as unknown as Plot.ContourOptions),
  ];
}

function tips(field: Field, { values, tip }: MapLook): Plot.Markish {
  if (!tip) return null;
  const places = field.points.map((_, i) => i).filter((i) => !field.regions || field.regions[i]);
  const at = places.length < 6000 ? places : places.filter((i) => i % Math.ceil(places.length / 6000) === 0);
  const title = (i: number) => tip(i) || `${coordinates(field.axes, field.points[i])}\n${short(values[i])}`;
  return Plot.tip(
    at,
    Plot.pointer({
      x: (i: number) => position(field, i)[0],
      y: (i: number) => position(field, i)[1],
      title,
      maxRadius: 24,
    }),
  );
}

export function star(at: [number, number] | null, name: string): Plot.Markish {
  if (!at) return null;
  const style = {
    x: "0",
    y: "1",
    symbol: "star" as const,
    r: 8,
    fill: "white",
    stroke: "black",
    strokeWidth: 1.4,
    ariaLabel: () => name,
  };
  return Plot.dot([at], style);
}
