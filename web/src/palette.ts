// Colours that people with any colour vision can tell apart: viridis and its kin for quantities, Okabe and Ito's for kinds.
// var(...) follows the theme; see style/base.css.
export const ink = "var(--ink)";
export const muted = "var(--muted)";
export const line = "var(--line)";
export const accent = "var(--blue)"; // what is believed
export const focus = "var(--vermillion)"; // what is pointed at
export const chosen = "var(--purple)"; // what would be asked next

const kinds = ["blue", "vermillion", "green", "purple", "sky", "orange", "yellow", "grey"].map(
  (name) => `var(--${name})`,
);
const dashes = ["", "6 3", "2 3", "8 3 2 3"];

// The k-th of many lines: colour and dashes come back together only after 32.
export function lineStyle(k: number): { colour: string; dash: string; pattern: number } {
  const pattern = (k + Math.floor(k / kinds.length)) % dashes.length;
  return { colour: kinds[k % kinds.length], dash: dashes[pattern], pattern };
}

export type Scheme = "viridis" | "cividis" | "magma";
