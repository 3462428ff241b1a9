// How well p(x given a) is known, if it was learned.
import * as Plot from "@observablehq/plot";
import { Chart } from "../charts/chart";
import { extent, widened } from "../charts/domain";
import { section } from "../controls";
import { data, h, table } from "../dom";
import { percent, sentence, short, withUnit } from "../format";
import { accent, focus, line } from "../palette";
import type { View } from "../view";

export function learnedSection(view: View): HTMLElement | null {
  const { learned, value } = view.doc;
  if (!learned) return null;
  const { models, discrepancy } = learned;
  const said = new Set(models.map((model) => model.name));
  const news = learned.summary
    .split("\n")
    .filter((text) => ![...said].some((name) => text.trim().startsWith(name)))
    .join("\n");
  const known = /known to about ([^ ]+ ?%)/.exec(news)?.[1];
  const lead = [
    "What a query touches was not given but learned from logged pairs.",
    known ? ` The pairs alone determine the averages to within about ${known} of their spread over queries.` : "",
  ];
  const off =
    discrepancy === null
      ? null
      : h(
          "p",
          { id: "discrepancy", class: "note" },
          ...(matters(view, discrepancy)
            ? [
                "The answers suggest that the learned averages are off by about ",
                h("strong", {}, data(discrepancy, withUnit(short(Number(discrepancy.toPrecision(2))), value.unit))),
                "; this is part of every interval.",
              ]
            : ["The answers give no sign of an error beyond that."]),
        );
  const head = [
    { text: "model" },
    { text: "held-out score", number: true },
    { text: "weight", number: true },
    { text: "" },
  ];
  const rows = models.map((model) => [
    model.name,
    data(model.score, short(model.score)),
    data(model.weight, percent(model.weight)),
    model.chosen ? "chosen" : "",
  ]);
  return section(
    "learned",
    "What queries touch, as learned",
    lead,
    h("div", { class: "pair" }, h("div", {}, off)),
    models.length
      ? h(
          "details",
          {},
          h("summary", {}, "Details: the models that were compared"),
          h("p", { class: "note" }, sentence(news.trim())),
          h("div", { class: "pair" }, scores(view), table("Models of p(x given a)", head, rows)),
        )
      : null,
  );
}

// Less than a hundredth of the spread of the answers is nothing.
function matters(view: View, discrepancy: number): boolean {
  const known = view.doc.trials.value.filter((v): v is number => v !== null);
  const spread = known.length > 1 ? Math.max(...known) - Math.min(...known) : 0;
  return discrepancy > 0.01 * spread;
}

function scores(view: View): HTMLElement {
  const models = view.doc.learned?.models ?? [];
  const places = models.map((_, i) => i).sort((i, j) => models[i].score - models[j].score);
  const chart = new Chart({
    label: `Held-out scores: ${places.map((i) => `${models[i].name} ${short(models[i].score)}`).join(", ")}`,
    title: "Held-out score of each model: less is better",
    draw: () => ({
      height: 70 + 30 * models.length,
      marginLeft: 84,
      x: { label: "kappa score", grid: true, domain: widened(extent(models.map((m) => m.score)), 0.12) },
      y: { label: null, type: "band", domain: places, tickFormat: (i: number) => models[i].name, tickSize: 0 },
      marks: [
        Plot.frame({ stroke: line }),
        Plot.dot(places, {
          x: (i) => models[i].score,
          y: (i) => i,
          fill: (i) => (models[i].chosen ? focus : accent),
          r: 6,
          symbol: (i) => (models[i].chosen ? "diamond" : "circle"),
        }),
      ],
      symbol: { type: "identity" } as Plot.ScaleOptions,
    }),
  });
  return chart.element;
}
