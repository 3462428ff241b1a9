// Small controls; what was chosen is kept in the settings, so that a live page keeps it.
import { h, type Child } from "./dom";
import type { State } from "./state";

function select(
  state: State,
  key: string,
  label: string,
  options: { value: string; text: string }[],
  changed: (value: string) => void,
): HTMLElement {
  const box = h(
    "select",
    {
      id: key,
      on: {
        change: () => {
          state.settings.set(key, box.value);
          changed(box.value);
        },
      },
    },
    options.map((option) => h("option", { value: option.value }, option.text)),
  );
  box.value = chosen(state, key, options);
  return h("label", { class: "control", for: key }, h("span", {}, label), box);
}

// Several views of the same thing, one at a time.
export function chooser(
  state: State,
  key: string,
  label: string,
  views: { value: string; text: string; make: () => HTMLElement[] }[],
): HTMLElement {
  const place = h("div");
  const show = (value: string) => place.replaceChildren(...(views.find((view) => view.value === value)?.make() ?? []));
  show(chosen(state, key, views));
  return h("div", {}, h("div", { class: "controls" }, select(state, key, label, views, show)), place);
}

function chosen(state: State, key: string, options: { value: string }[]): string {
  const kept = state.settings.get(key);
  return options.some((option) => option.value === kept) ? (kept as string) : (options[0]?.value ?? "");
}

export function section(id: string, title: string, lead: Child, ...children: Child[]): HTMLElement {
  return h(
    "section",
    { id, "aria-labelledby": `${id}-title` },
    h("h2", { id: `${id}-title` }, title),
    lead ? h("p", { class: "lead" }, lead) : null,
    children,
  );
}

// A colour or symbol and what it means.
export function legend(entries: { colour: string; text: string; mark?: string }[]): HTMLElement {
  const swatch = (colour: string, mark: string) => {
    const box = h("span", { class: `swatch ${mark}`, "aria-hidden": "true" });
    box.style.setProperty("--swatch", colour);
    return box;
  };
  return h(
    "ul",
    { class: "legend" },
    entries.map((entry) => h("li", {}, swatch(entry.colour, entry.mark ?? "dot"), entry.text)),
  );
}
