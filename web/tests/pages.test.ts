// Every kind of study, as people meet it: nothing complains, what is shown is what the document says, nothing sticks out.
import assert from "node:assert/strict";
import test, { after, before } from "node:test";
import type { Browser } from "playwright-core";
import { fixtures } from "../fixtures/all";
import type { Document, StudyDocument } from "../src/document";
import { drawn, file, launch, open, type Opened } from "./browser";

let browser: Browser;
before(async () => void (browser = await launch()));
after(() => browser.close());

const values = (page: Opened["page"], selector: string) =>
  page.locator(`${selector} data`).evaluateAll((all) => all.map((element) => Number(element.getAttribute("value"))));

for (const [name, make] of Object.entries(fixtures)) {
  test(`${name} on a desk`, async () => {
    const document = make();
    const { page, problems } = await open(browser, file(name, document));
    await drawn(page);
    assert.deepEqual(problems, []);
    await shows(page, document);
    assert.equal(
      await page.locator("figure .stage:empty:not(details:not([open]) *)").count(),
      0,
      "a picture is missing",
    );
    await page.context().close();
  });
}

// The widest ones; the others are built from the same parts.
for (const name of ["districts", "tiles", "four", "hostile", "experiment", "empty"]) {
  test(`${name} on a phone, in the dark`, async () => {
    const { page, problems } = await open(browser, file(name, fixtures[name]()), {
      viewport: { width: 390, height: 844 },
      colorScheme: "dark",
      hasTouch: true,
      isMobile: true,
    });
    await drawn(page);
    assert.deepEqual(problems, []);
    const [content, screen] = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
    assert.ok(content <= screen, `${content} px do not fit into ${screen}`);
    const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    assert.equal(background, "rgb(15, 17, 21)");
    await page.context().close();
  });
}

async function shows(page: Opened["page"], document: Document): Promise<void> {
  const title = document.kind === "study" ? document.name : document.title;
  assert.equal(await page.locator("h1").textContent(), title);
  if (document.kind === "study") return showsStudy(page, document);
  const count = (verdict: string) => document.findings.filter((f) => !f.extra && f.verdict === verdict).length;
  assert.deepEqual(await values(page, "#verdicts"), ["holds", "equal", "does not hold", "undecided"].map(count));
  const differences = document.findings.flatMap(({ difference: d }) => (d ? [d.mean, d.low, d.high, d.n] : []));
  assert.deepEqual(await values(page, "#differences table"), differences);
}

async function showsStudy(page: Opened["page"], study: StudyDocument): Promise<void> {
  const { answer, status, trials, checks } = study;
  if (answer) {
    assert.deepEqual(await values(page, "#answer-mean"), [answer.mean]);
    assert.deepEqual(await values(page, "#answer-interval"), [answer.low, answer.high]);
    assert.deepEqual(await values(page, "#answer-probability"), [answer.probability]);
    if (answer.unseen != null) assert.deepEqual(await values(page, "#answer-unseen"), [answer.unseen]);
    if (answer.optimum_low != null)
      assert.deepEqual(await values(page, "#answer-optimum"), [answer.optimum_low, answer.optimum_high]);
    if (study.target.axes.length > 0) assert.deepEqual(await values(page, "#answer-place"), answer.x);
    if (answer.name) assert.equal(await page.locator("#answer-name").textContent(), answer.name);
  } else assert.match((await page.locator("#answer").textContent()) ?? "", /nothing has been told yet/i);
  const budget = status.budget === null ? [status.spent] : [status.spent, status.budget, status.left];
  assert.deepEqual(await values(page, "#budget"), budget);
  assert.equal((await values(page, "#counts"))[0], status.told);
  if (checks.n > 0) assert.deepEqual(await values(page, "#cover90"), [checks.cover90]);
  if (trials.number.length === 0) return;
  assert.equal(
    await page.locator("#trial-count").textContent(),
    `${trials.number.length} of ${trials.number.length} trial${trials.number.length === 1 ? "" : "s"}`,
  );
  const shown = await page
    .locator("#trial-table td.column-value")
    .evaluateAll((cells) => cells.map((cell) => cell.querySelector("data")?.getAttribute("value") ?? null));
  assert.deepEqual(
    shown.map((v) => (v === null ? null : Number(v))),
    trials.value.slice(0, 50),
  );
}
