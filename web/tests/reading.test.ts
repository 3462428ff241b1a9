// What a reader does: replay, point, type, choose, sort, filter, download, switch to dark.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test, { after, before } from "node:test";
import { csvParse } from "d3";
import type { Browser, Page } from "playwright-core";
import { fixtures } from "../fixtures/all";
import type { StudyDocument } from "../src/document";
import { drawn, file, launch, open } from "./browser";

let browser: Browser;
before(async () => void (browser = await launch()));
after(() => browser.close());

async function study(name: string): Promise<{ page: Page; problems: string[]; told: StudyDocument }> {
  const told = fixtures[name]() as StudyDocument;
  const opened = await open(browser, file(`reading-${name}`, told));
  await drawn(opened.page);
  return { ...opened, told };
}

const line = (page: Page) => page.locator('#f [aria-label="line"] path').first().getAttribute("d");
const frame = (page: Page) =>
  page.evaluate(() => new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))));

test("the slider goes back in time, and so do the pictures", async () => {
  const { page, problems, told: doc } = await study("line");
  const now = await line(page);
  assert.match((await page.locator("#moment").textContent()) ?? "", /^now/);
  await page.locator("#slider").fill("0");
  await frame(page);
  const { told } = doc.frames[0];
  assert.equal(await page.locator("#moment").textContent(), `after ${told} answer${told === 1 ? "" : "s"}`);
  assert.notEqual(await line(page), now);
  const dots = await page.locator('#timeline g[aria-label="dot"] circle').count();
  assert.equal(dots, doc.frames[0].trial);
  await page.locator("#slider").fill(String(doc.frames.length - 1));
  await frame(page);
  assert.equal(await line(page), now);
  await page.locator("#play").click();
  await page.waitForFunction(() => document.getElementById("moment")?.textContent?.startsWith("after"));
  await page.waitForFunction(() => Number((document.getElementById("slider") as HTMLInputElement).value) >= 2);
  assert.deepEqual(problems, []);
  await page.context().close();
});

test("arrow keys go from query to query and show what each touches", async () => {
  const { page, told: doc } = await study("districts");
  assert.equal(await page.locator("#f .over").count(), 0);
  await page.locator("#timeline").focus();
  for (let k = 0; k < 3; ++k) await page.keyboard.press("ArrowRight");
  await frame(page);
  assert.match((await page.locator("#detail").textContent()) ?? "", new RegExp(`^Trial 2 · ${doc.trials.name[2]} ·`));
  assert.equal(await page.locator("#timeline").getAttribute("aria-valuenow"), "2");
  for (const section of ["f", "g", "queries"])
    assert.ok((await page.locator(`#${section} .over`).count()) > 0, section);
  const print = doc.footprints[doc.trials.footprint[2] as number];
  const members = print.kind === "members" ? print.members.length : 0;
  assert.equal(await page.locator("#f .over").first().locator("circle").count(), members);
  assert.ok(await page.locator('#trial-table tr[data-trial="2"].focused').isVisible());
  await page.keyboard.press("Escape");
  await frame(page);
  assert.equal(await page.locator(".over").count(), 0);
  await page.context().close();
});

test("pointing at a row, a dot or a footprint shows the same trial everywhere", async () => {
  const { page, told: doc } = await study("plane");
  await page.locator('#trial-table tr[data-trial="7"]').hover();
  await frame(page);
  assert.match((await page.locator("#detail").textContent()) ?? "", /^Trial 7 /);
  assert.equal(await page.locator("#f .over .footprints path").count(), 2); // of the mean's picture and of the sd's
  await page.mouse.move(0, 0);

  const dot = page.locator('#timeline g[aria-label="dot"] circle').nth(400);
  await dot.scrollIntoViewIfNeeded();
  const box = await dot.boundingBox();
  assert.ok(box);
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await frame(page);
  assert.match((await page.locator("#detail").textContent()) ?? "", /^Trial 400 /);

  // The other way: from what was touched to the trial.
  const print = page.locator("#queries .stage").nth(1).locator(".footprints path").nth(5);
  const ellipse = await print.boundingBox();
  assert.ok(ellipse);
  await page.mouse.move(ellipse.x + ellipse.width / 2, ellipse.y + ellipse.height / 2);
  await frame(page);
  const told = /^Trial (\d+) /.exec((await page.locator("#detail").textContent()) ?? "");
  assert.ok(told, "no trial in focus");
  assert.ok(doc.trials.number.includes(Number(told[1])));
  assert.equal(await page.locator("#timeline .over circle").count(), 1);
  await page.context().close();
});

