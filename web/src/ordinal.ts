// A query's resolution is a number, but only a few are offered, and what lies between them means nothing: its axis becomes one of categories,
// the finest first.
import type { Axis, Belief, Slice, StudyDocument } from "./document";
import { short } from "./format";

const most = 12;

interface OrdinalAxis extends Axis {
  values: number[]; // of the categories
}

// What a coordinate stands for, in full.
export function valueAt(axis: Axis | undefined, coordinate: number): number | string {
  if (axis && "values" in axis) return (axis as OrdinalAxis).values[coordinate];
  return axis?.categories?.[coordinate] ?? coordinate;
}

export function withResolutions(study: StudyDocument): StudyDocument {
  const { axes } = study.query;
  const j = axes.length - 1;
  if (j < 1 || axes[j].name !== "resolution" || axes[j].categories) return study;
  const offered = distinct([
    ...study.trials.query.map((query) => query[j]), // in full
    ...study.g.points.map((point) => point[j]),
    ...study.g.slices.flatMap((slice) => [slice.at[j], ...slice.points.map((point) => point[slice.axes.indexOf(j)])]),
  ]);
  if (offered.length === 0 || offered.length > most) return study;
  const code = (value: number) =>
    offered.reduce((best, other, k) => (Math.abs(other - value) < Math.abs(offered[best] - value) ? k : best), 0);
  const coded = (point: number[], at = j) => point.map((value, k) => (k === at ? code(value) : value));
  const slice = (s: Slice): Slice => ({
    ...s,
    at: coded(s.at),
    points: s.points.map((p) => coded(p, s.axes.indexOf(j))),
  });
  const belief = (b: Belief): Belief => ({
    ...b,
    points: b.points.map((point) => coded(point)),
    slices: b.slices.map(slice),
    effects: b.effects.map(slice),
  });
  const axis: OrdinalAxis = {
    ...axes[j],
    from: 0,
    to: offered.length - 1,
    categories: offered.map(short),
    values: offered,
  };
  return {
    ...study,
    query: { ...study.query, axes: [...axes.slice(0, j), axis] },
    g: belief(study.g),
    scores: study.scores?.query ? { ...study.scores, query: coded(study.scores.query) } : study.scores,
    trials: { ...study.trials, query: study.trials.query.map((query) => coded(query)) },
    observations: study.observations.map((o) => (o.kind === "answer" ? { ...o, point: coded(o.point) } : o)),
  };
}

// What is only looked at has been rounded: of nearly equal values the first counts.
function distinct(values: number[]): number[] {
  const found: number[] = [];
  for (const value of values)
    if (Number.isFinite(value) && !found.some((other) => Math.abs(other - value) <= 1e-4 * Math.abs(value)))
      found.push(value);
  return found.sort((a, b) => a - b);
}
