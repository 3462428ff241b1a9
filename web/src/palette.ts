// Colours that people with any colour vision can tell apart: viridis and its kin for quantities, Okabe and Ito's for kinds.
// var(...) follows the theme; see style/base.css.
export const ink = "var(--ink)";
export const muted = "var(--muted)";
export const line = "var(--line)";
export const accent = "var(--blue)"; // what is believed
export const focus = "var(--vermillion)"; // what is pointed at
export const chosen = "var(--purple)"; // what would be asked next

export const kinds = ["blue", "vermillion", "green", "purple", "sky", "orange", "yellow", "grey"].map((name) => `var(--${name})`);
export const dashes = ["", "6 3", "2 3", "8 3 2 3", "", "6 3", "2 3", "8 3 2 3"];

export type Scheme = "viridis" | "cividis" | "magma";
