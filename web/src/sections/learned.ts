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
  const lead = ["What a query touches was not given but learned from logged pairs. ", sentence(news.trim())];
  const off =
    discrepancy === null
      ? null
      : h(
          "p",
          { id: "discrepancy", class: "note" },
          "The learned averages may be off by a standard deviation of ",
          h("strong", {}, data(discrepancy, withUnit(short(discrepancy), value.unit))),
          ", by what the answers say; this is part of every interval.",
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
    h(
      "div",
      { class: "pair" },
      models.length ? scores(view) : null,
      h("div", {}, models.length ? table("Models of p(x given a)", head, rows) : null, off),
    ),
  );
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
