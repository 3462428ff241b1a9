// Where the document comes from, and whether this page can show it. Missing parts are filled in: an older or a smaller program
// may not send all of them. Another version is refused, with words.
import { documentVersion, type Belief, type Document, type Space, type StudyDocument } from "./document";
import { withResolutions } from "./ordinal";

export class Unreadable extends Error {}
export class Refused extends Error {} // by the server, with its words: the study was removed, for instance

export type Loose = Record<string, unknown>;
const isObject = (value: unknown): value is Loose =>
  typeof value === "object" && value !== null && !Array.isArray(value);

// What stands in the page; null if it is to be fetched.
export function embedded(): unknown {
  return JSON.parse(document.getElementById("document")?.textContent ?? "null");
}

// Served, and following the study; and whether answers may be told, by who has the token.
const element = () => document.getElementById("document");
export const isLive = (): boolean => element()?.hasAttribute("data-live") ?? false;
export const mayWrite = (): boolean => element()?.hasAttribute("data-writes") ?? false;

// Sends an order; returns what the server says about it. Throws Refused, with its words.
export async function ordered(path: string, token: string, order: object): Promise<Loose> {
  const answer = await fetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/json", Authorization: `Bearer ${token}` },
    body: JSON.stringify(order),
  });
  const said: unknown = await answer.json().catch(() => null);
  if (answer.ok && isObject(said)) return said;
  throw new Refused(
    isObject(said) && typeof said.error === "string" ? said.error : `the server answered ${answer.status}`,
  );
}

export async function fetched(): Promise<unknown> {
  const answer = await fetch("api/report", { headers: { Accept: "application/json" }, cache: "no-store" });
  if (answer.ok) return answer.json();
  const said: unknown = await answer.json().catch(() => null);
  if (isObject(said) && typeof said.error === "string") throw new Refused(said.error);
  throw new Unreadable(`the server answered ${answer.status} ${answer.statusText}`);
}

export function understood(raw: unknown): Document {
  if (!isObject(raw)) throw new Unreadable("the server did not send a document of iqbo");
  if (raw.version !== documentVersion)
    throw new Unreadable(
      `the document has version ${String(raw.version)}, and this page shows version ${documentVersion}`,
    );
  if (raw.kind === "experiment") return filled(raw, emptyExperiment) as unknown as Document;
  if (raw.kind === "study") return withResolutions(named(filled(raw, emptyStudy) as unknown as StudyDocument));
  throw new Unreadable(`the document is of kind "${String(raw.kind)}", and this page shows studies and experiments`);
}

// Queries (or points) that are names and nothing else carry their places in the list as a coordinate. That is no axis.
function named(study: StudyDocument): StudyDocument {
  const plain = (space: Space, { points, names }: Belief) =>
    space.kind === "points" &&
    space.axes.length === 1 &&
    space.axes[0].name === "number" &&
    names.length > 0 &&
    points.every((point, i) => point[0] === i);
  const bare = (space: Space, belief: Belief): Space => (plain(space, belief) ? { ...space, axes: [] } : space);
  return { ...study, target: bare(study.target, study.f), query: bare(study.query, study.g) };
}

// Adds what is missing, also inside of objects; leaves everything else as it is.
function filled(given: Loose, defaults: Loose): Loose {
  const result: Loose = { ...given };
  for (const [key, value] of Object.entries(defaults)) {
    const found = result[key];
    if (found === undefined) result[key] = value;
    else if (isObject(found) && isObject(value)) result[key] = filled(found, value);
  }
  if (isObject(result.trials) && defaults.trials) result.trials = evened(result.trials);
  if (isObject(result.answer)) result.answer = filled(result.answer, emptyAnswer);
  return result;
}

// A column that was not sent has nothing in every row.
function evened(trials: Loose): Loose {
  const n = (trials.number as number[]).length;
  const text = ["name", "reason", "worker", "policy"];
  const nothing = (key: string) => (key === "why" ? [] : text.includes(key) ? "" : null);
  return Object.fromEntries(
    Object.entries(trials).map(([key, column]) => {
      const short = Array.isArray(column) && column.length < n;
      return [key, short ? [...column, ...Array(n - column.length).fill(nothing(key))] : column];
    }),
  );
}

const space = { kind: "box", axes: [] };
const belief: Belief = { points: [], names: [], grid: null, mean: [], sd: [], slices: [], effects: [] };
const emptyAnswer = { name: "", probability: null, tolerance: 0, notes: [], moving: { since: 0, text: "" } };
const emptyExperiment = { made: 0, program: "iqbo", title: "", text: [], settings: [], panels: [], findings: [] };

const emptyStudy: Loose = {
  made: 0,
  program: "iqbo",
  name: "",
  goal: "maximize",
  value: { name: "f", unit: "" },
  target: space,
  query: space,
  policy: "",
  conditional: { kind: "", summary: "" },
  status: {
    told: 0,
    pending: 0,
    failed: 0,
    imported: 0,
    values: 0,
    pairs: 0,
    spent: 0,
    budget: null,
    left: null,
    last_event: 0,
  },
  answer: null,
  f: belief,
  g: belief,
  scores: null,
  cells: [],
  trials: {
    number: [],
    query: [],
    name: [],
    level: [],
    cost: [],
    state: [],
    value: [],
    noise_sd: [],
    replicates: [],
    reason: [],
    worker: [],
    policy: [],
    why: [],
    score: [],
    asked: [],
    told: [],
    expected: [],
    expected_sd: [],
    footprint: [],
  },
  footprints: [],
  observations: [],
  frames: [],
  fits: [],
  learned: null,
  checks: { n: 0, cover50: null, cover90: null, residuals: [], text: "" },
  geojson: null,
  tiles: null,
  noise_told: false,
  limit: null,
  chances: null,
  spec: "",
  notes: [],
} satisfies Partial<Record<keyof StudyDocument, unknown>>;
