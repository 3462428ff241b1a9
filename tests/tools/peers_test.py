"""bench/peers without the peers: the arithmetic of ratios and bars, the processes of the sides, and the checks of answers."""
import contextlib
import importlib.util
import io
import random
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np
from scipy.stats import multivariate_normal

FOLDER = Path(__file__).resolve().parents[2] / "bench/peers"


def load(name):
    spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


run = load("run")


def row(ours, theirs, bar=None, clock="cpu", **more):
    return run.make_row("work", ("iqbo", "peer", clock, bar), {"iqbo": {clock: ours}, "peer": {clock: theirs}}, **more)


class Arithmetic(unittest.TestCase):
    def test_a_ratio_is_taken_within_each_repetition(self):
        # The machine was three times slower in the last repetition. Medians of seconds: 2 and 6, a ratio of 1/3.
        found = row([1.0, 2.0, 9.0], [4.0, 6.0, 9.0])
        self.assertEqual(found.ratio, (1 / 3, 0.25, 1.0))
        self.assertEqual((found.our_seconds, found.their_seconds), (2.0, 6.0))
        # Ratios 4, 0.5, 0.5, though medians and sums of seconds are equal.
        self.assertEqual(row([4.0, 1.0, 2.0], [1.0, 2.0, 4.0]).ratio, (0.5, 0.5, 4.0))

    def test_an_even_number_of_repetitions_has_the_mean_of_the_middle_two(self):
        self.assertEqual(row([1.0, 2.0, 3.0, 10.0], [1.0] * 4).ratio, (2.5, 1.0, 10.0))

    def test_order_of_repetitions_does_not_matter(self):
        pairs = [(random.Random(i).uniform(1, 2), random.Random(-i - 1).uniform(1, 2)) for i in range(7)]
        want = row(*zip(*pairs)).ratio
        random.Random(0).shuffle(pairs)
        self.assertEqual(row(*zip(*pairs)).ratio, want)

    def test_sides_of_unequal_length_are_refused(self):
        with self.assertRaises(ValueError):
            row([1.0, 2.0], [1.0])

    def test_a_bar_is_met_up_to_its_value(self):
        self.assertEqual(row([3.0], [1.0], bar=3.0).verdict, "at most 3: met")
        self.assertEqual(row([3.01], [1.0], bar=3.0).verdict, "at most 3: MISSED")
        self.assertEqual(row([3.01], [1.0]).verdict, "")
        # The median decides, not the worst.
        self.assertEqual(row([1.0, 1.0, 9.0], [1.0] * 3, bar=1.0).verdict, "at most 1: met")

    def test_losses_are_named_with_the_worst_first(self):
        rows = [row([1.5], [1.0]), row([1.0], [1.0]), row([4.0, 5.0, 6.0], [2.0] * 3, clock="wall")]
        self.assertEqual(run.losses(rows).splitlines(), ["iqbo is slower than", "- peer by 2.5 (2 to 3) times (wall): work, iqbo",
                                                        "- peer by 1.5 (1.5 to 1.5) times (cpu): work, iqbo"])
        self.assertEqual(run.losses(rows[1:2]), "iqbo is slower than no peer here.")

    def test_table(self):
        self.assertEqual(run.table([row([0.5, 0.25, 1.0], [1.0] * 3, bar=3.0)]).splitlines()[2],
                         "| work | iqbo: 0.5 | peer: 1 | cpu | 0.5 (0.25 to 1) | at most 3: met |")


# Writes who works, in turn, to a file beside it; counts on one clock that it makes up.
FAKE = """
import os
from pathlib import Path
TITLE, REPETITIONS = "fake", 2
def side(name, scale):
    def start():
        print("libraries print when they are imported")
        def work(repetition):
            with Path(__file__).with_suffix(".log").open("a") as log:
                print(name, repetition, os.environ["IQBO_THREADS"], os.environ["OMP_NUM_THREADS"], file=log)
            print("and when they work")
            BODY
            return {"cpu_seconds": scale * (repetition + 1), "found": repetition}
        return work
    return start
SIDES = {"iqbo": side("iqbo", 1.0), "peer": side("peer", 2.0)}
THREADS = {"peer": 2}
RATIOS = [("iqbo", "peer", "cpu", 0.4)]
def check(answers):
    return [("both found " + str(answers["peer"]), answers["iqbo"] == answers["peer"] == [{"found": FOUND}, {"found": 2}])]
"""


