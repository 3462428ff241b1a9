#!/usr/bin/env python3
"""./dev kill-test: campaigns killed at 200 random moments, half on SQLite and half on PostgreSQL, and crowds of workers."""
import argparse
import os
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from campaigns import check_crowd, check_killed, given_study


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--kills", type=int, default=200)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--server", required=True, help="file with a PostgreSQL server's URL")
    options = options.parse_args()
    url = Path(options.server).read_text().splitlines()[0]
    with tempfile.TemporaryDirectory(prefix="iqbo-kill-") as name:
        folder = Path(name)

        def server(what):
            return f"{url}?study={what}-{os.getpid()}"

        for kind, places in (("SQLite", lambda i: str(folder / f"k{i}.db")), ("PostgreSQL", lambda i: server(f"k{i}"))):
            (folder / kind).mkdir()
            kills, campaigns = check_killed(folder / kind, places, options.kills // 2, seed=options.seed)
            print(f"{kind}: {kills} kills in {campaigns} campaigns of 20 trials: nothing acknowledged was lost or doubled, "
                  "every trace equals the uninterrupted one", flush=True)
        given_study(folder, server("crowd"))
        seconds = check_crowd(server("crowd"), workers=8, trials=400, kills=3)
        print(f"PostgreSQL: 8 processes, 3 of them killed, 400 trials each told once, in {seconds:.0f} s", flush=True)
        given_study(folder, str(folder / "crowd.db"))
        seconds = check_crowd(str(folder / "crowd.db"), workers=4, trials=200, kills=1)
        print(f"SQLite: 4 processes, 1 of them killed, 200 trials each told once, in {seconds:.0f} s", flush=True)


if __name__ == "__main__":
    main()
