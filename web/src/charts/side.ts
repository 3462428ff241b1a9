// X with f, or A with g: the field that is shown, its beliefs at the moment, and where trials are in it.
import * as Plot from "@observablehq/plot";
import { select } from "d3";
import type { Belief, Numbers, Slice, Space } from "../document";
import { coordinates, labelOf, short } from "../format";
import { focus } from "../palette";
import type { View } from "../view";
import type { Spot } from "./chart";
import { extent, shifted, type Range } from "./domain";
import { around, fieldOf, lookOf, sliceField, type Field, type Look } from "./field";
import { bars, outlines, stretch } from "./footprints";
import { middle } from "./map";
import { regionsOf, type Region } from "./regions";
import { briefly, tilesOf, tileText, type Tile } from "./tiles";

export class Side {
  readonly space: Space;
  readonly belief: Belief;
  readonly field: Field;
  readonly look: Look;
  readonly pair: number[];
  readonly regions: Map<string, Region>;
  private readonly slice: Slice | undefined;
  private readonly tiles: Map<number, Tile>; // queries that are rectangles, by their places

  constructor(
    readonly view: View,
    readonly which: "f" | "g",
    pair: number[] | null = null,
    look: Look | null = null,
  ) {
    const { doc } = view;
    this.space = which === "f" ? doc.target : doc.query;
    this.belief = doc[which];
    this.pair = pair ?? this.space.axes.map((_, j) => j).slice(0, 2);
    const regions = regionsOf(doc.geojson);
    this.regions = new Map(regions.map((region) => [region.name, region]));
    this.slice = this.belief.slices.find((slice) => slice.axes.join() === this.pair.join());
    const field = this.slice ? sliceField(this.space, this.slice) : fieldOf(this.space, this.belief, regions, pair);
    const tiles = which === "g" && !field.regions && !field.lattice && !this.slice ? tilesOf(doc) : null;
    this.tiles = new Map(tiles?.map((tile) => [tile.i, tile]));
    const flat = tiles && this.pair.every((j, k) => j === k) && pair?.length !== 1;
    this.look = look ?? (flat ? "map" : lookOf(field));
    if (this.look === "ranking") this.field = { ...field, names: this.texts() };
    else
      this.field =
        flat && this.look === "map" ? { ...field, ...this.laid(tiles) } : { ...field, ...this.labelled(regions) };
  }

  // Regions without coordinates of their own lie along those of X, if the points of X lie in them.
  private labelled(regions: Region[]): Partial<Field> {
    const { target, f } = this.view.doc;
    const alike = this.space.axes.length === 0 && regions.length > 0 && target.axes.length === 2;
    return alike && around(regions, f.points) ? { labels: target.axes.map(labelOf) } : {};
  }

  // Tiles where they lie, in X.
  private laid(tiles: Tile[]): Partial<Field> {
    const points = this.belief.points.map((_, i) => {
      const tile = this.tiles.get(i);
      return tile ? [(tile.x1 + tile.x2) / 2, (tile.y1 + tile.y2) / 2] : [NaN, NaN];
    });
    return { axes: this.view.doc.target.axes, points, tiles, outlines: [] };
  }

  // What points are called where there is no room for axes: "12.6, 3.1".
  private texts(): string[] {
    const { axes } = this.space;
    return this.belief.points.map(
      (point, i) =>
        this.belief.names[i] ||
        (this.tiles.has(i) ? briefly(this.tiles.get(i) as Tile) : "") ||
        axes.map((axis, j) => axis.categories?.[point[j]] ?? short(point[j])).join(", ") ||
        short(point[0]),
    );
  }

  // "east, north": what those numbers are; "" where points have names.
  get order(): string {
    const { axes } = this.tiles.size > 0 ? this.view.doc.target : this.space;
    return this.belief.names.length > 0 ? "" : axes.map((axis) => axis.name).join(", ");
  }

  get noun(): string {
    const { name } = this.view.doc.value;
    return this.which === "f" ? name : `the average of ${name}`;
  }

  get known(): boolean {
    return this.slice !== undefined || this.belief.points.length > 0;
  }

  // Beliefs at the moment; where the past was not kept, now.
  get now(): { mean: Numbers; sd: Numbers } {
    return this.slice ?? this.view.moment[this.which] ?? this.belief;
  }

  // Of means now and at the moment, so that colours hardly change; sds fall so much that each moment gets its own.
  range(of: "mean" | "sd"): Range | null {
    return extent(this.now[of], this.slice || of === "sd" ? [] : this.belief[of]);
  }

  // Of intervals now, of all answers, of the means at the moment; what was once thought possible may stick out.
  get heights(): Range | null {
    const { mean, sd } = this.slice ?? this.belief;
    const { trials, observations } = this.view.doc;
    return extent(
      shifted(mean, sd, -2, this.view.shift),
      shifted(mean, sd, 2, this.view.shift),
      this.range("mean") ?? [],
      trials.value,
      observations.map((o) => o.value),
    );
  }

  tip(i: number): string {
    const { mean, sd } = this.now;
    const tile = this.tiles.get(i);
    const place = tile
      ? tileText(this.view.doc.target.axes, tile)
      : this.field.axes.length > 0 && this.field.points[i]
        ? coordinates(this.field.axes, this.field.points[i])
        : "";
    return [this.field.names[i], place, `estimate ${short(mean[i])}`, `sd ${short(sd[i])}`].filter(Boolean).join("\n");
  }

