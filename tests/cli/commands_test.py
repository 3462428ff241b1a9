#!/usr/bin/env python3
"""Each command by hand, in the real program. IQBO_PROGRAM: the program."""
import csv
import io
import json
import math
import os
import pty
import random
import re
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from campaigns import IQBO, given_study, iqbo, large_study, lines, told
from case import Case, check_schema


class Commands(Case):
    def test_every_command_has_help_with_an_example(self):
        help_text = iqbo("--help")[0]
        for command in "new import ask tell fail run best status predict export log report serve completion".split():
            self.assertIn(f"\n  {command} ", help_text)
            self.assertIn("Example", iqbo(command, "--help")[0])

    def test_a_campaign_by_hand(self):
        given_study(self.folder, self.study)
        first = lines(iqbo("ask", "--study", self.study, "--json")[0])[0]
        self.assertEqual((first["number"], first["trial"]), (0, 0))
        self.assertEqual(lines(iqbo("ask", "--study", self.study, "--json")[0])[0]["query"], first["query"])
        other = lines(iqbo("ask", "--study", self.study, "--new", "--json")[0])[0]
        self.assertEqual(other["number"], 1)
        self.assertIn("2.5", iqbo("tell", "--study", self.study, 0, 2.5, "--sd", 0.1)[0])
        self.assertIn("as was told before", iqbo("tell", "--study", self.study, 0, 2.5, "--sd", 0.1)[0])
        self.refused(["2.5", "amend"], "tell", "--study", self.study, 0, 3)
        iqbo("tell", "--study", self.study, 0, -3, "--amend")
        iqbo("fail", "--study", self.study, 1, "road closed")
        status = lines(iqbo("status", "--study", self.study, "--json")[0])[0]
        self.assertEqual((status["told"], status["failed"], status["pending"]), (1, 1, 0))
        rows = list(csv.DictReader(io.StringIO(iqbo("export", "--study", self.study)[0])))
        self.assertEqual((rows[0]["value"], rows[1]["reason"]), ("-3", "road closed"))
        kinds = [e["kind"] for e in lines(iqbo("log", "--study", self.study, "--json")[0])]
        self.assertEqual(kinds, ["asked", "asked", "told", "amended", "failed"])
        best = lines(iqbo("best", "--study", self.study, "--json")[0])[0]
        self.assertLess(best["low"], best["high"])
        self.assertEqual(len(lines(iqbo("predict", "--study", self.study, "--top", 3, "--json")[0])), 3)
        for command in ("best", "status", "predict", "log", "export"):
            self.assertTrue(iqbo(command, "--study", self.study)[0])

    def test_every_template_makes_a_study_that_answers(self):
        for name in ("districts", "counts", "tiles", "trial", "map", "carolina", "tokyo"):
            with self.subTest(name):
                folder = self.folder / name
                iqbo("new", "--template", name, "--folder", folder, "--study", folder.with_suffix(".db"))
                self.refused(["exists", "overwritten"], "new", "--template", name, "--folder", folder)
                self.assertIn("trial 0: ask", iqbo("ask", "--study", folder.with_suffix(".db"))[0])

    def test_which_spots_a_budget_could_find_is_said_beforehand(self):
        pixels = [(i + 0.5, j + 0.5) for i in range(16) for j in range(16)]
        (self.folder / "x.csv").write_text("id,x,y\n" + "".join(f"p{n},{u},{v}\n" for n, (u, v) in enumerate(pixels)))
        spec = {"version": 2, "targets": {"kind": "points", "points": "x.csv", "id": "id", "coordinates": ["x", "y"]},
                "queries": {"kind": "cells", "tree": {"levels": 4, "costs": [1, 1, 1, 1]}},
                "conditional": {"kind": "cells"}, "budget": 21 + 48}
        (self.folder / "s.json").write_text(json.dumps(spec))
        out, _ = iqbo("new", self.folder / "s.json", "--study", self.study)
        self.assertIn("a budget of 69 can cover 75 % of X with windows 2 wide", out)
        out, _ = iqbo("new", self.folder / "s.json", "--study", self.folder / "t.db", "--json")
        self.assertIn("75 % of X", json.loads(out)["foreseen_spots"])
        (self.folder / "s.json").write_text(json.dumps({**spec, "policy": "cmes"}))
        out, _ = iqbo("new", self.folder / "s.json", "--study", self.folder / "u.db")
        self.assertNotIn("spots", out)

    def test_imports(self):
        given_study(self.folder, self.study)
        past = self.folder / "past.csv"
        past.write_text("q,value,replicates\nq3,1.5,4\nq9,2.5,1\n")
        self.assertIn("imported 2", iqbo("import", "--study", self.study, "--observations", past)[0])
        some = self.folder / "some.csv"
        some.write_text("q\nq9\nq3\n")
        said = lines(iqbo("predict", "--study", self.study, "--queries", some, "--json")[0])
        self.assertAlmostEqual(said[0]["mean"], 2.5, delta=0.2)
        past.write_text("q,value\nq3,abc\n")
        self.refused(["past.csv", "row 2", "abc"], "import", "--study", self.study, "--observations", past)
        self.refused(["pairs", "learned"], "import", "--study", self.study, "--pairs", past)

    def test_columns_of_observations_that_say_nothing_are_named(self):
        given_study(self.folder, self.study)
        past = self.folder / "past.csv"

        def said(header, *more):
            past.write_text(f"{header}\nq3,1.5,2\n")
            return iqbo("import", "--study", self.study, "--observations", past, *more)[0]

        self.assertTrue(said("q,value,comment").endswith('past.csv; column "comment" is not used\n'))
        self.assertEqual(json.loads(said("q,value,comment", "--json"))["not_used"], ["comment"])
        self.assertTrue(said("q,value,replicates").endswith("past.csv\n"))
        past.write_text("x,value,day,place\n0.5,1,2,3\n")
        out = iqbo("import", "--study", self.study, "--values", past)[0]
        self.assertIn('; columns "day", "place" are not used', out)

    def test_other_names_of_the_noise_are_refused(self):
        given_study(self.folder, self.study)
        for name, meant in [(n, "noise_sd") for n in ("std_error", "standard_error", "SE", "StdErr", "stddev", "std_dev", "sem",
                                                      "error", "uncertainty", "Sigma", "Standard error", "std.dev")] + [
                                (n, "replicates") for n in ("n_obs", "N", "n", "nobs", "Count")]:
            (self.folder / "past.csv").write_text(f"q,value,{name}\nq3,1.5,2\n")
            self.refused([f'past.csv: has a column "{name}", expected "{meant}"'], "import", "--study", self.study,
                         "--observations", "past.csv")

    def test_a_missing_column_is_said_once(self):
        given_study(self.folder, self.study)
        (self.folder / "some.csv").write_text("q,m\n" + "q1,0.5\n" * 10)
        err = self.refused(['some.csv: has columns q, m, expected one named "x"'], "predict", "--study", self.study, "--inputs",
                           "some.csv")
        self.assertEqual(len(err.splitlines()), 1, err)

    def test_what_was_imported_and_contradicts_has_a_feasible_remedy(self):
        given_study(self.folder, self.study)
        (self.folder / "past.csv").write_text("q,value,noise_sd\nq3,1,0\nq9,2,0\nq3,1.5,0\n")
        remedy = "An import cannot be amended: make a new study of the same spec (iqbo export --what files --folder copy"
        _, err = iqbo("import", "--study", self.study, "--observations", self.folder / "past.csv")
        self.assertIn(remedy, err)
        self.assertIn("a larger noise_sd, such as 0.5", err)
        self.refused(["Nothing is lost", remedy], "best", "--study", self.study)

    def test_how_a_choice_was_computed_is_said_on_demand(self):
        given_study(self.folder, self.study)
        iqbo("run", "--study", self.study, "--command", "echo {number}", "--trials", 12, "--quiet")
        plain = iqbo("ask", "--study", self.study)[0].splitlines()
        verbose = iqbo("ask", "--study", self.study, "--verbose")[0].splitlines()
        why = json.loads(iqbo("ask", "--study", self.study, "--json")[0])["why"]
        self.assertGreater(len(why), 1)
        self.assertEqual(verbose[1:-1], ["  " + each for each in why])
        self.assertEqual(plain, verbose[:2] + verbose[-1:])

    def test_status_separates_what_is_paid_for_pending_trials(self):
        given_study(self.folder, self.study)
        spent = lambda: next(line for line in iqbo("status", "--study", self.study)[0].splitlines() if line.startswith("spent"))
        iqbo("ask", "--study", self.study, "-n", 3)
        iqbo("tell", "--study", self.study, 0, 1)
        self.assertEqual(spent().split(None, 1)[1], "1, and 2 for pending trials")
        for trial in (1, 2):
            iqbo("tell", "--study", self.study, trial, 1)
        self.assertEqual(spent().split(None, 1)[1], "3")

    def test_rows_imported_twice_are_noted(self):
        given_study(self.folder, self.study)
        past = self.folder / "past.csv"
        past.write_text("q,value\nq3,1.5\n")
        self.assertEqual(iqbo("import", "--study", self.study, "--observations", past)[1], "")
        err = iqbo("import", "--study", self.study, "--observations", past)[1]
        self.assertIn("iqbo: note: events", err)
        self.assertIn("they count twice", err)
        self.assertEqual(iqbo("import", "--study", self.study, "--observations", past, "--quiet")[1], "")

    def test_each_of_several_at_once_has_its_own_reason(self):
        iqbo("new", "--template", "districts", "--folder", self.folder / "c", "--study", self.study)
        trials = lines(iqbo("ask", "--study", self.study, "-n", 7, "--json")[0])
        self.assertEqual([trial["why"] for trial in trials[:5]], [[f"initial design: query {i} of 5"] for i in range(1, 6)])
        for trial in trials[5:]:
            self.assertIn("auto: ", trial["why"][0])

    def test_a_template_without_its_study_leaves_nothing(self):
        Path(self.study).touch()
        self.refused(["s.db", "exists"], "new", "--template", "trial", "--folder", "t", "--study", self.study)
        self.assertFalse((self.folder / "t").exists())
        (self.folder / "mine").mkdir()
        self.refused(["exists"], "new", "--template", "trial", "--folder", "mine", "--study", self.study)
        self.assertEqual(list((self.folder / "mine").iterdir()), [])

    def test_hints_can_be_pasted(self):
        study = self.folder / "it's mine.db"
        out = iqbo("new", "--template", "trial", "--folder", self.folder / "a b", "--study", study)[0]
        done = subprocess.run(out.splitlines()[-1].replace("iqbo", IQBO, 1), shell=True, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("trial 0: ask", done.stdout)

    def test_categories_go_by_their_names(self):
        (self.folder / "q.csv").write_text("q,soil,depth\n" + "".join(
            f"q{i},{('clay', 'loam', 'sand')[i % 3]},{i}\n" for i in range(9)))
        (self.folder / "pairs.csv").write_text("x,soil,depth\n" + "".join(
            f"{0.1 * (i % 3) + 0.05 * (i % 7)},{('clay', 'loam', 'sand')[i % 3]},{i % 9}\n" for i in range(30)))
        (self.folder / "soil.json").write_text(json.dumps({
            "version": 2, "targets": {"kind": "box", "axes": [{"name": "x", "from": 0, "to": 1, "grid": 11}]},
            "queries": {"kind": "points", "points": "q.csv", "id": "q", "coordinates": ["soil", "depth"],
                      "categories": ["soil"]},
            "conditional": {"kind": "learned", "pairs": "pairs.csv", "model": "nw"}}))
        iqbo("new", self.folder / "soil.json", "--study", self.study)
        asked = lines(iqbo("ask", "--study", self.study, "--json")[0])[0]
        self.assertIn(asked["query"]["soil"], ("clay", "loam", "sand"))
        self.assertIn("soil " + asked["query"]["soil"], iqbo("ask", "--study", self.study)[0])
        iqbo("tell", "--study", self.study, 0, 1.5)
        some = self.folder / "some.csv"
        some.write_text("depth,soil\n5,sand\n4,loam\n")
        said = lines(iqbo("predict", "--study", self.study, "--queries", some, "--json")[0])
        self.assertEqual(said[0]["query"], {"soil": "sand", "depth": 5})
        self.assertIn("loam", iqbo("predict", "--study", self.study, "--queries", some)[0])
        by_name = self.folder / "named.csv"
        by_name.write_text("q\nq5\n")
        self.assertEqual(lines(iqbo("predict", "--study", self.study, "--queries", by_name, "--json")[0])[0]["mean"],
                         said[0]["mean"])
        some.write_text("soil,depth\nlaom,4\n")
        self.refused(["some.csv", "row 2", "laom", "loam"], "predict", "--study", self.study, "--queries", some)

    def test_mistakes(self):
        given_study(self.folder, self.study)
        self.refused(["study", "IQBO_STUDY"], "status")
        self.refused(["nowhere.db"], "ask", "--study", "nowhere.db")
        self.refused(["districts"], "new", "--template", "distrcts")
        self.refused(["value", "abc"], "tell", "--study", self.study, 0, "abc")
        self.refused(["17"], "tell", "--study", self.study, 17, 1)
        (self.folder / "wrong.json").write_text('{"version": 2, "sed": 3}')
        self.refused(["sed", "seed"], "new", "wrong.json", "--study", "wrong.db")
        self.assertFalse((self.folder / "wrong.db").exists())
        secret = "postgresql://me:hunter2@127.0.0.1:1/db?study=x"
        self.assertNotIn("hunter2", self.refused(["iqbo:"], "status", "--study", secret))

    def test_mistakes_in_words(self):
        self.refused(['"tel"', '"tell"'], "tel", 0, 1)
        given_study(self.folder, self.study)
        self.refused(["replicates"], "tell", "--study", self.study, 0, 1, "--replicates", "99999999999999999999")
        for option in ("--trials=-3", "--timeout=-1", "--retries=-1"):
            self.refused([option[:option.index("=")]], "run", "--study", self.study, "--command", "true", option)
        self.refused(["--lease: 0, expected a number above 0"], "ask", "--study", self.study, "--lease", 0)
        (self.folder / "vlaue.csv").write_text("q,vlaue\nq3,1\n")
        self.refused(['has columns q, vlaue, expected one named "value" (is it "vlaue"?)'], "import", "--study", self.study,
                     "--observations", "vlaue.csv")
        (self.folder / "file").touch()
        self.refused(["file/z", "Not a directory"], "new", "--template", "map", "--folder", "file/z")
        iqbo("ask", "--study", self.study)
        self.assertIn("-0.5", iqbo("tell", "--study", self.study, 0, "-.5")[0])

    def test_log_shows_coordinates(self):
        for name, shown in (("tiles", "east 0 to 10 km, north 0 to 10 km, level 0"), ("map", "r")):  # a tile is shown by its bounds
            study = self.folder / f"{name}.db"
            iqbo("new", "--template", name, "--folder", self.folder / name, "--study", study)
            self.assertIn(f"trial 0: ask {shown}", iqbo("ask", "--study", study)[0])
            self.assertIn(f"trial 0 {shown}", iqbo("log", "--study", study)[0])
            self.assertIn(f"trial 0 ({shown}", iqbo("tell", "--study", study, 0, 1.5)[0])
        iqbo("ask", "--study", self.folder / "tiles.db")
        told = lines(iqbo("tell", "--study", self.folder / "tiles.db", 1, 2.5, "--json")[0])[0]
        self.assertEqual(set(told["bounds"]), {"east", "north"})
        for name in ("east", "north"):
            low, high = told["bounds"][name]
            self.assertAlmostEqual((low + high) / 2, told["query"][name])

    def test_scattered_points_have_no_bounds(self):
        # The regions of tokyo hold municipalities, which lie anywhere; one of them has a single member.
        iqbo("new", "--template", "tokyo", "--folder", self.folder / "t", "--study", self.study)
        iqbo("ask", "--study", self.study, "--count", 5)
        for line in iqbo("export", "--study", self.study, "--json")[0].splitlines():
            self.assertNotIn("bounds", json.loads(line))
        self.assertNotIn(" km", iqbo("status", "--study", self.study)[0])

    def test_a_probability_is_never_zero_percent(self):
        iqbo("new", "--template", "carolina", "--folder", self.folder / "c", "--study", self.study)
        for county, counted in (("Ashe", "1/10"), ("Wake", "12/20000"), ("Dare", "3/900")):
            iqbo("tell", "--study", self.study, county, counted)
        best = lines(iqbo("best", "--study", self.study, "--json")[0])[0]
        text = iqbo("best", "--study", self.study, "--stop")[0]
        said = re.search(r"the best of all listed points with a probability of (less than |more than )?(\d+) % \(standard error", text)
        self.assertTrue(said, text)
        self.assertNotEqual(said[2], "0")
        if best["probability"] < 0.01:
            self.assertEqual(said[1], "less than ")
        else:
            self.assertEqual(int(said[2]), round(100 * best["probability"]))

    def test_telling_something_else_says_what_differs(self):
        given_study(self.folder, self.study)
        iqbo("ask", "--study", self.study)
        iqbo("tell", "--study", self.study, 0, 1)
        self.refused(["trial 0 was told replicates 1, not 5; amend"], "tell", "--study", self.study, 0, 1,
                     "--replicates", 5)
        self.refused(["trial 0 was told value 1, not 2; noise sd none, not 0.1; amend"], "tell", "--study", self.study,
                     0, 2, "--sd", 0.1)

    def test_contradictions_are_named_and_nothing_is_lost(self):
        axis = {"name": "x", "from": 0, "to": 1, "grid": 5}
        spec = {"version": 2, "targets": {"kind": "box", "axes": [axis]}, "queries": {"kind": "box", "axes": [{**axis, "name": "a"}]},
                "conditional": {"kind": "gaussian", "width": 0.1}, "policy": "ucb", "noise_sd": 0,
                "kernel": {"family": "rbf", "lengthscale": 0.2, "variance": 1}}
        (self.folder / "exact.json").write_text(json.dumps(spec))
        iqbo("new", self.folder / "exact.json", "--study", self.study)
        first = {}
        while True:
            asked = json.loads(iqbo("ask", "--study", self.study, "--json")[0])
            a, trial = asked["query"]["a"], asked["trial"]
            iqbo("tell", "--study", self.study, trial, 0.5 if a in first else 0.1)
            if a in first:
                break
            first[a] = trial
        said = f"trial {trial} (0.5) contradicts trial {first[a]} (0.1)"
        for command in ("ask", "best", "predict"):
            error = self.refused([said, "Nothing is lost", f"iqbo tell {trial} 0.5 --amend --sd 0.4"], command, "--study",
                                 self.study)
            self.assertNotIn("defect", error)
        status = iqbo("status", "--study", self.study)[0]
        self.assertIn(f"told     {trial + 1}", status)
        self.assertIn(said, status)
        iqbo("tell", "--study", self.study, trial, 0.5, "--amend", "--sd", 0.4)
        self.assertIn("expected", iqbo("best", "--study", self.study)[0])

    def test_tables_that_cannot_be_meant(self):
        given_study(self.folder, self.study)
        table = self.folder / "t.csv"

        def imported(text, *pieces):
            table.write_text(text)
            self.refused(pieces, "import", "--study", self.study, "--observations", "t.csv")

        imported("", "t.csv: is empty")
        imported("q,value\n", "t.csv: has no rows of data")
        imported("name,value\nq3,1\n", 'expected one named "q"')
        imported("q,value\nq3,1\x1b[2J\n", 'row 2, column "value" is "1\ufffd[2J"')
        table.write_text("x\n0.5\n1.5\n")
        self.refused(['t.csv: row 3, column "x" is 1.5, expected 0 to 1'], "predict", "--study", self.study, "--inputs",
                     "t.csv")
        table.write_text("x\n0.5\n1\n")
        self.assertIn("mean", iqbo("predict", "--study", self.study, "--inputs", table)[0])
        table.write_text("number\n3\n99\n")
        self.refused(["t.csv: row 3 is not in queries.points"], "predict", "--study", self.study, "--queries", "t.csv")
        self.assertEqual(lines(iqbo("log", "--study", self.study, "--json")[0]), [])

    def test_a_spec_waits_for_no_pipe_and_an_import_reads_one(self):
        given_study(self.folder, self.study)
        os.mkfifo(self.folder / "pipe")
        self.refused(["pipe", "not a regular file"], "new", "pipe", "--study", "p.db")
        rows = iqbo("import", "--study", self.study, "--observations", "/dev/stdin", text="q,value\nq3,1\n")[0]
        self.assertIn("imported 1 observations", rows)
        self.refused(["is a folder"], "import", "--study", self.study, "--observations", self.folder)
        spec = self.folder / "given.json"
        spec.write_text(spec.read_text().replace('"q.csv"', '"pipe"'))
        self.refused(["queries.points", "not a regular file"], "new", "given.json", "--study", "p.db")

    def interrupted_at_work(self, process):
        """What it says on Ctrl-C, once it has computed for a while, however busy the machine is."""
        while sum(map(int, Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()[11:13])) < 20:
            self.assertIsNone(process.poll())
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        return process.communicate(timeout=60)[1]

    def learned_study(self, pairs):
        (self.folder / "pairs.csv").write_text("x,u\n" + pairs)
        (self.folder / "learned.json").write_text(json.dumps({
            "version": 2, "targets": {"kind": "box", "axes": [{"name": "x", "from": 0, "to": 1}]},
            "queries": {"kind": "box", "axes": [{"name": "u", "from": 0, "to": 1}]},
            "conditional": {"kind": "learned", "pairs": "pairs.csv"}}))
        return [IQBO, "new", str(self.folder / "learned.json"), "--study", self.study]

    def test_pairs_of_the_spec_are_refused_by_row(self):
        self.learned_study("".join(f"{i / 40},{i / 40}\n" for i in range(40)) + "50,0.5\n")
        self.refused(['conditional.pairs (pairs.csv): row 42, column "x" is 50'], "new", "learned.json", "--study", "l.db")

    def test_learning_can_be_interrupted(self):
        words = self.learned_study("".join(f"{(i * 37 % 1999) / 1999},{(i * 53 % 1997) / 1997}\n" for i in range(1900)))
        process = subprocess.Popen(words, stderr=subprocess.PIPE)
        err = self.interrupted_at_work(process)
        self.assertEqual(process.returncode, 130, err)
        self.assertFalse(Path(self.study).exists())
        log = self.folder / "log.csv"
        (self.folder / "pairs.csv").rename(log)
        subprocess.run(self.learned_study("0.1,0.1\n0.4,0.5\n0.8,0.7\n"), check=True, capture_output=True)
        before = lines(iqbo("log", "--study", self.study, "--json")[0])
        process = subprocess.Popen([IQBO, "import", "--study", self.study, "--pairs", log], stderr=subprocess.PIPE)
        err = self.interrupted_at_work(process)
        self.assertEqual(process.returncode, 130, err)
        self.assertEqual(lines(iqbo("log", "--study", self.study, "--json")[0]), before)

    def test_what_would_be_gone_is_refused(self):
        given_study(self.folder, self.study)
        self.refused(["study: is in memory"], "new", "given.json", "--study", "memory:x")
        self.refused(["study: is in memory"], "ask", "--study", "memory:x")

    def test_json_of_files(self):
        out = lines(iqbo("new", "--template", "tiles", "--folder", self.folder / "t", "--json")[0])
        self.assertEqual((len(out), out[0]["files"]), (1, [str(self.folder / "t" / "study.json")]))
        out = lines(iqbo("new", "--template", "tiles", "--folder", self.folder / "u", "--study", self.study, "--json")[0])
        self.assertEqual((out[0]["study"], len(out[0]["files"])), (self.study, 1))
        out = lines(iqbo("export", "--study", self.study, "--what", "files", "--folder", self.folder / "c", "--json")[0])
        self.assertEqual(out, [{"file": str(self.folder / "c" / "study.json")}])

    def test_options_that_do_not_exist(self):
        given_study(self.folder, self.study)
        self.refused(['option: "--studi", expected "--study" (one of '], "ask", "--studi", self.study)
        self.refused(['option: "--studi"'], "tell", f"--studi={self.study}", 0, 1)
        self.refused(['no trial and no query is called "x"'], "tell", "--study", self.study, "x", 1)
        self.refused(["--count: 1.5, expected a whole number from 1"], "ask", "--study", self.study, "--count", 1.5)
        self.refused(["--worker", "control character"], "ask", "--study", self.study, "--worker", "a\x1b[2Jb")

    def test_a_full_disk_is_noticed(self):
        given_study(self.folder, self.study)
        with open("/dev/full", "w") as full:
            done = subprocess.run([IQBO, "export", "--study", self.study], stdout=full, stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn("standard output", done.stderr)

    def test_files_come_out_as_they_went_in(self):
        given_study(self.folder, self.study)
        (self.folder / "data").mkdir()
        (self.folder / "q.csv").rename(self.folder / "data" / "q.csv")
        spec = self.folder / "given.json"
        spec.write_text(spec.read_text().replace('"q.csv"', '"data/q.csv"'))
        iqbo("new", spec, "--study", self.folder / "two.db")
        copy = self.folder / "copy"
        iqbo("export", "--study", self.folder / "two.db", "--what", "files", "--folder", copy)
        self.assertEqual((copy / "data" / "q.csv").read_text(), (self.folder / "data" / "q.csv").read_text())
        iqbo("new", copy / "study.json", "--study", self.folder / "three.db")

    def test_categories_have_names(self):
        (self.folder / "arms.csv").write_text("kind,dose\nurban,0.5\nrural,0.5\nurban,1\nrural,1\n")
        (self.folder / "pairs.csv").write_text(
            "kind,dose,x\n" + "".join(f"{k},{d},{d + (k == 'urban') + i / 50}\n"
                                      for i in range(5) for k in ("urban", "rural") for d in (0.5, 1)))
        (self.folder / "arms.json").write_text(json.dumps({
            "version": 2, "targets": {"kind": "box", "axes": [{"name": "x", "from": 0, "to": 3, "grid": 31}]},
            "queries": {"kind": "points", "points": "arms.csv", "coordinates": ["kind", "dose"], "categories": ["kind"]},
            "conditional": {"kind": "learned", "pairs": "pairs.csv", "model": "shift"}}))
        iqbo("new", self.folder / "arms.json", "--study", self.study)
        trial = lines(iqbo("ask", "--study", self.study, "--json")[0])[0]
        self.assertIn(trial["query"]["kind"], ("urban", "rural"))
        self.assertIn(f"kind {trial['query']['kind']}", iqbo("ask", "--study", self.study)[0])
        iqbo("run", "--study", self.study, "--command", "sh -c 'test $0 = urban -o $0 = rural && echo 1' {kind}",
             "--trials", 2, "--worker", trial["worker"])
        rows = list(csv.DictReader(io.StringIO(iqbo("export", "--study", self.study)[0])))
        self.assertIn(rows[0]["kind"], ("urban", "rural"))

    def test_cells_have_one_level(self):
        (self.folder / "p.csv").write_text("east\n" + "".join(f"{i}\n" for i in range(16)))
        (self.folder / "cells.json").write_text(json.dumps({
            "version": 2, "targets": {"kind": "points", "points": "p.csv", "coordinates": ["east"]},
            "queries": {"kind": "cells", "tree": {"levels": 3}}, "conditional": {"kind": "cells"}}))
        iqbo("new", self.folder / "cells.json", "--study", self.study)
        iqbo("ask", "--study", self.study)
        header = iqbo("export", "--study", self.study)[0].splitlines()[0].split(",")
        self.assertEqual(header.count("level"), 1)

    def test_environment_names_the_study(self):
        given_study(self.folder, self.study)
        os.environ["IQBO_STUDY"] = self.study
        self.addCleanup(os.environ.pop, "IQBO_STUDY")
        self.assertIn("told", iqbo("status")[0])

    def test_passwords_are_in_no_message(self):
        url = "postgresql://me:s3cr3tive@127.0.0.1:1/surveys?study=a"
        wrong = [("status", url), (f"--study={url}", "status"), (url,), ("bench", url), ("new", "-t", url), ("tell", url, 0, 3),
                 ("ask", "-n", url), ("import", "--observations", url), ("bench", "--spec", url), ("status", "-s", url),
                 ("status", "-s", url.replace(":s3cr3tive", "") + "&passwd=s3cr3tive"), ("report", "-o", f"x/{url}")]
        for words in wrong:
            with self.subTest(words):
                out, err = iqbo(*words, check=None, cwd=self.folder)
                self.assertNotIn("s3cr3", out + err)
                self.assertTrue(err)
        short = iqbo("status", "-s", "postgresql://me:x@127.0.0.1:1/surveys?study=a", check=2)[1]
        self.assertIn("no connection to the server", short)
        self.assertNotIn("e***", short)

    def test_what_machines_read_is_as_documented(self):
        given_study(self.folder, self.study)
        for trial in range(3):
            for line in lines(iqbo("ask", "--study", self.study, "--json")[0]):
                check_schema("trial", line)
            check_schema("trial", lines(iqbo("tell", "--study", self.study, trial, trial, "--json")[0])[0])
        iqbo("ask", "--study", self.study)
        check_schema("best", lines(iqbo("best", "--study", self.study, "--json")[0])[0])
        check_schema("status", lines(iqbo("status", "--study", self.study, "--json")[0])[0])
        for name, words in {"event": ["log"], "trial": ["export"], "prediction": ["predict", "--top", 3]}.items():
            for line in lines(iqbo(words[0], "--study", self.study, "--json", *words[1:])[0]):
                check_schema(name, line)

    def test_telling_by_name_and_several_at_once(self):
        given_study(self.folder, self.study)
        spec = lines(iqbo("status", "--study", self.study, "--json")[0])[0]
        self.assertEqual(spec["told"], 0)
        self.refused(["no trial and no query"], "tell", "--study", self.study, "nowhere", 1)
        trials = [lines(iqbo("ask", "--study", self.study, "--new", "--json")[0])[0]["number"] for _ in range(2)]
        self.refused(["3 words"], "tell", "--study", self.study, trials[0], 1, trials[1])
        iqbo("tell", "--study", self.study, trials[0], 1, trials[1], 2)
        told = lines(iqbo("tell", "--study", self.study, "q7", 3.5, "--json")[0])[0]
        self.assertEqual((told["name"], told["value"], told["state"]), ("q7", 3.5, "told"))
        self.assertEqual(lines(iqbo("status", "--study", self.study, "--json")[0])[0]["told"], 3)

    def test_a_study_stops_by_its_rule(self):
        given_study(self.folder, self.study)
        text = (self.folder / "given.json").read_text().replace("{", '{"stop": {"regret": 1000},', 1)
        (self.folder / "stopping.json").write_text(text)
        study = self.folder / "stopping.db"
        iqbo("new", self.folder / "stopping.json", "--study", study)
        out = iqbo("run", "--study", study, "--command", "echo 1", "--trials", 9)[0]
        self.assertIn("expected regret", out)
        self.assertLess(lines(iqbo("status", "--study", study, "--json")[0])[0]["told"], 9)
        self.assertIn("enough is known", iqbo("ask", "--study", study)[0])
        self.assertIn("trial", iqbo("ask", "--study", study, "--beyond")[0])
        best = lines(iqbo("best", "--study", study, "--above", 0.5, "--among", 3, "--json")[0])[0]
        check_schema("best", best)
        self.assertTrue(best["stop"])
        self.assertAlmostEqual(sum(point["best"] for point in best["chances"]["points"]), 1)
        self.assertAlmostEqual(sum(point["among"] for point in best["chances"]["points"]), 3)
        predicted = lines(iqbo("predict", "--study", study, "--above", 0.5, "--json")[0])
        check_schema("prediction", predicted[0])
        self.refused(["among: 1000000"], "best", "--study", study, "--among", 1000000)

    def test_amending_a_value_leaves_its_precision(self):
        given_study(self.folder, self.study)
        iqbo("ask", "--study", self.study)
        iqbo("tell", "--study", self.study, 0, 1.5, "--sd", 0.2, "--replicates", 4)
        self.assertIn("1.6 (sd 0.2, 4 replicates)", iqbo("tell", "--study", self.study, 0, 1.6, "--amend")[0])
        self.assertIn("(sd 0.3, 4 replicates)", iqbo("tell", "--study", self.study, 0, 1.6, "--sd", 0.3, "--amend")[0])

    def test_a_template_makes_no_study_of_the_environment(self):
        environment = {**os.environ, "IQBO_STUDY": self.study}
        done = subprocess.run([IQBO, "new", "--template", "districts", "--folder", str(self.folder / "c")], env=environment)
        self.assertEqual((done.returncode, Path(self.study).exists()), (0, False))
        done = subprocess.run([IQBO, "new", str(self.folder / "c" / "study.json")], env=environment)
        self.assertEqual((done.returncode, Path(self.study).exists()), (0, True))

    def test_long_asking_can_be_interrupted(self):
        large_study(self.folder, self.study)
        for code in (signal.SIGINT, signal.SIGTERM):
            process = subprocess.Popen([IQBO, "ask", "--study", self.study, "-n", "1000"], stderr=subprocess.DEVNULL,
                                       stdout=subprocess.DEVNULL)
            time.sleep(0.3)
            process.send_signal(code)
            self.assertEqual(process.wait(timeout=20), 130)
        self.assertEqual(iqbo("log", "--study", self.study, "--json")[0], "", "nothing was handed out")
        self.refused(["1001, expected a whole number from 1 to 1000"], "ask", "--study", self.study, "-n", 1001)

    def test_long_work_says_what_it_does_on_a_terminal(self):
        rng = random.Random(1)
        spots = [(rng.random(), rng.random()) for _ in range(1500)]
        (self.folder / "long.json").write_text(json.dumps({
            "version": 2, "targets": {"kind": "box", "axes": [{"name": n, "from": 0, "to": 1, "grid": 9} for n in "xy"]},
            "queries": {"kind": "box", "axes": [{"name": n, "from": 0, "to": 1} for n in "uv"]},
            "conditional": {"kind": "gaussian", "width": 0.05}}))
        (self.folder / "past.csv").write_text(
            "u,v,value\n" + "".join(f"{u},{v},{math.sin(9 * u) + v + rng.gauss(0, 0.1)}\n" for u, v in spots))
        iqbo("new", "long.json", "--study", self.study, cwd=self.folder)
        iqbo("import", "--observations", "past.csv", "--study", self.study, cwd=self.folder)
        ours, theirs = pty.openpty()
        process = subprocess.Popen([IQBO, "best", "--study", self.study], stderr=theirs, stdout=subprocess.PIPE)
        os.close(theirs)
        seen = b""
        while not re.search(rb"fitting the model to \d+ answers, \d", seen):
            self.assertIsNone(process.poll(), seen)
            seen += os.read(ours, 100)
        process.send_signal(signal.SIGINT)
        begin = time.monotonic()
        self.assertEqual(process.wait(timeout=60), 130)
        self.assertLess(time.monotonic() - begin, 10, "a second, on a machine that has nothing else to do")
        process.stdout.close()
        os.close(ours)
        # Nothing of the kind where nobody watches.
        self.assertEqual(iqbo("status", "--study", self.study)[1], "")

    def test_names_that_sqlite_would_take_for_something_else(self):
        given_study(self.folder, self.study)
        for name in (":memory:", "file:s.db", "file:t.db?mode=memory", "C:\\s.db"):
            iqbo("new", "given.json", "--study", name, cwd=self.folder)
            iqbo("ask", "--study", name, cwd=self.folder)
            self.assertTrue((self.folder / name).is_file())
        self.assertEqual(lines(iqbo("status", "--study", self.study, "--json")[0])[0]["pending"], 0)
        self.assertFalse((self.folder / "t.db").exists())

    def test_odd_places(self):
        given_study(self.folder, self.study)
        odd = os.fsencode(self.folder) + b"/caf\xe9.db"
        os.rename(self.study, odd)
        for words in (["status", "--json"], ["best", "--json"], ["log"]):
            done = subprocess.run([IQBO, *words, "--study", odd], capture_output=True)
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_limit_of_file_sizes(self):
        given_study(self.folder, self.study)
        done = subprocess.run(["bash", "-c", 'ulimit -f 8; for i in $(seq 40); do "$@" || exit; done', "sh", IQBO, "ask", "--new",
                               "--study", self.study], capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 2)
        self.assertIn("the disk is full, a quota is reached", done.stderr)


if __name__ == "__main__":
    unittest.main()
