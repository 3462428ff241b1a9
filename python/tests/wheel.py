"""Is the installed wheel small, quick to import, whole and movable, and does it compute what the build does?

    python -I wheel.py WHEEL ANSWERS, in the environment it is in

ANSWERS is what wheel_answers.py printed with the build. Not pytest: the environment has NumPy and nothing else.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

MOST_MEGABYTES, MOST_SECONDS = 40.0, 0.2
SAME = 1e-12  # relative, or absolute below 1
OTHER_ROUNDING = 1e-11  # without FMA every product is rounded once more: 1.2e-12 was measured
OLD_PROCESSOR = {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA,-BMI2"}  # to ld.so, which then takes the library for the baseline
PROGRAM = """
import sys, numpy as np, iqbo
assert {folder!r} in iqbo.__file__, iqbo.__file__
post = iqbo.Posterior(iqbo.Rbf(1.0, 0.2), iqbo.UniformConditional(half_width=0.1)).condition([0.3, 0.7], [0.2, 1.0], 0.01)
assert abs(post.f(np.linspace(0, 1, 101)).mean.argmax() - 71) < 10
x = np.linspace(0, 1, 50)
study = iqbo.Study(targets=x, queries=x[::2], conditional=iqbo.UniformConditional(half_width=0.1), location="study.db", seed=1)
for _ in range(6):
    a = study.ask()
    study.tell(a, -(a[0] - 0.4) ** 2)
assert iqbo.Study("study.db").status().told == 6 and abs(study.best().x[0] - 0.4) < 0.1
best = iqbo.maximize(lambda a: -(a[0] - 0.4) ** 2, conditional=iqbo.GaussianConditional(sd=0.1), queries=x, targets=x, budget=8)
assert abs(best.x[0] - 0.4) < 0.1
try:
    iqbo.Study("postgresql://localhost:1/nobody")
except iqbo.StorageError:
    pass
print(sorted({{line.split()[-1] for line in open("/proc/self/maps") if ".so" in line and "/iqbo/" not in line
               and not any(part in line for part in ("numpy", "/python3", "lib-dynload"))}}))
"""
SYSTEM = ("ld-linux", "libc.so", "libm.so", "libdl.so", "librt.so", "libpthread.so", "libresolv.so", "libstdc++.so", "libgcc_s.so",
          "libpython", "libz.so", "libexpat.so", "libutil.so", "libnss", "libgomp", "libcrypto", "libssl", "libbz2", "liblzma",
          "libffi", "libuuid", "libsqlite3")  # the last seven: Python's own modules load them


def run(code, folder=None, **more):
    env = {**os.environ, **({"PYTHONPATH": folder} if folder else {}), **more}
    with tempfile.TemporaryDirectory() as scratch:
        done = subprocess.run([sys.executable, "-c", code], cwd=scratch, env=env, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"failed:\n{done.stderr}")
    return done.stdout


def seconds(code):
    """Of the processor, the least of several: others on the machine only add."""
    took = []
    for _ in range(9):
        before = os.times()
        run(code)
        after = os.times()
        took.append(after.children_user + after.children_system - before.children_user - before.children_system)
    return min(took)


def libraries(**more):
    """The copies of libiqbo.so that `import iqbo` loads."""
    code = "import iqbo; print({line.split()[-1] for line in open('/proc/self/maps') if 'libiqbo.so' in line})"
    return sorted(eval(run(code, **more)))  # noqa: S307


def distance(ours, theirs):
    """The largest difference, relative where numbers exceed 1."""
    assert len(ours) == len(theirs)
    return max(abs(a - b) / max(1.0, abs(b)) for a, b in zip(ours, theirs))


def compare_answers(answers, package):
    program = os.path.join(os.path.dirname(sys.executable), "iqbo")
    script = pathlib.Path(__file__).with_name("wheel_answers.py")

    def ours(**more):
        done = subprocess.run([sys.executable, script, program], env={**os.environ, **more}, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"failed:\n{done.stderr}")
        return json.loads(done.stdout)

    theirs = json.loads(pathlib.Path(answers).read_text())
    best = ours()
    print(f"answers of the wheel and of the build differ by {distance(best['given'], theirs['given']):.1e} (kernel given), "
          f"{distance(best['fitted'], theirs['fitted']):.1e} (fitted); at most {SAME:g}")
    assert distance(best["given"], theirs["given"]) <= SAME and distance(best["fitted"], theirs["fitted"]) <= SAME
    if (package / "lib" / "glibc-hwcaps").exists():
        chosen, baseline = libraries(), libraries(**OLD_PROCESSOR)
        print(f"library: {chosen[0]}; on an old processor {baseline[0]}")
        assert "glibc-hwcaps" in chosen[0] and "glibc-hwcaps" not in baseline[0] and len(chosen) == len(baseline) == 1
        old = ours(**OLD_PROCESSOR)
        print(f"answers for the baseline differ by {distance(old['given'], theirs['given']):.1e} (kernel given), "
              f"{distance(old['fitted'], theirs['fitted']):.1e} (fitted)")
        assert distance(old["given"], theirs["given"]) <= OTHER_ROUNDING


def main(wheel, answers):
    import iqbo

    package = pathlib.Path(iqbo.__file__).parent
    assert (package / "py.typed").exists() and (package / "kernels.pyi").exists(), "no type stubs"
    size = os.path.getsize(wheel) / 1e6
    strangers = [name for name in eval(run(PROGRAM.format(folder=str(package))))  # noqa: S307
                 if not any(known in name for known in SYSTEM)]
    assert not strangers, f"libraries from outside the wheel: {strangers}"
    compare_answers(answers, package)
    with tempfile.TemporaryDirectory() as elsewhere:
        shutil.copytree(package, pathlib.Path(elsewhere) / "moved" / "iqbo")
        run(PROGRAM.format(folder=elsewhere), folder=str(pathlib.Path(elsewhere) / "moved"))
    over = seconds("import iqbo") - seconds("import numpy")
    print(f"wheel {size:.1f} MB (at most {MOST_MEGABYTES:g}); import {over:.3f} s over NumPy's (at most {MOST_SECONDS:g})")
    assert size < MOST_MEGABYTES and over < MOST_SECONDS


if __name__ == "__main__":
    main(*sys.argv[1:])
