// More than two axes of a box: main effects, cuts through the answer along one axis, or along two.
import { bandOptions, pole } from "../charts/band";
import { Chart } from "../charts/chart";
import { extent, shifted } from "../charts/domain";
import { lookOf, sliceField } from "../charts/field";
import { both } from "../charts/pictures";
import { rankingOptions } from "../charts/ranking";
import { Side } from "../charts/side";
import { chooser } from "../controls";
import { h } from "../dom";
import type { Slice } from "../document";
import { coordinates } from "../format";
import type { View } from "../view";

export function slices(view: View, which: "f" | "g"): HTMLElement {
  const { slices: all, effects } = view.doc[which];
  const { axes } = which === "f" ? view.doc.target : view.doc.query;
  const cuts = all.filter((slice) => slice.axes.length === 1);
  const at = (kept: number[]) =>
    coordinates(
      kept.map((j) => axes[j]),
      kept.map((j) => all[0].at[j]),
    );
  const everywhere = all[0].at.length === axes.length ? ` (${at(axes.map((_, j) => j))})` : "";
  return chooser(view.state, `slice-${which}`, "Show", [
    ...(effects.length
      ? [
          {
            value: "effects",
            text: "main effect of each axis",
            make: () => [words("Each picture averages over all other axes."), small(view, which, effects)],
          },
        ]
      : []),
    ...(cuts.length
      ? [
          {
            value: "cuts",
            text: "cut along each axis",
            make: () => [
              words(`All other axes are fixed at the recommendation${everywhere}.`),
              small(view, which, cuts),
            ],
          },
        ]
      : []),
    ...all
      .filter((slice) => slice.axes.length === 2)
      .map((slice) => ({
        value: slice.axes.join(),
        text: slice.axes.map((j) => axes[j].name).join(" × "),
        make: () => [
          words(`A cut at ${at(axes.map((_, j) => j).filter((j) => !slice.axes.includes(j)))}.`),
          both(new Side(view, which, slice.axes)),
        ],
      })),
  ]);
}

const words = (text: string) => h("p", { class: "note" }, text);

// One small picture per axis, all of the same height.
function small(view: View, which: "f" | "g", all: Slice[]): HTMLElement {
  const space = which === "f" ? view.doc.target : view.doc.query;
  const range = extent(
    ...all.flatMap((slice) => [
      shifted(slice.mean, slice.sd, -2, view.shift),
      shifted(slice.mean, slice.sd, 2, view.shift),
    ]),
  );
  const charts = all.map((slice) => {
    const field = sliceField(space, slice);
    const label = `${view.valueLabel} along ${field.axes[0].name}`;
    const answer = which === "f" ? view.doc.answer?.x[slice.axes[0]] : null;
    const { mean, sd } = slice;
    const draw = (width: number) =>
      lookOf(field) === "ranking"
        ? {
            ...rankingOptions(
              field,
              { mean, sd, label: view.valueLabel, shift: view.shift, most: 12, lowest: view.doc.goal === "minimize" },
              width,
            ),
            height: 230,
          }
        : bandOptions(field, {
            mean,
            sd,
            label: view.valueLabel,
            shift: view.shift,
            range,
            height: 230,
            marks: [pole(answer, null)],
          });
    return new Chart({ label, title: field.axes[0].name, draw }).element;
  });
  return h("div", { class: "grid" }, charts);
}
