// A real browser, and the built page with a document put in as `iqbo report` puts it in.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium, type Browser, type BrowserContextOptions, type Page } from "playwright-core";
import type { Document } from "../src/document";

const bundle = readFileSync(fileURLToPath(new URL("../dist/index.html", import.meta.url)), "utf8");
const place = '<script type="application/json" id="document">null</script>';
const folder = mkdtempSync(join(tmpdir(), "iqbo-page-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

export const page = () => bundle;

export function report(document: unknown): string {
  if (bundle.split(place).length !== 2) throw new Error("the page must hold its document exactly once");
  const json = JSON.stringify(document).replace(
    /[<\u2028\u2029]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return bundle.replace(place, () => place.replace("null", () => json));
}

export function file(name: string, document: Document | unknown): string {
  const path = join(folder, `${name}.html`);
  writeFileSync(path, report(document));
  return pathToFileURL(path).href;
}

export function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}

export interface Opened {
  page: Page;
  problems: string[]; // what the console complained about
}

export async function open(browser: Browser, address: string, options: BrowserContextOptions = {}): Promise<Opened> {
  const context = await browser.newContext({
    viewport: { width: 1400, height: 900 },
    reducedMotion: "reduce",
    ...options,
  });
  const page = await context.newPage();
  const problems: string[] = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && problems.push(message.text()));
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("requestfailed", (request) => problems.push(`${request.url().slice(0, 80)} failed`));
  await page.goto(address);
  return { page, problems };
}

// Until every picture is there.
export async function drawn(page: Page): Promise<void> {
  await page.waitForSelector("html[data-drawn]", { state: "attached", timeout: 90_000 });
}
