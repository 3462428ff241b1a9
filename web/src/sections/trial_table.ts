// The table: filtered by words, sorted by a column, fifty rows at a time, and what is found as CSV.
import { data, h, type Child } from "../dom";
import { meaningful, nothing, plural, short, time } from "../format";
import type { View } from "../view";
import { reasonFor } from "../words";
import { csv, fileName, save } from "./csv";

const perPage = 50;

interface Column {
  key: string;
  text: string;
  number?: boolean;
  sort: (i: number) => number | string;
  cell: (i: number) => Child;
}

export class TrialTable {
  readonly element: HTMLElement;
  private readonly body = h("tbody");
  private readonly count = h("output", { id: "trial-count", for: "filter" });
  private readonly pages = h("div", { class: "pages" });
  private readonly columns: Column[];
  private readonly words: string[];
  private found: number[] = [];
  private page = 0;

  constructor(private readonly view: View) {
    this.columns = columnsOf(view);
    const { trials } = view.doc;
    this.words = trials.number.map((number, i) =>
      [
        number,
        view.queryText(i),
        trials.state[i],
        trials.value[i],
        view.tallyText(i),
        trials.policy[i],
        trials.worker[i],
        trials.reason[i],
        trials.why[i].join(" "),
      ]
        .join(" ")
        .toLowerCase(),
    );
    this.element = h("div", {}, this.controls(), this.table(), this.pages);
    view.state.on("focus", () => this.mark());
    this.search();
  }

  private setting(key: string): string {
    return this.view.state.settings.get(key) ?? "";
  }

  private controls(): HTMLElement {
    const keep = (key: string, value: string) => {
      this.view.state.settings.set(key, value);
      this.page = 0;
      this.search();
    };
    const filter = h("input", {
      type: "search",
      id: "filter",
      placeholder: "name, state, reason …",
      value: this.setting("filter"),
      on: { input: () => keep("filter", filter.value) },
    });
    const state = h(
      "select",
      { id: "filter-state", on: { change: () => keep("filter-state", state.value) } },
      ["", "told", "pending", "failed", ...(this.view.imported ? ["imported"] : [])].map((s) =>
        h("option", { value: s }, s || "all"),
      ),
    );
    state.value = this.setting("filter-state");
    const download = h(
      "button",
      {
        type: "button",
        id: "download",
        on: { click: () => save(csv(this.view.doc, this.found), `${fileName(this.view.doc.name)}-trials.csv`) },
      },
      "Download CSV",
    );
    return h(
      "div",
      { class: "controls" },
      h("label", { class: "control", for: "filter" }, h("span", {}, "Filter"), filter),
      h("label", { class: "control", for: "filter-state" }, h("span", {}, "State"), state),
      this.count,
      download,
    );
  }

  private table(): HTMLElement {
    const heads = this.columns.map((column) => {
      const head = h(
        "th",
        { scope: "col", class: classOf(column) },
        h("button", { type: "button", on: { click: () => this.sortBy(column.key) } }, column.text),
      );
      head.dataset.key = column.key;
      return head;
    });
    return h(
      "div",
      { class: "scroll", tabindex: 0, role: "region", "aria-label": "Trials" },
      h(
        "table",
        { id: "trial-table" },
        h("caption", { class: "hidden" }, "Trials"),
        h("thead", {}, h("tr", {}, heads)),
        this.body,
      ),
    );
  }

  private sortBy(key: string): void {
    const { settings } = this.view.state;
    settings.set(
      "order",
      this.setting("sort") === key && this.setting("order") !== "descending" ? "descending" : "ascending",
    );
    settings.set("sort", key);
    this.page = 0;
    this.search();
  }

  private search(): void {
    const { trials } = this.view.doc;
    const words = this.setting("filter").toLowerCase().split(/\s+/).filter(Boolean);
    const state = this.setting("filter-state");
    this.found = trials.number
      .map((_, i) => i)
      .filter(
        (i) => (state === "" || trials.state[i] === state) && words.every((word) => this.words[i].includes(word)),
      );
    const column = this.columns.find((c) => c.key === this.setting("sort"));
    const sign = this.setting("order") === "descending" ? -1 : 1;
    if (column) this.found.sort((i, j) => sign * compare(column.sort(i), column.sort(j)) || i - j);
    this.count.textContent = `${this.found.length} of ${plural(trials.number.length, this.view.imported ? "row" : "trial")}`;
    this.show();
  }

