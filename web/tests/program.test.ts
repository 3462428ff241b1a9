// The real program: what the page of `iqbo report` and `iqbo serve` shows is what the command line says. IQBO_PROGRAM names it.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import test, { after, before } from "node:test";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { drawn, launch, open } from "./browser";

const program = process.env.IQBO_PROGRAM;
const options = { skip: program ? false : "IQBO_PROGRAM is not set" };
const folder = mkdtempSync(join(tmpdir(), "iqbo-program-"));

let browser: Browser;
before(async () => void (browser = await launch()));
after(async () => {
  await browser.close();
  rmSync(folder, { recursive: true });
});

function iqbo(...words: string[]): string {
  const done = spawnSync(program as string, words, { cwd: folder, encoding: "utf8" });
  assert.equal(done.status, 0, done.stderr);
  return done.stdout;
}

// A study of `template` with a few answers, each its trial's number.
function campaign(template: string, trials: number, name = template): string {
  const study = join(folder, `${name}.db`);
  iqbo("new", "--template", template, "--folder", join(folder, name), "--study", study, "--quiet");
  iqbo("run", "--study", study, "--command", "echo {trial}", "--trials", String(trials), "--quiet");
  return study;
}

const values = (page: Page, place: string) =>
  page.locator(`${place} data`).evaluateAll((all) => all.map((each) => Number((each as HTMLDataElement).value)));

async function agrees(page: Page, study: string): Promise<void> {
  const best = JSON.parse(iqbo("best", "--study", study, "--json"));
  assert.deepEqual(await values(page, "#answer-mean"), [best.mean]);
  assert.deepEqual(await values(page, "#answer-interval"), [best.low, best.high]);
  assert.deepEqual(await values(page, "#answer-place"), Object.values(best.x));
}

for (const template of ["districts", "tiles", "trial", "map"])
  test(`a report of ${template} says what the command line says`, options, async () => {
    const study = campaign(template, 6);
    const file = join(folder, `${template}.html`);
    iqbo("report", "--study", study, "--out", file);
    const { page, problems } = await open(browser, pathToFileURL(file).href);
    await drawn(page);
    await agrees(page, study);
    assert.equal(await page.locator("#trial-table tbody tr").count(), 6);
    assert.deepEqual(problems, []);
    await page.context().close();
  });

test("a served study follows what is told elsewhere", options, async (t) => {
  const study = campaign("map", 4, "live");
  const server = spawn(program as string, ["serve", "--study", study, "--port", "0", "--json"]);
  t.after(() => server.kill("SIGKILL"));
  const [line] = await new Promise<string[]>((done) =>
    createInterface(server.stdout).once("line", (text: string) => done([text])),
  );
  const { page, problems } = await open(browser, `http://127.0.0.1:${JSON.parse(line).port}/`);
  await drawn(page);
  await agrees(page, study);
  const asked = JSON.parse(iqbo("ask", "--study", study, "--json"));
  iqbo("tell", "--study", study, String(asked.trial), "40");
  await page.waitForSelector(`#trial-table tr[data-trial="${asked.trial}"] >> text=40`, { timeout: 60_000 });
  await agrees(page, study);
  assert.deepEqual(problems, []);
  await page.context().close();
});

test("names that are markup are shown as text", options, async () => {
  const hostile = '</script><img src=x onerror="document.title=1"><!--';
  iqbo("new", "--template", "map", "--folder", join(folder, "hostile"));
  const spec = join(folder, "hostile", "study.json");
  const text = readFileSync(spec, "utf8").replace(/"name":\s*"[^"]*"/, `"name": ${JSON.stringify(hostile)}`);
  writeFileSync(spec, text);
  iqbo("new", spec, "--study", join(folder, "hostile.db"), "--quiet");
  const file = join(folder, "hostile.html");
  iqbo("report", "--study", join(folder, "hostile.db"), "--out", file);
  const { page, problems } = await open(browser, pathToFileURL(file).href);
  await drawn(page);
  assert.ok((await page.locator("h1").textContent())?.includes("</script><img"));
  assert.equal(await page.locator("img").count(), 0);
  assert.deepEqual(problems, []);
  await page.context().close();
});
