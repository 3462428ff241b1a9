"""iqbo paper and iqbo bench from end to end: experiments_test.py PROGRAM"""

import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have us ignore it, and programs inherit that
PROGRAM = sys.argv.pop(1)
TINY = ["--steps", "24", "--budget", "10", "--x-grid", "9", "--a-grid", "8"]


def iqbo(*arguments, **options):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=120, **options)


class Case(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def files(self):
        """All but the report, which says when it was made."""
        return {path.name: path.read_bytes() for path in self.folder.iterdir() if path.name != "report.html"}

    def report(self):
        text = (self.folder / "report.html").read_text()
        return json.loads(re.search(r'id="document">(.*?)</script>', text, re.S).group(1))

    def refused(self, *arguments, says):
        ended = iqbo(*arguments)
        self.assertEqual(ended.returncode, 2, ended.stderr)
        for piece in says:
            self.assertIn(piece, ended.stderr)


class Repeated(Case):
    """The command that a page names gives the same tables, in an empty folder."""

    def made_by(self, folder):
        page = re.search(r'id="document">(.*?)</script>', (folder / "report.html").read_text(), re.S).group(1)
        command = re.search(r'"Made by: iqbo (.*?)"', page).group(1)
        return json.loads(f'"{command}"')

    def tables(self, folder):
        return {path.relative_to(folder): path.read_bytes() for path in sorted(folder.rglob("*"))
                if path.suffix in (".csv", ".md", ".json", ".txt") and "timings" not in path.name and "blocks" not in path.parts}

    def check(self, *command, cell=""):
        first, again = self.folder / "first", self.folder / "again"
        shutil.rmtree(first, ignore_errors=True)
        shutil.rmtree(again, ignore_errors=True)
        ended = iqbo(*command, "--no-figures", "--out", first)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        said = self.made_by(first / cell)
        ended = iqbo(*shlex.split(said), "--no-figures", "--out", again)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        found, repeated = self.tables(first), self.tables(again)
        self.assertTrue(any(path.suffix == ".csv" for path in found))
        self.assertEqual(found.keys(), repeated.keys())
        for path, table in found.items():
            self.assertEqual(table, repeated[path], f"{path} of iqbo {said}")
        return said

    def test_bench(self):
        given = ["bench", "branin-linear", "--policies", "ei,random", "--seeds", 2, "--first-seed", 5]
        self.check(*given, "--steps", 8)
        self.check(*given, "--steps", 8, "--pairs", 40)
        self.check("bench", "resolution-line", "--policies", "cmes,scheduled-ucb", "--seeds", 2, "--budget", 6.5, "--ask", "leaves",
                   "--schedule", 0.25)

    def test_bench_of_a_spec_with_a_budget(self):
        spec = self.folder / "my tiles" / "study.json"
        self.assertEqual(iqbo("new", "--template", "tiles", "--folder", spec.parent).returncode, 0)
        text = spec.read_text()
        self.assertIn('"budget": 60', text)
        spec.write_text(text.replace('"budget": 60', '"budget": 6'))
        self.check("bench", "--spec", spec, "--policies", "random,max-variance", "--seeds", 2)

    def test_paper(self):
        said = self.check("paper", "fig3", *TINY, "--seeds", 2, "--first-seed", 7, "--pairs", 30, "--choices", "learned")
        for option in ("--x-grid 9", "--a-grid 8", "--first-seed 7", "--pairs 30", "--seeds 2", "--steps 24"):
            self.assertIn(option, said)
        self.check("paper", "fig4", *TINY, "--seeds", 2, "--truncation", "clip", "--tree", "printed", "--noise", "level")

    def test_paper_quick(self):
        self.assertIn("--quick", self.check("paper", "fig4", "--quick", "--seeds", 1, "--budget", 10, "--x-grid", 9, "--a-grid", 8))

    def test_paper_matrix(self):
        self.check("paper", "matrix", *TINY, "--seeds", 2, "--first-seed", 3, "--cells", "fixed-clip", cell="fixed-clip")
        said = self.check("paper", "matrix", *TINY, "--seeds", 2, "--cells", "learned", "--figure", 3, cell="learned")
        self.assertIn("--figure 3", said)

    def test_paper_decide(self):
        said = self.check("paper", "decide", *TINY, "--block", 2, "--most", 4, "--minutes", 1e-9)
        self.assertIn("--block 2 --most 2", said)

    def test_paper_decide_one_figure(self):
        said = self.check("paper", "decide", *TINY, "--block", 2, "--most", 2, "--figure", 3)
        self.assertIn("--figure 3", said)


class Paper(Case):
    def test_all_of_it(self):
        ended = iqbo("paper", "all", "--seeds", 2, *TINY, "--out", self.folder, "--no-figures")
        self.assertEqual(ended.returncode, 0, ended.stderr)
        names = {path.name for path in self.folder.iterdir()}
        for number in (1, 3, 4):
            for end in ("csv", "json", "timings.csv", "curves.csv", "panels.csv"):
                self.assertIn(f"fig{number}.{end}", names)
        self.assertLessEqual({"fig1.arms.csv", "fig2.csv", "fig5.csv", "settings.md", "verdicts.txt", "verdicts.md"}, names)
        verdicts = json.loads((self.folder / "verdicts.json").read_text())
        self.assertEqual({row["verdict"] for row in verdicts} - {"holds", "equal", "does not hold", "undecided"}, set())
        self.assertLessEqual({"figure 2", "figure 3", "figure 4", "figure 5", "lemma 1", "lemma 2", "lemma 3", "lemma 4",
                              "theorem 1", "theorem 2", "assumption 2", "section 4.2"}, {row["about"] for row in verdicts})
        for row in verdicts:
            if row["claimed"] and "difference" in row:
                self.assertIn("uncorrected_verdict", row)
                self.assertEqual(row["corrected"]["seeds"], 2)
        self.assertIn("holds", ended.stdout)
        report = self.report()
        self.assertEqual([(f["about"], f["verdict"]) for f in report["findings"]],
                         [(row["about"], row["verdict"]) for row in verdicts])
        self.assertEqual({panel["title"].split(":")[0] for panel in report["panels"]}, {"figure 1", "figure 3", "figure 4"})
        self.assertTrue(all(len(c["at"]) == len(c["mean"]) == len(c["low"]) for p in report["panels"] for c in p["curves"]))
        self.assertGreater(len(report["settings"]), 10)

    def test_table_of_several_runs(self):
        for number, seeds in ((1, 2), (2, 1)):
            ended = iqbo("paper", "fig3", "--seeds", seeds, *TINY, "--truncation", "clip" if number == 2 else "none",
                         "--out", self.folder / str(number), "--no-figures")
            self.assertEqual(ended.returncode, 0, ended.stderr)
        ended = iqbo("paper", "table", self.folder / "1", self.folder / "2")
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertIn("| | claim | map | regret | `fixed`, 2 seeds | `fixed`, clipped, 1 seed |", ended.stdout)
        for when in ("early", "over all answers", "at the end"):
            self.assertEqual(ended.stdout.count(f"| figure 3 | CMES outperforms MES, {when} |"), 4)
        self.assertIn("(one seed)", ended.stdout)
        self.refused("paper", "table", self.folder, says=["no verdicts about the paper in it, expected a folder that iqbo paper wrote"])
        self.refused("paper", "table", says=["folder"])
        self.refused("paper", "--truncation", "cut", says=["truncation: \"cut\", expected"])

    def test_old_runs_of_learned_are_refused(self):
        """Before, `learned` had a discrepancy of ours in the posterior; such runs must not pass for the paper's."""
        (self.folder / "settings.md").write_text(
            "# Settings\n\nChoices: `learned`. What the paper leaves out, what we took, and why.\n\n"
            "| setting | ours | why |\n|---|---|---|\n| p(x given a) | learned from 100 pairs, a uniform: the paper's CME, and "
            "`auto` for curves named \"...:auto\" | the paper learns it, from a number of pairs it does not state |\n")
        (self.folder / "title.txt").write_text("`learned`, 30 seeds\n")
        (self.folder / "verdicts.json").write_text("[]\n")
        before = self.files()
        for command in (["paper", "fig3", "--choices", "learned", "--out", self.folder], ["paper", "table", self.folder]):
            self.refused(*command, says=["a discrepancy of ours beside the paper's CME", "--choices discrepancy"])
        self.assertEqual(self.files(), before)

    def test_same_bytes_whatever_the_threads(self):
        for threads in (1, 3):
            ended = iqbo("paper", "fig3", "--seeds", 2, *TINY, "--threads", threads, "--out", self.folder / str(threads),
                         "--no-figures", "--json")
            self.assertEqual(ended.returncode, 0, ended.stderr)
            json.loads(ended.stdout)
        for name in ("fig3.csv", "fig3.json", "fig3.curves.csv", "fig3.verdicts.md"):
            self.assertEqual((self.folder / "1" / name).read_bytes(), (self.folder / "3" / name).read_bytes(), name)

    def test_ctrl_c_ends_the_longest_step_within_two_seconds(self):
        for number, arguments in enumerate((["paper", "fig4", "--choices", "evidence"],
                                            ["bench", "branin-linear", "--pairs", 1500, "--policies", "auto"])):
            with self.subTest(arguments):
                running = subprocess.Popen([PROGRAM, *map(str, arguments), "--out", self.folder / str(number)],
                                           stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
                time.sleep(1.0)
                asked = time.monotonic()
                running.send_signal(signal.SIGINT)
                running.communicate(timeout=60)
                self.assertEqual(running.returncode, 130)
                self.assertLess(time.monotonic() - asked, 2.0)

    def test_shards(self):
        fig1 = ["paper", "fig1", "--seeds", 2, *TINY, "--no-figures", "--out"]
        self.assertEqual(iqbo(*fig1, self.folder / "one").returncode, 0)
        for shard in ("2/2", "1/2"):
            ended = iqbo(*fig1, self.folder / "many", "--shard", shard)
            self.assertEqual(ended.returncode, 0, ended.stderr)
        for name in ("fig1.csv", "fig1.json", "fig1.curves.csv", "fig1.arms.csv", "settings.md"):
            self.assertEqual((self.folder / "one" / name).read_bytes(), (self.folder / "many" / name).read_bytes(), name)
        self.refused("paper", "fig5", "--shard", "1/2", "--out", self.folder / "none",
                     says=["--shard: given with fig5, which has no seeds"])

    DECIDE = ["paper", "decide", *TINY, "--block", 2, "--most", 4, "--no-figures", "--out"]

    def test_decide(self):
        ended = iqbo(*self.DECIDE, self.folder / "one")
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertIn("After 2 seeds 0 of 88 claims are decided.", ended.stdout)
        verdicts = json.loads((self.folder / "one" / "verdicts.json").read_text())
        claims = [row for row in verdicts if "corrected" in row]
        self.assertEqual(len(claims), 88)
        self.assertEqual({row["corrected"]["seeds"] for row in claims}, {4})
        self.assertIn("lemma 2", {row["about"] for row in verdicts})
        # Again, in two shards at once: the same bytes. And again without --shard.
        shards = [subprocess.Popen([PROGRAM, *map(str, self.DECIDE), self.folder / "two", "--shard", f"{k}/2"],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) for k in (1, 2)]
        for process in shards:
            _, said = process.communicate(timeout=120)
            self.assertEqual(process.returncode, 0, said)
        for name in ("verdicts.json", "verdicts.md", "fig3.curves.csv", "fig4.curves.csv", "settings.md"):
            self.assertEqual((self.folder / "one" / name).read_bytes(), (self.folder / "two" / name).read_bytes(), name)
        kept = [self.folder / "one/verdicts.json", *sorted((self.folder / "one").glob("fig*.seeds-*/*.timings.csv"))]
        self.assertEqual(len(kept), 5)
        before = [path.read_bytes() for path in kept]
        self.assertEqual(iqbo(*self.DECIDE, self.folder / "one").returncode, 0)
        self.assertEqual([path.read_bytes() for path in kept], before, "a replication was run again")
        self.refused(*self.DECIDE, self.folder / "one", "--choices", "learned", says=["other settings"])
        self.refused("paper", "fig3", *TINY, "--out", self.folder / "one", says=["a run of iqbo paper decide"])
        self.refused("paper", "decide", "--block", 1, "--out", self.folder / "no", says=["--block: 1, expected at least 2"])
        self.refused("paper", "decide", "--most", 5, "--out", self.folder / "no", says=["--most: 5, expected at least 20"])
        self.assertFalse((self.folder / "no").exists())

    def test_decide_goes_on_after_ctrl_c(self):
        running = subprocess.Popen([PROGRAM, *map(str, self.DECIDE), self.folder / "it"], stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE)
        time.sleep(1.0)
        running.send_signal(signal.SIGINT)
        running.communicate(timeout=60)
        self.assertIn(running.returncode, (0, 130))
        ended = iqbo(*self.DECIDE, self.folder / "it")
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertIn("88 claims", ended.stdout)

    def test_matrix(self):
        command = ["paper", "matrix", *TINY, "--seeds", 2, "--out", self.folder / "m"]
        ended = iqbo(*command, "--cells", "learned-clip,fixed")
        self.assertEqual(ended.returncode, 0, ended.stderr)
        page = (self.folder / "m" / "matrix.md").read_text()
        self.assertIn("| `fixed` | 2 |", page)
        self.assertIn("| `learned-clip` | 2 |", page)
        self.assertLess(page.index("`fixed`"), page.index("`learned-clip`"))
        self.assertIn(page, ended.stdout)
        self.assertIn('"discrepancy": "none"', (self.folder / "m" / "learned-clip" / "fig3.json").read_text())
        ended = iqbo(*command, "--collect")
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertIn("| `fixed` | 2 |", ended.stdout)
        self.refused(*command, "--cells", "fixed-clipp", says=['"fixed-clip"'])
        self.refused("paper", "matrix", "--collect", "--out", self.folder / "none", says=["no cell"])

    def test_figures(self):
        ended = iqbo("paper", "savings", "--out", self.folder)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertTrue((self.folder / "figures.py").exists())
        drawn = (self.folder / "fig5.png").exists() and (self.folder / "fig5.svg").exists()
        self.assertTrue(drawn or "python3-matplotlib" in ended.stderr, ended.stderr)

    def test_without_matplotlib(self):
        (self.folder / "bin").mkdir()
        python = self.folder / "bin" / "python3"
        python.write_text("#!/bin/sh\nexit 3\n")
        python.chmod(0o755)
        ended = iqbo("paper", "savings", "--out", self.folder / "out", env={**os.environ, "PATH": str(python.parent)})
        self.assertEqual(ended.returncode, 0, ended.stderr)  # /usr/bin/python3 may still have it

    def test_mistakes(self):
        self.refused("paper", "fig6", says=['figure: "fig6", expected "fig1"'])
        self.refused("paper", "--choices", "learnt", "--out", self.folder, says=['expected "learned"'])
        self.refused("paper", "--seeds", 0, "--out", self.folder, says=["--seeds: 0, expected at least 1"])
        self.refused("paper", "--seeds", "many", says=["--seeds"])
        self.refused("paper", "--tree", "theirs", "--out", self.folder, says=['--tree: "theirs", expected "ours" or "printed"'])
        self.refused("paper", "--noise", "some", "--out", self.folder, says=['--noise: "some", expected "same" or "level"'])
        self.refused("paper", "fig3", "--steps", 9, "--out", self.folder, says=["steps: 9, expected at least 24"])
        (self.folder / "file").write_text("mine")
        self.refused("paper", "fig5", "--out", self.folder / "file" / "x", says=["a folder that can be written"])
        self.assertEqual([path.name for path in self.folder.iterdir()], ["file"])

    def test_another_configuration_is_refused(self):
        arguments = ["paper", "fig1", "--seeds", 2, "--out", self.folder, "--no-figures"]
        self.assertEqual(iqbo(*arguments).returncode, 0)
        before = self.files()
        self.refused(*arguments, "--first-seed", 7, says=["another configuration (/first_seed differs)", "another folder"])
        self.refused("paper", "fig2", "--choices", "learned", "--out", self.folder, "--no-figures",
                     says=["holds a run with other settings", "another folder"])
        self.assertEqual(self.files(), before)

    def test_a_folder_is_of_the_paper_or_of_a_bench(self):
        paper, bench, other = self.folder / "paper", self.folder / "bench", self.folder / "other"
        self.assertEqual(iqbo("paper", "fig2", "--out", paper, "--no-figures").returncode, 0)
        few = ["bench", "two-peaks", "--policies", "random", "--seeds", 1, "--steps", 3, "--no-figures"]
        self.assertEqual(iqbo(*few, "--out", bench).returncode, 0)
        other.mkdir()
        (other / "report.html").write_text("mine")
        self.refused(*few, "--out", paper, says=["--out", "nothing is overwritten"])
        self.refused("paper", "fig2", "--out", bench, "--no-figures", says=["bench.json", "nothing is overwritten"])
        self.refused(*few, "--out", other, says=["report.html"])
        self.refused("paper", "table", bench, says=["no verdicts about the paper"])
        self.assertEqual((other / "report.html").read_text(), "mine")


class Bench(Case):
    COMMAND = ["bench", "two-peaks", "--policies", "cmes,random", "--steps", "30", "--no-figures"]

    def test_compares(self):
        ended = iqbo(*self.COMMAND, "--seeds", 3, "--out", self.folder)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertIn("| two-peaks | cmes |", ended.stdout)
        self.assertIn("outperforms", ended.stdout)
        rows = (self.folder / "bench.csv").read_text().splitlines()
        self.assertEqual(rows[0], "problem,policy,seed,t,query,z,instant_regret,simple_regret,cost")
        self.assertEqual(len(rows), 1 + 2 * 3 * 30)

    def test_shards_make_the_same_bytes(self):
        command = [*self.COMMAND[:-3], "--steps", 8, "--no-figures", "--seeds", 4]
        self.assertEqual(iqbo(*command, "--out", self.folder / "one").returncode, 0)
        divided = [*command, "--out", self.folder / "many"]
        first = iqbo(*divided, "--shard", "2/3", "--json")
        self.assertEqual(json.loads(first.stdout)["all_seeds_finished"], 1)
        self.refused(*divided, "--shard", "4/3", says=['shard: "4/3", expected K/N, such as 3/16'])
        self.refused(*divided[:-2], "--out", self.folder / "many", "--first-seed", 5, "--shard", "1/3",
                     says=["another configuration (/first_seed differs)"])
        running = [subprocess.Popen([PROGRAM, *map(str, divided), "--shard", f"{k}/3"], stdout=subprocess.PIPE, text=True)
                   for k in (1, 3)]
        said = [process.communicate(timeout=60)[0] for process in running]
        self.assertEqual([process.returncode for process in running], [0, 0])
        self.assertIn("shard 1 of 3 (seeds 1 to 2) is finished", said[0])
        self.assertTrue(any("Tables and figures" in text for text in said), said)
        for name in ("bench.csv", "bench.json", "bench.curves.csv", "verdicts.md"):
            self.assertEqual((self.folder / "one" / name).read_bytes(), (self.folder / "many" / name).read_bytes(), name)
        more = iqbo(*divided[:-4], "--seeds", 5, "--out", self.folder / "many")  # collects, and runs the fifth
        self.assertEqual(more.returncode, 0, more.stderr)
        self.assertEqual(len((self.folder / "many" / "bench.csv").read_text().splitlines()), 1 + 2 * 5 * 8)

    def test_on_a_spec_and_on_a_study(self):
        spec = self.folder / "districts" / "study.json"
        self.assertEqual(iqbo("new", "--template", "districts", "--folder", spec.parent).returncode, 0)
        few = ["--policies", "cjes,random", "--seeds", 2, "--no-figures"]
        ended = iqbo("bench", "--spec", spec, *few, "--steps", 7, "--out", self.folder / "spec")
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertIn("Assumptions:\n- f is drawn anew for each seed, from an assumed kernel", ended.stdout)
        self.assertIn("| hot spot from district averages | cjes |", ended.stdout)
        self.assertIn("an assumed kernel", (self.folder / "spec" / "verdicts.md").read_text())
        study = self.folder / "s.db"
        self.assertEqual(iqbo("new", spec, "--study", study).returncode, 0)
        for number in range(7):
            iqbo("ask", "--study", study)
            self.assertEqual(iqbo("tell", "--study", study, number, 1 + number % 3).returncode, 0)
        before = iqbo("log", "--study", study).stdout
        ended = iqbo("bench", "--study", study, *few, "--steps", 7, "--out", self.folder / "study")
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertIn("that the study fitted to 7 answers", ended.stdout)
        self.assertEqual(iqbo("log", "--study", study).stdout, before, "a look, nothing more")
        (spec.parent / "members.csv").write_text((spec.parent / "members.csv").read_text().replace("d1,", "d2,", 1))
        self.refused("bench", "--spec", spec, *few, "--steps", 7, "--out", self.folder / "spec",
                     says=["another configuration (/entries/0/details differs)"])

    def test_trees_and_budgets(self):
        spec = self.folder / "tiles" / "study.json"
        self.assertEqual(iqbo("new", "--template", "tiles", "--folder", spec.parent).returncode, 0)
        few = ["--policies", "random", "--seeds", 1, "--no-figures"]
        ended = iqbo("bench", "--spec", spec, *few, "--budget", 6, "--out", self.folder / "spec")
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertIn("asked as a tree", ended.stdout)
        self.assertIn("| at 6 |", ended.stdout)
        ended = iqbo("bench", "resolution-line", *few, "--budget", 6, "--out", self.folder / "tree")
        self.assertEqual(ended.returncode, 0, ended.stderr)
        table = (self.folder / "tree" / "bench.csv").read_text().splitlines()
        costs = [float(row.split(",")[-1]) for row in table[1:]]
        self.assertEqual(costs[:4], [0.0] * 4, "four leaves to begin with, free")
        self.assertLessEqual(costs[-1], 6)
        self.assertIn('"queries": "tree"', (self.folder / "tree" / "bench.json").read_text())
        for kind in ("leaves", "list"):
            ended = iqbo("bench", "resolution-line", *few, "--steps", 6, "--ask", kind, "--out", self.folder / kind)
            self.assertEqual(ended.returncode, 0, ended.stderr)
            self.assertIn(f'"queries": "{kind}"', (self.folder / kind / "bench.json").read_text())
        self.refused("bench", "--spec", spec, *few, "--steps", 9, "--out", self.folder / "no",
                     says=["--steps: given, expected --budget: the spec has one"])
        ended = iqbo("bench", "resolution-line", "--policies", "scheduled-ucb,random", "--seeds", 1, "--no-figures", "--budget", 20,
                     "--out", self.folder / "scheduled")
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertIn("| resolution-line | scheduled-ucb |", ended.stdout)
        self.assertIn('"schedule": 1.0', (self.folder / "scheduled" / "bench.json").read_text())
        self.refused("bench", "two-peaks", "--policies", "scheduled-ucb", "--out", self.folder / "no",
                     says=["scheduled-ucb on two-peaks", "resolution-line"])
        self.refused("bench", "--spec", spec, "--policies", "scheduled-ucb", "--out", self.folder / "no", says=["with a spec"])
        self.refused("bench", "resolution-line", "--ask", "leafs", "--out", self.folder / "no", says=['"leaves"'])
        self.assertFalse((self.folder / "no").exists())

    def interrupted_by(self, number):
        """Starts many seeds, sends a signal once there are rows; the exit code."""
        running = subprocess.Popen([PROGRAM, *self.COMMAND, "--seeds", "400", "--out", self.folder],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        table = self.folder / "bench.csv"
        until = time.monotonic() + 60
        while not (table.exists() and table.stat().st_size > 20000) and time.monotonic() < until:
            time.sleep(0.01)
        running.send_signal(number)
        _, said = running.communicate(timeout=60)
        return running.returncode, said

    def goes_on(self):
        rows = (self.folder / "bench.csv").read_text().splitlines()
        seeds = max(int(row.split(",")[2]) for row in rows[1:-1]) + 1
        # The configuration allows more seeds, never fewer: what is there must be a beginning of a fresh run's file.
        fresh = self.folder / "fresh"
        self.assertEqual(iqbo(*self.COMMAND, "--seeds", seeds, "--out", fresh).returncode, 0)
        ended = iqbo(*self.COMMAND, "--seeds", seeds, "--out", self.folder)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertEqual((self.folder / "bench.csv").read_bytes(), (fresh / "bench.csv").read_bytes())

    def test_goes_on_after_ctrl_c(self):
        code, said = self.interrupted_by(signal.SIGINT)
        self.assertEqual(code, 130)
        self.assertIn("finished work is kept", said)
        self.goes_on()

    def test_goes_on_after_a_kill(self):
        self.assertEqual(self.interrupted_by(signal.SIGKILL)[0], -signal.SIGKILL)
        self.goes_on()

    def test_mistakes(self):
        self.refused("bench", "two-peak", "--out", self.folder / "new", says=['"two-peaks"'])
        self.refused("bench", "two-peaks", "--policies", "cmes,egi", "--out", self.folder / "new", says=['"ei"'])
        self.refused("bench", "two-peaks", "--policies", "cmes,,ei", "--out", self.folder / "new", says=['"cmes,,ei"'])
        self.refused("bench", "two-peaks", "--seeds", 0, "--out", self.folder / "new", says=["--seeds: 0"])
        self.refused("bench", "two-peaks", "--first-seed=-1", "--out", self.folder / "new", says=["--first-seed: -1"])
        self.refused("bench", "two-peaks", "--ask", "tree", "--out", self.folder / "new", says=["two-peaks has one resolution"])
        self.refused("bench", says=["problem, --spec, --study: none given"])
        self.refused("bench", "bandit", "--spec", "s.json", says=["problem, --spec, --study: several given"])
        self.refused("bench", "--spec", self.folder / "s.json", "--pairs", 9, says=["--pairs: given with a spec"])
        self.refused("bench", "--spec", self.folder / "s.json", says=["s.json"])
        self.refused("bench", "bandit", "--steps", 9, "--budget", 9, says=["--steps: given with --budget"])
        self.assertFalse((self.folder / "new").exists())

    def test_help_shows_an_example(self):
        for command in ("paper", "bench"):
            ended = iqbo(command, "--help")
            self.assertEqual(ended.returncode, 0)
            self.assertIn("Example: iqbo " + command, ended.stdout)


if __name__ == "__main__":
    unittest.main()
