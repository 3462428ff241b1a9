// The words of this page.
import { section } from "../controls";
import { h } from "../dom";
import type { View } from "../view";

export function glossarySection(view: View): HTMLElement {
  const { value } = view.doc;
  const words: [string, string][] = [
    ["Answer", "what came back for a query: an average, with some noise."],
    ["Query", "one thing that may be asked: an area, a tile, a group. Its answer is an average over all points in it."],
    ["Estimate", `the value of ${value.name} that is expected at a point, given all answers.`],
    [
      "Uncertainty, standard deviation (sd)",
      "how far the true value typically is from the estimate. In about one case in twenty it is more than two standard deviations away.",
    ],
    ["95 % interval", "the range that contains the true value with a probability of 95 %, if the model is right."],
    ["Noise", "the part of an answer that would differ if the same query were asked again."],
    ["Expected regret", "by how much the recommended point is expected to fall short of the true best."],
    ["Trial", "one query that was handed out, and what became of it: pending, told or failed."],
    ["Imported", "an answer that was known before, or came from elsewhere; it was not asked for by this study."],
    ["Policy", "the rule that chooses the next query. It compares queries by their worth."],
    ["Initial design", "the first queries, which are spread evenly because nothing is known yet."],
    ["Fit", "how quickly values vary from place to place, and how noisy answers are, found from the answers."],
    ["f and g", `in formulas, f is ${value.name} at a point, and g its average over a query.`],
  ];
  return section(
    "glossary",
    "Words of this page",
    null,
    h(
      "details",
      {},
      h("summary", {}, "Show them"),
      h(
        "dl",
        { class: "glossary" },
        words.map(([term, text]) => h("div", {}, h("dt", {}, term), h("dd", {}, text))),
      ),
    ),
  );
}
