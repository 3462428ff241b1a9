// The study as it was specified.
import { section } from "../controls";
import { h } from "../dom";
import type { View } from "../view";

export function specSection(view: View): HTMLElement | null {
  const { spec } = view.doc;
  if (!spec) return null;
  return section(
    "spec",
    "The spec",
    `The spec of this study, as it was given. Policy: ${view.doc.policy || "auto"}. What a query touches: ${view.doc.conditional.summary || "as the spec says"}.`,
    h("details", {}, h("summary", {}, "Show it"), h("pre", { tabindex: 0, "aria-label": "Spec as JSON" }, spec)),
  );
}