test("the table is one stop of the tabulator, and arrow keys go through its rows", async () => {
  const { page } = await study("line");
  const rows = page.locator("#trial-table tbody tr");
  assert.equal(await page.locator('#trial-table tbody tr[tabindex="0"]').count(), 1);
  await rows.first().focus();
  for (let k = 0; k < 4; ++k) await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowUp");
  await frame(page);
  assert.match((await page.locator("#detail").textContent()) ?? "", /^Trial 3 /);
  await page.context().close();
});

test("a region tells who asked for it", async () => {
  const { page, told: doc } = await study("districts");
  const region = page.locator("#g .stage").first().locator(".regions path").nth(7);
  await region.scrollIntoViewIfNeeded();
  await region.hover();
  await frame(page);
  const asked = doc.trials.name.lastIndexOf(doc.g.names[7]);
  assert.match(
    (await page.locator("#detail").textContent()) ?? "",
    asked < 0 ? /^No query/ : new RegExp(`^Trial ${asked} ·`),
  );
  await page.context().close();
});

test("the table is filtered, sorted and downloaded as it is shown", async () => {
  const { page, told: doc } = await study("failed");
  const { trials } = doc;
  await page.locator("#filter").fill("road closed");
  const failed = trials.number.filter((_, i) => trials.state[i] === "failed");
  assert.equal(await page.locator("#trial-table tbody tr").count(), failed.length);
  await page.locator("#filter").fill("");
  await page.locator("#filter-state").selectOption("told");
  await page.locator('th[data-key="value"] button').click();
  const told = trials.value.filter((v): v is number => v !== null).sort((a, b) => a - b);
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator("#download").click()]);
  assert.equal(download.suggestedFilename(), "a-hard-week-trials.csv");
  const rows = csvParse(readFileSync(await download.path(), "utf8"));
  assert.deepEqual(
    rows.map((row) => Number(row.value)),
    told,
  );
  assert.equal(await page.locator('th[data-key="value"]').getAttribute("aria-sort"), "ascending");
  await page.locator("#filter").fill("no such thing");
  assert.equal(await page.locator("#trial-table tbody").textContent(), "No trial matches.");
  await page.context().close();
});

test("five thousand trials come in pages, and can all be found", async () => {
  const { page } = await study("many");
  assert.equal(await page.locator("#trial-table tbody tr").count(), 50);
  await page.getByRole("button", { name: "Next ›" }).click();
  assert.equal(await page.locator("#trial-table tbody tr").first().getAttribute("data-trial"), "50");
  await page.locator("#filter").fill("4999");
  assert.ok(await page.locator('#trial-table tr[data-trial="4999"]').isVisible());
  await page.context().close();
});

test("more than two axes: main effects, cuts, pairs", async () => {
  const { page, problems, told: doc } = await study("four");
  assert.equal(await page.locator("#f figure").count(), doc.target.axes.length);
  await page.locator("#slice-f").selectOption({ label: "temperature × pressure" });
  await page.waitForSelector("#f image");
  assert.match((await page.locator("#f .note").textContent()) ?? "", /time 31 min, catalyst Pt/);
  await page.locator("#slice-f").selectOption("cuts");
  await page.waitForSelector('#f [aria-label="area"]');
  assert.equal(await page.locator("#f figure").count(), 4);
  assert.deepEqual(problems, []);
  await page.context().close();
});

test("dark when asked for, light on paper", async () => {
  const { page } = await study("one");
  const colour = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  assert.equal(await colour(), "rgb(247, 246, 243)");
  await page.locator("#theme").click();
  assert.equal(await colour(), "rgb(15, 17, 21)");
  await page.emulateMedia({ media: "print" });
  assert.equal(await colour(), "rgb(255, 255, 255)");
  assert.ok(await page.locator("nav").isHidden());
  await page.context().close();
});
