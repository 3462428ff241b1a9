#!/usr/bin/env python3
"""iqbo run against programs that behave and programs that do not. IQBO_PROGRAM: the program."""
import json
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from campaigns import IQBO, fitted_study, given_study, iqbo, lines, told
from case import Case


class Run(Case):
    def setUp(self):
        super().setUp()
        given_study(self.folder, self.study)

    def program(self, text):
        path = self.folder / "measure"
        path.write_text("#!/bin/sh\n" + text)
        path.chmod(0o755)
        return str(path)

    def run_it(self, command, *more, check=0, trials=3):
        return iqbo("run", "--study", self.study, "--command", command, "--trials", trials, *more, check=check)

    def test_query_by_arguments_environment_and_stdin(self):
        self.run_it(self.program('read line; printf "%s|%s|%s|%s\\n" "$1" "$IQBO_NAME" "$IQBO_QUERY" "$line" >> "$2"; '
                                 'echo thinking; echo 1.5 0.2') + f" {{a}} '{self.folder}/saw it'")
        for row in (self.folder / "saw it").read_text().splitlines():
            argument, name, query, line = row.split("|")
            self.assertEqual(argument, name)
            self.assertEqual(json.loads(line)["name"], name)
            self.assertEqual(float(query), json.loads(line)["query"]["number"])
        trial = lines(iqbo("export", "--study", self.study, "--json")[0])[0]
        self.assertEqual((trial["value"], trial["noise_sd"]), (1.5, 0.2))

    def test_no_shell_unless_asked_for(self):
        witness = self.folder / "witness"
        self.run_it(f"echo 1 ; touch {witness}", "--give-up", 2, check=2)
        self.assertFalse(witness.exists())
        self.run_it(f"touch {witness}; echo 1", "--shell")
        self.assertTrue(witness.exists())

    def test_a_shell_takes_names_for_names(self):
        nasty = ["$(touch pwned)", "; touch pwned", "a'; touch pwned; '", 'b"; touch pwned; "', "`touch pwned`"]
        (self.folder / "nasty.csv").write_text("q,m\n" + "".join(
            '"{}",{}\n'.format(name.replace('"', '""'), i / 5) for i, name in enumerate(nasty)))
        spec = (self.folder / "given.json").read_text().replace("q.csv", "nasty.csv").replace(
            '"policy": "cjes"', '"policy": {"name": "cjes", "repeats": false}')
        (self.folder / "nasty.json").write_text(spec)
        quoted = {"plain": "{a}", "double": '"{a}"', "twice": '"x"{a}"{a}"'}
        for how, placeholder in quoted.items():
            study = self.folder / f"{how}.db"
            iqbo("new", self.folder / "nasty.json", "--study", study)
            iqbo("run", "--study", study, "--shell", "--trials", 5, "--command",
                 f"printf '%s\\n' {placeholder} >> {how}; echo $IQBO_TRIAL", cwd=self.folder)
            saw = (self.folder / how).read_text().splitlines()
            expected = nasty if how != "twice" else [f"x{name}{name}" for name in nasty]
            self.assertEqual(sorted(saw), sorted(expected))
        self.assertFalse((self.folder / "pwned").exists())
        self.assertIn("single quotes", self.run_it("echo '{a}'", "--shell", check=2)[1])

    def test_what_is_printed_last_counts(self):
        self.run_it("printf '10%%\\r99\\r4.5\\n'", trials=1)
        self.run_it("printf '1\\n2.5\\r\\n'", trials=2)
        self.assertEqual([t["value"] for t in lines(iqbo("export", "--study", self.study, "--json")[0])], [4.5, 2.5])
        _, err = self.run_it("echo '{{\"value\": 1, \"value\": 2}}'", "--give-up", 1, check=2)
        self.assertIn("each key once", err)

    def test_a_program_that_goes_away(self):
        command = self.program('[ "$IQBO_TRIAL" = 1 ] && rm "$0"; echo 1')
        _, err = self.run_it(command, "--give-up", 2, trials=9, check=2)
        self.assertIn("2 trials in a row failed, the last with: cannot start", err)
        states = [t["state"] for t in lines(iqbo("export", "--study", self.study, "--json")[0])]
        self.assertEqual(states, ["told", "told", "failed", "failed"])
        script = Path(self.program("echo 1"))
        script.write_text("#!/no/such/interpreter\n")
        _, err = self.run_it(str(script), "--give-up", 1, check=2)
        self.assertIn("interpreter that its first line names is missing", err)

    def test_nothing_is_asked_for_a_program_that_is_not_there(self):
        plain = self.folder / "plain"
        plain.write_text("#!/bin/sh\necho 1\n")
        for command, why in (("./no-such-program", "No such file"), ("no-such-program {a}", "No such file"),
                             (str(self.folder), "Permission denied"), (str(plain), "Permission denied")):
            self.assertRegex(self.run_it(command, check=2)[1], f"cannot start .*: {why}")
        self.assertEqual(iqbo("log", "--study", self.study, "--json")[0], "")

    def test_what_is_finished_is_told_before_giving_up(self):
        process = subprocess.Popen([IQBO, "run", "--study", self.study, "--trials", "4", "--workers", "2", "--give-up", "1",
                                    "--command", self.program('echo 5; sleep 0.5; exit $IQBO_TRIAL')], stderr=subprocess.DEVNULL)
        while len(lines(iqbo("log", "--study", self.study, "--json")[0])) < 2:
            self.assertIsNone(process.poll())
            time.sleep(0.05)
        process.send_signal(signal.SIGSTOP)
        time.sleep(1.5)  # both programs end while nobody looks
        process.send_signal(signal.SIGCONT)
        self.assertEqual(process.wait(timeout=30), 2)
        self.assertEqual([t["state"] for t in lines(iqbo("export", "--study", self.study, "--json")[0])], ["told", "failed"])

    def test_what_was_settled_meanwhile_is_not_measured_again(self):
        command = self.program(f"echo . >> {self.folder}/times; sleep 1; exit 1")
        process = subprocess.Popen([IQBO, "run", "--study", self.study, "--command", command, "--trials", "1", "--retries", "5"],
                                   stderr=subprocess.PIPE, text=True)
        while not (self.folder / "times").exists():
            self.assertIsNone(process.poll())
            time.sleep(0.05)
        iqbo("tell", "--study", self.study, 0, 9)
        process.communicate(timeout=30)
        self.assertEqual((self.folder / "times").read_text(), ".\n")
        self.assertEqual(told(self.study), {0: 9.0})

    def test_more_at_once_than_files_may_be_open(self):
        done = subprocess.run(["sh", "-c", 'ulimit -n 80; exec "$@"', "sh", IQBO, "run", "--study", self.study, "--command",
                               "echo 1", "--trials", "60", "--workers", "40"], capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 2)
        self.assertIn("workers: 40, expected at most 8 with this limit of open files", done.stderr)

    def test_failures_are_told_and_the_campaign_goes_on(self):
        command = self.program('case $IQBO_TRIAL in 0) echo "no road" >&2; exit 3;; 1) kill -SEGV $$;; 2) echo garbage;; '
                               '3) sleep 60;; 4) ;; *) echo 2;; esac')
        self.run_it(command, "--timeout", 1, "--give-up", 9)
        trials = lines(iqbo("export", "--study", self.study, "--json")[0])
        for trial, piece in enumerate(["exit code 3: no road", "signal 11", '"garbage"', "within 1 s", "nothing was printed"]):
            self.assertIn(piece, trials[trial]["reason"])
        self.assertEqual([t["state"] for t in trials], ["failed"] * 5 + ["told"] * 3)

    def test_stops_after_repeated_failures(self):
        _, err = self.run_it("false", check=2)
        self.assertIn("5 trials in a row", err)
        _, err = self.run_it("./no-such-program", check=2)
        self.assertIn("no-such-program", err)
        _, err = self.run_it("echo {easst}", check=2)
        self.assertIn("{easst}", err)

    def test_whatever_a_program_prints(self):
        command = self.program("case $IQBO_TRIAL in 0) printf 'a\\0b\\n' >&2; exit 3;; 1) printf 'x\\377\\376y\\n';; "
                               "2) echo '{\"value\": 4.2, \"noise_sd\": \"abc\"}';; 3) echo '{\"valeu\": 4.2}';; *) echo 2;; esac")
        self.run_it(command, "--json", "--give-up", 9, trials=2)
        trials = lines(iqbo("export", "--study", self.study, "--json")[0])
        for trial, piece in enumerate(["exit code 3", "x", "noise_sd", "value"]):
            self.assertEqual(trials[trial]["state"], "failed")
            self.assertIn(piece, trials[trial]["reason"])

    def test_control_characters_are_shown_and_json_is_one_line(self):
        self.run_it(self.program("printf 'abc\\0d\\033ef\\n'"), "--give-up", 1, check=2)
        reason = lines(iqbo("export", "--study", self.study, "--json")[0])[0]["reason"]
        self.assertIn('printed "abc\ufffdd\ufffdef"', reason)
        self.run_it(self.program('printf %s "$1" > "$2"; echo 1') + f" {{json}} {self.folder}/saw", trials=1)
        saw = (self.folder / "saw").read_text()
        self.assertFalse(saw.endswith("\n"))
        self.assertIn("query", json.loads(saw))

    def test_retries(self):
        flag = self.folder / "flag"
        self.run_it(self.program(f"[ -e {flag} ] || {{ touch {flag}; exit 1; }}; echo 1"), "--retries", 1)
        self.assertEqual(len(told(self.study)), 3)
        self.assertNotIn("failed", iqbo("export", "--study", self.study)[0])

    def test_a_name_has_one_living_worker(self):
        process = subprocess.Popen([IQBO, "run", "--study", self.study, "--command", "sleep 60", "--trials", "3",
                                    "--worker", "ann"])
        try:
            while not lines(iqbo("status", "--study", self.study, "--json")[0])[0]["pending"]:
                self.assertIsNone(process.poll())
                time.sleep(0.05)
            _, err = self.run_it("echo 1", "--worker", "ann", check=2)
            self.assertIn('a running process of this study is called "ann", expected another name', err)
        finally:
            process.kill()
            process.wait()
        self.run_it("echo 1", "--worker", "ann", trials=2)

    def test_interrupt_keeps_what_is_finished_and_resumes(self):
        process = subprocess.Popen([IQBO, "run", "--study", self.study, "--command", self.program("sleep 0.2; echo 1"),
                                    "--trials", "6", "--workers", "2"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        while len(told(self.study)) < 2:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=20)
        self.assertEqual(process.returncode, 130)
        self.assertIn(b"finished work is kept", err)
        self.run_it("echo 1", trials=6)
        self.assertEqual(len(told(self.study)), 6)
        self.assertEqual(sorted(told(self.study)), list(range(6)), "unfinished trials were taken up again")

    def test_why_fewer_are_told_than_asked_for(self):
        held = json.loads(iqbo("ask", "--study", self.study, "--worker", "ann", "--json")[0])
        for more in ((), ("--json",), ("--quiet",)):
            err = self.run_it("echo 1", *more)[1]
            for piece in ("iqbo: note: 2 of 3 trials are told; pending ones count too: trial 0", held["name"], "with ann",
                          f"iqbo tell --study {self.study} 0 VALUE", f"iqbo fail --study {self.study} 0", "raise --trials"):
                self.assertIn(piece, err)
        self.assertEqual(self.run_it("echo 1", trials=2)[1], "", "as many are told as were asked for")
        iqbo("tell", "--study", self.study, 0, 1)
        self.assertEqual(self.run_it("echo 1")[1], "")

    def test_an_interrupted_line_is_ended(self):
        fitted_study(self.folder, str(self.folder / "f.db"))
        process = subprocess.Popen([IQBO, "run", "--study", str(self.folder / "f.db"), "--command", "echo {trial}", "--trials", "40"],
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        while len(told(str(self.folder / "f.db"))) < 6:
            self.assertIsNone(process.poll())
        process.send_signal(signal.SIGINT)
        out = process.communicate(timeout=60)[0]
        self.assertEqual(process.returncode, 130)
        self.assertTrue(out.endswith("\niqbo: interrupted; finished work is kept\n"), out)


if __name__ == "__main__":
    unittest.main()
