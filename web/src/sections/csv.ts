// Trials as CSV, and as a file.
import { csvFormatRows } from "d3";
import { h } from "../dom";
import type { StudyDocument } from "../document";
import { valueAt } from "../ordinal";

// The columns of `iqbo export`, and then those that only a report has. Numbers in full.
export function csv(doc: StudyDocument, rows: number[]): string {
  const { trials } = doc;
  const axes =
    doc.query.axes.length > 0 ? doc.query.axes.map((axis) => axis.name) : (trials.query[0] ?? []).map(() => "number");
  const among = axes.includes("exposure") ? "counted_among" : "exposure"; // the one asked for has its own column
  const head = [
    "trial",
    "state",
    "name",
    ...axes,
    "level",
    "cost",
    "value",
    ...(trials.count ? ["count", among] : ["noise_sd", "replicates"]),
    "policy",
    "worker",
    "reason",
    "why",
    "score",
    "asked",
    "told",
    "expected",
    "expected_sd",
  ];
  const text = (value: unknown) => (value === null || value === undefined ? "" : String(value));
  const body = rows.map((i) =>
    [
      trials.number[i],
      trials.state[i],
      trials.name[i],
      ...axes.map((_, j) => valueAt(doc.query.axes[j], trials.query[i][j])),
      trials.level[i],
      trials.cost[i],
      trials.value[i],
      ...(trials.count ? [trials.count[i], trials.exposure?.[i]] : [trials.noise_sd[i], trials.replicates[i]]),
      trials.policy[i],
      trials.worker[i],
      trials.reason[i],
      trials.why[i].join(" "),
      trials.score[i],
      trials.asked[i],
      trials.told[i],
      trials.expected[i],
      trials.expected_sd[i],
    ].map(text),
  );
  return `${csvFormatRows([head, ...body])}\n`;
}

export function fileName(name: string): string {
  return (
    name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-|-$/g, "")
      .slice(0, 40) || "study"
  );
}

export function save(text: string, name: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: "text/csv;charset=utf-8" }));
  h("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}
