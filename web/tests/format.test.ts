import assert from "node:assert/strict";
import test from "node:test";
import {
  between,
  chance,
  coordinate,
  meaningful,
  percent,
  pointText,
  rounded,
  sentence,
  short,
  tally,
} from "../src/format";
import { csv } from "../src/sections/csv";
import { hostile } from "../fixtures/extremes";
import { line } from "../fixtures/studies";

test("numbers have four digits and exponents only where they help", () => {
  const expected: [number | null, string][] = [
    [0, "0"],
    [3.14159, "3.142"],
    [-0.00012346, "-0.0001235"],
    [12345.6, "12,346"],
    [999.96, "1000"],
    [0.5, "0.5"],
    [1e-7, "1 × 10⁻⁷"],
    [1.5e9, "1.5 × 10⁹"],
    [null, "–"],
    [Infinity, "–"],
  ];
  for (const [value, text] of expected) assert.equal(short(value), text);
});

test("a mean has the digits that its sd leaves", () => {
  assert.equal(meaningful(7.089e-6, 0.55), "0");
  assert.equal(meaningful(1.23456, 0.03), "1.235");
  assert.equal(meaningful(1.23456, 0), "1.235");
  assert.equal(meaningful(null, 1), "–");
});

test("shares are percents, and never quite certain", () => {
  assert.deepEqual([0, 0.0001, 0.034, 0.5, 0.937, 0.99999, 1, null].map(percent), [
    "0 %",
    "< 0.1 %",
    "3.4 %",
    "50 %",
    "93.7 %",
    "> 99.9 %",
    "100 %",
    "–",
  ]);
});

test("probabilities are whole percents, and certain only if they are", () => {
  assert.deepEqual(
    [0, 1e-9, 0.0099, 0.01, 0.1635, 0.99, 0.9901, 1, null].map((p) => chance(p)),
    ["0 %", "less than 1 %", "less than 1 %", "1 %", "16 %", "99 %", "more than 99 %", "100 %", "–"],
  );
  assert.deepEqual([chance(0, 0.001), chance(1, 0.001)], ["less than 1 %", "more than 99 %"]);
  assert.deepEqual([chance(0, 0.01048), chance(1, 0.01048)], ["less than 3 %", "more than 97 %"]); // none, or all, of 96 draws
});

test("an estimate and its interval are rounded alike", () => {
  assert.equal(rounded(10.6054, 0.566), "10.61");
  assert.equal(between(9.418, 11.9994, 0.566, "km"), "between 9.42 and 12.00 km");
  assert.equal(between(-0.06494, 11.02, 2.647, ""), "between -0.1 and 11.0");
  assert.equal(between(0.0041, 6.489, 2.16, ""), "between 0.004 and 6.5");
  assert.equal(between(-0.02, 0, 2.16, ""), "between -0.02 and 0.0");
  assert.equal(rounded(12345.6, 1234), "12,300");
  assert.equal(rounded(1234.56, 0.02), "1,235");
  assert.equal(rounded(0.25, 0), "0.25");
});

test("counts are shown with what they were counted among", () => {
  assert.equal(tally(12, 2000), "12 of 2,000");
  assert.equal(tally(0, 1234567), "0 of 1,234,567");
  assert.equal(tally(3, 100.25), "3 of 100.3");
  const study = line();
  study.trials.count = study.trials.value.map((_, i) => i);
  study.trials.exposure = study.trials.value.map(() => 2000);
  const [head, first] = csv(study, [0]).split("\n");
  assert.equal(head.split(",").slice(6, 9).join(), "value,count,exposure");
  assert.equal(first.split(",").slice(7, 9).join(), "0,2000");
});

test("points are told by name and place", () => {
  const axes = [
    { name: "dose", unit: "mg", from: 0, to: 9 },
    { name: "kind", unit: "", from: 0, to: 1, categories: ["oral", "nasal"] },
  ];
  assert.equal(pointText(axes, [2.5, 1], "arm 3"), "arm 3 (dose 2.5 mg, kind nasal)");
  assert.equal(pointText([], [4], "d4"), "d4");
  assert.equal(coordinate(axes[1], 7), "7");
  assert.equal(sentence("it moved"), "It moved.");
});

test("CSV holds every number in full and quotes what must be quoted", () => {
  const study = line();
  const [head, first] = csv(study, [0, 1]).split("\n");
  assert.equal(head.split(",").slice(0, 7).join(), "trial,state,name,centre,level,cost,value");
  assert.equal(first.split(",")[3], String(study.trials.query[0][0]));
  assert.equal(first.split(",")[6], String(study.trials.value[0]));
  const nasty = hostile();
  assert.ok(csv(nasty, [1]).includes(`"${nasty.trials.name[1].replaceAll('"', '""')}"`));
});