class Runner(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def write(self, name="fake", body="pass", found=1):
        (self.folder / f"{name}.py").write_text(FAKE.replace("BODY", body).replace("FOUND", str(found)))

    def main(self, *arguments):
        # A process of its own: what the sides print goes to its stderr.
        code = f"import sys; sys.path.insert(0, {str(FOLDER)!r}); import run; from pathlib import Path; " \
               f"sys.exit(run.main(sys.argv[1:], Path({str(self.folder)!r})))"
        return subprocess.run([sys.executable, "-B", "-c", code, *arguments], capture_output=True, text=True, timeout=60)

    def test_sides_take_turns_and_the_first_round_is_not_counted(self):
        self.write()
        done = self.main()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual((self.folder / "fake.log").read_text().splitlines(),
                         [f"{side} {repetition} {threads} {threads}"
                          for repetition in range(3) for side, threads in [("iqbo", 1), ("peer", 2)]])
        # Seconds 2 and 3 against 4 and 6; with the first round the medians would be 2 and 4.
        self.assertIn("| fake | iqbo: 2.5 | peer: 5 | cpu | 0.5 (0.5 to 0.5) | at most 0.4: MISSED |", done.stdout)
        self.assertIn("- fake: both found [{'found': 1}, {'found': 2}]\n", done.stdout)
        self.assertNotIn("libraries print", done.stdout)
        self.assertIn("slower than no peer", done.stdout)

    def test_the_number_of_repetitions_can_be_given(self):
        self.write()
        self.main("--repetitions", "4")
        self.assertEqual(len((self.folder / "fake.log").read_text().splitlines()), 2 * 5)
        self.assertEqual(self.main("--repetitions", "0").returncode, 2)

    def test_a_wrong_answer_fails(self):
        self.write(found=3)
        done = self.main()
        self.assertEqual(done.returncode, 1)
        self.assertIn("WRONG ANSWER", done.stdout)

    def test_a_side_that_fails_is_named_and_the_others_still_run(self):
        self.write("broken", body="assert name != 'peer' or repetition != 1, 'out of luck'")
        self.write("working")
        done = self.main()
        self.assertEqual(done.returncode, 1)
        self.assertIn("FAILED: broken: the side 'peer' failed", done.stdout)
        self.assertIn("out of luck", done.stderr)
        self.assertIn("| fake | iqbo: 2.5 |", done.stdout)

    def test_only_the_named_comparisons_run(self):
        self.write("one")
        self.write("other")
        self.assertEqual(self.main("one").returncode, 0)
        self.assertFalse((self.folder / "other.log").exists())
        done = self.main("none")
        self.assertEqual(done.returncode, 1)
        self.assertIn("no comparison none; there are one, other", done.stderr)

    def test_a_file_without_sides_is_left_out_by_name(self):
        (self.folder / "tool.py").write_text("")
        done = self.main()
        self.assertEqual(done.returncode, 0)
        self.assertIn("tool has no SIDES and is left out", done.stderr)

    def test_seconds_are_of_the_processor_and_of_the_clock(self):
        (self.folder / "sleep.py").write_text(
            "import time\nTITLE = 'sleep'\ndef idle(repetition): time.sleep(0.2)\n"
            "def busy(repetition):\n    end = time.process_time() + 0.2\n    while time.process_time() < end: pass\n"
            "SIDES = {'idle': lambda: idle, 'busy': lambda: busy}\n"
            "RATIOS = [('idle', 'busy', 'cpu', None), ('idle', 'busy', 'wall', None)]\ndef check(answers): return []\n")
        with contextlib.redirect_stderr(io.StringIO()):
            (of_cpu, of_wall), _ = run.measure(self.folder / "sleep.py", 2)
        self.assertLess(of_cpu.our_seconds, 0.05)
        self.assertGreaterEqual(of_cpu.their_seconds, 0.2)
        self.assertGreaterEqual(of_wall.our_seconds, 0.2)
        self.assertLess(of_cpu.ratio.largest, 0.25)


class Comparisons(unittest.TestCase):
    def test_each_can_be_read_without_the_peers_and_names_its_sides(self):
        names = [file.stem for file in FOLDER.glob("*.py") if file.stem != "run"]
        self.assertLessEqual({"fit_points", "sweep", "branin"}, set(names))
        for name in names:
            module = load(name)
            if not hasattr(module, "SIDES"):
                continue
            self.assertTrue(module.TITLE)
            self.assertLessEqual(set(getattr(module, "THREADS", {})), set(module.SIDES))
            for ours, theirs, clock, bar in module.RATIOS:
                self.assertIn("iqbo", ours)
                self.assertNotIn("iqbo", theirs)
                self.assertIn(ours, module.SIDES)
                self.assertIn(theirs, module.SIDES)
                self.assertIn(clock, ["cpu", "wall"])

    def test_evidence_is_a_normal_density(self):
        fit = load("fit_points")
        found = {"variance": 1.7, "lengthscale": [0.4, 0.9], "noise_var": 0.2}
        x, z = np.array([[0.1, 0.2], [0.4, 0.8], [0.9, 0.3]]), np.array([0.3, -0.2, 0.7])
        cov = [[1.7 * np.exp(-((p[0] - q[0]) / 0.4) ** 2 / 2 - ((p[1] - q[1]) / 0.9) ** 2 / 2) + 0.2 * (i == j)
                for j, q in enumerate(x)] for i, p in enumerate(x)]
        self.assertAlmostEqual(fit.log_evidence(found, x, z), multivariate_normal(np.zeros(3), cov).logpdf(z), places=12)

    def test_check_of_the_fit_notices_a_worse_one(self):
        fit = load("fit_points")
        good = {"variance": 0.6, "lengthscale": [0.4, 0.5], "noise_var": 0.01}
        ours = {**good, "family": "rbf", "mean": fit.predicted(good, *fit.data(1)).tolist()}
        answers = {name: [ours if name.startswith("iqbo") else good] for name in fit.SIDES}
        self.assertTrue(all(holds for _, holds in fit.check(answers)))
        for name, change in [("iqbo, RBF", {"noise_var": 0.02}), ("GPyTorch, L-BFGS", {"lengthscale": [0.2, 0.5]}),
                             ("iqbo, 3 families", {"mean": [value + 0.02 for value in ours["mean"]]})]:
            wrong = {**answers, name: [{**answers[name][0], **change}]}
            self.assertFalse(all(holds for _, holds in fit.check(wrong)), name)

    def test_check_of_the_sweep_notices_one_number(self):
        sweep = load("sweep")
        def answers():
            return {name: [{"mean": [0.5, 0.25], "var": [1.0, 0.125]}] for name in sweep.SIDES}
        self.assertTrue(all(holds for _, holds in sweep.check(answers())))
        wrong = answers()
        wrong["iqbo, t = 500"][0]["var"][1] += 1e-7
        self.assertEqual([holds for _, holds in sweep.check(wrong)], [False, False, True, True])

    def test_branin_has_its_maxima(self):
        branin = load("branin")
        for x, y in [(-np.pi, 12.275), (np.pi, 2.275), (3 * np.pi, 2.475)]:
            self.assertAlmostEqual(branin.f([(x + 5) / 15, y / 15]), branin.LARGEST, places=12)
        u = np.random.default_rng(1).uniform(size=(1000, 2))
        self.assertLess(max(map(branin.f, u)), branin.LARGEST)

    def test_check_of_branin_notices_a_loop_that_does_not_work(self):
        branin = load("branin")
        answers = {name: [1e-5, 1e-3, 0.5] for name in branin.SIDES}
        self.assertTrue(all(holds for _, holds in branin.check(answers)))
        self.assertEqual([sentence.endswith("MISSED") for sentence, _ in branin.check(answers)], [True, True, False, False, False, False])
        self.assertIn("bar 1e-06: met", branin.check({"iqbo": [0.0, 1e-6, 1.0]})[0][0])
        answers["iqbo"] = [1e-5, 0.1, 0.5]
        self.assertEqual(sum(not holds for _, holds in branin.check(answers)), 1)


if __name__ == "__main__":
    unittest.main()
