#!/usr/bin/env python3
"""Many clients at once against iqbo serve: readers, watchers, slow and rude ones. ./dev load-test [--clients N]"""
import argparse
import random
import socket
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from serving import Server, next_event
from campaigns import given_study, iqbo

GARBAGE = [b"\x00\xff" * 500, b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"POST /api/tell HTTP/1.1\r\nContent-Length: -5\r\n\r\n",
           b"GET / HTTP/1.1\r\n" + b"A: " + b"b" * 9000 + b"\r\n\r\n", b"\r\n" * 100,
           b"POST /api/tell HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", b"GET /api/report HTTP/1.1\r\nHost: x\r\n",
           b"GET /api/report HTTP/1.1\r\nRange: bytes=9-1,-,5-5\r\n\r\n"]


class Crowd:
    def __init__(self, server, seconds):
        self.server, self.until = server, time.monotonic() + seconds
        self.lock = threading.Lock()
        self.times, self.wrong, self.streams, self.refused = [], [], 0, 0

    def note(self, what):
        with self.lock:
            self.wrong.append(what)

    def read(self, number):
        """Reads again and again; every answer must be whole."""
        paths = ["/api/status", "/api/report", "/api/trials", "/"]
        while time.monotonic() < self.until:
            path, start = random.choice(paths), time.monotonic()
            status, headers, body = self.server.request("GET", path)
            if status != 200 or len(body) != int(headers["Content-Length"]):
                self.note(f"{path}: {status}")
            with self.lock:
                self.times.append(time.monotonic() - start)

    def watch(self, number):
        """Watches, or is told to come back."""
        stream = self.server.events()
        if stream.status == 503 and stream.headers["Retry-After"]:
            with self.lock:
                self.refused += 1
            return
        if stream.status != 200 or next_event(stream) is None:
            self.note(f"stream: {stream.status}")
        with self.lock:
            self.streams += 1
        time.sleep(max(0.0, self.until - time.monotonic()))

    def dawdle(self, number):
        """Sends a byte now and then, as if to hold a thread for ever; or takes its answer as slowly."""
        with socket.create_connection(("127.0.0.1", self.server.port)) as s:
            text = f"GET /api/report HTTP/1.1\r\nHost: 127.0.0.1:{self.server.port}\r\n".encode()
            if number // 8 % 2 == 0:
                s.sendall(text + b"\r\n")
            try:
                for i in range(10**6):
                    if time.monotonic() > self.until:
                        return
                    s.recv(1) if number // 8 % 2 == 0 else s.sendall(text[i:i + 1] or b"x")
                    time.sleep(0.2)
            except OSError:
                pass  # the server had enough

    def annoy(self, number):
        while time.monotonic() < self.until:
            try:
                with socket.create_connection(("127.0.0.1", self.server.port), timeout=5) as s:
                    s.sendall(random.choice(GARBAGE))
                    if random.random() < 0.5:
                        s.recv(100)
            except OSError:
                pass
            time.sleep(0.05)

    def run(self, one, number):
        try:
            one(number)
        except Exception as error:  # whatever happens to a client is what we are looking for
            self.note(f"{one.__name__}: {error!r}")


def load(server, clients, seconds):
    """Half of them read, a quarter watch, an eighth dawdles and an eighth is rude."""
    crowd = Crowd(server, seconds)
    kinds = [crowd.read] * 4 + [crowd.watch] * 2 + [crowd.dawdle, crowd.annoy]
    threads = [threading.Thread(target=crowd.run, args=(kinds[i % 8], i), daemon=True) for i in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    server.get("/api/status")  # still there
    times = sorted(crowd.times)
    return {"clients": clients, "answers": len(times), "wrong": crowd.wrong[:5],
            "median ms": round(1000 * times[len(times) // 2]), "slowest ms": round(1000 * times[-1]),
            "streams": crowd.streams, "refused streams": crowd.refused}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--clients", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=20)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="iqbo-load-") as name:
        folder = Path(name)
        study = str(folder / "s.db")
        given_study(folder, study)
        iqbo("run", "--study", study, "--command", "echo {number}.5", "--trials", 20)
        with Server(study, "--streams", 32) as server:
            report = load(server, options.clients, options.seconds)
            code = server.interrupt()
    for name, value in report.items():
        print(f"{name}: {value}")
    if report["wrong"] or code != 0 or (options.clients >= 200 and report["refused streams"] == 0):
        sys.exit("iqbo serve did not stand it")


if __name__ == "__main__":
    main()
