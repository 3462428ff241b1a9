// Two sentences for readers who know no statistics: what was asked, and what was found.
import { h } from "../dom";
import type { StudyDocument } from "../document";
import { coordinates, percent, plural, short, withUnit } from "../format";
import { targetsText } from "../words";

export function opening(doc: StudyDocument): HTMLElement {
  return h("div", { class: "opening", id: "opening" }, h("p", {}, asked(doc)), h("p", {}, found(doc)));
}

function asked(doc: StudyDocument): string {
  const { value, goal, limit } = doc;
  const extreme = goal === "maximize" ? "largest" : "smallest";
  const sought =
    limit != null
      ? `where ${value.name} is above ${withUnit(short(limit), value.unit)}`
      : `where ${value.name} is ${extreme}`;
  const by =
    doc.query.kind === "points" && doc.g.points.length > 0
      ? `answers that are averages over ${plural(doc.g.points.length, "area or group", "areas or groups")}`
      : "answers that are averages over parts of them";
  return `This study asks ${sought}, among ${targetsText(doc)}, from ${by}.`;
}

function found(doc: StudyDocument): string {
  const { answer, value, status } = doc;
  const answers = status.told + status.imported + status.values;
  if (!answer || answers === 0) return "Nothing has been told yet, so nothing was found.";
  const place = answer.name || coordinates(doc.target.axes, answer.x) || answer.x.map(short).join(", ");
  const unit = answer.sd > 0 ? 10 ** (Math.floor(Math.log10(answer.sd)) - 1) : 0; // digits that mean something
  const digits = (x: number) => withUnit(short(unit > 0 ? Math.round(x / unit) * unit : x), value.unit);
  const sure =
    answer.probability === null
      ? ""
      : ` It is ${answer.tolerance > 0 ? `within ${withUnit(short(answer.tolerance), value.unit)} of the best` : "the best of all"} with a probability of ${percent(answer.probability)}.`;
  return `After ${plural(answers, "answer")}, ${place} is the best bet: about ${digits(answer.mean)} there, and with 95 % probability between ${digits(answer.low)} and ${digits(answer.high)}.${sure}`;
}
