"""Running the real iqbo in a temporary folder: what the tests of the command line and kill_test.py share."""
import json
import os
import random
import signal
import subprocess
import time

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have us ignore it, and programs inherit that
IQBO = os.environ.get("IQBO_PROGRAM", "iqbo")
# A fixed function of the trial and its query, printed by a program that takes no time.
MEASURE = "echo {number}.{trial}"

GIVEN = """{"version": 2, "seed": 3,
  "targets": {"kind": "box", "axes": [{"name": "x", "from": 0, "to": 1, "grid": 41}]},
  "queries": {"kind": "points", "points": "q.csv", "id": "q"},
  "conditional": {"kind": "gaussian", "mu": {"columns": ["m"]}, "width": 0.05},
  "kernel": {"family": "rbf", "lengthscale": 0.2, "variance": 100}, "noise_sd": 1, "policy": "cjes"}
"""


def iqbo(*words, check=0, cwd=None, text=None):
    """Runs a command to its end: (stdout, stderr)."""
    done = subprocess.run([IQBO, *map(str, words)], cwd=cwd, input=text, capture_output=True, text=True, timeout=240)
    assert check is None or done.returncode == check, f"iqbo {words}: {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout, done.stderr


def lines(text):
    return [json.loads(line) for line in text.splitlines()]


def given_study(folder, study):
    """A small study whose kernel is given: nothing is fitted."""
    (folder / "given.json").write_text(GIVEN)
    (folder / "q.csv").write_text("q,m\n" + "".join(f"q{i},{i / 20}\n" for i in range(21)))
    iqbo("new", folder / "given.json", "--study", study)


def large_study(folder, study):
    """2,500 points and as many queries, the kernel given: a batch of 1,000 takes seconds."""
    axes = '[{"name": "x", "from": 0, "to": 1, "grid": 50}, {"name": "y", "from": 0, "to": 1, "grid": 50}]'
    (folder / "large.json").write_text(f"""{{"version": 2, "seed": 3, "targets": {{"kind": "box", "axes": {axes}}},
      "queries": {{"kind": "box", "axes": {axes}}}, "conditional": {{"kind": "gaussian", "width": 0.05}},
      "kernel": {{"family": "rbf", "lengthscale": 0.2, "variance": 100}}, "noise_sd": 1, "policy": "cmes"}}""")
    iqbo("new", folder / "large.json", "--study", study)


def fitted_study(folder, study):
    """The districts template: everything is fitted."""
    files = folder / "districts"
    if not files.exists():
        iqbo("new", "--template", "districts", "--folder", files)
    iqbo("new", files / "study.json", "--study", study)


def start(study, trials, *more, command=MEASURE):
    return subprocess.Popen([IQBO, "run", "--study", study, "--command", command, "--trials", str(trials), "--json", *more],
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def events(study):
    return lines(iqbo("log", "--study", study, "--json")[0])


def trace(study):
    """What was asked and told, in order; nothing about when and by whom."""
    out = []
    for event in events(study):
        kind, body = event["kind"], event["body"]
        if kind == "asked":
            trial = dict(body["trial"])
            for key in ("worker", "lease_until", "handouts"):
                trial.pop(key, None)
            out.append((kind, trial))
        elif kind == "told":
            out.append((kind, body["trial"], body["outcome"]))
        else:
            out.append((kind, body))
    return out


def told(study):
    """{trial: value}, each told exactly once."""
    out = {}
    for event in events(study):
        if event["kind"] == "told":
            assert event["body"]["trial"] not in out, f"told twice: {event}"
            out[event["body"]["trial"]] = event["body"]["outcome"]["value"]
    return out


def acknowledged(output):
    """{trial: value} of what a run said it had told."""
    out = {}
    for line in output.splitlines():
        try:
            row = json.loads(line)
        except json.JSONDecodeError:
            continue  # cut by the kill
        if row.get("state") == "told":
            out[row["number"]] = row["value"]
    return out


def killed_campaign(study, trials, rng, longest):
    """Kills and restarts a run at random moments until it finishes: (kills, everything acknowledged)."""
    said, kills = {}, 0
    while True:
        process = start(study, trials)
        try:
            output, errors = process.communicate(timeout=rng.uniform(0, longest))
            assert process.returncode == 0, errors
            said.update(acknowledged(output))
            return kills, said
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            output, _ = process.communicate()
            said.update(acknowledged(output))
            kills += 1


def check_killed(folder, places, kills, trials=20, seed=1):
    """Campaigns in `places` (a function: number -> new location), killed `kills` times in all; traces as without kills."""
    rng = random.Random(seed)
    reference = str(folder / "reference.db")
    fitted_study(folder, reference)
    began = time.time()
    process = start(reference, trials)
    output, errors = process.communicate(timeout=240)
    assert process.returncode == 0, errors
    expected = trace(reference)
    longest = 0.6 * (time.time() - began)
    done = campaigns = 0
    while done < kills:
        study = places(campaigns)
        fitted_study(folder, study)
        more, said = killed_campaign(study, trials, rng, longest)
        done += more
        campaigns += 1
        stored = told(study)
        assert len(stored) == trials, f"{len(stored)} told, not {trials}"
        for trial, value in said.items():
            assert stored.get(trial) == value, f"trial {trial}: acknowledged {value}, stored {stored.get(trial)}"
        assert trace(study) == expected, f"campaign {campaigns} differs from the uninterrupted one"
    return done, campaigns


def check_crowd(study, workers, trials, kills, lease=2):
    """`workers` processes share a study; the first `kills` of them are killed on the way. Returns seconds."""
    began = time.time()
    slowly = f"sleep 0.2; {MEASURE}"  # so that the campaign is still on when somebody is killed
    crowd = [start(study, trials, "--worker", f"w{i}", "--lease", str(lease), "--shell", command=slowly)
             for i in range(workers)]
    for i in range(kills):
        while len(told(study)) < (i + 1) * trials // (kills + 2):
            time.sleep(0.1)
        assert crowd[i].poll() is None, f"w{i} had finished before it could be killed: measurements must take longer"
        crowd[i].send_signal(signal.SIGKILL)
    outputs = [process.communicate(timeout=240) for process in crowd]
    for i, process in enumerate(crowd):
        assert process.returncode == (-signal.SIGKILL if i < kills else 0), f"w{i}: {outputs[i][1]}"
        assert "locked" not in outputs[i][1], outputs[i][1]
    stored = told(study)
    assert len(stored) == trials, f"{len(stored)} told, not {trials}"
    for output, _ in outputs:
        for trial, value in acknowledged(output).items():
            assert stored[trial] == value
    for event in events(study):
        if event["kind"] == "taken":
            assert event["body"]["from"] in {f"w{i}" for i in range(kills)}, f"taken from the living: {event}"
    status = lines(iqbo("status", "--study", study, "--json")[0])[0]
    assert status["pending"] == 0 and status["told"] == trials, status
    return time.time() - began
