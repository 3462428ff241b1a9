// The queries in order, and what they touch. Pointing at one, here or in any other picture or in the table, shows it everywhere.
import * as Plot from "@observablehq/plot";
import { interpolateViridis } from "d3";
import { Chart } from "../charts/chart";
import { extent, shifted, widened, type Range } from "../charts/domain";
import { picture } from "../charts/pictures";
import { Side } from "../charts/side";
import { legend, section } from "../controls";
import { h, type Child } from "../dom";
import { meaningful, plural, short, withUnit } from "../format";
import { accent, focus, ink, line, muted } from "../palette";
import type { View } from "../view";
import { reasonFor } from "../words";

const manyTrials = 1500;

export function queriesSection(view: View): HTMLElement | null {
  const { trials } = view.doc;
  const n = trials.number.length;
  if (n === 0) return null;
  const side = new Side(view, "f");
  const lead =
    "Every query in the order in which it was asked, with its answer and the forecast of that answer. Point at a query, or use the arrow keys, to see what it touches.";
  const drawable = side.known || side.space.axes.length > 0;
  const prints = view.doc.footprints.length > 0 && drawable;
  return section("queries", "The queries in order", lead, [
    h("div", { class: prints ? "pair" : "" }, timeline(view), prints ? touched(side) : null),
    detail(view),
  ]);
}

function touched(side: Side): HTMLElement {
  const recent = side.view.doc.trials.number.length > 300 ? "the last 300 " : "";
  const title =
    side.space.axes.length > 2
      ? `What queries touch, along ${side.field.axes.map((axis) => axis.name).join(" and ")}`
      : `What ${recent}queries touch, over the estimate`;
  return picture(side, { of: "mean", title, queries: true }).element;
}

function timeline(view: View): HTMLElement {
  const { trials, checks } = view.doc;
  const levels = [...new Set(trials.level.filter((l) => l !== null))].sort((a, b) => a - b);
  const shades = levels.map((_, k) => interpolateViridis((0.92 * k) / Math.max(1, levels.length - 1)));
  const height = (i: number) => trials.value[i] ?? trials.expected[i];
  const many = trials.number.length > manyTrials;
  const chart = new Chart({
    label: `${plural(trials.number.length, "query", "queries")} in order`,
    title: h("span", {}, "Answers, in the order asked"),
    state: view.state,
    spots: () => view.shown.map((trial) => ({ trial, x: trial, y: height(trial) ?? floor() })),
    over: () => {
      const i = view.state.focus;
      return i === null || i >= trials.number.length
        ? []
        : [
            Plot.dot([[i, height(i) ?? floor()]], {
              x: "0",
              y: "1",
              r: 8,
              stroke: focus,
              strokeWidth: 2.5,
            }),
          ];
    },
    draw: () => {
      const shown = view.shown;
      const state = (wanted: string) => shown.filter((i) => trials.state[i] === wanted);
      const x = (i: number) => i;
      const within = (times: number) => (i: number) =>
        view.shift(trials.expected[i] ?? NaN, trials.expected_sd[i] ?? NaN, times);
      return {
        height: 340,
        x: {
          label: view.imported ? "in order" : "trial",
          domain: widened([0, Math.max(1, trials.number.length - 1)], 0.02),
          tickFormat: (d: number) => (Number.isInteger(d) ? (view.imported ? String(d + 1) : String(d)) : ""),
        },
        y: { label: view.valueLabel, domain: range, grid: true },
        color: { type: "ordinal", domain: levels, range: shades },
        marks: [
          Plot.frame({ stroke: line }),
          many
            ? null
            : Plot.ruleX(shown, {
                x,
                y1: within(-1.645),
                y2: within(1.645),
                stroke: accent,
                strokeOpacity: 0.3,
                strokeWidth: 2,
                clip: true,
              }),
          Plot.dot(state("told"), {
            x,
            y: height,
            fill: levels.length ? (i) => trials.level[i] : ink,
            stroke: levels.length ? muted : "none",
            strokeWidth: 0.7,
            r: many ? 1.3 : shown.length > 300 ? 2 : 3.5,
            clip: true,
          }),
          Plot.dot(state("imported"), {
            x,
            y: height,
            fill: muted,
            symbol: "diamond",
            r: many ? 1.3 : shown.length > 300 ? 2 : 4,
            clip: true,
          }),
          Plot.dot(state("pending"), { x, y: (i) => height(i) ?? floor(), stroke: ink, r: 4, fill: "var(--paper)" }),
          Plot.dot(state("failed"), {
            x,
            y: (i) => height(i) ?? floor(),
            symbol: "times",
            stroke: muted,
            strokeWidth: 2,
            r: 4,
          }),
        ],
      };
    },
  });
  const range = heights(view, many);
  const floor = () => range[0] + 0.03 * (range[1] - range[0]);
  view.state.on("moment", () => chart.draw());
  const key = [
    ...(levels.length
      ? levels.map((level, k) => ({ colour: shades[k], text: `level ${level}` }))
      : [{ colour: ink, text: "answer" }]),
    ...(checks.n > 0 && !many ? [{ colour: accent, text: "90 % interval of the forecast", mark: "bar" }] : []),
    ...(view.imported ? [{ colour: muted, text: "imported", mark: "dot" }] : []),
    ...(view.doc.status.pending ? [{ colour: ink, text: "pending", mark: "ring" }] : []),
    ...(view.doc.status.failed ? [{ colour: muted, text: "failed", mark: "times" }] : []),
  ];
  chart.element.append(legend(key));
  return stepper(view, chart.element);
}

