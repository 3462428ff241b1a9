// A form beside "Next": tells an answer to the server, which checks it as it checks those of the command line.
import { h } from "../dom";
import { mayWrite, ordered, Refused, type Loose } from "../load";
import type { View } from "../view";

// What was typed outlives a page that is drawn anew when the study changes.
const typed = { what: "", value: "", sd: "", token: "", said: "", ok: true };

export function tellForm(view: View): HTMLElement | null {
  if (!mayWrite()) return null;
  const { trials, g, scores } = view.doc;
  const counts = trials.count !== undefined;
  const pending = trials.number.flatMap((number, i) => (trials.state[i] === "pending" && number !== null ? [i] : []));
  const field = (key: "value" | "sd" | "token", label: string, more: Record<string, unknown> = {}) => {
    const box = h("input", {
      id: `tell-${key}`,
      value: typed[key],
      autocomplete: "off",
      ...more,
      on: { input: () => (typed[key] = box.value) },
    });
    return h("label", { class: "control", for: `tell-${key}` }, h("span", {}, label), box);
  };
  const names = [...new Set(g.names)].filter(Boolean);
  const what = h(
    "select",
    { id: "tell-what", on: { change: () => (typed.what = what.value) } },
    pending.map((i) => h("option", { value: `trial ${trials.number[i]}` }, `${view.title(i)}: ${view.queryText(i)}`)),
    names.map((name) => h("option", { value: `query ${name}` }, name)),
  );
  const next = scores?.next === null || scores?.next === undefined ? "" : `query ${g.names[scores.next] ?? ""}`;
  const offered = (value: string) => [...what.options].some((option) => option.value === value);
  const wanted = [typed.what, pending.length ? "" : next].find(offered);
  if (wanted) what.value = wanted;
  const said = h("output", { id: "tell-said", class: typed.ok ? "" : "wrong", role: "status" }, typed.said);
  const say = (text: string, ok: boolean) => {
    [typed.said, typed.ok] = [text, ok];
    said.textContent = text;
    said.className = ok ? "" : "wrong";
  };
  const value = field("value", counts ? "count/exposure, such as 12/2000" : "value", {
    inputmode: "decimal",
    required: true,
  });
  const send = async (event: Event) => {
    event.preventDefault();
    try {
      const answer = await ordered("api/tell", typed.token, order(what.value, counts));
      const trial = answer.trial as Loose;
      say(`${answer.verdict === "stored" ? "Stored" : "Already stored"}: trial ${String(trial.number)}.`, true);
      typed.value = "";
      (value.querySelector("input") as HTMLInputElement).value = "";
    } catch (error) {
      say(error instanceof Refused ? error.message : `Not sent: ${String(error)}`, false);
    }
  };
  return h(
    "form",
    { class: "tell", id: "tell", "aria-label": "Tell an answer", on: { submit: (event) => void send(event) } },
    h("label", { class: "control", for: "tell-what" }, h("span", {}, "Answer of"), what),
    value,
    counts ? null : field("sd", "standard error, if known", { inputmode: "decimal" }),
    field("token", "token", { type: "password", required: true }),
    h("button", { type: "submit" }, "Tell"),
    said,
  );
}

function order(what: string, counts: boolean): object {
  const number = (text: string, name: string) => {
    const value = Number(text.trim().replace(",", "."));
    if (text.trim() === "" || !Number.isFinite(value)) throw new Refused(`${name}: "${text}", expected a number`);
    return value;
  };
  const of = what.startsWith("trial ") ? { trial: Number(what.slice(6)) } : { query: what.slice(6) };
  if (counts) {
    const [count, exposure] = typed.value.split("/");
    const among = exposure === undefined ? {} : { exposure: number(exposure, "exposure") };
    return { ...of, count: number(count, "count"), ...among };
  }
  const sd = typed.sd.trim() === "" ? {} : { noise_sd: number(typed.sd, "standard error") };
  return { ...of, value: number(typed.value, "value"), ...sd };
}
