// What `iqbo paper` and `iqbo bench` found: verdicts, regret curves, paired differences, settings.
import * as Plot from "@observablehq/plot";
import { Chart } from "../charts/chart";
import { extent, widened } from "../charts/domain";
import { legend, section } from "../controls";
import { data, h, table, type Child } from "../dom";
import type { ExperimentDocument, Finding, Panel } from "../document";
import { clipped, plural, short } from "../format";
import { ink, line, lineStyle, muted } from "../palette";

const verdicts = ["holds", "equal", "does not hold", "undecided"] as const;
const colourOf = { holds: "var(--blue)", equal: "var(--green)", "does not hold": "var(--vermillion)", undecided: muted };

export function experimentSections(doc: ExperimentDocument): [string, HTMLElement | null][] {
  return [
    ["Findings", summarySection(doc)],
    ["Curves", curvesSection(doc)],
    ["Differences", differencesSection(doc)],
    ["Settings", settingsSection(doc)],
  ];
}

function summarySection(doc: ExperimentDocument): HTMLElement {
  const own = doc.findings.filter((finding) => !finding.extra);
  const tile = (verdict: (typeof verdicts)[number]) => {
    const count = own.filter((finding) => finding.verdict === verdict).length;
    const words = count === 1 ? verdict : verdict.replace("holds", "hold").replace("does", "do");
    return h(
      "div",
      { class: "tile", "data-verdict": verdict },
      h("strong", {}, data(count, String(count))),
      h("span", {}, words),
    );
  };
  const tiles = own.length ? h("div", { class: "tiles", id: "verdicts" }, verdicts.map(tile)) : null;
  const lead = own.length ? `${plural(own.length, "claim")}, judged by paired differences with 95 % intervals.` : null;
  return section(
    "findings",
    "What was found",
    lead,
    tiles,
    doc.text.map((text) => h("p", {}, commands(text))),
  );
}

// "Made by: iqbo bench ..." has its command set as one.
function commands(text: string): Child {
  const at = /^(.*?)\b(iqbo (?:paper|bench) .*)$/s.exec(text);
  return at ? [at[1], h("code", {}, at[2])] : text;
}

function curvesSection(doc: ExperimentDocument): HTMLElement | null {
  if (doc.panels.length === 0) return null;
  const policies = [...new Set(doc.panels.flatMap((panel) => panel.curves.map((curve) => curve.policy)))];
  const hidden = new Set<string>();
  const charts = doc.panels.map((panel) => panelChart(panel, policies, hidden));
  const key = legend(
    policies.map((text, k) => ({ text, colour: lineStyle(k).colour, mark: `line dash-${lineStyle(k).pattern}` })),
  );
  // A policy can be left out, so that the bands of the others can be told apart.
  [...key.children].forEach((entry, k) => {
    const button = h(
      "button",
      {
        type: "button",
        "aria-pressed": "true",
        on: {
          click: () => {
            if (!hidden.delete(policies[k])) hidden.add(policies[k]);
            button.setAttribute("aria-pressed", String(!hidden.has(policies[k])));
            charts.forEach((chart) => chart.draw());
          },
        },
      },
      [...entry.childNodes],
    );
    entry.replaceChildren(button);
  });
  const lower = doc.panels.some((panel) => panel.y.includes("regret")) ? " Less regret is better." : "";
  const lead = `Lines are means over seeds, bands with thin edges their 95 % intervals.${lower} Click on a policy to leave it out.`;
  return section(
    "curves",
    "Curves",
    lead,
    key,
    h(
      "div",
      { class: "pair" },
      charts.map((chart) => chart.element),
    ),
  );
}

