// A study at the moment the reader looks at, and its trials one by one.
import { shiftOf, type Shift } from "./charts/domain";
import type { Answer, Axis, Footprint, Numbers, StudyDocument } from "./document";
import { labelOf, pointText, short, tally, withUnit } from "./format";
import type { State } from "./state";

export interface Moment {
  told: number;
  trial: number; // trials with smaller numbers were out or answered
  best: Answer | null;
  f: { mean: Numbers; sd: Numbers } | null; // null: not kept
  g: { mean: Numbers; sd: Numbers } | null;
}

export class View {
  readonly valueLabel: string;
  readonly shift: Shift;
  private readonly places: number[];

  constructor(
    readonly doc: StudyDocument,
    readonly state: State,
  ) {
    this.valueLabel = labelOf(doc.value);
    this.shift = shiftOf(doc.value);
    this.places = doc.trials.number.map((_, i) => i);
  }

  get moment(): Moment {
    const { doc, state } = this;
    if (state.now || doc.frames.length === 0) {
      const told = doc.status.told + doc.status.imported + doc.status.values;
      return { told, trial: Infinity, best: doc.answer, f: doc.f, g: doc.g };
    }
    const { told, trial, best, f_mean, f_sd, g_mean, g_sd } = doc.frames[state.moment];
    const f = f_mean && f_sd ? { mean: f_mean, sd: f_sd } : null;
    const g = g_mean && g_sd ? { mean: g_mean, sd: g_sd } : null;
    return { told, trial, best, f, g };
  }

  // The places of the trials that were there at this moment.
  get shown(): number[] {
    const { trial } = this.moment;
    return trial === Infinity ? this.places : this.places.filter((i) => this.before(i, trial));
  }

  // An imported answer counts with the trials before which it came.
  private before(i: number, trial: number): boolean {
    const { number } = this.doc.trials;
    const next = number.slice(i).find((n) => n !== null);
    return (next ?? Infinity) < trial || (number[i] === null && next === trial);
  }

  // Of a tile its bounds: "east 0 to 2.5 km, north 5 to 7.5 km".
  private tileText(i: number): string | null {
    const { doc } = this;
    if (!doc.tiles) return null;
    const print = this.footprint(i);
    const row = doc.g.points.findIndex((point) => point.every((v, j) => v === doc.trials.query[i][j]));
    const [lower, upper] =
      print?.kind === "box" ? [print.lower, print.upper] : [doc.tiles.lower[row], doc.tiles.upper[row]];
    if (!lower || !upper) return null;
    return doc.target.axes
      .map((axis, j) => `${axis.name} ${short(lower[j])} to ${withUnit(short(upper[j]), axis.unit)}`)
      .join(", ");
  }

  queryText(i: number): string {
    const bounds = this.tileText(i);
    const name = this.doc.trials.name[i];
    if (bounds) return name ? `${name} (${bounds})` : bounds;
    return pointText(this.queryAxes, this.doc.trials.query[i], this.doc.trials.name[i]);
  }

  // "12 of 2,000" where answers are counts; else "".
  tallyText(i: number): string {
    const { count, exposure } = this.doc.trials;
    const [y, n] = [count?.[i], exposure?.[i]];
    return y == null || n == null ? "" : tally(y, n);
  }

  // Whether answers were imported.
  get imported(): boolean {
    return this.doc.trials.state.includes("imported");
  }

  title(i: number): string {
    const number = this.doc.trials.number[i];
    return number === null ? "Imported" : `Trial ${number}`;
  }

  get queryAxes(): Axis[] {
    return this.doc.query.axes;
  }

  footprint(i: number): Footprint | null {
    const place = this.doc.trials.footprint[i];
    return place === null || place === undefined ? null : (this.doc.footprints[place] ?? null);
  }

  // The middle of what a query touches, along the axes of X.
  centre(print: Footprint): number[] {
    if (print.kind === "ellipse") return print.centre;
    if (print.kind === "box") return print.lower.map((low, j) => (low + print.upper[j]) / 2);
    const { points } = this.doc.f;
    const total = print.weights.reduce((sum, w) => sum + w, 0) || 1;
    return this.doc.target.axes.map((_, j) =>
      print.members.reduce((sum, m, k) => sum + ((points[m]?.[j] ?? 0) * print.weights[k]) / total, 0),
    );
  }
}
