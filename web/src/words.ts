// What the model and its policies call things, for readers who know neither.
import type { StudyDocument } from "./document";
import { plural } from "./format";

// Why a query was chosen. `why` are the program's own sentences, which a report shows behind "details".
export function reasonFor(policy: string, why: string[]): string {
  const initial = why.find((text) => text.startsWith("initial design"));
  if (initial) return "one of the first queries, which are spread evenly";
  return reasons[policy] ?? (policy ? `chosen by the policy ${policy}` : why.join(" "));
}

const informs = "its answer is expected to say most about how large the best value is";
const where = "its answer is expected to say most about where the best value is";
const improves = "its answer is expected to exceed the best one so far by most";
const reasons: Record<string, string> = {
  ckg: "its answer is expected to raise the best estimate most",
  cjes: where,
  thompson: where,
  cmes: informs,
  "cmes-gumbel": informs,
  "cmes-noisy": informs,
  "cmes-f": informs,
  mes: informs,
  "mes-g": informs,
  mfmes: informs,
  ei: improves,
  "ei-g": improves,
  pi: improves,
  "pi-g": improves,
  ucb: "its answer may be the highest of all",
  "ucb-g": "its answer may be the highest of all",
  est: improves,
  "est-g": improves,
  "level-set": "its answer is expected to decide for most points whether they are above the limit",
  "max-variance": "its answer is the most uncertain",
  random: "drawn at random",
};

// "noise_sd" -> "noise of an answer (sd)"
export function parameterName(name: string): string {
  const along = / of (.*)$/.exec(name)?.[1];
  const plain = name.replace(/ of .*$/, "").replace(/\[\d+\]$/, "");
  const words: Record<string, string> = {
    variance: "how much the values vary (variance)",
    lengthscale: "distance over which they vary",
    noise_sd: "noise of an answer (standard deviation)",
    noise_var: "noise of an answer (variance)",
    mean: "overall level",
    nugget: "variation from point to point (nugget)",
    dispersion: "extra variation of counts (dispersion)",
  };
  return words[plain] ? words[plain] + (along ? `, along ${along}` : "") : name;
}

// "rate" -> "the rate". Symbols ("f", "NO2") and names that have an article or a possessive stay as they are.
export const withArticle = (name: string): string =>
  /^(the|a|an|our|my|your) /i.test(name) || !/[a-z]{3}/.test(name) ? name : `the ${name}`;

// What the things compared are called: "900 points", "a continuous range".
export function targetsText({ target, f }: StudyDocument): string {
  if (target.kind === "points") return plural(f.points.length, "listed point");
  return `all values of ${target.axes.map((axis) => axis.name).join(" and ")}`;
}