function panelChart(panel: Panel, policies: string[], hidden: Set<string>): Chart {
  const rows = panel.curves.flatMap((curve) =>
    curve.at.map((x, i) => ({
      policy: curve.policy,
      x,
      mean: curve.mean[i] ?? NaN,
      low: curve.low[i] ?? NaN,
      high: curve.high[i] ?? NaN,
    })),
  );
  return new Chart({
    label: `${panel.title}: ${panel.y} against ${panel.x}`,
    title: [panel.title, h("small", {}, ` ${plural(panel.seeds, "seed")}`)],
    draw: () => ({
      height: 320,
      x: { label: panel.x, domain: widened(extent(rows.map((row) => row.x))) },
      y: {
        label: panel.y,
        grid: true,
        domain: widened(
          extent(
            rows.map((r) => r.mean),
            rows.map((r) => r.low),
            rows.map((r) => r.high),
            [panel.floor],
          ),
          0.03,
        ),
      },
      marks: [
        Plot.frame({ stroke: line }),
        panel.floor === null
          ? null
          : [
              Plot.ruleY([panel.floor], { stroke: ink, strokeDasharray: "2 3" }),
              Plot.text([panel.floor], {
                y: Plot.identity,
                frameAnchor: "left",
                text: () => "no policy gets below",
                dy: 9,
                dx: 6,
                fill: muted,
              } as Plot.TextOptions),
            ],
        panel.curves.map(({ policy }) => {
          if (hidden.has(policy)) return null;
          const own = rows.filter((row) => row.policy === policy);
          const { colour, dash } = lineStyle(policies.indexOf(policy));
          return [
            Plot.areaY(own, { x: "x", y1: "low", y2: "high", fill: colour, fillOpacity: 0.1, clip: true }),
            ["low", "high"].map((y) =>
              Plot.lineY(own, {
                x: "x",
                y,
                stroke: colour,
                strokeWidth: 0.8,
                strokeOpacity: 0.7,
                strokeDasharray: dash,
                clip: true,
              }),
            ),
            Plot.lineY(own, { x: "x", y: "mean", stroke: colour, strokeWidth: 2, strokeDasharray: dash, clip: true }),
          ];
        }),
        Plot.tip(
          rows.filter((row) => !hidden.has(row.policy)),
          Plot.pointer({
            x: "x",
            y: "mean",
            title: (r) =>
              `${r.policy}\n${panel.x} ${short(r.x)}\n${short(r.mean)} (${short(r.low)} to ${short(r.high)})`,
          }),
        ),
      ],
    }),
  });
}

function differencesSection(doc: ExperimentDocument): HTMLElement | null {
  if (doc.findings.length === 0) return null;
  const lead =
    "Each claim with the paired difference that decides it and its 95 % interval. Differences below 0 support the claim.";
  const head = ["about", "claim", "measure"].map((text) => ({ text }));
  const numbers = ["difference", "95 % interval", "n"].map((text) => ({ text, number: true }));
  return section(
    "differences",
    "Paired differences and verdicts",
    lead,
    forest(doc.findings),
    table("Findings", [...head, ...numbers, { text: "verdict" }, { text: "remark" }], doc.findings.map(row)),
  );
}

function row(finding: Finding): Child[] {
  const d = finding.difference;
  const interval =
    d && d.low !== null && d.high !== null ? [data(d.low, short(d.low)), " to ", data(d.high, short(d.high))] : "–";
  const claim = [finding.claim, finding.extra ? h("small", {}, " (our own)") : null];
  const verdict = h("span", { class: "verdict", "data-verdict": finding.verdict }, finding.verdict);
  return [
    finding.about,
    claim,
    finding.measure,
    d ? data(d.mean, short(d.mean)) : "–",
    interval,
    d ? data(d.n, String(d.n)) : "–",
    verdict,
    finding.remark,
  ];
}

function forest(findings: Finding[]): HTMLElement | null {
  const places = findings.map((_, i) => i).filter((i) => findings[i].difference !== null);
  if (places.length === 0 || places.length > 80) return null;
  const of = (i: number) => findings[i].difference as NonNullable<Finding["difference"]>;
  const colour = (i: number) => colourOf[findings[i].verdict];
  const chart = new Chart({
    label: "Paired differences with 95 % intervals",
    title: "Paired differences",
    draw: (width) => ({
      marginLeft: Math.min(330, 0.45 * width),
      height: 66 + 24 * places.length,
      x: {
        label: "difference",
        grid: true,
        ticks: Math.max(3, Math.round(width / 160)),
        domain: widened(
          extent(
            [0],
            places.map((i) => of(i).mean),
            places.map((i) => of(i).low),
            places.map((i) => of(i).high),
          ),
          0.05,
        ),
      },
      y: {
        label: null,
        type: "band",
        domain: places,
        tickSize: 0,
        tickFormat: (i: number) =>
          clipped(`${findings[i].claim}, ${findings[i].about}`, Math.round(Math.min(330, 0.45 * width) / 7.4)),
      },
      marks: [
        Plot.ruleX([0], { stroke: ink }),
        Plot.link(
          places.filter((i) => of(i).low !== null),
          {
            x1: (i) => of(i).low,
            x2: (i) => of(i).high,
            y1: (i) => i,
            y2: (i) => i,
            stroke: colour,
            strokeWidth: 3,
            strokeOpacity: 0.6,
          },
        ),
        Plot.dot(places, { x: (i) => of(i).mean, y: (i) => i, fill: colour, r: 4.5 }),
      ],
    }),
  });
  return chart.element;
}

function settingsSection(doc: ExperimentDocument): HTMLElement | null {
  if (doc.settings.length === 0) return null;
  const rows = doc.settings.map((setting) => [setting.name, setting.choice, setting.reason]);
  return section(
    "settings",
    "Settings",
    "The settings of this run, and the reason for each.",
    table("Settings", [{ text: "setting" }, { text: "choice" }, { text: "reason" }], rows),
  );
}
