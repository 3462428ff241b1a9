// Pictures of every view, to be looked at: npm run shots -- [folder] [fixture ...]
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fixtures } from "../fixtures/all";
import { drawn, file, launch, open } from "./browser";

const [folder = "shots", ...wanted] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const browser = await launch();
const views = {
  wide: { viewport: { width: 1400, height: 900 } },
  phone: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true },
  dark: { viewport: { width: 1400, height: 900 }, colorScheme: "dark" as const },
};
for (const [name, make] of Object.entries(fixtures)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const address = file(name, make());
  for (const [view, options] of Object.entries(views)) {
    const { page, problems } = await open(browser, address, options);
    await drawn(page).catch((error) => console.log(name, view, String(error).slice(0, 80), problems));
    await page.screenshot({ path: join(folder, `${name}-${view}.png`), fullPage: true });
    if (view === "wide")
      await page.pdf({
        path: join(folder, `${name}.pdf`),
        format: "A4",
        margin: { top: "15mm", bottom: "15mm", left: "15mm", right: "15mm" },
      });
    if (problems.length > 0) console.log(name, view, problems);
    await page.context().close();
  }
}
await browser.close();
