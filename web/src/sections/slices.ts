// More than two axes: main effects, cuts through the answer along one axis, or along two.
import { bandOptions, pole } from "../charts/band";
import { Chart } from "../charts/chart";
import { extent, shifted } from "../charts/domain";
import { lookOf, sliceField } from "../charts/field";
import { picture } from "../charts/pictures";
import { rankingOptions } from "../charts/ranking";
import { Side } from "../charts/side";
import { chosen, select } from "../controls";
import { h } from "../dom";
import type { Slice } from "../document";
import { coordinates } from "../format";
import type { View } from "../view";

export function slices(view: View, which: "f" | "g"): HTMLElement {
  const { state } = view;
  const belief = view.doc[which];
  const space = which === "f" ? view.doc.target : view.doc.query;
  const pairs = belief.slices.filter((slice) => slice.axes.length === 2);
  const options = [
    ...(belief.effects.length ? [{ value: "effects", text: "main effect of each axis" }] : []),
    ...(belief.slices.some((slice) => slice.axes.length === 1) ? [{ value: "cuts", text: "cut along each axis" }] : []),
    ...pairs.map((slice) => ({ value: slice.axes.join(), text: slice.axes.map((j) => space.axes[j].name).join(" × ") })),
  ];
  const place = h("div", {});
  const show = (value: string) => place.replaceChildren(...view_of(value));
  const view_of = (value: string): HTMLElement[] => {
    if (value === "effects") return [words("Each picture averages over all other axes."), small(view, which, belief.effects)];
    if (value === "cuts") return [words(`All other axes stay at the answer${at(belief.slices[0])}.`), small(view, which, belief.slices.filter((s) => s.axes.length === 1))];
    const side = new Side(view, which, value.split(",").map(Number));
    const others = space.axes.filter((_, j) => !side.pair.includes(j));
    const fixed = others.map((axis) => coordinates([axis], [belief.slices[0].at[space.axes.indexOf(axis)]])).join(", ");
    const [mean, sd] = (["mean", "sd"] as const).map((of) => picture(side, { of, title: of === "mean" ? "Mean" : "Standard deviation", queries: false }).element);
    return [words(`A cut at ${fixed}.`), h("div", { class: "pair" }, mean, sd)];
  };
  const at = (slice: Slice | undefined) => (slice && slice.at.length === space.axes.length ? ` (${coordinates(space.axes, slice.at)})` : "");
  const key = `slice-${which}`;
  show(chosen(state, key, options));
  return h("div", {}, select(state, key, "Show", options, show), place);
}

const words = (text: string) => h("p", { class: "note" }, text);

// One small picture per axis, all of the same height.
function small(view: View, which: "f" | "g", all: Slice[]): HTMLElement {
  const space = which === "f" ? view.doc.target : view.doc.query;
  const range = extent(...all.flatMap((slice) => [shifted(slice.mean, slice.sd, -2), shifted(slice.mean, slice.sd, 2)]));
  const charts = all.map((slice) => {
    const field = sliceField(space, slice);
    const label = `${view.valueLabel} along ${field.axes[0].name}`;
    const answer = which === "f" ? view.doc.answer?.x[slice.axes[0]] : null;
    const { mean, sd } = slice;
    const draw = (width: number) =>
      lookOf(field) === "ranking"
        ? { ...rankingOptions(field, { mean, sd, label: view.valueLabel, most: 12, lowest: view.doc.goal === "minimize" }, width), height: 230 }
        : bandOptions(field, { mean, sd, label: view.valueLabel, range, height: 230, marks: [pole(answer, null)] });
    return new Chart({ label, title: field.axes[0].name, draw }).element;
  });
  return h("div", { class: "grid" }, charts);
}
