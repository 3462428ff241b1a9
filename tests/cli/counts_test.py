#!/usr/bin/env python3
"""Counts as an epidemiologist tells them: cases among people. IQBO_PROGRAM: the program."""
import csv
import io
import json
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from campaigns import given_study, iqbo, lines
from case import Case, check_schema


class Counts(Case):
    def setUp(self):
        super().setUp()
        iqbo("new", "--template", "counts", "--folder", self.folder / "c", "--study", self.study)

    def tell(self, *words, check=0):
        return iqbo("tell", "--study", self.study, *words, check=check)

    def test_told_in_every_way_and_shown_as_counts(self):
        out, _ = iqbo("ask", "--study", self.study, "-n", 4)
        self.assertIn("COUNT/EXPOSURE", out)
        self.assertIn("12 of 2,000 (6 cases per 1,000)", self.tell(0, "12/2000")[0])
        self.tell(1, "--count", 0, "--exposure", 1500.5)
        self.tell(2, "7")  # among the population of the spec
        self.tell(3, "--count", 3)
        rows = list(csv.DictReader(io.StringIO(iqbo("export", "--study", self.study)[0])))
        self.assertEqual([row["count"] for row in rows], ["12", "0", "7", "3"])
        self.assertEqual((rows[0]["exposure"], rows[0]["value"], rows[1]["exposure"]), ("2000", "6", "1500.5"))
        people = {row["district"]: row["population"] for row in csv.DictReader((self.folder / "c/districts.csv").read_text().splitlines())}
        self.assertEqual(rows[2]["exposure"], people[rows[2]["name"]])
        trial = lines(iqbo("export", "--study", self.study, "--json")[0])[0]
        check_schema("trial", trial)
        self.assertEqual((trial["count"], trial["exposure"]), (12, 2000))
        self.assertIn("12 of 2,000", iqbo("log", "--study", self.study)[0])
        self.tell(0, "13", "--amend")  # the exposure stays
        self.assertIn("13 of 2,000", iqbo("log", "--study", self.study)[0])

    def test_what_cannot_have_been_counted_is_refused(self):
        iqbo("ask", "--study", self.study)
        for words, pieces in ((("-3/2000",), ["whole number, 0 or more"]), (("1.5/20",), ["1.5", "whole"]),
                              (("3/0",), ["exposure", "> 0"]),
                              (("62/2.000",), ['exposure "2.000"', "may mean 2 or 2000", "digits alone: 2000"]),
                              (("1.000/9",), ["count", "digits alone: 1000"]), (("3/1.234.000",), ["digits alone: 1234000"]), (("abc",), ["abc"]), (("3/",), ["exposure"]),
                              (("3", "--count", "4"), ["one of them"]), ((), ["neither"]),
                              (("3/20", "--exposure", "20"), ["twice"]), (("3/20", "--sd", "1"), ["noise_sd"])):
            self.refused(pieces, "tell", "--study", self.study, "0", *words)
        self.assertEqual(lines(iqbo("status", "--study", self.study, "--json")[0])[0]["told"], 0)

    def test_the_template_runs_as_it_is(self):
        command = f"sh {self.folder / 'c/survey.sh'} {{a}}"
        out, _ = iqbo("run", "--study", self.study, "--command", command, "--trials", 9)
        self.assertIn(" of ", out)
        self.assertIn("cases per 1,000", out)
        best = lines(iqbo("best", "--study", self.study, "--json")[0])[0]
        self.assertGreater(best["low"], 0)
        some = self.folder / "some.csv"
        some.write_text("district,exposure\nd0,1000\nd5,20000\n")
        said = lines(iqbo("predict", "--study", self.study, "--queries", some, "--json")[0])
        self.assertEqual([one["exposure"] for one in said], [1000, 20000])
        for one in said:
            self.assertAlmostEqual(one["count"], one["mean"] * one["exposure"] / 1000, delta=1e-6 * one["count"])
            self.assertTrue(0 <= one["count_low"] <= one["count"] <= one["count_high"])
            self.assertTrue(0 < one["low"] < one["mean"] < one["high"])
        per = lines(iqbo("predict", "--study", self.study, "--queries", some, "--per", 100000, "--exposure", 50, "--json")[0])
        self.assertAlmostEqual(per[0]["mean"], 100 * said[0]["mean"], delta=1e-6 * per[0]["mean"])
        self.assertEqual(per[0]["exposure"], 50)
        self.assertIn("95 %", iqbo("predict", "--study", self.study, "--queries", some)[0])
        document = json.loads(iqbo("report", "--study", self.study, "--json")[0])
        self.assertEqual(len(document["trials"]["count"]), 9)
        self.assertIn(document["value"]["link"], ("log", "identity"))  # so that intervals of rates are drawn within their range
        self.assertIsNone(document["value"]["most"])
        self.assertEqual(document["trials"]["value"][0],
                         1000 * document["trials"]["count"][0] / document["trials"]["exposure"][0])

    def test_an_exposure_that_is_chosen_is_said(self):
        spec = self.folder / "c/study.json"
        spec.write_text(spec.read_text().replace('"exposure": "population"', '"exposure": {"choices": [500, 2000], "cost": 0.01}'))
        iqbo("new", spec, "--study", self.folder / "chosen.db")
        out, _ = iqbo("ask", "--study", self.folder / "chosen.db")
        self.assertRegex(out, r"trial 0: ask d[0-9]+ among (500|2,000)")

    def test_policies_are_compared_on_simulated_counts(self):
        out, _ = iqbo("bench", "--spec", self.folder / "c/study.json", "--policies", "ckg,random", "--seeds", 2, "--steps", 4, "--no-figures",
                      "--out", self.folder / "bench")
        self.assertIn("for log f", out)
        self.assertIn("negative-binomial counts", out)

    def test_programs_print_counts_in_two_forms(self):
        for printed in ("12/2000", '{"count": 12, "exposure": 2000}'):
            program = self.folder / "measure"
            program.write_text(f"#!/bin/sh\necho '{printed}'\n")
            program.chmod(0o755)
            told = len(lines(iqbo("export", "--study", self.study, "--json")[0]))
            iqbo("run", "--study", self.study, "--command", str(program), "--trials", told + 1)
            self.assertEqual(lines(iqbo("export", "--study", self.study, "--json")[0])[-1]["count"], 12)
        program.write_text("#!/bin/sh\necho '{\"value\": 1.5}'\n")
        _, err = iqbo("run", "--study", self.study, "--command", str(program), "--trials", 9, "--give-up", 1, check=2)
        self.assertIn('"count"', err)

    def test_past_counts_are_imported(self):
        past = self.folder / "past.csv"
        past.write_text("district,cases,population\nd1,4,3000\nd2,0,2500\n")
        self.assertIn("imported 2", iqbo("import", "--study", self.study, "--observations", past)[0])
        past.write_text("district,cases,clicks,population\nd1,4,5,3000\n")
        self.refused(["cases", "clicks", '"count"'], "import", "--study", self.study, "--observations", past)
        past.write_text("district,cases,population\nd1,4,3000\nd2,-1,2500\n")
        self.refused(["row 3", "cases", "-1"], "import", "--study", self.study, "--observations", past)


class Exact(Case):
    def test_a_noise_of_zero_must_be_meant(self):
        given_study(self.folder, self.study)
        iqbo("ask", "--study", self.study)
        self.refused(["sd", "exact", "--exact", "12/2000"], "tell", "--study", self.study, "0", "1.5", "--sd", "0")
        iqbo("tell", "--study", self.study, 0, 1.5, "--sd", 0, "--exact")
        self.assertEqual(lines(iqbo("export", "--study", self.study, "--json")[0])[0]["noise_sd"], 0)
        self.refused(["count", '"answers"'], "tell", "--study", self.study, "0", "12/2000", "--amend")


if __name__ == "__main__":
    unittest.main()
