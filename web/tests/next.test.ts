// What to ask next, and what strangers read first.
import assert from "node:assert/strict";
import test, { after, before } from "node:test";
import type { Browser } from "playwright-core";
import { districts, tiles } from "../fixtures/studies";
import type { StudyDocument } from "../src/document";
import { worths } from "../src/sections/next";
import { readable } from "../src/sections/progress";
import { withArticle } from "../src/words";
import { drawn, file, launch, open } from "./browser";

let browser: Browser;
before(async () => void (browser = await launch()));
after(() => browser.close());

async function shown(name: string, study: StudyDocument) {
  const opened = await open(browser, file(name, study));
  await drawn(opened.page);
  return opened;
}

test("worth is a share of the best, whether scores are logarithms or not", () => {
  const score = { policy: "ckg", next: 0, why: [] };
  const near = (found: (number | null)[], expected: (number | null)[]) =>
    found.forEach((w, i) =>
      assert.ok(w === expected[i] || Math.abs((w ?? NaN) - (expected[i] ?? NaN)) < 1e-12, `${w}`),
    );
  near(worths({ ...score, values: [0, -Math.log(4), null], logarithms: true }), [1, 0.25, null]);
  near(worths({ ...score, values: [8, 2, null], logarithms: false }), [1, 0.25, null]);
  near(worths({ ...score, values: [-1, -3, -2], logarithms: false }), [1, 0, 0.5]);
});

test("with a pending trial, next is the one after it, and says so", async () => {
  const study = districts();
  const { page, problems } = await shown("next-pending", study);
  const pending = study.trials.name.filter((_, i) => study.trials.state[i] === "pending");
  const text = (await page.locator("#next").textContent()) ?? "";
  assert.match((await page.locator("#budget").textContent()) ?? "", /promised to pending queries/);
  for (const name of pending) assert.ok(text.includes(name));
  assert.match(text, /After that, next: /);
  assert.ok((await page.locator("#next .names text").count()) > 20, "names of areas");
  assert.deepEqual(problems, []);
  await page.context().close();
});

test("tiles are drawn as tiles, and told by their bounds", async () => {
  const { page, problems } = await shown("next-tiles", tiles());
  assert.ok((await page.locator("#next .tiles rect").count()) > 10);
  assert.match((await page.locator("#next-query").textContent()) ?? "", /east \S+ to \S+ km, north \S+ to \S+ km/);
  assert.deepEqual(problems, []);
  await page.context().close();
});

test("what queries would show draws tiles where they lie", async () => {
  const study = tiles();
  const { page, problems } = await shown("shown-tiles", study);
  const rects = page.locator("#g .tiles rect");
  assert.equal(await rects.count(), 2 * study.g.points.length, "a map of estimates, and one of uncertainties");
  const widths = await rects.evaluateAll((all) => all.map((r) => Number(r.getAttribute("width"))));
  assert.ok(Math.max(...widths) > 3 * Math.min(...widths), "coarse and fine tiles");
  assert.deepEqual(widths, [...widths.slice(0, widths.length / 2), ...widths.slice(0, widths.length / 2)]);
  assert.match((await page.locator("#next").textContent()) ?? "", /most promising queries \(east, north\)/);
  assert.deepEqual(problems, []);
  await page.context().close();
});

test("the first sentences and the answer say the same numbers", async () => {
  const study = districts();
  const { answer } = study;
  assert.ok(answer);
  Object.assign(answer, { mean: 5.1374, sd: 3.2, low: 0.2647, high: 12.77, probability: 0, probability_error: 0.0105 });
  const { page } = await shown("alike", study);
  const first = (await page.locator("#opening").textContent()) ?? "";
  const card = (await page.locator("#answer-interval").textContent()) ?? "";
  const [low, high] = card.split(" to ");
  assert.deepEqual([low, high], ["0.3", "12.8"]);
  assert.ok(first.includes(`between ${low} and ${high}`), first);
  assert.ok(first.includes(`about ${await page.locator("#answer-mean").textContent()}`), first);
  assert.match(first, /with a probability of less than 3 %/);
  assert.equal(await page.locator("#answer-probability").textContent(), "less than 3 %");
  await page.context().close();
});

test("notes in the words of statistics are behind a click", async () => {
  const study = districts();
  study.notes = [
    "the data say little about noise_var: this estimate is mostly the prior",
    "the budget is nearly spent",
  ];
  const { page } = await shown("notes", study);
  assert.ok(await page.getByText("The budget is nearly spent.").isVisible());
  assert.ok(!(await page.getByText("mostly the prior").first().isVisible()));
  await page.context().close();
});

test("early intervals do not hide the later ones", async () => {
  const study = districts();
  const best = study.answer as NonNullable<typeof study.answer>;
  const frame = (told: number, low: number, high: number) => ({
    ...study.frames[0],
    told,
    best_so_far: (low + high) / 2,
    best: { ...best, mean: (low + high) / 2, low, high, sd: (high - low) / 4 },
  });
  study.frames = [frame(1, 150, 7000), frame(2, 1, 9), frame(3, 2, 8), frame(4, 3, 7)];
  const { range, cut } = readable(study.frames);
  assert.deepEqual(
    cut.map((f) => f.told),
    [1],
  );
  assert.ok(range[0] <= 1 && range[1] >= 9 && range[1] < 20, `${range}`);
  const { page, problems } = await shown("progress-cut", study);
  assert.match((await page.locator("#progress-cut").textContent()) ?? "", /the interval after 1 answer, 200 to 7,000/);
  assert.deepEqual(problems, []);
  await page.context().close();
  study.frames = study.frames.slice(1);
  assert.equal(readable(study.frames).cut.length, 0);
  const { page: other } = await shown("progress-whole", study);
  assert.equal(await other.locator("#progress-cut").count(), 0);
  await other.context().close();
});

