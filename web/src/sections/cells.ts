// The tree of CMETS: which cells were asked, and which may be asked next.
import * as Plot from "@observablehq/plot";
import { Chart } from "../charts/chart";
import { axisScale, extent, widened } from "../charts/domain";
import { legend, section } from "../controls";
import { h } from "../dom";
import type { Axis, Cell } from "../document";
import { plural, short } from "../format";
import { focus, line } from "../palette";
import type { View } from "../view";

export function cellsSection(view: View): HTMLElement | null {
  const { cells, query } = view.doc;
  if (cells.length === 0) return null;
  const candidates = cells.filter((cell) => cell.candidate).length;
  const asked = cells.filter((cell) => cell.asked > 0).length;
  const lead = `The domain is divided into smaller and smaller cells: coarse cells are cheap, fine ones expensive. ${asked} of ${plural(cells.length, "cell")} have been asked, and ${candidates} ${openText(view)} (outlined).`;
  const flat = cells[0].lower.length === 1;
  const pictures = flat
    ? [icicle(view, cells, query.axes[0])]
    : levels(cells).map((level) => panel(view, cells, level, query.axes));
  const key = legend([
    { colour: focus, text: openText(view).startsWith("may") ? "may be asked next" : "open", mark: "box" },
    ...(cells.some((cell) => cell.mean === null)
      ? [{ colour: "var(--line)", text: "nothing is known yet", mark: "bar" }]
      : []),
  ]);
  const scale = h(
    "div",
    { class: "key" },
    Plot.legend({ color: colours(view), width: 260, style: { fontSize: "11px", fontFamily: "inherit" } }),
  );
  return section(
    "cells",
    "Cells",
    lead,
    scale,
    h(
      "div",
      { class: flat ? "" : "grid" },
      pictures.map((picture) => picture.element),
    ),
    key,
  );
}

// A cell that is open is not asked if it costs more than is left of the budget.
function openText({ doc }: View): string {
  const { scores } = doc;
  const none = scores !== null && scores.next === null && !scores.query;
  return none ? "are open, none of which can be asked with what is left" : "may be asked next";
}

const levels = (cells: Cell[]) => [...new Set(cells.map((cell) => cell.level))].sort((a, b) => a - b);

function tip(cell: Cell): string {
  const belief = cell.mean === null ? "" : `\nmean ${short(cell.mean)}, sd ${short(cell.sd)}`;
  return `level ${cell.level}\nasked ${plural(cell.asked, "time")}${belief}${cell.candidate ? "\nmay be asked next" : ""}`;
}

function colours(view: View) {
  const { cells, goal } = view.doc;
  const domain = widened(extent(cells.map((cell) => cell.mean)));
  return {
    type: "linear" as const,
    scheme: "viridis" as const,
    domain,
    reverse: goal === "minimize",
    label: `mean: ${view.valueLabel}`,
    unknown: "var(--line)",
  };
}

const border = {
  stroke: (cell: Cell) => (cell.candidate ? focus : "var(--paper)"),
  strokeWidth: 1.5,
};

function panel(view: View, all: Cell[], level: number, axes: Axis[]): Chart {
  const cells = all.filter((cell) => cell.level === level).sort((a, b) => Number(a.candidate) - Number(b.candidate));
  const size = {
    x1: (c: Cell) => c.lower[0],
    x2: (c: Cell) => c.upper[0],
    y1: (c: Cell) => c.lower[1],
    y2: (c: Cell) => c.upper[1],
  };
  const wide = all.length > 600 ? 0.6 : 1.5;
  return new Chart({
    label: `Level ${level}: ${plural(cells.length, "cell")}, ${cells.filter((cell) => cell.asked > 0).length} asked`,
    title: `Level ${level}`,
    draw: (width) => ({
      height: Math.min(360, 0.85 * width),
      x: axisScale(axes[0]),
      y: axisScale(axes[1]),
      color: colours(view),
      marks: [
        Plot.frame({ stroke: line }),
        Plot.rect(cells, { ...size, ...border, strokeWidth: wide, fill: "mean", inset: 0.75 } as Plot.RectOptions),
        cells.length <= 64
          ? Plot.text(
              cells.filter((c) => c.asked > 0),
              { x: mid(0), y: mid(1), text: (c) => `${c.asked}`, fill: "white", stroke: "black", strokeWidth: 2.5 },
            )
          : null,
        Plot.tip(cells, Plot.pointer({ x: mid(0), y: mid(1), title: tip })),
      ],
    }),
  });
}

const mid = (j: number) => (cell: Cell) => (cell.lower[j] + cell.upper[j]) / 2;

// One axis: every level a row.
function icicle(view: View, cells: Cell[], axis: Axis): Chart {
  const size = {
    x1: (c: Cell) => c.lower[0],
    x2: (c: Cell) => c.upper[0],
    y1: (c: Cell) => c.level - 0.45,
    y2: (c: Cell) => c.level + 0.45,
  };
  const deepest = Math.max(...cells.map((cell) => cell.level));
  return new Chart({
    label: `Cells of ${plural(deepest + 1, "level")}`,
    draw: () => ({
      height: 90 + 34 * (deepest + 1),
      x: axisScale(axis),
      y: { label: "level", domain: [deepest + 0.5, -0.5], ticks: levels(cells), tickFormat: "d" },
      color: colours(view),
      marks: [
        Plot.frame({ stroke: line }),
        Plot.rect(cells, { ...size, ...border, fill: "mean", inset: 0.75 } as Plot.RectOptions),
        Plot.tip(cells, Plot.pointer({ x: mid(0), y: "level", title: tip })),
      ],
    }),
  });
}
