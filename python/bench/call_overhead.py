"""What a score of 2,500 candidates costs from Python, against the same call in C++.

    PYTHONPATH=build/dev/python /usr/bin/python3 python/bench/call_overhead.py build/dev/python/call_overhead

Checks that both give the same answer; then the least time of each, over alternating rounds, as others on the machine only add.
"""
import subprocess
import sys
import time

import iqbo
import numpy as np

a = iqbo.QueryBox([0, 0], [1, 1]).grid(50)
x = iqbo.InputBox([0, 0], [1, 1]).grid(30)
seen = iqbo.QueryBox([0, 0], [1, 1]).grid(6)
z = np.sin(3 * seen.sum(axis=1))
window = iqbo.GaussianConditional(iqbo.conditionals.QueryMap.identity(2), 0.05)
post = iqbo.Posterior(iqbo.Rbf(1.0, [0.3, 0.3]), window).condition(seen, z, 0.01)
nu, q = post.g(a)
mean, var = post.f(x)
c = post.fg_cov(x, a)
c16, var16 = np.asfortranarray(c[:16]), var[:16]
noise, fstar = np.full(len(a), 0.01), np.linspace(1.1, 2.0, 16)
CALLS = {
    "cmes": lambda: iqbo.acquisition.cmes(nu, q, fstar),
    "noisy_cmes": lambda: iqbo.acquisition.noisy_cmes(nu, q, noise, fstar),
    "expected_improvement": lambda: iqbo.acquisition.expected_improvement(nu, q, 0.9),
    "ucb": lambda: iqbo.acquisition.ucb(nu, q),
    "cjes": lambda: iqbo.acquisition.cjes(q, noise, c16, var16),
    "knowledge_gradient": lambda: iqbo.acquisition.knowledge_gradient(mean, c, q, noise),
    "sweep: posterior, ucb": lambda: iqbo.acquisition.ucb(*post.g(a)),
    "sweep: posterior, cmes": lambda: iqbo.acquisition.cmes(*post.g(a), fstar),
}


def least(call, budget=0.5):
    best, spent = np.inf, 0.0
    while spent < budget:
        begin = time.perf_counter()
        call()
        seconds = time.perf_counter() - begin
        best, spent = min(best, seconds), spent + seconds
    return best


def main(program, rounds=3):
    cpp, python = dict.fromkeys(CALLS, np.inf), dict.fromkeys(CALLS, np.inf)
    for _ in range(rounds):
        for line in subprocess.run([program], capture_output=True, text=True, check=True).stdout.splitlines():
            name, seconds, total = line.rsplit(" ", 2)
            np.testing.assert_allclose(CALLS[name]().sum(), float(total), rtol=1e-9, err_msg=name)
            cpp[name] = min(cpp[name], float(seconds))
        for name, call in CALLS.items():
            python[name] = min(python[name], least(call))
    print(f"{'2,500 candidates':26}{'C++':>12}{'Python':>12}{'ratio':>8}")
    for name in CALLS:
        print(f"{name:26}{1e6 * cpp[name]:9.1f} us{1e6 * python[name]:9.1f} us{python[name] / cpp[name]:8.3f}")


if __name__ == "__main__":
    main(sys.argv[1])
