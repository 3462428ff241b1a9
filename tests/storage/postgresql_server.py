#!/usr/bin/env python3
"""A PostgreSQL server for the tests: python3 postgresql_server.py start|stop <file>

start makes a fresh cluster in a folder of its own, on a free port of this machine, with a password, as an ordinary user
(PostgreSQL refuses root), and writes <file>: the URL, then the folder. stop ends that server and removes the folder.
"""
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

PASSWORD = "s3cr%t/:@word"  # awkward on purpose: it must never appear in a message
ENCODED = "s3cr%25t%2F%3A%40word"


def program(name):
    """The newest server's; Debian keeps them off the PATH."""
    found = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), key=lambda p: float(p.parts[-3]))
    path = found[-1] if found else shutil.which(name)
    if not path:
        sys.exit(f"no {name}: install the Debian package postgresql (./dev test does)")
    return str(path)


def attempt(*command):
    as_user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] if os.geteuid() == 0 else []
    return subprocess.run([*as_user, *command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, cwd="/")


def run(*command):
    done = attempt(*command)
    if done.returncode:
        sys.exit(f"{command[0]} failed:\n{done.stdout}")


def start(record):
    stop(record)
    folder = Path(tempfile.mkdtemp(prefix="iqbo-postgresql-"))
    (folder / "password").write_text(PASSWORD + "\n")
    if os.geteuid() == 0:
        shutil.chown(folder, "postgres")
        shutil.chown(folder / "password", "postgres")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    record.write_text(f"postgresql://iqbo:{ENCODED}@127.0.0.1:{port}/postgres\n{folder}\n")
    run(program("initdb"), "--pgdata", f"{folder}/data", "--username=iqbo", f"--pwfile={folder}/password",
        "--auth=scram-sha-256", "--encoding=UTF8", "--locale=C")
    # fsync off: what the tests kill is processes, not the machine.
    options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={folder} -c fsync=off"
    run(program("pg_ctl"), "start", "--wait", "--pgdata", f"{folder}/data", "--log", f"{folder}/log", "-o", options)


def stop(record):
    if not record.exists():
        return
    folder = Path(record.read_text().splitlines()[1])
    running = attempt(program("pg_ctl"), "status", "--pgdata", f"{folder}/data").returncode == 0
    if running:  # not if the machine was switched off in the meantime, which leaves all files
        run(program("pg_ctl"), "stop", "--wait", "--mode=immediate", "--pgdata", f"{folder}/data")
    shutil.rmtree(folder, ignore_errors=True)
    record.unlink()


if __name__ == "__main__":
    {"start": start, "stop": stop}[sys.argv[1]](Path(sys.argv[2]))
