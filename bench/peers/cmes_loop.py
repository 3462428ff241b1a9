"""CMES on lists, 100 steps, in NumPy as well as we can write it, against iqbo's Policy in the same run.

    /usr/bin/python3 bench/peers/cmes_loop.py build/dev/bench/loop_bench

Needs NumPy and SciPy (for the normal distribution function and an in-place rank-one update). One thread, processor times, in
turn. Both sides are given the kernel, the noise and the weights W of a conditional mean embedding of 1,000 pairs, and do the
same: a pivoted Cholesky factor of the prior, f = F th and g = W F th; per step 16 fresh joint paths, the scores of 2,500 queries,
the answer at the best one, and a rank-one update of the square root of Cov(th). They agree if the posterior after iqbo's own
answers is the same to 1e-8, and the scores of all queries for given samples of f* to 1e-4 of the largest.
"""
import json
import os
import subprocess
import sys
import tempfile
import time

for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"

import numpy as np
from scipy.linalg.blas import dger
from scipy.special import log_ndtr, ndtr

PATHS, STEPS, REPEATS = 16, 100, 5
NOISE_VAR, LENGTHSCALE = 0.01, 0.2
BAR, BAR_PRODUCTS, AGREES = 0.8, 4.0, 1e-8


def grid(side):
    axis = np.linspace(0.0, 1.0, side)
    return np.stack(np.meshgrid(axis, axis, indexing="ij"), axis=-1).reshape(-1, 2)


def kernel(x, y):
    """RBF of variance 1; one product and one exponential."""
    x, y = x / LENGTHSCALE, y / LENGTHSCALE
    d = x @ y.T
    d -= 0.5 * np.einsum("ij,ij->i", x, x)[:, None]
    d -= 0.5 * np.einsum("ij,ij->i", y, y)
    return np.exp(np.minimum(d, 0.0, out=d), out=d)


