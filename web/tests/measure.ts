// Sizes and times for README.md: npm run measure
import { statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { fixtures } from "../fixtures/all";
import { drawn, file, launch, open } from "./browser";

const runs = 9;
const middle = (values: number[]) => Math.round(values.sort((a, b) => a - b)[Math.floor(values.length / 2)]);
const kilobytes = (path: string) => Math.round(statSync(path).size / 1000);

const browser = await launch();
console.log(`page ${kilobytes(fileURLToPath(new URL("../dist/index.html", import.meta.url)))} kB`);
for (const name of ["line", "plane", "many"]) {
  const address = file(`measure-${name}`, fixtures[name]());
  const [paint, all, replay]: number[][] = [[], [], []];
  for (let k = 0; k < runs; ++k) {
    const { page } = await open(browser, address);
    await drawn(page);
    const [first, last] = await page.evaluate(() => [
      performance.getEntriesByName("first-contentful-paint")[0].startTime,
      Number(document.documentElement.dataset.drawn),
    ]);
    paint.push(first);
    all.push(last);
    replay.push(
      await page.evaluate(
        () =>
          new Promise<number>((done) => {
            const slider = document.getElementById("slider") as HTMLInputElement;
            const start = performance.now();
            slider.value = "3";
            slider.dispatchEvent(new Event("input"));
            requestAnimationFrame(() => setTimeout(() => done(performance.now() - start)));
          }),
      ),
    );
    await page.context().close();
  }
  console.log(
    `${name}: ${kilobytes(fileURLToPath(address))} kB; medians of ${runs}: first paint ${middle(paint)} ms, all pictures ${middle(all)} ms, a step of the slider ${middle(replay)} ms`,
  );
}
await browser.close();
