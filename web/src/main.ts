import "./style/base.css";
import "./style/layout.css";
import "./style/answer.css";
import "./style/pictures.css";
import "./style/tables.css";
import "./style/experiment.css";
import "./style/print.css";
import { h } from "./dom";
import { Live, type Connection } from "./live";
import { embedded, isLive, understood, Unreadable } from "./load";
import { pageOf, type Page } from "./page";
import { flush, later } from "./schedule";
import { restoreTheme } from "./theme";

const root = document.getElementById("page") as HTMLElement;
const badge = h("span", { class: "badge", id: "connection", role: "status" });
let shown: Page | undefined;

function show(raw: unknown, live: boolean): void {
  try {
    put(pageOf(understood(raw), live ? badge : null, shown?.state));
  } catch (error) {
    fail(error);
  }
}

// The next state of a live page is drawn out of sight and then exchanged, so that nothing flickers and the reader stays where they are.
function put(page: Page): void {
  document.title = `${page.title} · iqbo`;
  if (shown) {
    const focused = document.activeElement?.id;
    page.element.classList.add("unseen");
    root.append(page.element);
    flush();
    const [id, top] = looked();
    root.replaceChildren(page.element);
    page.element.classList.remove("unseen");
    const moved = (id ? document.getElementById(id)?.getBoundingClientRect().top : undefined) ?? top;
    window.scrollBy({ top: moved - top, behavior: "instant" });
    if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
  } else root.replaceChildren(page.element);
  shown = page;
  later(() => (document.documentElement.dataset.drawn = String(Math.round(performance.now())))); // for whoever waits for all pictures
}

// The section that the reader is in, and where it is on the screen: others may grow.
function looked(): [string | undefined, number] {
  const section = [...root.querySelectorAll<HTMLElement>("section")].find(
    (s) => s.getBoundingClientRect().bottom > window.innerHeight / 3,
  );
  return [section?.id, section?.getBoundingClientRect().top ?? 0];
}

function fail(error: unknown): void {
  const text = error instanceof Error ? error.message : String(error);
  if (!(error instanceof Unreadable)) console.error(error);
  shown = undefined;
  root.replaceChildren(
    h(
      "div",
      { class: "page" },
      h(
        "div",
        { class: "problem", role: "alert" },
        h("h1", {}, "This cannot be shown"),
        h("p", {}, text),
        h("p", {}, "The page and the program that wrote the document may be of different versions of iqbo."),
      ),
    ),
  );
}

const words: Record<Connection, string> = {
  connecting: "Connecting …",
  live: "Live",
  polling: "Checking every 5 s",
  lost: "Connection lost",
  refused: "Not available",
};

function connection(state: Connection, more?: string): void {
  badge.dataset.state = state;
  badge.textContent = more ? `${words[state]}: ${more}` : words[state];
  if (!shown) root.replaceChildren(h("div", { class: "page" }, h("p", { class: "waiting" }, badge)));
}

function start(): void {
  restoreTheme();
  window.addEventListener("beforeprint", flush);
  let raw: unknown;
  try {
    raw = embedded();
  } catch {
    return fail(new Unreadable("the document in this page is damaged"));
  }
  const live = isLive();
  if (raw !== null) show(raw, live);
  if (raw !== null && !live) return;
  if (location.protocol === "file:") return fail(new Unreadable("there is no study in this file"));
  new Live((next) => show(next, true), connection, raw).start();
}

start();