def factor(points, tolerance, block=32):
    """F with K = F F' up to `tolerance` in every variance: pivoted Cholesky, a block of columns at a time."""
    n = len(points)
    f = np.zeros((n, 0), order="F")
    left = np.ones(n)
    while left.max() > tolerance:
        # A block of pivots among the points with much left, far from each other: greedy on a few candidates.
        good = np.flatnonzero(left >= max(tolerance, 0.1 * left.max()))
        some = good[:: max(1, len(good) // 256)]
        s = kernel(points[some], points[some]) - f[some] @ f[some].T
        rest, chosen, rows = np.diag(s).copy(), [], np.zeros((len(some), block))
        for c in range(block):
            p = int(rest.argmax())
            if rest[p] < max(tolerance, 0.1 * left.max()):
                break
            rows[:, c] = (s[:, p] - rows[:, :c] @ rows[p, :c]) / np.sqrt(rest[p])
            rest -= rows[:, c] ** 2
            rest[p] = 0.0
            chosen.append(p)
        pivots = some[chosen]
        triangle = np.tril(rows[chosen, : len(chosen)])
        columns = kernel(points, points[pivots]) - f @ f[pivots].T
        columns = np.linalg.solve(triangle, columns.T).T
        left = np.maximum(left - np.einsum("ij,ij->i", columns, columns), 0.0)
        left[pivots] = 0.0
        f = np.asfortranarray(np.hstack([f, columns]))
    return f


def entropy_drop(t):
    """h(t) = t phi(t) / (2 Phi(t)) - log Phi(t)."""
    t = np.maximum(t, -30.0)
    below = ndtr(t)
    ratio = np.exp(-0.5 * t * t) * (0.5 / np.sqrt(2.0 * np.pi)) * t
    far = t < -8.0
    if far.any():
        log_below = log_ndtr(t)
        return ratio / np.exp(log_below) - log_below
    return ratio / below - np.log(below)


def truth(a):
    return np.sin(5.0 * a[0]) * np.cos(4.0 * a[1])


class Belief:
    """f at x and g at a as one list of 5,000 rows, [F; G] th."""

    def __init__(self, x, support, weights):
        growth = max(1.0, 2.0 * np.abs(weights).sum(axis=1).max()) ** 2
        f = factor(np.vstack([x, support]), max(2e-15, 1e-9 * NOISE_VAR / growth))
        self.n = len(x)
        self.rows = np.asfortranarray(np.vstack([f[: self.n], weights @ f[self.n :]]))
        r = f.shape[1]
        self.mu, self.root = np.zeros(r), np.eye(r, order="F")
        self.mean = np.zeros(len(self.rows))
        self.var = np.einsum("ij,ij->i", self.rows, self.rows)

    def paths(self, rng):
        return self.rows @ (self.root @ rng.standard_normal((len(self.mu), PATHS)) + self.mu[:, None])

    def observe(self, query, z):
        row = self.rows[self.n + query]
        v = self.root.T @ row
        s = v @ v + NOISE_VAR
        sd, tv = np.sqrt(s), self.root @ v
        surprise = (z - row @ self.mu) / sd
        self.mu += tv * (surprise / sd)
        dger(-1.0 / (s + sd * np.sqrt(NOISE_VAR)), tv, v, a=self.root, overwrite_a=1)
        step = self.rows @ (tv / sd)
        self.mean += surprise * step
        self.var = np.maximum(self.var - step * step, 0.0)

    def scores(self, fstar):
        nu, sd = self.mean[self.n :], np.sqrt(self.var[self.n :])
        return entropy_drop((fstar[:, None] - nu) / sd).mean(axis=0)


def loop(x, a, support, weights, seed):
    rng = np.random.default_rng(seed)
    belief = Belief(x, support, weights)
    for _ in range(STEPS):
        query = int(belief.scores(belief.paths(rng).max(axis=0)).argmax())
        belief.observe(query, truth(a[query]) + np.sqrt(NOISE_VAR) * rng.standard_normal())
    return belief


def products(belief, weights, support_rows):
    """The matrix products of the loop and of setting it up, and nothing else."""
    r = len(belief.mu)
    eps, v = np.ones((r, PATHS)), np.ones(r)
    weights @ np.ones((weights.shape[1], r))
    f = np.ones((belief.n + support_rows, r), order="F")
    for begin in range(0, r, 32):
        f[:, :begin] @ f[:32, :begin].T
    for _ in range(STEPS):
        belief.rows @ (belief.root @ eps)
        belief.root.T @ v
        belief.root @ v
        belief.rows @ v


def seconds(work):
    start = time.process_time()
    out = work()
    return time.process_time() - start, out


# --- as a comparison of ./dev peers (see run.py) ----------------------------------------------------------------------

TITLE = "CMES, 100 steps, 2,500 x 2,500, CME of 1,000 pairs"
BENCH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../build/dev/bench/loop_bench")


def problem():
    """Support and weights; query, z, mean, var, fstar and log_scores of iqbo's own loop."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([BENCH, "--problem", folder], check=True)
        out = {name: np.fromfile(os.path.join(folder, name + ".bin"))
               for name in ("support", "weights", "query", "z", "mean", "var", "fstar", "log_scores")}
    out["support"] = out["support"].reshape(-1, 2)
    out["weights"] = out["weights"].reshape(-1, len(out["support"]))
    return out


def iqbo_side():
    def work(repetition):
        return {"cpu_seconds": json.loads(subprocess.run([BENCH, "--loop"], check=True, capture_output=True).stdout)["seconds"]}
    return work


def numpy_side():
    given, x = problem(), grid(50)
    belief = Belief(x, given["support"], given["weights"])
    for query, z in zip(given["query"].astype(int), given["z"]):
        belief.observe(query, z)
    apart = max(np.abs(belief.mean - given["mean"]).max(), np.abs(belief.var - given["var"]).max())
    theirs = np.exp(given["log_scores"])
    off = np.abs(belief.scores(given["fstar"]) - theirs).max() / theirs.max()

    def work(repetition):
        loop(x, x, given["support"], given["weights"], repetition)
        return {"apart": float(apart), "off": float(off)}
    return work


def products_side():
    given = problem()
    belief = Belief(grid(50), given["support"], given["weights"])
    return lambda repetition: products(belief, given["weights"], len(given["support"]))


SIDES = {"iqbo": iqbo_side, "NumPy": numpy_side, "its bare products": products_side}
RATIOS = [("iqbo", "NumPy", "cpu", BAR), ("iqbo", "its bare products", "cpu", BAR_PRODUCTS)]


def check(answers):
    apart, off = answers["NumPy"][0]["apart"], answers["NumPy"][0]["off"]
    return [(f"posterior after the same answers: {apart:.1e} apart (of 1)", apart < AGREES),
            (f"scores: {off:.1e} of the largest apart", off < 1e-4)]


def main():
    bench = os.path.abspath(sys.argv[1])
    ours, theirs, bare = [], [], []
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([bench, "--problem", folder], check=True)
        def load(name):
            return np.fromfile(os.path.join(folder, name + ".bin"))
        side = 50
        x = a = grid(side)
        support = load("support").reshape(-1, 2)
        weights = load("weights").reshape(-1, len(support))
        query, z = load("query").astype(int), load("z")

        belief = Belief(x, support, weights)
        for q, value in zip(query, z):
            belief.observe(q, value)
        apart = max(np.abs(belief.mean - load("mean")).max(), np.abs(belief.var - load("var")).max())
        scores, ours_scores = belief.scores(load("fstar")), np.exp(load("log_scores"))
        off = np.abs(scores - ours_scores).max() / ours_scores.max()
        print(f"posterior after the same {len(z)} answers: {apart:.1e} apart (of 1); scores: {off:.1e} of the largest")
        if not (apart < AGREES and off < 1e-4):
            sys.exit("WRONG ANSWER: the two programs do not compute the same")

        for repeat in range(REPEATS):
            ours.append(json.loads(subprocess.run([bench, "--loop"], check=True, capture_output=True).stdout)["seconds"])
            theirs.append(seconds(lambda: loop(x, a, support, weights, repeat))[0])
            bare.append(seconds(lambda: products(belief, weights, len(support)))[0])
    ratios = [o / t for o, t in zip(ours, theirs)]
    to_bare = [o / b for o, b in zip(ours, bare)]
    print(f"{len(belief.mu)} features; iqbo {min(ours):.3f} s, NumPy {np.__version__} {min(theirs):.3f} s, its products {min(bare):.3f} s")
    for what, ratio, bar in (("iqbo / NumPy", ratios, BAR), ("iqbo / bare products", to_bare, BAR_PRODUCTS)):
        middle = sorted(ratio)[len(ratio) // 2]
        print(f"{what}: {middle:.2f} ({min(ratio):.2f} to {max(ratio):.2f}), bar {bar}{'' if middle <= bar else '   MISSED'}")


if __name__ == "__main__":
    main()
