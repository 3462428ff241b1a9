// All that was asked, and what was known before.
import { section } from "../controls";
import { data, h, table } from "../dom";
import { plural, pointText, short } from "../format";
import type { View } from "../view";
import { TrialTable } from "./trial_table";

export function trialsSection(view: View): HTMLElement {
  const { doc } = view;
  const n = doc.trials.number.length;
  const lead =
    n === 0
      ? "No query was asked yet."
      : "All queries that were asked, and answers that were imported. Point at a row to see what it touches.";
  return section("trials", "Trials", lead, n > 0 ? new TrialTable(view).element : null, outside(view));
}

const most = 500;

function outside(view: View): HTMLElement | null {
  const { query, target } = view.doc;
  const all = view.doc.observations;
  const observations = view.imported ? all.filter((o) => o.kind === "value") : all; // others are rows of the table
  if (observations.length === 0) return null;
  const rows = observations
    .slice(0, most)
    .map((o) => [
      o.kind === "answer" ? "of a query" : `of ${view.doc.value.name}`,
      pointText((o.kind === "answer" ? query : target).axes, o.point, o.name),
      data(o.value, short(o.value)),
      data(o.noise_sd, short(o.noise_sd)),
    ]);
  const head = [
    { text: "what" },
    { text: "where" },
    { text: "value", number: true },
    { text: "noise sd", number: true },
  ];
  const title = `${plural(observations.length, "imported observation")}${rows.length < observations.length ? `, the first ${most} shown` : ""}`;
  return h("details", { id: "observations" }, h("summary", {}, title), table(title, head, rows));
}