  private show(): void {
    const last = Math.max(0, Math.ceil(this.found.length / perPage) - 1);
    this.page = Math.min(this.page, last);
    const rows = this.found.slice(this.page * perPage, (this.page + 1) * perPage);
    this.body.replaceChildren(...rows.map((i) => this.row(i)));
    if (rows.length > 0) (this.body.firstElementChild as HTMLElement).tabIndex = 0;
    if (rows.length === 0)
      this.body.append(h("tr", {}, h("td", { colspan: this.columns.length, class: "none" }, "No trial matches.")));
    const go = (to: number) => () => {
      this.page = to;
      this.show();
    };
    const button = (text: string, to: number, on: boolean) =>
      h("button", { type: "button", disabled: !on, on: { click: go(to) } }, text);
    this.pages.replaceChildren(
      ...(last === 0
        ? []
        : [
            button("‹ Previous", this.page - 1, this.page > 0),
            h("span", {}, `page ${this.page + 1} of ${last + 1}`),
            button("Next ›", this.page + 1, this.page < last),
          ]),
    );
    for (const head of this.element.querySelectorAll<HTMLElement>("thead th")) {
      const sorted = head.dataset.key === this.setting("sort");
      head.setAttribute(
        "aria-sort",
        sorted ? (this.setting("order") === "descending" ? "descending" : "ascending") : "none",
      );
    }
    this.mark();
  }

  private row(i: number): HTMLElement {
    const { state } = this.view;
    const row = h(
      "tr",
      {
        tabindex: -1,
        "data-trial": this.view.doc.trials.number[i] ?? "imported",
        on: {
          pointerenter: () => state.look(i),
          pointerleave: () => state.look(null),
          focus: () => state.look(i),
          blur: () => state.look(null),
          keydown: (event) => this.step(row, event as KeyboardEvent),
        },
      },
      this.columns.map((column) => h("td", { class: classOf(column) }, column.cell(i))),
    );
    row.dataset.place = String(i);
    return row;
  }

  // One stop for the tabulator; arrow keys go on from there.
  private step(row: HTMLElement, event: KeyboardEvent): void {
    const near: Record<string, Element | null> = {
      ArrowDown: row.nextElementSibling,
      ArrowUp: row.previousElementSibling,
    };
    const to = near[event.key];
    if (!(to instanceof HTMLElement)) return;
    event.preventDefault();
    row.tabIndex = -1;
    to.tabIndex = 0;
    to.focus();
  }

  private mark(): void {
    for (const row of this.body.querySelectorAll<HTMLElement>("tr"))
      row.classList.toggle("focused", row.dataset.place === String(this.view.state.focus));
  }
}

const classOf = (column: Column) => `column-${column.key}${column.number ? " number" : ""}`;

const twoDigits = (x: number | null) => short(x === null ? null : Number(x.toPrecision(2)));

const compare = (a: number | string, b: number | string) =>
  typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b));

function columnsOf(view: View): Column[] {
  const { trials, value } = view.doc;
  const number = (key: string, text: string, column: (number | null)[]): Column => ({
    key,
    text,
    number: true,
    sort: (i) => column[i] ?? -Infinity,
    cell: (i) => data(column[i], short(column[i])),
  });
  const words = (key: string, text: string, at: (i: number) => string): Column => ({ key, text, sort: at, cell: at });
  const whyText = (i: number) =>
    trials.state[i] === "imported" ? trials.why[i].join(" ") : reasonFor(trials.policy[i], trials.why[i]);
  const any = (column: unknown[]) => column.some((entry) => entry !== null && entry !== "");
  return [
    {
      ...number("number", "trial", trials.number),
      sort: (i) => i,
      cell: (i) => (trials.number[i] === null ? nothing : data(trials.number[i], String(trials.number[i]))),
    },
    words("query", "query", (i) => view.queryText(i)),
    ...(any(trials.count ?? [])
      ? [
          {
            ...words("count", "counted", (i) => view.tallyText(i) || nothing),
            sort: (i: number) => trials.count?.[i] ?? -1,
          },
        ]
      : []),
    number("value", value.unit ? `answer (${value.unit})` : "answer", trials.value),
    ...(any(trials.level) ? [number("level", "level", trials.level)] : []),
    {
      key: "state",
      text: "state",
      sort: (i) => trials.state[i],
      cell: (i) => h("span", { class: `state ${trials.state[i]}` }, trials.state[i]),
    },
    ...(any(trials.noise_sd) ? [number("noise", "noise sd", trials.noise_sd)] : []),
    ...(any(trials.expected)
      ? [
          {
            ...number("expected", "expected", trials.expected),
            cell: (i: number) => data(trials.expected[i], meaningful(trials.expected[i], trials.expected_sd[i])),
          },
        ]
      : []),
    ...(any(trials.expected_sd)
      ? [
          {
            ...number("expected_sd", "sd", trials.expected_sd),
            cell: (i: number) => data(trials.expected_sd[i], twoDigits(trials.expected_sd[i])),
          },
        ]
      : []),
    number("cost", "cost", trials.cost),
    ...(new Set(trials.worker).size > 1 ? [words("worker", "worker", (i) => trials.worker[i])] : []),
    ...(any(trials.told)
      ? [{ ...number("told", "told", trials.told), cell: (i: number) => time(trials.told[i]) }]
      : []),
    words("why", "why", (i) => trials.reason[i] || whyText(i) || nothing),
  ];
}
