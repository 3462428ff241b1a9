import assert from "node:assert/strict";
import test from "node:test";
import { extent, shiftOf, widened } from "../src/charts/domain";
import { latticeOf } from "../src/charts/lattice";
import { bounds, matched, regionsOf } from "../src/charts/regions";
import { valueAt, withResolutions } from "../src/ordinal";
import { districts, line } from "../fixtures/studies";

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

test("resolutions are categories, and keep their values", () => {
  const study = line(3);
  study.query.axes.push({ name: "resolution", unit: "", from: 0.3333333, to: 2 });
  study.trials.query = study.trials.query.map(([a], i) => [a, [1 / 3, 2, 1][i]]);
  study.g = {
    ...study.g,
    points: [
      [0, 0.33333],
      [0, 1],
      [0, 2],
    ],
  };
  const shown = withResolutions(study);
  assert.deepEqual(shown.query.axes[1].categories, ["0.3333", "1", "2"]);
  assert.deepEqual(
    shown.trials.query.map((query) => query[1]),
    [0, 2, 1],
  );
  assert.deepEqual(
    shown.g.points.map((point) => point[1]),
    [0, 1, 2],
  );
  assert.equal(valueAt(shown.query.axes[1], 0), 1 / 3);
  assert.equal(withResolutions(line(3)).query.axes.length, 1);
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
      features: [
        null,
        { id: 7, geometry: null },
        { id: 8, geometry: { type: "Point", coordinates: [1, 2] } },
        {
          id: 9,
          geometry: {
            type: "Polygon",
            coordinates: [
              [
                [0, 0],
                [1, null],
                [1, 1],
              ],
            ],
          },
        },
        { id: 10, geometry: { type: "MultiPolygon", coordinates: [] } },
      ],
    },
  };
  assert.deepEqual(regionsOf(odd), []);
});

test("intervals of rates and shares stay where rates and shares can be", () => {
  const value = { name: "rate", unit: "" };
  assert.equal(shiftOf(value)(1, 2, -1), -1);
  const rate = shiftOf({ ...value, link: "log", most: null });
  assert.equal(rate(3, 2, 0), 3);
  // log f normal with variance log(1 + 4 / 9): mean 3, sd 2
  assert.ok(Math.abs(rate(3, 2, 1) - 3 * Math.exp(Math.sqrt(Math.log(13 / 9)) - Math.log(13 / 9) / 2)) < 1e-12);
  assert.ok(rate(0.1, 5, -1.96) > 0);
  assert.equal(rate(0, 1, -1.96), 0);
  const share = shiftOf({ ...value, link: "logit", most: 1000 });
  for (const times of [-1.96, 1.96]) {
    assert.ok(share(990, 30, times) > 0 && share(990, 30, times) < 1000);
    assert.ok(share(1000, 30, times) <= 1000);
  }
  assert.ok(Math.abs(share(500, 1, 1) - 501) < 1e-3);
  const counts = shiftOf({ ...value, link: "identity", most: null });
  assert.equal(counts(1, 2, -1.96), 0);
  assert.equal(counts(1, 2, 1), 3);
});
