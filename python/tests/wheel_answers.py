"""Numbers that every build of iqbo must give alike, as JSON: python wheel_answers.py PROGRAM.

`given`: the kernel is given, so that each number is a short computation. `fitted`: everything is fitted, in Python and by the program.
python/tests/wheel.py compares those of a wheel with those of the build.
"""
import json
import math
import os
import subprocess
import sys
import tempfile

import numpy as np

import iqbo


def truth(a):
    """Rounded, because the last digits of exp and sin depend on the version of NumPy or of the C library."""
    return round(math.exp(-((float(a) - 0.4) / 0.15) ** 2) + 0.3 * math.sin(9 * float(a)), 6)


def given():
    a = np.linspace(0.05, 0.95, 19)
    z = [truth(each) for each in a]
    x = np.linspace(0, 1, 41)
    out = []
    for kernel in (iqbo.Rbf(1.0, 0.2), iqbo.Matern52(1.0, 0.3), iqbo.kernels.Matern12(1.0, 0.5)):
        for conditional in (iqbo.UniformConditional(half_width=0.1), iqbo.GaussianConditional(sd=0.05)):
            post = iqbo.Posterior(kernel, conditional).condition(a, z, noise_var=1e-4)
            mean, var = post.f(x)
            out += [*mean, *var, post.log_evidence]
    return out


def fitted(program):
    x = np.linspace(0, 1, 50)
    study = iqbo.Study(targets=x, queries=x[::2], conditional=iqbo.UniformConditional(half_width=0.1), seed=1)
    for _ in range(8):
        a = study.ask()
        study.tell(a, truth(a[0]))
    best = study.best()
    out = [float(best.x[0]), best.mean, best.low, best.high]
    with tempfile.TemporaryDirectory() as folder:
        def run(*words):
            return subprocess.run([program, *words, "--json"], cwd=folder, check=True, capture_output=True, text=True).stdout

        run("new", "--template", "districts", "--folder", "campaign", "--study", "campaign.db")
        for trial in range(8):
            asked = json.loads(run("ask", "--study", "campaign.db"))
            run("tell", "--study", "campaign.db", str(asked["number"]), str(1 + int(asked["name"][1:]) % 5))
        out += [json.loads(line)[key] for line in run("predict", "--study", "campaign.db", "--top", "256").splitlines()
                for key in ("mean", "sd")]
    return out


def main(program):
    json.dump({"given": [float(each) for each in given()], "fitted": [float(each) for each in fitted(os.path.abspath(program))]}, sys.stdout)


if __name__ == "__main__":
    main(sys.argv[1])