// All answers, and what was expected of them unless that was far off.
function heights({ doc, shift }: View, many: boolean): Range {
  const { trials } = doc;
  const expected = [-1.645, 1.645].map((times) =>
    many ? [] : shifted(trials.expected, trials.expected_sd, times, shift),
  );
  const all = widened(extent(trials.value, trials.expected, ...expected), 0.05);
  const answers = extent(trials.value);
  const near = answers ? widened(answers, 0.6) : all;
  return [Math.max(all[0], near[0]), Math.min(all[1], near[1])];
}

// Arrow keys go from trial to trial.
function stepper(view: View, chart: HTMLElement): HTMLElement {
  const { state } = view;
  const step = (event: Event) => {
    const { key } = event as KeyboardEvent;
    const shown = view.shown;
    const at = state.focus === null ? -1 : shown.indexOf(state.focus);
    const to = {
      ArrowRight: at + 1,
      ArrowUp: at + 1,
      ArrowLeft: at < 0 ? shown.length - 1 : at - 1,
      ArrowDown: at - 1,
      Home: 0,
      End: shown.length - 1,
      Escape: -1,
    }[key];
    if (to === undefined) return;
    event.preventDefault();
    state.look(key === "Escape" ? null : shown[Math.max(0, Math.min(shown.length - 1, to))]);
  };
  const box = h(
    "div",
    {
      class: "stepper",
      id: "timeline",
      tabindex: 0,
      role: "slider",
      "aria-label": "Trial",
      "aria-valuemin": 0,
      "aria-valuemax": view.doc.trials.number.length - 1,
      "aria-valuenow": 0,
      on: { keydown: step },
    },
    chart,
  );
  state.on("focus", () => {
    if (state.focus === null) return;
    box.setAttribute("aria-valuenow", String(state.focus));
    box.setAttribute("aria-valuetext", summary(view, state.focus).join(", "));
  });
  return box;
}

function detail(view: View): HTMLElement {
  const box = h("p", { class: "detail", id: "detail", "aria-live": "polite" });
  const show = () => {
    const { focus: trial } = view.state;
    const parts =
      trial === null || trial >= view.doc.trials.number.length ? ["No query is pointed at."] : summary(view, trial);
    box.replaceChildren(
      ...parts.flatMap((part, k): Node[] => [
        ...(k ? [document.createTextNode(" · ")] : []),
        h(k === 0 ? "strong" : "span", {}, part as Child),
      ]),
    );
  };
  view.state.on("focus", show);
  show();
  return box;
}

function summary(view: View, i: number): string[] {
  const { trials, value } = view.doc;
  const counted = view.tallyText(i);
  const answer = {
    told: `answered ${counted ? `${counted}: ` : ""}${withUnit(short(trials.value[i]), value.unit)}`,
    imported: `${counted ? `${counted}: ` : ""}${withUnit(short(trials.value[i]), value.unit)}`,
    pending: "pending",
    failed: `failed: ${trials.reason[i]}`,
  }[trials.state[i]];
  const expected = trials.expected[i];
  return [
    view.title(i),
    view.queryText(i),
    answer,
    expected === null || expected === undefined
      ? ""
      : `expected ${meaningful(expected, trials.expected_sd[i])} ± ${short(trials.expected_sd[i])}`,
    trials.level[i] === null || trials.level[i] === undefined ? "" : `level ${trials.level[i]}`,
    trials.state[i] === "imported" ? "" : `cost ${short(trials.cost[i])}`,
    trials.state[i] === "imported" ? "" : reasonFor(trials.policy[i], trials.why[i]),
  ].filter((text) => text !== "");
}
