// Sizes and times for README.md: npm run measure. On a machine that is busy otherwise, the least of several runs and the time
// that the page computed itself say more than the median.
import { statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { fixtures } from "../fixtures/all";
import { drawn, file, launch, open } from "./browser";

const runs = 9;
const kilobytes = (path: string) => Math.round(statSync(path).size / 1000);
const summary = (values: number[]) => {
  const sorted = values.map(Math.round).sort((a, b) => a - b);
  return `${sorted[0]} ms (median ${sorted[Math.floor(sorted.length / 2)]})`;
};

const browser = await launch();
console.log(`page ${kilobytes(fileURLToPath(new URL("../dist/index.html", import.meta.url)))} kB`);
for (const name of ["line", "plane", "many"]) {
  const address = file(`measure-${name}`, fixtures[name]());
  const [paint, all, busy, step]: number[][] = [[], [], [], []];
  for (let k = 0; k < runs; ++k) {
    const { page } = await open(browser, "about:blank");
    const session = await page.context().newCDPSession(page);
    await session.send("Performance.enable", { timeDomain: "threadTicks" });
    const computed = async () =>
      1000 *
      ((await session.send("Performance.getMetrics")).metrics.find((m) => m.name === "TaskDuration")?.value ?? NaN);
    await page.goto(address);
    await drawn(page);
    busy.push(await computed());
    paint.push(await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0].startTime));
    all.push(await page.evaluate(() => Number(document.documentElement.dataset.drawn)));
    const before = await computed();
    await page.locator("#slider").fill("3");
    await page.evaluate(() => new Promise<void>((done) => requestAnimationFrame(() => setTimeout(() => done()))));
    step.push((await computed()) - before);
    await page.context().close();
  }
  console.log(`${name}: ${kilobytes(fileURLToPath(address))} kB`);
  console.log(`  first paint ${summary(paint)}, all pictures ${summary(all)}`);
  console.log(`  computing until then ${summary(busy)}, for a step of the slider ${summary(step)}`);
}
await browser.close();
