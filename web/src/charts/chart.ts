// A picture drawn by Plot: as wide as its place, drawn anew when that changes; on top a second, transparent one with the same
// scales for what is pointed at, so that pointing costs little. Pointing near a trial's spot makes that trial the focus.
import * as Plot from "@observablehq/plot";
import { h, type Child } from "../dom";
import { later } from "../schedule";
import type { State } from "../state";

export interface Spot {
  trial: number;
  x: number;
  y: number;
  rx?: number; // around (x, y), in the units of the axes: whatever points in there points at the trial
  ry?: number;
}

export interface ChartOptions {
  label: string; // for those who cannot see it
  title?: Child;
  draw: (width: number) => Plot.PlotOptions;
  legend?: boolean;
  over?: () => Plot.Markish[];
  spots?: () => Spot[];
  pick?: (event: PointerEvent) => number | null | undefined; // undefined: by the spots
  state?: State;
}

type Drawn = (SVGSVGElement | HTMLElement) & Plot.Plot;
export const margins = { marginTop: 26, marginRight: 18, marginBottom: 42, marginLeft: 56 };
const style = { fontSize: "12px", fontFamily: "inherit", overflow: "visible" };
const reach = 36; // pixels

export class Chart {
  readonly element: HTMLElement;
  private readonly stage = h("div", { class: "stage" });
  private readonly key = h("div", { class: "key" });
  private options: Plot.PlotOptions = {};
  private base: Drawn | null = null;
  private top: Drawn | null = null;
  private width = 0;
  private due = false; // its turn to be drawn has come
  private spots: Spot[] | null = null; // in pixels

  constructor(private readonly chart: ChartOptions) {
    const { title, legend, state, over } = chart;
    this.element = h(
      "figure",
      { class: "chart" },
      title ? h("figcaption", {}, title) : null,
      legend ? this.key : null,
      this.stage,
    );
    if (state && over) state.on("focus", () => this.highlight());
    if (state && chart.spots) this.listen(state);
    new ResizeObserver(([entry]) => this.resized(Math.round(entry.contentRect.width))).observe(this.stage);
    later(() => this.draw());
  }

  // Widths come from the observer: asking the stage would lay out the whole page once for every picture.
  private resized(width: number): void {
    if (width === this.width) return;
    this.width = width;
    if (this.due) this.draw();
  }

  draw(): void {
    this.due = true;
    this.width ||= this.stage.clientWidth;
    if (this.width === 0) return;
    this.options = {
      ...margins,
      width: this.width,
      style,
      ariaLabel: this.chart.label,
      ...this.chart.draw(this.width),
    };
    this.base = Plot.plot(this.options) as Drawn;
    this.base.setAttribute("role", "img");
    this.stage.replaceChildren(this.base);
    this.top = null;
    this.spots = null;
    if (this.chart.legend) this.drawLegend();
    this.highlight();
  }

  private drawLegend(): void {
    const legend = this.base?.legend("color", {
      width: Math.min(260, this.width),
      style: { fontSize: "11px", fontFamily: "inherit" },
    });
    this.key.replaceChildren(...(legend ? [legend] : []));
  }

  private highlight(): void {
    const { over } = this.chart;
    if (!over || !this.base) return;
    this.top?.remove();
    this.top = null;
    const marks = over();
    if (marks.length === 0) return;
    const same = (name: "x" | "y") => ({ ...this.base?.scale(name), axis: null, label: null });
    this.top = Plot.plot({
      ...this.options,
      ariaLabel: null,
      x: same("x"),
      y: same("y"),
      marks,
    } as Plot.PlotOptions) as Drawn;
    this.top.setAttribute("class", `${this.top.getAttribute("class")} over`);
    this.top.setAttribute("aria-hidden", "true");
    this.stage.append(this.top);
  }

  private listen(state: State): void {
    this.stage.addEventListener("pointermove", (event) => state.look(this.picked(event)));
    this.stage.addEventListener("pointerdown", (event) => state.look(this.picked(event)));
    this.stage.addEventListener("pointerleave", (event) => event.pointerType === "mouse" && state.look(null));
  }

  // The trial whose spot is nearest; of several that the pointer is in, the smallest, and of equal ones the last.
  private picked(event: PointerEvent): number | null {
    const direct = this.chart.pick?.(event);
    if (direct !== undefined) return direct;
    if (!this.base) return null;
    const frame = this.base.getBoundingClientRect();
    const zoom = (this.options.width ?? frame.width) / frame.width;
    const [px, py] = [(event.clientX - frame.left) * zoom, (event.clientY - frame.top) * zoom];
    let best: number | null = null;
    let least = Infinity;
    for (const { trial, x, y, rx = 0, ry = 0 } of (this.spots ??= this.measured())) {
      const distance = Math.hypot(Math.max(0, Math.abs(px - x) - rx), Math.max(0, Math.abs(py - y) - ry));
      const effort = distance === 0 ? -1 / (1 + rx + ry) : distance;
      if (distance <= reach && effort <= least) [best, least] = [trial, effort];
    }
    return best;
  }

  private measured(): Spot[] {
    const [x, y] = [this.base?.scale("x"), this.base?.scale("y")];
    if (!x || !y) return [];
    const length = (scale: Plot.Scale, at: number, r = 0) =>
      r === 0 ? 0 : Math.abs(scale.apply(at + r) - scale.apply(at));
    return (this.chart.spots?.() ?? []).map((s) => ({
      trial: s.trial,
      x: x.apply(s.x),
      y: y.apply(s.y),
      rx: length(x, s.x, s.rx),
      ry: length(y, s.y, s.ry),
    }));
  }
}
