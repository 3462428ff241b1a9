// Are the intervals honest? Each answer against what was believed just before it came.
import * as Plot from "@observablehq/plot";
import { Chart } from "../charts/chart";
import { section } from "../controls";
import { data, h } from "../dom";
import { percent, plural, sentence } from "../format";
import { accent, ink, line } from "../palette";
import type { View } from "../view";

const far = 5; // sd; what lies beyond is drawn at the edge

export function checksSection(view: View): HTMLElement | null {
  const { checks } = view.doc;
  if (checks.n === 0) return null;
  const lead = `Each of ${plural(checks.n, "answer")} was predicted before it arrived. If the intervals are honest, about half of the answers lie within the 50 % intervals, and nine in ten within the 90 % ones.`;
  const share = (name: string, expected: string, value: number | null, id: string) =>
    h(
      "div",
      {},
      h("dt", {}, `Within ${name} intervals`),
      h("dd", {}, h("strong", { id }, data(value, percent(value))), h("small", {}, `expected ${expected}`)),
    );
  return section(
    "checks",
    "Are the intervals honest?",
    lead,
    h(
      "dl",
      { class: "figures" },
      share("50 %", "50 %", checks.cover50, "cover50"),
      share("90 %", "90 %", checks.cover90, "cover90"),
    ),
    checks.text ? h("p", { id: "checks-text", class: "note" }, sentence(checks.text)) : null,
    h("div", { class: "pair" }, series(view), histogram(view)),
  );
}

const clamped = (r: number) => Math.max(-far, Math.min(far, r));

function series(view: View): HTMLElement {
  const { checks, trials } = view.doc;
  const known = checks.residuals.flatMap((r, i) => (r === null ? [] : [{ at: i, r, y: clamped(r) }]));
  const base = trials.state.includes("imported") ? 1 : 0; // trials are counted from 0
  const chart = new Chart({
    label: "Distance from the forecast, answer by answer",
    title: `Distance from the forecast, answer by answer${known.some(({ r }) => Math.abs(r) > far) ? ` (beyond ${far} at the edge)` : ""}`,
    draw: () => ({
      height: 260,
      x: {
        label: base ? "in order" : "trial",
        tickFormat: (d: number) => (Number.isInteger(d) ? String(d + base) : ""),
      },
      y: { label: "(answer − expected) / sd", domain: [-far - 0.3, far + 0.3], grid: true },
      marks: [
        Plot.rectY([1], { y1: -1.645, y2: 1.645, fill: accent, fillOpacity: 0.1 }),
        Plot.rectY([1], { y1: -0.674, y2: 0.674, fill: accent, fillOpacity: 0.14 }),
        Plot.ruleY([0], { stroke: ink, strokeOpacity: 0.5 }),
        Plot.frame({ stroke: line }),
        Plot.dot(known, {
          x: "at",
          y: "y",
          fill: ink,
          fillOpacity: 0.75,
          r: known.length > 300 ? 1.5 : 3,
          symbol: "circle",
        }),
      ],
    }),
  });
  return chart.element;
}

function histogram(view: View): HTMLElement {
  const known = view.doc.checks.residuals
    .filter((r): r is number => r !== null)
    .map((r) => Math.min(clamped(r), far - 1e-9)); // bins do not hold their upper ends
  const wide = known.length > 200 ? 0.25 : known.length > 40 ? 0.5 : 1;
  const normal = Array.from({ length: 101 }, (_, k) => (k - 50) / 10).map((x) => ({
    x,
    y: (wide * known.length * Math.exp(-0.5 * x * x)) / Math.sqrt(2 * Math.PI),
  }));
  const thresholds = Array.from({ length: Math.round((2 * far) / wide) + 1 }, (_, k) => -far + k * wide);
  const chart = new Chart({
    label: "Histogram of these distances, with the normal curve that honest intervals would give",
    title: "How often each distance occurs; the curve is what honest intervals would give",
    draw: () => ({
      height: 260,
      x: { label: "(answer − expected) / sd", domain: [-far, far] },
      y: { label: "answers", grid: true, tickFormat: (d: number) => (Number.isInteger(d) ? String(d) : "") },
      marks: [
        Plot.rectY(
          known,
          Plot.binX({ y: "count" }, { x: Plot.identity, thresholds, fill: accent, fillOpacity: 0.55 } as never),
        ),
        Plot.lineY(normal, { x: "x", y: "y", stroke: ink, strokeWidth: 1.6 }),
        Plot.ruleY([0], { stroke: ink }),
      ],
    }),
  });
  return chart.element;
}
