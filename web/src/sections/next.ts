// Which query comes next, and what the others are worth beside it.
import * as Plot from "@observablehq/plot";
import { listedOnly } from "../charts/band";
import { Chart, margins } from "../charts/chart";
import { axisScale, extent, widened } from "../charts/domain";
import { mapOptions, position } from "../charts/map";
import { rankingOptions } from "../charts/ranking";
import { Side } from "../charts/side";
import { rects, tilesOf, tileText, type Tile } from "../charts/tiles";
import { legend, section } from "../controls";
import { h, type Child } from "../dom";
import type { Numbers, Score } from "../document";
import { listed, percent, pointText, short } from "../format";
import { chosen, ink, line } from "../palette";
import type { View } from "../view";
import { tellForm } from "./tell";
import { reasonFor } from "../words";

export function nextSection(view: View): HTMLElement | null {
  const { scores, query, trials } = view.doc;
  if (!scores) return null;
  const at = asked(view, scores);
  const tile = tilesOf(view.doc)?.find((t) => t.i === scores.next);
  const name =
    at && tile && !at.name
      ? tileText(view.doc.target.axes, tile)
      : at
        ? pointText(query.axes, at.point, at.name)
        : null;
  const reason = reasonFor(scores.policy || view.doc.policy, scores.why);
  const pending = trials.number.flatMap((_, i) => (trials.state[i] === "pending" ? [i] : []));
  return section(
    "next",
    "What to ask next",
    pictured(scores) ? "The worth of a query is relative to that of the best query, which is 100 %." : null,
    pending.length
      ? h(
          "p",
          { id: "next-pending" },
          `Still to be answered: ${listed(pending.slice(0, 6).map((i) => `${view.queryText(i)} (${view.title(i).toLowerCase()})`))}${pending.length > 6 ? ` and ${pending.length - 6} more` : ""}.`,
        )
      : null,
    h(
      "p",
      { class: "big-text", id: "next-query" },
      name === null
        ? nothing(view)
        : [
            pending.length ? "After that, next: " : "Next: ",
            h("strong", {}, name),
            reason ? `, because ${reasonPhrase(reason)}.` : ".",
          ],
    ),
    tellForm(view),
    view.doc.chances?.stop
      ? h("p", { id: "next-stop", class: "note" }, `The study may stop now: ${view.doc.chances.stop}.`)
      : null,
    pictures(view, scores),
    scores.why.length
      ? h(
          "details",
          {},
          h("summary", {}, "Details of the choice"),
          h(
            "ul",
            { class: "why", "aria-label": "Why" },
            scores.why.map((text) => h("li", {}, text)),
          ),
        )
      : null,
  );
}

// Why there is no next query, if it is for the money.
function nothing({ doc }: View): string {
  const { left } = doc.status;
  if (left === null || !doc.scores?.why.some((text) => /affordable|costs at most/.test(text)))
    return "There is nothing to ask.";
  const rest = left < 0 ? "more than the budget has been spent" : `${short(left)} of the budget is left`;
  return `There is nothing to ask: ${rest}, and every query that may still be asked costs more.`;
}

const reasonPhrase = (reason: string) => (/^(one of|drawn|chosen)/.test(reason) ? `it is ${reason}` : reason);

const pictured = (scores: Score) => extent(worths(scores)) !== null;

// Of each query beside the best one: the policy's score is a logarithm, or a number that means something only beside others.
export function worths({ values, logarithms }: Score): Numbers {
  const known = values.filter((v): v is number => v !== null);
  if (known.length === 0) return values;
  const most = Math.max(...known);
  const least = Math.min(...known);
  if (logarithms) return values.map((v) => (v === null ? null : Math.exp(v - most)));
  if (least >= 0 && most > 0) return values.map((v) => (v === null ? null : v / most));
  return values.map((v) => (v === null ? null : most > least ? (v - least) / (most - least) : 1));
}

// What would be asked next: a listed query, or one between them.
function asked({ doc }: View, { next, query }: Score): { point: number[]; name: string; listed: boolean } | null {
  const name = next === null ? "" : (doc.g.names[next] ?? "");
  const isListed = next !== null && (doc.query.kind === "points" || name !== "" || !query);
  const point = isListed ? doc.g.points[next] : query;
  return point ? { point, name, listed: isListed } : null;
}

const label = "worth, % of the best";

function pictures(view: View, scores: Score): Child {
  const side = new Side(view, "g");
  const worth = worths(scores).map((w) => (w === null ? null : 100 * w));
  if (!extent(worth)) return null;
  const look = side.space.axes.length > 2 ? "ranking" : side.look;
  const chart = (title: string, draw: (width: number) => Plot.PlotOptions, key = false) =>
    new Chart({ label: `${title}: ${label}`, title, legend: key, draw }).element;
  const named = new Side(view, "g", null, "ranking");
  const best = chart(`The most promising queries${named.order ? ` (${named.order})` : ""}`, (width) =>
    rankingOptions(
      named.field,
      { mean: worth, sd: null, label, most: 12, lowest: false, marked: scores.next, colour: chosen, from: 0 },
      width,
    ),
  );
  const tiles = tilesOf(view.doc);
  const map = tiles
    ? chart("On the map", (width) => asTiles(view, scores, tiles, worth, width), true)
    : look === "map"
      ? chart("On the map", (width) => asMap(side, scores, worth, width), true)
      : null;
  if (map) return [h("div", { class: "pair" }, map, best), key(view)];
  if (look === "ranking") return best;
  return chart("The diamond is the chosen query", () => asLine(side, scores, worth));
}

