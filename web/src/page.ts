// The page: a head, a way around, and the sections that have something to show.
import { h, type Child } from "./dom";
import type { Document, ExperimentDocument, StudyDocument } from "./document";
import { time } from "./format";
import { State } from "./state";
import { themeButton } from "./theme";
import { View } from "./view";
import { answerSection } from "./sections/answer";
import { querySection, targetSection } from "./sections/belief";
import { cellsSection } from "./sections/cells";
import { checksSection } from "./sections/checks";
import { experimentSections } from "./sections/experiment";
import { fitsSection } from "./sections/fits";
import { glossarySection } from "./sections/glossary";
import { learnedSection } from "./sections/learned";
import { nextSection } from "./sections/next";
import { opening } from "./sections/opening";
import { progressSection } from "./sections/progress";
import { queriesSection } from "./sections/queries";
import { replay } from "./sections/replay";
import { specSection } from "./sections/spec";
import { trialsSection } from "./sections/trials";

export interface Page {
  element: HTMLElement;
  state: State | undefined;
  title: string;
}

export function pageOf(doc: Document, badge: Child, before?: State): Page {
  return doc.kind === "study" ? studyPage(doc, badge, before) : experimentPage(doc, badge);
}

type Named = [string, HTMLElement | null];

function studyPage(doc: StudyDocument, badge: Child, before?: State): Page {
  const state = new State(Math.max(0, doc.frames.length - 1), before);
  const view = new View(doc, state);
  const beliefs: Named[] = [
    ["Estimate", targetSection(view)],
    ["Averages", querySection(view)],
    ["Queries", queriesSection(view)],
  ];
  const rest: Named[] = [
    ["Next", nextSection(view)],
    ["Progress", progressSection(view)],
    ["Cells", cellsSection(view)],
    ["Fit", fitsSection(view)],
    ["Learned", learnedSection(view)],
    ["Checks", checksSection(view)],
    ["Trials", trialsSection(view)],
    ["Spec", specSection(view)],
    ["Words", glossarySection(view)],
  ];
  const answer: Named = ["Recommendation", answerSection(view)];
  const title = doc.name || "A study";
  const main = h(
    "main",
    { id: "main" },
    answer[1],
    beliefs.some(([, element]) => element) &&
      h(
        "div",
        { class: "beliefs" },
        replay(view),
        beliefs.map(([, element]) => element),
      ),
    rest.map(([, element]) => element),
  );
  return { element: frame(title, opening(doc), doc, badge, [answer, ...beliefs, ...rest], main), state, title };
}

function experimentPage(doc: ExperimentDocument, badge: Child): Page {
  const sections = experimentSections(doc);
  const title = doc.title || "An experiment";
  const main = h(
    "main",
    { id: "main" },
    sections.map(([, element]) => element),
  );
  return { element: frame(title, null, doc, badge, sections, main), state: undefined, title };
}

function frame(
  title: string,
  words: Child,
  doc: { made: number; program: string },
  badge: Child,
  sections: Named[],
  main: HTMLElement,
): HTMLElement {
  const links = sections.flatMap(([text, element]) => (element ? [h("a", { href: `#${element.id}` }, text)] : []));
  const made = doc.made ? h("span", { class: "made" }, `${doc.program}, ${time(doc.made)}`) : null;
  return h(
    "div",
    { class: "page" },
    h("a", { class: "skip", href: "#main" }, "Skip to the recommendation"),
    h(
      "header",
      {},
      h("div", { class: "top" }, h("h1", {}, title), h("div", { class: "tools" }, badge, themeButton())),
      words,
      made,
    ),
    h("nav", { "aria-label": "Sections" }, links),
    main,
    h(
      "footer",
      {},
      "Made by ",
      doc.program,
      ". Intervals hold if the assumptions do; ",
      h("a", { href: "#main" }, "back to the top"),
      ".",
    ),
  );
}