test("the last interval is drawn as wide as one can see", async () => {
  const study = districts();
  study.frames = study.frames.slice(-2);
  const { page } = await shown("progress-last", study);
  const right = (locator: string) =>
    page.locator(`#progress ${locator}`).evaluateAll((all) => {
      const ends = all.map((e) => e.getBoundingClientRect()).map((box) => (box.left + box.right + box.width) / 2);
      return Math.max(...ends);
    });
  const band = await right("[aria-label=area] path");
  const dot = await right("[aria-label=dot] circle");
  assert.ok(band > dot + 5, `${band} and ${dot}`);
  await page.context().close();
});

test("imported answers stand among the trials, in the sequence and in the checks", async () => {
  const study = districts();
  const { trials, checks } = study;
  for (const [key, column] of Object.entries(trials)) (column as unknown[]).unshift((trials as never)[key][0]);
  Object.assign(trials, { number: [null, ...trials.number.slice(1)], state: ["imported", ...trials.state.slice(1)] });
  checks.residuals.unshift(0.5);
  study.noise_told = true;
  const { page, problems } = await shown("imported", study);
  assert.equal(await page.locator('#trial-table tr[data-trial="imported"]').count(), 1);
  await page.locator("#timeline").focus();
  await page.keyboard.press("Home");
  await page.locator("#detail", { hasText: /^Imported · / }).waitFor({ timeout: 5000 });
  assert.match((await page.locator("#fits").textContent()) ?? "", /none was fitted/);
  assert.deepEqual(problems, []);
  await page.context().close();
});

test("a study without an affordable query says so, everywhere alike", async () => {
  const study = tiles();
  assert.ok(study.scores && study.cells.some((cell) => cell.candidate));
  study.status = { ...study.status, budget: 20, left: 0.5 };
  study.scores = { ...study.scores, next: null, query: undefined, why: ["no query is affordable: 0.5 is left"] };
  const { page } = await shown("unaffordable", study);
  assert.equal(
    await page.locator("#next-query").textContent(),
    "There is nothing to ask: 0.5 of the budget is left, and every query that may still be asked costs more.",
  );
  const cells = (await page.locator("#cells").textContent()) ?? "";
  assert.match(cells, /\d+ are open, none of which can be asked with what is left \(outlined\)/);
  assert.doesNotMatch(cells, /may be asked next/);
  await page.context().close();
});

test("why a query is next is said in the present", async () => {
  const study = tiles();
  assert.ok(study.scores);
  study.scores.why = ["initial design: query 2 of 7"];
  const { page } = await shown("present", study);
  assert.match((await page.locator("#next-query").textContent()) ?? "", /because it is one of the first queries/);
  await page.context().close();
});

test("names get an article, symbols do not", () => {
  assert.deepEqual(["rate", "f", "NO2", "the yield", "NO2 in the air", "Rate"].map(withArticle), [
    "the rate",
    "f",
    "NO2",
    "the yield",
    "the NO2 in the air",
    "the Rate",
  ]);
});

test("two sentences come first, and the words are explained", async () => {
  const { page } = await shown("opening", districts());
  assert.equal(await page.locator("#opening p").count(), 2);
  assert.match(
    (await page.locator("#opening").textContent()) ?? "",
    /asks where the prevalence is largest.*After 31 answers, pixel/,
  );
  assert.ok((await page.locator("#glossary dt").count()) > 8);
  await page.context().close();
});

test("on a phone the answers of the trials are in sight", async () => {
  const study = districts();
  study.value.unit = "deaths per 1,000 births";
  const { page } = await open(browser, file("phone-trials", study), { viewport: { width: 390, height: 844 } });
  await drawn(page);
  for (const place of ["th.column-value", "tr:first-child td.column-value"]) {
    const box = await page.locator(`#trial-table ${place}`).boundingBox();
    assert.ok(box && box.x + box.width <= 390, `${place}: ${JSON.stringify(box)}`);
  }
  await page.context().close();
});

test("the reasons of the trials are in sight, however long the unit", async () => {
  const study = districts();
  study.value.unit = "deaths per 1,000 births";
  const { page } = await open(browser, file("wide-trials", study), { viewport: { width: 1180, height: 844 } });
  await drawn(page);
  const cell = await page.locator("#trial-table tr:first-child td.column-why").boundingBox();
  const table = await page.locator(".scroll:has(#trial-table)").boundingBox();
  assert.ok(cell && table && cell.x + cell.width <= table.x + table.width + 1, JSON.stringify([cell, table]));
  await page.context().close();
});

test("printing gives few pages", async () => {
  const { page } = await shown("print", districts());
  const pages = (await page.pdf({ format: "A4" })).toString("latin1").match(/\/Type\s*\/Page[^s]/g) ?? [];
  assert.ok(pages.length <= 6, `${pages.length} pages`);
  await page.context().close();
});