function key(view: View): HTMLElement {
  const { state } = view.doc.trials;
  const any = (wanted: string) => state.includes(wanted as (typeof state)[number]);
  return legend([
    { colour: chosen, text: "next", mark: "diamond" },
    ...(any("told") || any("imported") ? [{ colour: ink, text: "answered" }] : []),
    ...(any("pending") ? [{ colour: ink, text: "pending", mark: "ring" }] : []),
    { colour: "var(--line)", text: "cannot be asked now, or is worth nothing", mark: "bar" },
  ]);
}

const diamond = { symbol: "diamond" as const, r: 8, fill: chosen, stroke: "white", strokeWidth: 1.5 };

// Below the names of regions.
const below = (side: Side) => ({ dy: side.field.regions ? 10 : 0 });

// Where queries were answered, and which are pending.
function marks(side: Side): Plot.Markish[] {
  const { view } = side;
  const { state, name, query } = view.doc.trials;
  const places = (wanted: string[]) => {
    const found = view.shown.filter((i) => wanted.includes(state[i]));
    return [...new Map(found.map((i) => [name[i] || query[i].join(), i])).values()].flatMap((i) => {
      const at = side.place(i);
      return at ? [at] : [];
    });
  };
  const small = view.shown.length > 200 ? 1.6 : 3.2;
  return [
    Plot.dot(places(["told", "imported"]), {
      x: "0",
      y: "1",
      r: small,
      fill: ink,
      stroke: "var(--paper)",
      strokeWidth: 1,
      clip: true,
      ...below(side),
    }),
    Plot.dot(places(["pending"]), {
      ...below(side),
      x: "0",
      y: "1",
      r: 6,
      fill: "var(--paper)",
      stroke: ink,
      strokeWidth: 2,
      clip: true,
    }),
  ];
}

const scheme = { scheme: "magma" as const, reverse: true };

function asMap(side: Side, scores: Score, values: Numbers, width: number): Plot.PlotOptions {
  const tip = (i: number) => [side.tip(i), `worth ${percent((values[i] ?? 0) / 100)} of the best`].join("\n");
  const next = asked(side.view, scores);
  const at = next?.listed ? position(side.field, scores.next as number) : next?.point;
  const mark = at ? Plot.dot([at], { x: "0", y: "1", ...diamond, ...below(side) }) : null;
  const look = { values, label, range: [0, 100] as [number, number], ...scheme, tip, labels: true };
  return mapOptions(side.field, { ...look, marks: [...marks(side), mark] }, width);
}

// Tiles: of every place the most promising tile that covers it is seen, as the least promising are drawn first.
function asTiles(view: View, scores: Score, tiles: Tile[], values: Numbers, width: number): Plot.PlotOptions {
  const [x, y] = view.doc.target.axes;
  const known = tiles.filter((t) => values[t.i] !== null).sort((a, b) => (values[a.i] ?? 0) - (values[b.i] ?? 0));
  const next = tiles.filter((t) => t.i === scores.next);
  const room = width - margins.marginLeft - margins.marginRight;
  const height = Math.min(480, room * Math.min(1.6, Math.max(0.35, (y.to - y.from) / (x.to - x.from))));
  const f = new Side(view, "f");
  return {
    height: Math.round(height + margins.marginTop + margins.marginBottom),
    width: Math.round(
      Math.min(room, (height * (x.to - x.from)) / (y.to - y.from)) + margins.marginLeft + margins.marginRight,
    ),
    x: axisScale(x),
    y: axisScale(y),
    color: { type: "linear", ...scheme, domain: [0, 100], label },
    marks: [
      rects(known, { fill: (t: Tile) => values[t.i], stroke: "var(--paper)", strokeWidth: 0.5 }),
      Plot.frame({ stroke: line }),
      marks(f),
      rects(next, { fill: "none", stroke: chosen, strokeWidth: 3 }),
      Plot.dot(next, { x: (t) => (t.x1 + t.x2) / 2, y: (t) => (t.y1 + t.y2) / 2, ...diamond }),
      Plot.tip(
        known,
        Plot.pointer({
          x: (t: Tile) => (t.x1 + t.x2) / 2,
          y: (t: Tile) => (t.y1 + t.y2) / 2,
          title: (t: Tile) =>
            `${tileText(view.doc.target.axes, t)}\nworth ${percent((values[t.i] ?? 0) / 100)} of the best`,
          maxRadius: 24,
        }),
      ),
    ],
  };
}

function asLine(side: Side, { next, query }: Score, values: Numbers): Plot.PlotOptions {
  const { field } = side;
  const order = field.points.map((_, i) => i).sort((i, j) => field.points[i][0] - field.points[j][0]);
  const [x, y] = [(i: number) => field.points[i][0], (i: number) => values[i] ?? NaN];
  const only = listedOnly(field);
  return {
    height: 260,
    x: axisScale(field.axes[0], only ? 0.03 : 0),
    y: { label, domain: widened([0, 100], 0.03), grid: true },
    marks: [
      Plot.frame({ stroke: line }),
      only
        ? Plot.dot(order, { x, y, fill: chosen, r: 3.5 })
        : Plot.lineY(order, { x, y, stroke: chosen, strokeWidth: 2 }),
      Plot.ruleX((query ?? (next === null ? [] : field.points[next])).slice(0, 1), {
        stroke: chosen,
        strokeDasharray: "3 3",
      }),
      next === null ? null : Plot.dot([next], { x, y, ...diamond }),
      Plot.tip(
        order,
        Plot.pointerX({ x, y, title: (i: number) => `${side.tip(i)}\nworth ${short(values[i])} % of the best` }),
      ),
    ],
  };
}
