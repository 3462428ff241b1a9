// Numbers, times and names as people read them.
import type { Axis } from "./document";

export const nothing = "–";

// Four significant digits, as people write them: "0.0312", "12,346", "1.5 × 10⁹".
export function short(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return nothing;
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e7)) {
    const [digits, power] = value.toExponential(3).split("e");
    return `${Number(digits)} × 10${raised(Number(power))}`;
  }
  if (size >= 1000) return whole(Math.round(value));
  return String(Number(value.toPrecision(4)));
}

const raised = (power: number) => String(power).replace(/[-0-9]/g, (c) => (c === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(c)]));

// "2,000": counts, and what they were counted among
export function whole(value: number): string {
  return Number.isInteger(value) ? String(value).replace(/\B(?=(\d{3})+(?!\d))/g, ",") : short(value);
}

// "12 of 2,000"
export function tally(count: number, exposure: number): string {
  return `${whole(count)} of ${whole(exposure)}`;
}

export function percent(share: number | null | undefined): string {
  if (share === null || share === undefined) return nothing;
  const value = 100 * share;
  if (value > 0 && value < 0.1) return "< 0.1 %";
  if (value < 100 && value > 99.9) return "> 99.9 %";
  return `${Number(value.toPrecision(value < 10 ? 2 : 3))} %`;
}

// A probability, in whole percent: "16 %". What is not certain is never "0 %" or "100 %" but "less than 1 %" or "more than 99 %"; where few draws
// leave it open, two standard errors further: "less than 3 %".
export function chance(probability: number | null | undefined, error?: number | null): string {
  if (probability === null || probability === undefined) return nothing;
  const known = error ?? 0;
  if (known === 0 && (probability <= 0 || probability >= 1)) return `${100 * probability} %`;
  const bound = (p: number) => Math.min(99, Math.max(1, Math.ceil(100 * (p + 2 * known) - 1e-9)));
  if (probability < 0.01) return `less than ${bound(probability)} %`;
  if (probability > 0.99) return `more than ${100 - bound(1 - probability)} %`;
  return `${Math.round(100 * probability)} %`;
}

// A number beside its sd, to a tenth of the sd's leading digit: an estimate and its interval have the same decimals. What would become
// 0 keeps its first digit.
export function rounded(value: number, sd: number | null | undefined): string {
  if (!sd || !Number.isFinite(sd) || !Number.isFinite(value)) return short(value);
  const decimals = 1 - Math.floor(Math.log10(sd));
  const near = Math.round(value * 10 ** decimals) / 10 ** decimals;
  if (near === 0 && value !== 0) return short(Number(value.toPrecision(1)));
  if (decimals <= 0 || decimals > 6 || Math.abs(near) >= 1000) return short(near);
  return near.toFixed(decimals);
}

// "between 9.42 and 12.00 km"
export function between(low: number, high: number, sd: number, unit: string): string {
  return `between ${rounded(low, sd)} and ${withUnit(rounded(high, sd), unit)}`;
}

export function withUnit(text: string, unit: string): string {
  return unit === "" ? text : `${text} ${unit}`;
}

export function clipped(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}

// "dose (mg)", for axes and keys, where there is little room
export function labelOf(thing: { name: string; unit: string }): string {
  const name = clipped(thing.name, 32);
  return thing.unit === "" ? name : `${name} (${clipped(thing.unit, 24)})`;
}

export function sentence(text: string): string {
  const start = text.charAt(0).toUpperCase() + text.slice(1);
  return text === "" || /[.!?]$/.test(start) ? start : `${start}.`;
}

// A mean with the digits that its sd leaves meaningful.
export function meaningful(mean: number | null | undefined, sd: number | null | undefined): string {
  if (mean === null || mean === undefined || !sd || !Number.isFinite(sd)) return short(mean);
  const unit = 10 ** (Math.floor(Math.log10(sd)) - 2);
  return short(Math.round(mean / unit) * unit + 0);
}

export function coordinate(axis: Axis, value: number): string {
  return axis.categories ? (axis.categories[Math.round(value)] ?? short(value)) : withUnit(short(value), axis.unit);
}

// "dose 3.2 mg, age 41"; "" for a point that is only a name
export function coordinates(axes: Axis[], point: number[]): string {
  return axes.map((axis, j) => `${axis.name} ${coordinate(axis, point[j])}`).join(", ");
}

// "d1, d2 and d3"
export function listed(words: string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

export function pointText(axes: Axis[], point: number[], name: string): string {
  const place = coordinates(axes, point);
  if (name === "") return place === "" ? point.map(short).join(", ") : place;
  return place === "" ? name : `${name} (${place})`;
}

export function time(seconds: number | null | undefined): string {
  if (seconds === null || seconds === undefined) return nothing;
  const date = new Date(seconds * 1000);
  const two = (n: number) => String(n).padStart(2, "0");
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
