// What to ask next, and what strangers read first.
import assert from "node:assert/strict";
import test, { after, before } from "node:test";
import type { Browser } from "playwright-core";
import { districts, tiles } from "../fixtures/studies";
import type { StudyDocument } from "../src/document";
import { worths } from "../src/sections/next";
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

test("two sentences come first, and the words are explained", async () => {
  const { page } = await shown("opening", districts());
  assert.equal(await page.locator("#opening p").count(), 2);
  assert.match(
    (await page.locator("#opening").textContent()) ?? "",
    /asks where prevalence is largest.*After 31 answers, pixel/,
  );
  assert.ok((await page.locator("#glossary dt").count()) > 8);
  await page.context().close();
});

test("printing gives few pages", async () => {
  const { page } = await shown("print", districts());
  const pages = (await page.pdf({ format: "A4" })).toString("latin1").match(/\/Type\s*\/Page[^s]/g) ?? [];
  assert.ok(pages.length <= 6, `${pages.length} pages`);
  await page.context().close();
});
