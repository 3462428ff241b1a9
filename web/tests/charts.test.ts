import assert from "node:assert/strict";
import test from "node:test";
import { extent, widened } from "../src/charts/domain";
import { latticeOf } from "../src/charts/lattice";
import { bounds, matched, regionsOf } from "../src/charts/regions";
import { districts } from "../fixtures/studies";

test("points that fill a grid are found in any order, with holes, and rounded", () => {
  const points = [0, 1, 2, 3].flatMap((i) => [0, 1, 2].map((j) => [Number((i / 3).toFixed(4)), 10 * j]));
  const whole = latticeOf(points);
  assert.deepEqual([whole?.nx, whole?.ny], [4, 3]);
  assert.deepEqual(whole?.cells, [0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11]);
  assert.deepEqual(whole?.y, [-5, 25]);
  const shuffled = latticeOf([points[7], points[0], points[11], points[4], points[2], points[9]]);
  assert.deepEqual(shuffled?.cells, [6, 0, 11, 5, 8, 3]);
});

test("scattered and doubled points fill no grid", () => {
  assert.equal(
    latticeOf([
      [0, 0],
      [1, 0.3],
      [0.21, 1],
      [0.77, 0.45],
      [0.5, 0.8],
    ]),
    null,
  );
  assert.equal(
    latticeOf([
      [0, 0],
      [1, 0],
      [0, 1],
      [1, 1],
      [1, 1],
    ]),
    null,
  );
  assert.equal(
    latticeOf([
      [0, 0],
      [1, 0],
      [2, 0],
      [3, 0],
    ]),
    null,
  );
});

test("ranges survive nothing, constants and gaps", () => {
  assert.equal(extent([null, undefined, NaN]), null);
  assert.deepEqual(extent([3, null, -1], [7]), [-1, 7]);
  assert.deepEqual(widened(null), [0, 1]);
  assert.deepEqual(widened([0, 0]), [-1, 1]);
  assert.deepEqual(widened([5, 5]), [4.5, 5.5]);
  assert.deepEqual(widened([0, 10], 0.1), [-1, 11]);
});

test("regions are matched by name, and what is no region is left aside", () => {
  const study = districts();
  const regions = regionsOf(study.geojson);
  assert.equal(regions.length, study.g.names.length);
  assert.ok(matched(study.g.names, regions)?.every((region) => region !== null));
  assert.equal(matched(study.f.names, regions), null);
  assert.equal(bounds([]), null);
  const odd = {
    id: "",
    features: {
      features: [null, { id: 7, geometry: null }, { id: 8, geometry: { type: "Point", coordinates: [1, 2] } }],
    },
  };
  assert.deepEqual(regionsOf(odd), []);
});
