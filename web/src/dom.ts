// Elements. Text becomes text nodes, never markup: a study's names may contain anything.
export type Child = Node | string | number | null | undefined | false | Child[];

export interface Props {
  on?: Record<string, (event: Event) => void>;
  [attribute: string]: unknown;
}

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Props = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  const { on = {}, ...attributes } = props;
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const [name, listener] of Object.entries(on)) element.addEventListener(name, listener);
  append(element, children);
  return element;
}

function append(parent: Node, children: Child[]): void {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    if (Array.isArray(child)) append(parent, child);
    else parent.appendChild(child instanceof Node ? child : document.createTextNode(String(child)));
  }
}

// A number as people read it, and in full for programs.
export function data(value: number | null | undefined, text: string): HTMLElement {
  return value === null || value === undefined
    ? h("span", { class: "none" }, text)
    : h("data", { value: String(value) }, text);
}

// A table; the columns of numbers are set flush right.
export function table(caption: string, head: { text: string; number?: boolean }[], rows: Child[][]): HTMLElement {
  const kind = (j: number) => (head[j].number ? "number" : undefined);
  return h(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": caption },
    h(
      "table",
      {},
      h("caption", { class: "hidden" }, caption),
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          head.map((column, j) => h("th", { scope: "col", class: kind(j) }, column.text)),
        ),
      ),
      h(
        "tbody",
        {},
        rows.map((row) =>
          h(
            "tr",
            {},
            row.map((cell, j) => h("td", { class: kind(j) }, cell)),
          ),
        ),
      ),
    ),
  );
}
