// How the answer's value changed as answers came in, and where the money went.
import * as Plot from "@observablehq/plot";
import { Chart } from "../charts/chart";
import { extent, widened, type Range } from "../charts/domain";
import { section } from "../controls";
import { h, table, data } from "../dom";
import { plural, rounded, short, withUnit } from "../format";
import type { Frame } from "../document";
import { accent, ink, line } from "../palette";
import type { View } from "../view";

export function progressSection(view: View): HTMLElement | null {
  const frames = view.doc.frames.filter((frame) => frame.best_so_far !== null);
  const spent = costs(view);
  if (frames.length === 0 && !spent) return null;
  const lead =
    "The expected value at the point that was recommended at the time, with its 95 % interval. If the line has become flat and the band narrow, little is left to gain.";
  const pictures = [frames.length > 0 ? bestSoFar(view) : null, spent].filter((picture) => picture !== null);
  return section(
    "progress",
    "Progress and cost",
    frames.length > 0 ? lead : null,
    h("div", { class: pictures.length > 1 ? "pair" : "" }, pictures),
  );
}

function bestSoFar(view: View): HTMLElement {
  const frames = view.doc.frames.filter((frame) => frame.best_so_far !== null);
  const { range, cut } = readable(frames);
  const last = frames.at(-1) as Frame;
  // A step ends where the next begins; the last one needs an end of its own to be seen.
  const steps = [...frames, { ...last, told: last.told + Math.max(0.5, 0.04 * (last.told - frames[0].told)) }];
  const chart = new Chart({
    label: `Expected value of the recommended point, after ${frames[0].told} to ${frames.at(-1)?.told} answers`,
    title: "Best so far",
    draw: () => ({
      height: 280,
      x: {
        label: "answers",
        domain: widened(extent(steps.map((f) => f.told)), 0.02),
        tickFormat: (d: number) => (Number.isInteger(d) ? String(d) : ""),
      },
      y: { label: view.valueLabel, domain: range, grid: true },
      marks: [
        Plot.frame({ stroke: line }),
        frames.length > 1
          ? Plot.areaY(steps, {
              x: "told",
              y1: (f) => f.best?.low ?? NaN,
              y2: (f) => f.best?.high ?? NaN,
              fill: accent,
              fillOpacity: 0.16,
              curve: "step-after",
              clip: true,
            })
          : Plot.ruleX(frames, {
              x: "told",
              y1: (f) => f.best?.low,
              y2: (f) => f.best?.high,
              stroke: accent,
              strokeOpacity: 0.4,
              strokeWidth: 4,
            }),
        Plot.lineY(steps, {
          x: "told",
          y: "best_so_far",
          stroke: accent,
          strokeWidth: 2,
          curve: "step-after",
          clip: true,
        }),
        Plot.dot(frames, { x: "told", y: "best_so_far", fill: accent, r: 3, clip: true }),
        view.state.now ? null : Plot.ruleX([view.moment.told], { stroke: ink, strokeDasharray: "3 3" }),
        Plot.tip(
          frames,
          Plot.pointerX({
            x: "told",
            y: "best_so_far",
            title: (f) => `after ${plural(f.told, "answer")}\n${short(f.best_so_far)}`,
          }),
        ),
      ],
    }),
  });
  view.state.on("moment", () => chart.draw());
  if (cut.length > 0) chart.element.append(h("p", { class: "note", id: "progress-cut" }, cutText(view, cut)));
  return chart.element;
}

// Early intervals may be so wide that nothing could be seen of the later ones. The axis shows the later half of the moments, and at most
// as much again above and below; the moments that reach further are cut off.
export function readable(frames: Frame[]): { range: Range; cut: Frame[] } {
  const ends = (f: Frame) => [f.best_so_far, f.best?.low, f.best?.high];
  const all = widened(extent(frames.flatMap(ends)));
  const late = widened(extent(frames.slice(Math.min(frames.length - 1, Math.ceil(frames.length / 2))).flatMap(ends)));
  const spread = late[1] - late[0];
  const [low, high] = [Math.max(all[0], late[0] - spread), Math.min(all[1], late[1] + spread)];
  const beyond = (x: number | null | undefined) => x !== null && x !== undefined && (x < low || x > high);
  return { range: widened([low, high], 0.05), cut: frames.filter((f) => ends(f).some(beyond)) };
}

// "Cut off, as it would hide the rest: the interval after 1 answer, 151 to 7,342 cases per 1,000."
function cutText(view: View, cut: Frame[]): string {
  const { unit } = view.doc.value;
  const wide = ({ best }: Frame) => (best ? best.high - best.low : 0);
  const widest = cut.reduce((a, b) => (wide(b) > wide(a) ? b : a));
  const { best, best_so_far, told } = widest;
  const numbers = best
    ? `${rounded(best.low, best.sd)} to ${withUnit(rounded(best.high, best.sd), unit)}`
    : withUnit(short(best_so_far), unit);
  const begin = "Cut off, as it would hide the rest:";
  if (cut.length === 1) return `${begin} the interval after ${plural(told, "answer")}, ${numbers}.`;
  return `${begin} parts of ${cut.length} early intervals, the widest after ${plural(told, "answer")}, ${numbers}.`;
}

// By level if queries have levels; otherwise nothing if all cost the same.
function costs(view: View): HTMLElement | null {
  const { trials } = view.doc;
  const told = trials.number.map((_, i) => i).filter((i) => trials.state[i] === "told");
  const levels = trials.level.some((level) => level !== null);
  if (told.length === 0 || (!levels && new Set(trials.cost).size < 2)) return null;
  const groups = new Map<string, { count: number; cost: number }>();
  for (const i of told) {
    const key = levels ? String(trials.level[i] ?? "none") : short(trials.cost[i]);
    const group = groups.get(key) ?? { count: 0, cost: 0 };
    groups.set(key, { count: group.count + 1, cost: group.cost + trials.cost[i] });
  }
  const rows = [...groups].sort((a, b) => Number(a[0]) - Number(b[0])).map(([key, group]) => ({ key, ...group }));
  const by = levels ? "level" : "cost of one query";
  if (rows.length > 20) return null;
  const chart = new Chart({
    label: `Cost by ${by}: ${rows.map((row) => `${row.key}: ${short(row.cost)}`).join(", ")}`,
    title: `Spent, by ${by}`,
    draw: () => ({
      height: 280,
      x: { label: by, type: "band", domain: rows.map((row) => row.key), padding: 0.35 },
      y: { label: "cost", grid: true, domain: [0, 1.12 * Math.max(...rows.map((row) => row.cost), 1e-9)] },
      marks: [
        Plot.barY(rows, { x: "key", y: "cost", fill: accent, fillOpacity: 0.8 }),
        Plot.text(rows, { x: "key", y: "cost", text: (row) => `${short(row.cost)}`, dy: -9, fontWeight: 600 }),
        Plot.ruleY([0], { stroke: ink }),
      ],
    }),
  });
  const head = [{ text: by }, { text: "queries", number: true }, { text: "cost", number: true }];
  const numbers = rows.map((row) => [row.key, data(row.count, String(row.count)), data(row.cost, short(row.cost))]);
  return h(
    "div",
    { id: "costs" },
    chart.element,
    h("details", {}, h("summary", {}, "As a table"), table(`Cost by ${by}`, head, numbers)),
  );
}