  // Where the answer of the moment is, along the axes shown.
  get answer(): number[] | null {
    const best = this.view.moment.best;
    return best && this.which === "f" && this.pair.length > 0 ? this.pair.map((j) => best.x[j]) : null;
  }

  place(trial: number): [number, number] | null {
    const { trials } = this.view.doc;
    const region = this.regions.get(trials.name[trial]);
    if (this.look === "map" && region) return middle(region);
    if (this.field.tiles) {
      const at = this.field.points[this.rowOf(trials.name[trial], trials.query[trial])];
      return at ? [at[0], at[1]] : null;
    }
    const print = this.view.footprint(trial);
    const at = this.which === "g" ? trials.query[trial] : print ? this.view.centre(print) : null;
    if (this.look === "ranking") return this.ranked(trial);
    if (!at || at.length === 0) return null;
    const height = trials.value[trial] ?? trials.expected[trial];
    const [x, y] = this.look === "map" ? this.pair.map((j) => at[j]) : [at[this.pair[0]], height];
    return Number.isFinite(x) && Number.isFinite(y) ? [x, y as number] : null;
  }

  private ranked(trial: number): [number, number] | null {
    const { trials } = this.view.doc;
    const print = this.view.footprint(trial);
    const members = this.which === "f" && print?.kind === "members" ? print.members : [];
    const row = this.which === "g" ? this.rowOf(trials.name[trial], trials.query[trial]) : (members[0] ?? -1);
    return row < 0 ? null : [this.now.mean[row] ?? 0, row];
  }

  private rowOf(name: string, query: number[]): number {
    const byName = name === "" ? -1 : this.belief.names.indexOf(name);
    return byName >= 0
      ? byName
      : this.belief.points.findIndex((point) => point.every((value, j) => value === query[j]));
  }

  spots(): Spot[] {
    const { shown, doc } = this.view;
    if (this.which === "g" || this.look === "ranking") return shown.flatMap((trial) => this.spot(trial));
    if (this.look === "band") {
      return shown.flatMap((trial) => {
        const [from, to] = stretch(this.view, trial) ?? [0, 0];
        return this.spot(trial, (to - from) / 2);
      });
    }
    const last = new Map(shown.map((trial) => [doc.trials.footprint[trial], trial])); // of each footprint
    return [...last.values()].flatMap((trial) => {
      const print = this.view.footprint(trial);
      if (print?.kind === "ellipse") return this.spot(trial, ...this.pair.map((j) => print.half[j]));
      if (print?.kind === "box")
        return this.spot(trial, ...this.pair.map((j) => (print.upper[j] - print.lower[j]) / 2));
      const [i, j] = this.pair;
      return (print?.members ?? []).map((member) => ({
        trial,
        x: doc.f.points[member][i],
        y: doc.f.points[member][j],
      }));
    });
  }

  private spot(trial: number, rx = 0, ry = 0): Spot[] {
    const place = this.place(trial);
    return place ? [{ trial, x: place[0], y: place[1], rx, ry }] : [];
  }

  // Over a region: the last trial that asked for it.
  pick(event: PointerEvent): number | null | undefined {
    const path = (event.target as Element).closest(".regions path");
    if (!path || !this.field.regions) return undefined;
    const known = this.field.regions.flatMap((region, i) => (region ? [i] : []));
    const row = known[select<Element, number>(path).datum()];
    const asks = (trial: number) => {
      const print = this.view.footprint(trial);
      return (
        this.view.doc.trials.name[trial] === this.field.names[row] ||
        (this.which === "f" && print?.kind === "members" && print.members.includes(row))
      );
    };
    return this.view.shown.filter(asks).at(-1) ?? null;
  }

  // What is drawn on top for the trial in focus.
  over(): Plot.Markish[] {
    const trial = this.view.state.focus;
    if (trial === null || trial >= this.view.doc.trials.number.length) return [];
    const ring = { fill: "none", stroke: focus, strokeWidth: 2.5, r: 7 };
    if (this.look === "ranking")
      return [Plot.dot(this.rows(trial), { x: (i) => this.now.mean[i], y: (i) => i, ...ring })];
    const place = this.place(trial);
    const spot = place ? Plot.dot([place], { x: "0", y: "1", ...ring, clip: true }) : null;
    if (this.look === "band")
      return [this.which === "f" ? bars(this.view, [trial], { stroke: focus, strokeWidth: 5 }) : null, spot];
    if (this.which === "f" || this.regions.has(this.view.doc.trials.name[trial])) {
      const style = { stroke: focus, strokeWidth: 2.5, fill: focus, fillOpacity: 0.14 };
      return outlines(this.view, [trial], this.pair, this.regions, style, this.which === "f");
    }
    return [spot];
  }

  private rows(trial: number): number[] {
    const print = this.view.footprint(trial);
    if (this.which === "f") return print?.kind === "members" ? print.members : [];
    const row = this.rowOf(this.view.doc.trials.name[trial], this.view.doc.trials.query[trial]);
    return row < 0 ? [] : [row];
  }
}
