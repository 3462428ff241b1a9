// What the page shows, and nothing else reaches it: the contract between room report (C++) and the page. `iqbo report` puts
// one Document into the page, `iqbo serve` sends the same at /api/report. Values are in the user's units and signs; points
// are rows of numbers in the order of the axes. A number that does not exist (no answer yet, an infinite score) is null.

export const documentVersion = 2;

export type Document = StudyDocument | ExperimentDocument;
export type Numbers = (number | null)[];

export interface Axis {
  name: string;
  unit: string;
  from: number; // the box, or the least and the greatest coordinate of the points
  to: number;
  categories?: string[]; // a coordinate is then a place in this list
}

// What f is. Where it cannot be just any number: the link h of f = h(eta), eta being normal, and the largest f if there is one.
export interface Value {
  name: string;
  unit: string;
  link?: "identity" | "log" | "logit"; // with "identity" f is a rate all the same, and not negative
  most?: number | null;
}

// Points in a box, listed points, or the cells of a tree.
export interface Space {
  kind: "box" | "points" | "tree";
  axes: Axis[];
}

// --- a study --------------------------------------------------------------------------------------------------------------

export interface StudyDocument {
  kind: "study";
  version: number;
  made: number; // seconds since 1970
  program: string; // "iqbo 0.1.0"
  name: string;
  goal: "maximize" | "minimize";
  value: Value;
  target: Space; // X
  query: Space; // A
  policy: string;
  conditional: { kind: string; summary: string }; // in words
  status: Status;
  answer: Answer | null; // null: nothing was told yet
  f: Belief; // now
  g: Belief;
  scores: Score | null; // what a query is worth, at the points of g; null where it is not listed
  cells: Cell[]; // of a tree
  trials: Trials;
  footprints: Footprint[]; // of trials.footprint
  observations: Outside[]; // imported, not asked
  frames: Frame[]; // the past, oldest first; the last one is now
  fits: Fit[]; // one per refit, oldest first
  learned: Learned | null; // null: p(x given a) was given
  checks: Checks;
  geojson: GeoShapes | null;
  tiles?: Tiles | null; // if every query of g is a rectangle: theirs
  noise_told?: boolean; // every answer came with its own noise sd: none was fitted
  limit?: number | null; // the threshold of a level set, or of the spec
  chances?: Chance | null; // what joint draws of f say; null where X is not listed
  spec: string; // JSON, indented
  notes: string[]; // approximations in force, warnings
}

export interface Status {
  told: number;
  pending: number;
  failed: number;
  imported: number;
  values: number; // of f, imported
  pairs: number; // (x, a), imported
  spent: number;
  budget: number | null;
  left: number | null;
  last_event: number;
}

export interface Answer {
  x: number[];
  name: string; // "" if points have none
  mean: number;
  sd: number;
  low: number; // 95 % interval of f there
  high: number;
  probability_error?: number | null; // standard error of the probability
  probability: number | null; // of being the best point, or within `tolerance` of it where X is a continuum
  tolerance: number;
  // Where rare spots are searched for: the probability that a better one is unseen, and a 95 % interval of the optimum.
  unseen?: number | null;
  optimum_low?: number | null;
  optimum_high?: number | null;
  notes: string[];
  moving: { since: number; text: string }; // the trial (told) at which it last moved, and what that means in words
}

// Of f at points of X, or of g at points of A. Listed or on a grid; `grid` has the lengths along the axes, the last axis
// varying fastest, if it is one. More than two dimensions: `slices` through the answer instead.
export interface Belief {
  points: number[][];
  names: string[]; // or none
  grid: number[] | null;
  mean: Numbers;
  sd: Numbers;
  slices: Slice[]; // one per axis and per pair of axes; empty if `points` tell all
  effects: Slice[]; // main effects: the average over the other axes, one per axis
}

export interface Slice {
  axes: number[]; // one or two
  at: number[]; // the other coordinates stay here; for a main effect the answer's
  points: number[][]; // coordinates along `axes` only
  mean: Numbers;
  sd: Numbers;
}

export interface Score {
  policy: string;
  values: Numbers;
  logarithms: boolean; // of scores; then -inf is null
  next: number | null; // the place in g.points that would be asked next, or is nearest to it
  query?: number[]; // that very query, also where none is listed
  why: string[]; // of that choice, in words
}

export interface Cell {
  level: number;
  lower: number[];
  upper: number[];
  asked: number; // how often
  candidate: boolean;
  mean: number | null;
  sd: number | null;
}

