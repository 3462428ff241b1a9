// What we believe about f on X, and about g on A.
import { Side } from "../charts/side";
import { listedOnly } from "../charts/band";
import { both, picture } from "../charts/pictures";
import type { Child } from "../dom";
import { section } from "../controls";
import type { View } from "../view";
import { listed } from "./listed";
import { slices } from "./slices";

export function targetSection(view: View): HTMLElement | null {
  const lead = [
    `The estimate of ${view.doc.value.name} at each point, inferred from the answers, and its uncertainty. The points themselves were not measured. `,
    view.doc.f.points.length && new Side(view, "f").look !== "ranking" ? "The star is the recommended point. " : null,
    reading(view, "f"),
  ];
  return beliefSection(view, "f", `Estimated ${view.doc.value.name}`, lead);
}

export function querySection(view: View): HTMLElement | null {
  const lead = [
    `What a query would return without noise: the average of ${view.doc.value.name} over what it touches. `,
    reading(view, "g"),
  ];
  return beliefSection(view, "g", "What queries would show", lead);
}

function beliefSection(view: View, which: "f" | "g", title: string, lead: Child): HTMLElement | null {
  const side = new Side(view, which);
  if (side.belief.slices.length > 0) return section(which, title, lead, slices(view, which));
  if (!side.known) return null;
  if (side.space.axes.length > 2) return section(which, title, lead, listed(view, which));
  return section(which, title, lead, charts(side));
}

function charts(side: Side): HTMLElement {
  return side.look === "map" ? both(side) : picture(side, { of: "mean", title: null, queries: false }).element;
}

function reading(view: View, which: "f" | "g"): string {
  const { look, belief, space, field } = new Side(view, which);
  const maps = `The first map shows the estimate (bright is ${view.doc.goal === "maximize" ? "high" : "low"}), the second its uncertainty (bright is uncertain).`;
  if (field.tiles) return `Each tile is drawn where it lies, small ones on top of large ones. ${maps}`;
  if (belief.slices.length > 0 || space.axes.length > 2) return "";
  if (look === "map") return maps;
  if (look === "ranking") return "Bars are 95 % intervals; the best come first.";
  const marks = which === "f" ? "each bar is an answer, as wide as what its query touched" : "each dot is an answer";
  if (listedOnly(field)) return `Dots are estimates, their bars 95 % intervals; ${marks}.`;
  return `The line is the estimate, the bands are its 50 and 95 % intervals; ${marks}.`;
}
