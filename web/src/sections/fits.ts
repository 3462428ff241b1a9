// Fitted hyperparameters, refit by refit.
import * as Plot from "@observablehq/plot";
import { Chart } from "../charts/chart";
import { extent, widened } from "../charts/domain";
import { section } from "../controls";
import { data, h, table } from "../dom";
import type { Fit } from "../document";
import { plural, short } from "../format";
import { accent, line } from "../palette";
import type { View } from "../view";
import { parameterName } from "../words";

interface Value {
  at: number;
  value: number;
  low: number;
  high: number;
}

export function fitsSection(view: View): HTMLElement | null {
  const { fits: all, target, noise_told } = view.doc;
  // Noise that was told with every answer was not fitted.
  const fits = all.map((fit) => ({
    ...fit,
    parameters: fit.parameters.filter(({ name }) => !noise_told || !name.startsWith("noise")),
  }));
  const last = fits.at(-1);
  if (!last) return null;
  const lead = `iqbo estimates from the answers how ${view.doc.value.name} varies from place to place. It has done so ${plural(fits.length, "time")}, most recently from ${plural(last.observations, "answer")}.${noise_told ? " Every answer came with its own noise, so none was fitted." : ""}`;
  const named = (name: string) => parameterName(indexed(name));
  const indexed = (name: string) =>
    name.replace(/\[(\d+)\]$/, (_, j) => (target.axes[Number(j)] ? ` of ${target.axes[Number(j)].name}` : `[${j}]`));
  const rows = last.parameters.map((p) => [
    named(p.name),
    data(p.value, short(p.value)),
    p.low < p.high ? [data(p.low, short(p.low)), " to ", data(p.high, short(p.high))] : "–",
  ]);
  const head = [
    { text: `after ${plural(last.observations, "answer")}` },
    { text: "fitted", number: true },
    { text: "95 % interval", number: true },
  ];
  const notes = last.notes.length
    ? h(
        "ul",
        { class: "notes" },
        last.notes.map((note) => h("li", {}, note)),
      )
    : null;
  const pictures =
    fits.length > 1
      ? h(
          "div",
          { class: "grid" },
          histories(fits).map(([name, values]) => history(named(name), values)),
        )
      : null;
  return section(
    "fits",
    "How values vary",
    lead,
    h(
      "details",
      {},
      h("summary", {}, "Details of the fit"),
      h("p", { class: "note" }, `Kernel ${last.family}. Numbers that stop changing show that the fit is stable.`),
      pictures,
      table("The last fit", head, rows),
      notes,
    ),
  );
}

function histories(fits: Fit[]): [string, Value[]][] {
  const all = new Map<string, Value[]>();
  for (const fit of fits)
    for (const { name, value, low, high } of fit.parameters) {
      if (!all.has(name)) all.set(name, []);
      all.get(name)?.push({ at: fit.observations, value, low, high });
    }
  const evidence = fits.map((fit) => ({
    at: fit.observations,
    value: fit.log_evidence,
    low: fit.log_evidence,
    high: fit.log_evidence,
  }));
  return [...all, ["log evidence", evidence]];
}

// A few round numbers on a logarithmic axis: powers of ten, or of a hundred, ...
function decades([low, high]: [number, number]): number[] {
  const [first, last] = [Math.ceil(Math.log10(low)), Math.floor(Math.log10(high))];
  const all = Array.from({ length: Math.max(0, last - first + 1) }, (_, k) => 10 ** (first + k));
  return all.filter((_, k) => k % Math.ceil(all.length / 4) === 0);
}

function history(name: string, values: Value[]): HTMLElement {
  const range = extent(
    values.map((v) => v.low),
    values.map((v) => v.high),
    values.map((v) => v.value),
  );
  const log = range !== null && range[0] > 0 && range[1] > 20 * range[0];
  const domain = log && range ? ([range[0] / 1.2, range[1] * 1.2] as [number, number]) : widened(range, 0.08);
  const chart = new Chart({
    label: `${name}, refit by refit: last ${short(values.at(-1)?.value)}`,
    title: name,
    draw: () => ({
      height: 176,
      marginTop: 10,
      x: { label: "answers", domain: widened(extent(values.map((v) => v.at)), 0.03), ticks: 4 },
      y: {
        label: null,
        type: log ? "log" : "linear",
        domain,
        grid: true,
        ticks: log ? decades(domain) : 4,
        tickFormat: log ? (d: number) => short(d) : undefined,
      },
      marks: [
        Plot.frame({ stroke: line }),
        Plot.areaY(values, { x: "at", y1: "low", y2: "high", fill: accent, fillOpacity: 0.16 }),
        Plot.lineY(values, { x: "at", y: "value", stroke: accent, strokeWidth: 1.8 }),
        Plot.dot(values, { x: "at", y: "value", fill: accent, r: 2.5 }),
        Plot.tip(
          values,
          Plot.pointerX({
            x: "at",
            y: "value",
            title: (v: Value) =>
              `after ${plural(v.at, "answer")}\n${short(v.value)}${v.low < v.high ? `\n${short(v.low)} to ${short(v.high)}` : ""}`,
          }),
        ),
      ],
    }),
  });
  return chart.element;
}
