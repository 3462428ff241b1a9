// A page that is served: it fetches, follows, says when the connection is lost, and comes back. The header below allows by hash
// only what stands in the page: what `iqbo serve` sends.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import test, { after, before } from "node:test";
import type { Browser } from "playwright-core";
import { line } from "../fixtures/studies";
import { drawn, launch, open, page as bundle } from "./browser";

const hash = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
const hashes = (element: RegExp) => [...bundle().matchAll(element)].map((m) => hash(m[1])).join(" ");
const policy = [
  "default-src 'none'",
  `script-src ${hashes(/<script type="module"[^>]*>(.*?)<\/script>/gs)}`,
  `style-src ${hashes(/<style[^>]*>(.*?)<\/style>/gs)}`,
  "img-src data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

class Service {
  document: unknown = line(6);
  full = false; // no more streams
  refusal = ""; // the study cannot be read, and why
  private streams: ServerResponse[] = [];
  private server: Server | undefined;

  async start(port = 0): Promise<string> {
    this.server = createServer((request, response) => {
      const path = request.url ?? "";
      if (path === "/")
        response
          .writeHead(200, { "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": policy })
          .end(bundle());
      else if (this.refusal) response.writeHead(503).end(JSON.stringify({ error: this.refusal }));
      else if (path === "/api/report")
        response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(this.document));
      else if (path === "/api/events" && this.full) response.writeHead(503, { "Retry-After": "5" }).end();
      else if (path === "/api/events")
        this.streams.push(response.writeHead(200, { "Content-Type": "text/event-stream" }));
      else response.writeHead(404).end();
      if (path === "/api/events" && !this.full && !this.refusal) response.write("retry: 200\n\n");
    });
    await new Promise<void>((done) => this.server?.listen(port, "127.0.0.1", done));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
  }

  tell(document: unknown): void {
    this.document = document;
    for (const stream of this.streams) stream.write("event: changed\ndata: {}\n\n");
  }

  // The server ends its streams, as it does when the study is gone.
  refuse(why: string): void {
    this.refusal = why;
    for (const stream of this.streams) stream.end();
    this.streams = [];
  }

  async stop(): Promise<void> {
    for (const stream of this.streams) stream.destroy();
    this.streams = [];
    this.server?.closeAllConnections();
    await new Promise((done) => this.server?.close(done));
  }
}

let browser: Browser;
before(async () => void (browser = await launch()));
after(() => browser.close());

test("a served page follows the study, and keeps what the reader was doing", async (t) => {
  const service = new Service();
  t.after(() => service.stop());
  const address = await service.start();
  const { page, problems } = await open(browser, address);
  await drawn(page);
  await page.waitForSelector('#connection[data-state="live"]');
  assert.equal(await page.locator("#trial-count").textContent(), "6 of 6 trials");

  await page.locator("#trials").scrollIntoViewIfNeeded();
  await page.locator("#filter").fill("ckg");
  const place = () => page.locator("#trials").evaluate((section) => section.getBoundingClientRect().top);
  const before = await place();
  service.tell(line(9));
  await page.waitForFunction(() => document.getElementById("trial-count")?.textContent?.endsWith("of 9 trials"));
  assert.equal(await page.locator("#counts data").first().textContent(), "8");
  assert.equal(await page.locator("#filter").inputValue(), "ckg");
  assert.equal(await page.evaluate(() => document.activeElement?.id), "filter");
  assert.equal(Math.round(await place()), Math.round(before), "the reader stays where they were");
  assert.equal(await page.locator("figure .stage:empty").count(), 0);
  assert.deepEqual(problems, [], "the policy allows all the page needs");

  await service.stop();
  await page.waitForSelector('#connection[data-state="lost"]');
  assert.equal(await page.locator("h1").textContent(), "ore along a drill core", "what was shown stays");
  service.document = line(12);
  await service.start(Number(new URL(address).port));
  await page.waitForFunction(
    () => document.getElementById("trial-count")?.textContent?.endsWith("of 12 trials"),
    undefined,
    { timeout: 60_000 },
  );
  await page.waitForSelector('#connection[data-state="live"]');
  await page.context().close();
});

test("without a stream to spare, the page looks now and then", async (t) => {
  const service = new Service();
  service.full = true;
  t.after(() => service.stop());
  const { page } = await open(browser, await service.start());
  await drawn(page);
  await page.waitForSelector('#connection[data-state="polling"]');
  service.document = line(9);
  await page.waitForFunction(
    () => document.getElementById("trial-count")?.textContent?.endsWith("of 9 trials"),
    undefined,
    { timeout: 90_000 },
  );
  service.full = false;
  await page.waitForSelector('#connection[data-state="live"]');
  await page.context().close();
});

test("a page says that its study is gone, and shows it again when it is back", async (t) => {
  const service = new Service();
  t.after(() => service.stop());
  const { page } = await open(browser, await service.start());
  await drawn(page);
  await page.waitForSelector('#connection[data-state="live"]');
  service.refuse("study.db: was removed while it was open");
  await page.waitForSelector('#connection[data-state="refused"]');
  assert.equal(
    await page.locator("#connection").textContent(),
    "Not available: study.db: was removed while it was open",
  );
  service.refusal = "";
  await page.waitForSelector('#connection[data-state="live"]', { timeout: 15000 });
});
