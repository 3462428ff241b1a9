// Two sentences for readers who know no statistics: what was asked, and what was found.
import { h } from "../dom";
import type { StudyDocument } from "../document";
import { between, chance, coordinates, plural, rounded, short, withUnit } from "../format";
import { targetsText, withArticle } from "../words";

export function opening(doc: StudyDocument): HTMLElement {
  return h("div", { class: "opening", id: "opening" }, h("p", {}, asked(doc)), h("p", {}, found(doc)));
}

function asked(doc: StudyDocument): string {
  const { value, goal, limit } = doc;
  const extreme = goal === "maximize" ? "largest" : "smallest";
  const sought =
    limit != null
      ? `where ${withArticle(value.name)} is above ${withUnit(short(limit), value.unit)}`
      : `where ${withArticle(value.name)} is ${extreme}`;
  const by =
    doc.query.kind === "points" && doc.g.points.length > 0
      ? `answers that are averages over ${plural(doc.g.points.length, "area or group", "areas or groups")}`
      : "answers that are averages over parts of them";
  return `This study asks ${sought}, among ${targetsText(doc)}, from ${by}.`;
}

function found(doc: StudyDocument): string {
  const { answer, value, status } = doc;
  const answers = status.told + status.imported + status.values;
  if (!answer || answers === 0) return "There are no answers yet, so there is no result.";
  const place = answer.name || coordinates(doc.target.axes, answer.x) || answer.x.map(short).join(", ");
  const sure =
    answer.probability === null
      ? ""
      : ` It is ${answer.tolerance > 0 ? `within ${withUnit(short(answer.tolerance), value.unit)} of the best` : "the best of all"} with a probability of ${chance(answer.probability, answer.probability_error)}.`;
  return `After ${plural(answers, "answer")}, ${place} is the best bet: about ${withUnit(rounded(answer.mean, answer.sd), value.unit)} there, and with 95 % probability ${between(answer.low, answer.high, answer.sd, value.unit)}.${sure}`;
}