// Rectangles along the axes of X, one for each point of g.
export interface Tiles {
  lower: number[][];
  upper: number[][];
}

// Answers to what people ask, by joint draws. Lists are in the order of f.points (g.points).
export interface Chance {
  draws: number;
  regret: number; // expected loss of stopping now
  regret_error: number;
  smallest: number[]; // places in f.points: the fewest that hold the best with `smallest_probability`; none where rare spots are searched for
  smallest_probability: number;
  best: Numbers | null; // probability that a point is the best
  above: Numbers | null; // that f exceeds the limit there
  above_g: Numbers | null; // that the average over a query does
  stop: string; // why the study may stop now; "" if its rule is not met, or there is none
}

// Columns of equal length, one entry per trial or imported answer, in the order in which they were handed out or imported. Keys and values are those of a trial in docs/json.md, but that a query is a
// row of numbers in the order of query.axes.
export interface Trials {
  number: (number | null)[]; // null: imported
  query: number[][];
  name: string[];
  level: (number | null)[];
  cost: number[];
  state: ("pending" | "told" | "failed" | "imported")[];
  value: Numbers;
  noise_sd: Numbers;
  replicates: number[];
  count?: Numbers; // of events among `exposure`, where answers are counts; `value` is then their rate
  exposure?: Numbers;
  reason: string[]; // of a failure
  worker: string[];
  policy: string[];
  why: string[][]; // sentences
  score: Numbers;
  asked: Numbers; // seconds since 1970
  told: Numbers;
  expected: Numbers; // what was believed of this answer before it came, and its sd with noise
  expected_sd: Numbers;
  footprint: (number | null)[]; // place in `footprints`
}

// p(x given a). An ellipse holds one sd around the centre; members are places in f.points with their weights.
export type Footprint =
  | { kind: "ellipse"; centre: number[]; half: number[] }
  | { kind: "box"; lower: number[]; upper: number[] }
  | { kind: "members"; members: number[]; weights: number[] };

export interface Outside {
  kind: "answer" | "value"; // of g at a (these are among the trials, too), of f at x
  point: number[];
  name: string;
  value: number;
  noise_sd: number | null;
  count?: number; // of events among `exposure`
  exposure?: number;
}

// What was believed after `told` answers; mean and sd at f.points (g.points), null to save space where X has slices.
export interface Frame {
  told: number; // answers, imported ones included
  trial: number; // trials with a smaller number were answered or out
  best: Answer | null;
  best_so_far: number | null; // the mean at the answer then
  f_mean: Numbers | null;
  f_sd: Numbers | null;
  g_mean: Numbers | null;
  g_sd: Numbers | null;
}

export interface Fit {
  observations: number; // the first so many
  family: string;
  log_evidence: number;
  parameters: { name: string; value: number; low: number; high: number }[];
  notes: string[];
}

export interface Learned {
  summary: string;
  models: { name: string; score: number; weight: number; chosen: boolean }[]; // held-out kappa score: less is better
  discrepancy: number | null; // sd of what the learned averages may be off by
}

// Are the intervals honest? Each answer against what was believed just before it came.
export interface Checks {
  n: number;
  cover50: number | null; // the share of answers within the 50 and 90 % intervals
  cover90: number | null;
  residuals: Numbers; // (z - expected) / expected_sd, trial by trial; null where there is none
  text: string; // what that means, in words
}

export interface GeoShapes {
  id: string; // the property; "": the feature's own id
  features: unknown; // a FeatureCollection, as it was given
}

// --- an experiment: what `iqbo paper` and `iqbo bench` hand to a reader ---------------------------------------------------

export interface ExperimentDocument {
  kind: "experiment";
  version: number;
  made: number;
  program: string;
  title: string;
  text: string[]; // paragraphs: what was run, with which command
  settings: { name: string; choice: string; reason: string }[];
  panels: Panel[];
  findings: Finding[];
}

// One plot of curves.
export interface Panel {
  title: string; // "figure 3: linear map, simple regret"
  x: string; // the axis: "answers", "cost"
  y: string; // "log10 simple regret"
  seeds: number;
  floor: number | null; // no policy can get below
  curves: { policy: string; at: number[]; mean: Numbers; low: Numbers; high: Numbers }[]; // 95 % intervals of the mean
}

export interface Finding {
  about: string;
  claim: string;
  measure: string;
  difference: { mean: number; low: number | null; high: number | null; n: number } | null;
  verdict: "holds" | "equal" | "does not hold" | "undecided";
  remark: string;
  extra: boolean;
}
